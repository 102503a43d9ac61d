"""A page in JupyterLab 4 and Notebook 7: it is shown, and an edit of a count changes the answer."""

import re
import sys
from contextlib import suppress
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import TimeoutError, expect

import sdcwidgets
from serving import free_port, running

EXPLORE = Path(sdcwidgets.__file__).parent.parent / "notebooks" / "explore.ipynb"


@pytest.fixture(scope="module")
def tolerated():
    """Return what these programs write to the console: requests to the internet, and defects of Notebook itself."""
    return (
        "Failed to load resource",
        "ERR_",
        "The getter for the shared module is not a function",
        "Cannot read properties of undefined (reading 'schema')",
        "not registered",
        "Could not restore the debugger state",
        # A kernel was slow, and the page was closed before it answered.
        "Canceled future for",
    )


@pytest.fixture(scope="module")
def jupyter(tmp_path_factory):
    """Return the address of a JupyterLab that has the notebook of the page Explore."""
    folder = tmp_path_factory.mktemp("lab")
    (folder / "notebooks").mkdir()
    nbformat.write(nbformat.read(EXPLORE, as_version=4), folder / "notebooks" / "explore.ipynb")
    port = free_port()
    address = f"http://127.0.0.1:{port}/"
    options = [f"--ServerApp.port={port}", "--IdentityProvider.token=", "--no-browser", "--allow-root"]
    options += [f"--ServerApp.root_dir={folder / 'notebooks'}"]
    options += [f"--LabApp.workspaces_dir={folder}"]
    with running([sys.executable, "-m", "notebook", *options], f"{address}api"):
        yield address


def accept(dialogue):
    """Choose what a dialogue offers."""
    dialogue.locator(".jp-mod-accept").click()


@pytest.mark.parametrize("place", ["lab/tree", "notebooks"])
def test_an_edit_in_a_notebook_changes_the_answer(jupyter, page, place):
    # A cell that is run too early opens a dialogue, which offers Python 3.
    page.add_locator_handler(page.locator(".jp-Dialog"), accept)
    page.goto(f"{jupyter}{place}/explore.ipynb")
    cell = page.locator(".jp-CodeCell").first
    cell.wait_for()
    count = page.locator(".sdc-page .sdc-grid td input").first
    for _ in range(6):
        # JupyterLab ignores a cell that is run before its session is ready, and does not show when it is.
        cell.locator(".cm-content").click()
        page.keyboard.press("Control+Enter")
        with suppress(TimeoutError):
            count.wait_for(timeout=10_000)
            break
    assert page.locator(".sdc-page").first.bounding_box()["width"] > 500
    answer = page.locator(".sdc-page .sdc-answer, .sdc-page .sdc-big").first
    before = answer.inner_text()
    assert re.search(r"0\.\d+", before)
    count.fill("99")
    count.press("Enter")
    expect(answer).not_to_have_text(before)
