"""The kernels behind the pages: which program they run, and when they are ended."""

from __future__ import annotations

import sys
from datetime import timedelta

from jupyter_client.kernelspec import KernelSpec, KernelSpecManager, NoSuchKernel
from jupyter_core.utils import ensure_async
from jupyter_server._tz import utcnow
from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager
from traitlets import Integer

_NAME = "python3"


class OneKernelSpec(KernelSpecManager):
    """Offer one kernel: this Python with this project's start-up, whatever else is installed."""

    def find_kernel_specs(self) -> dict[str, str]:
        """Return the one name; it has no folder of resources."""
        return {_NAME: ""}

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        """Return the one kernel, or raise NoSuchKernel."""
        if kernel_name != _NAME:
            raise NoSuchKernel(kernel_name)
        return KernelSpec(
            argv=[sys.executable, "-m", "sdcwidgets.server.kernel", "-f", "{connection_file}"],
            display_name="Python 3",
            language="python",
        )


class PageKernels(AsyncMappingKernelManager):
    """Kernels that end some minutes after their page is gone, and even under an open page in the end.

    A page says goodbye when it is closed and its kernel ends at once; `cull_idle_timeout` is for pages that
    could not. `cull_open_timeout` is for the tab that nobody has touched since yesterday.
    """

    cull_open_timeout = Integer(
        12 * 3600, config=True, help="Seconds without any message after which an open page loses its kernel."
    )

    async def cull_kernel_if_idle(self, kernel_id: str) -> None:
        """End the kernel if its page is gone, or has been left alone for very long."""
        await super().cull_kernel_if_idle(kernel_id)
        active = getattr(self._kernels.get(kernel_id), "last_activity", None)
        if active and utcnow() - active > timedelta(seconds=self.cull_open_timeout):
            await ensure_async(self.shutdown_kernel(kernel_id))
