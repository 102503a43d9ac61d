"""A running `sdcwidgets serve`, for the tests that talk to it; property tests without a deadline."""

import hashlib
import logging
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, NoReturn

import numpy as np
import pytest
from filelock import FileLock
from hypothesis import HealthCheck, settings

from sdcwidgets import methods
from sdcwidgets._util.parameters import Label, Range
from sdcwidgets.methods import base
from serving import free_port, logged

# A busy machine is no defect. Where everything is checked, what is found depends on the code alone; elsewhere new
# examples are looked for each time.
settings.register_profile(
    "project",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize="CI" in os.environ,
)
settings.load_profile("project")


#: No doctests are collected from these: pytest would import one twice, under two names.
collect_ignore_glob = ["conftest.py", "**/conftest.py"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--once", action="store_true", help="run each test with the first of its parameters only"
    )
    parser.addoption(
        "--renew-snapshots",
        action="store_true",
        help="write the snapshots of pages instead of comparing them",
    )
    parser.addoption(
        "--slow-pages",
        type=int,
        metavar="MILLISECONDS",
        help="in browser tests, delay messages, frames and timers, to find tests that read a page too early",
    )
    parser.addoption(
        "--require-programs",
        action="store_true",
        help="fail, instead of skip, if Chromium, axe-core or Java is missing",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--once"):
        first: dict[str, pytest.Item] = {}
        for item in items:
            first.setdefault(item.nodeid.split("[")[0], item)
        config.hook.pytest_deselected(items=list(set(items) - set(first.values())))
        items[:] = first.values()


@pytest.fixture(scope="session")
def missing(pytestconfig: pytest.Config) -> Callable[[str], NoReturn]:
    """Return a function that skips a test whose program is missing, or fails it with `--require-programs`."""
    return pytest.fail if pytestconfig.getoption("--require-programs") else pytest.skip


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of `sdcwidgets serve`, with a slash at the end."""
    port = free_port()
    command = [sys.executable, "-m", "sdcwidgets.cli", "serve", "--no-browser", "--port", str(port)]
    address = f"http://127.0.0.1:{port}/sdcwidgets/static/plotly.min.js"
    with logged(command, address, tmp_path_factory.mktemp("log") / "served") as served:
        yield served


@pytest.fixture(scope="session")
def site(pytestconfig: pytest.Config) -> Path:
    """The documentation, built with every warning an error, once for the files as they are."""
    root = pytestconfig.rootpath
    folders = (root / folder for folder in ("docs", "sdcwidgets", "notebooks", "tutorials"))
    made_of = hashlib.sha256()
    # Other files beside these, such as a log of the tests, are no part of the documentation.
    own = [*root.glob("*.md"), *root.glob("*.toml"), *root.glob("*.cff")]
    for file in sorted([*own, *(file for folder in folders for file in folder.rglob("*"))]):
        if file.is_file() and file.suffix != ".pyc" and not file.is_relative_to(root / "sdcwidgets/site"):
            made_of.update(f"{file.relative_to(root)} {file.stat().st_size} ".encode() + file.read_bytes())
    built = pytestconfig.cache.mkdir("site") / made_of.hexdigest()
    with FileLock(built.with_name("lock")):
        if not built.exists():
            for old in built.parent.glob("*/"):
                shutil.rmtree(old)
            making = built.with_name("making")
            command = [
                sys.executable,
                "-m",
                "mkdocs",
                "build",
                "--strict",
                "--site-dir",
                str(making),
            ]
            command += ["--config-file", str(root / "docs/site/mkdocs.yml")]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout + done.stderr
            making.rename(built)
    return built


@pytest.fixture
def shift(monkeypatch):
    """A method added in ten lines, known as "shift" as long as a test runs."""
    monkeypatch.setattr(base._METHODS, "_things", dict(base._METHODS._things))

    @methods.register
    @dataclass(frozen=True)
    class Shift(methods.PostTabular):
        """Each count that is not zero grows by the same amount."""

        by: Annotated[int, Range(0, 9), Label("Amount")] = 1

        def perturb(self, counts, draws, where):
            return np.broadcast_to(counts + self.by, draws.shape)

    return Shift


@pytest.fixture
def put_back(monkeypatch):
    """All that starting a log changes is put back, the root's level too: other tests read what is logged."""
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    for name in ("sdcwidgets.server", "tornado", "traitlets", None):
        logger = logging.getLogger(name)
        for attribute in ("level", "handlers", "propagate"):
            monkeypatch.setattr(logger, attribute, getattr(logger, attribute))


@pytest.fixture(autouse=True)
def environment():
    """Environment variables are put back after each test: a manager of kernels sets some for its processes."""
    before = dict(os.environ)
    yield
    if os.environ != before:
        current = os.environ.get("PYTEST_CURRENT_TEST")
        os.environ.clear()
        os.environ.update(before)
        if current:
            os.environ["PYTEST_CURRENT_TEST"] = current
