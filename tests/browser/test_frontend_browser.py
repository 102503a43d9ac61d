"""Outputs and widgets as the front end of the server shows them, and pages that it leaves to Voila's own script."""

import sys

import nbformat
import pytest
from playwright.sync_api import expect

from serving import free_port, running

#: A server of the notebooks in a folder.
SERVE = """
import sys
from contextlib import contextmanager
from pathlib import Path
from sdcwidgets.cli import main
from sdcwidgets.dashboards import notebook_pages
folder = Path(sys.argv.pop(1))
notebook_pages.gathered = contextmanager(lambda: iter([folder]))
sys.exit(main(sys.argv[1:]))
"""

HOSTILE = """
from IPython.display import HTML, Image, SVG, display
display(HTML(
    "<p id=x class=kept onclick='acted=1'>Text <script>acted=1</script><b>bold</b></p>"
    "<img class=broken src=x onerror='acted=1'><a class=link href='javascript:acted=1'>link</a>"
    "<iframe srcdoc='<script>parent.acted=1</script>'></iframe><svg onload='acted=1'><circle r=1 /></svg>"
    "<table class=dataframe><tr><th scope=col>Area</th><td colspan=2 style='text-align: right'>7</td></tr></table>"
))
display(SVG("<svg xmlns='http://www.w3.org/2000/svg' width='40' height='20' onload='parent.acted=1'/>"))
display(Image(__import__("base64").b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
), format="png"))
"<b>plain</b>"
"""

WIDGETS = """
import ipywidgets
ipywidgets.VBox([ipywidgets.HTML("<p class='first'>one</p>"), ipywidgets.HBox([ipywidgets.HTML("two")])])
"""

CONTROLS = """
import ipywidgets
ipywidgets.VBox([ipywidgets.IntSlider(3, description="Base"), ipywidgets.Dropdown(options=["a", "b"])])
"""


@pytest.fixture(scope="module")
def tolerated():
    """Return what browsers report: versions of packages of Voila, refused parts of outputs, a session that ended."""
    return ("Unsatisfied version", "No satisfying version", "Content Security Policy", "status of 404")


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Serve a folder with a notebook of each kind, and give the address of its pages."""
    folder = tmp_path_factory.mktemp("pages")
    for name, code in {"hostile": HOSTILE, "widgets": WIDGETS, "controls": CONTROLS}.items():
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
        notebook.metadata["sdcwidgets"] = {"kind": "lesson"}
        nbformat.write(notebook, folder / f"{name}.ipynb")
    port = free_port()
    command = [sys.executable, "-c", SERVE, str(folder), "serve", "--no-browser", "--port", str(port)]
    with running(command, f"http://127.0.0.1:{port}/health"):
        yield f"http://127.0.0.1:{port}/voila/render/"


def test_outputs_are_shown_without_anything_that_acts(pages, page):
    page.goto(f"{pages}hostile.ipynb")
    outputs = page.locator("#rendered_cells .jp-OutputArea-output")
    expect(outputs).to_have_count(4)
    assert page.evaluate("globalThis.acted") is None
    markup = outputs.nth(0)
    expect(markup.locator("b")).to_have_text("bold")
    expect(markup.locator("script, iframe, svg, [onclick], [onerror], [href], [src]")).to_have_count(0)
    expect(markup.locator("th[scope=col]")).to_have_text("Area")
    expect(markup.locator("td[colspan='2']")).to_have_css("text-align", "right")
    for picture in (outputs.nth(1).locator("img"), outputs.nth(2).locator("img")):
        assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    expect(outputs.nth(3).locator("pre")).to_have_text("'<b>plain</b>'")
    assert page.evaluate("globalThis.acted") is None


def test_boxes_and_texts_are_shown_without_scripts_of_voila(pages, page, asked):
    page.goto(f"{pages}widgets.ipynb")
    expect(page.locator(".widget-vbox > .widget-html .first")).to_have_text("one")
    expect(page.locator(".widget-vbox > .widget-hbox > .widget-html")).to_have_text("two")
    assert [address for address in asked if "voila.js" in address or "labextensions" in address] == []


def test_a_page_with_other_widgets_is_shown_by_the_script_of_voila(pages, page, asked):
    page.goto(f"{pages}controls.ipynb")
    expect(page.locator(".widget-slider .widget-readout")).to_have_text("3")
    expect(page.locator(".widget-dropdown select")).to_be_visible()
    assert [address for address in asked if address.endswith("/voila.js")]


def test_a_lesson_reports_that_its_session_has_ended(pages, page):
    page.goto(f"{pages}widgets.ipynb")
    expect(page.locator(".first")).to_be_visible()
    notice = page.get_by_role("alert")
    expect(notice).to_have_text("")
    page.evaluate("""async () => {
        const form = new FormData();
        form.append("_xsrf", /_xsrf=([^;]*)/.exec(document.cookie)[1]);
        await fetch(`../api/shutdown/${document.body.dataset.kernelId}`, { method: "POST", body: form });
    }""")
    expect(notice.get_by_role("button")).to_be_visible()
    notice.get_by_role("button").click()
    expect(page.locator(".first")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_text("")
