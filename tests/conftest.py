"""A running `sdcwidgets serve`, for the tests that talk to it; property tests without a deadline."""

import sys
from collections.abc import Iterator

import pytest
from hypothesis import settings

from serving import free_port, running

settings.register_profile("project", deadline=None)  # a busy machine is no defect
settings.load_profile("project")


@pytest.fixture(scope="session")
def served() -> Iterator[str]:
    """The address of `sdcwidgets serve`, with a slash at the end."""
    port = free_port()
    command = [sys.executable, "-m", "sdcwidgets.cli", "serve", "--no-browser", "--port", str(port)]
    address = f"http://127.0.0.1:{port}/"
    with running(command, f"{address}sdcwidgets/static/plotly.min.js"):
        yield address
