"""The kernels behind the pages end when nobody needs them."""

import asyncio
import time

import pytest

from sdcwidgets.server.app import configuration
from sdcwidgets.server.kernels import OneKernelSpec, PageKernels


async def ends(connections, **timeouts):
    """Whether a kernel with so many open pages is gone within some seconds."""
    kernels = PageKernels(kernel_spec_manager=OneKernelSpec(), cull_interval=1, **timeouts)
    kernel_id = await kernels.start_kernel()
    for _ in range(connections):
        kernels.notify_connect(kernel_id)
    try:
        end = time.monotonic() + 12
        while kernel_id in kernels and time.monotonic() < end:
            await asyncio.sleep(0.2)
        return kernel_id not in kernels
    finally:
        await kernels.shutdown_all(now=True)


@pytest.mark.parametrize(
    ("connections", "timeouts", "gone"),
    [
        (0, {"cull_idle_timeout": 2}, True),
        (1, {"cull_idle_timeout": 2}, False),
        (1, {"cull_idle_timeout": 2, "cull_open_timeout": 3}, True),
    ],
    ids=["the page is gone", "the page is open", "the page is open since long"],
)
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_a_kernel_ends_when_its_page_is_gone_or_forgotten(connections, timeouts, gone):
    assert asyncio.run(ends(connections, **timeouts)) == gone


def test_a_served_kernel_ends_minutes_after_its_page():
    assert 60 <= configuration().PageKernels.cull_idle_timeout <= 3600
