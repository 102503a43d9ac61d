"""The documentation: built with every link checked, whole without anything from elsewhere, and served under /docs."""

import inspect
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

import sdcwidgets
from sdcwidgets import attacks, measures, methods
from sdcwidgets.assessment import verdict
from sdcwidgets.dashboards import notebook_pages
from sdcwidgets.dashboards.protect.state import ProtectState
from sdcwidgets.methods import cellkey
from sdcwidgets.widgets.page_state.links import decode
from serving import serving_docs
from visiting import get

pytestmark = pytest.mark.slow

ROOT = Path(sdcwidgets.__path__[0]).parent

#: Other websites to which pages link. No page loads anything from them.
HOSTS = {
    "mybinder.org",
    "cran.r-project.org",
    "github.com",
    "pypi.org",
    "scientific-python.org",
    "semver.org",
    "www.pyopensci.org",
}


class Page(HTMLParser):
    """The elements of a page, each with its attributes."""

    def __init__(self, file):
        super().__init__()
        self.elements = []
        self.feed(file.read_text("utf-8"))

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def all(self, tag, attribute):
        return [had[attribute] for name, had in self.elements if name == tag and had.get(attribute)]


def test_no_page_loads_anything_from_elsewhere_or_has_a_script_in_it(site):
    """Takes more than 10 s of processor time, because the first test of the site builds it."""
    pages = [*site.rglob("*.html")]
    assert len(pages) > 30
    for file in pages:
        page = Page(file)
        scripts = [
            had for tag, had in page.elements if tag == "script" and had.get("type") != "application/json"
        ]
        assert all("src" in had for had in scripts), file
        loaded = [had["src"] for had in scripts] + page.all("link", "href") + page.all("img", "src")
        for address in loaded:
            if not address.startswith("data:"):
                assert not urlsplit(address).netloc, address
                assert (file.parent / urlsplit(address).path).exists(), address
    styles = "".join(file.read_text("utf-8") for file in site.rglob("*.css"))
    assert not re.search(r"url\(\s*[\"']?(https?:)?//", styles)


@pytest.mark.parametrize(
    ("name", "known"), [("methods", methods), ("measures", measures), ("attacks", attacks)]
)
def test_the_gallery_has_all_that_is_registered(site, name, known):
    page = Page(site / f"gallery/{name}.html")
    assert [one for one in page.all("h2", "id") if one in known.available()] == list(known.available())
    text = (site / f"gallery/{name}.html").read_text("utf-8")
    assert ":math:" not in text
    assert text.count('">Try it</a>') == len(known.available())
    if name != "attacks":
        for entry in re.split('(?=<h2 id=")', text)[1:]:
            own = (
                ("Remaining disclosure.", "Guarantee.") if name == "methods" else ("Special cases.", "Range.")
            )
            assert [word for word in (*own, "Source.") if word not in entry] == [], entry[:200]


def test_every_public_name_has_its_place_on_a_page_of_the_api(site):
    ids = {
        name
        for file in (site / "api").glob("*.html")
        for name in re.findall(r'id="([^"]+)"', file.read_text("utf-8"))
    }
    modules = [sdcwidgets, *(getattr(sdcwidgets, name) for name in sdcwidgets.__all__), verdict, cellkey]
    missing = []
    for module in filter(inspect.ismodule, modules):
        for name in module.__all__ if module is not sdcwidgets.core else ():
            value = getattr(module, name)
            documented = inspect.isclass(value) or inspect.isfunction(value)
            if documented and value.__module__.startswith("sdcwidgets."):
                place = f"{value.__module__}.{value.__qualname__}"
                missing += [] if place in ids else [place]
    assert missing == []
    for place in (
        "core.risk.cell.a_posteriori",
        "methods.targeted.swap",
        "tables.io.sources.kinds.named",
        "microdata.recoding.group",
    ):
        assert f"sdcwidgets.{place}" in ids


def test_every_link_leads_to_a_page_and_to_a_place_on_it(site):
    pages = {file.resolve(): Page(file) for file in site.rglob("*.html")}
    ids = {file: {*(had.get("id") for _, had in page.elements)} for file, page in pages.items()}
    for file, page in pages.items():
        assert "mermaid" not in {had.get("class") for _, had in page.elements}  # the theme asks a host for it
        for link in page.all("a", "href"):
            to = urlsplit(link)
            if to.netloc:
                assert (to.scheme, to.hostname) in {("https", host) for host in HOSTS}, (file.name, link)
                continue
            place = (file.parent / unquote(to.path)).resolve() if to.path else file
            assert place.is_file(), (file.name, link)
            if to.fragment and place in ids:
                assert unquote(to.fragment) in ids[place], (file.name, link)


def test_the_live_links_of_methods_open_these_methods(site):
    links = [link for link in Page(site / "gallery/methods.html").all("a", "data-live") if "state=" in link]
    states = [ProtectState.from_state(decode(parse_qs(urlsplit(link).query)["state"][0])) for link in links]
    assert [state.method.name for state in states] == list(methods.available())
    live = [link for file in site.rglob("*.html") for link in Page(file).all("a", "data-live")]
    pages = {urlsplit(link).path for link in live}
    assert len(pages) > 10
    assert all((ROOT / "notebooks" / Path(page).name).is_file() for page in pages)


@pytest.mark.parametrize("entry", notebook_pages.lessons(), ids=lambda entry: entry.name)
def test_each_lesson_has_its_questions_with_answers_its_numbers_and_a_picture(site, entry):
    text = (site / "lessons" / f"{entry.name}.html").read_text("utf-8")
    cells = json.loads(entry.file.read_text("utf-8"))["cells"]
    questions = [cell for cell in cells if "exercise" in cell["metadata"].get("tags", ())]
    assert text.count("<summary>Answer</summary>") == len(questions) or entry.order == 10
    assert "sdc-in-jupyter" not in text
    assert re.search(r'<img alt="[^"]{10,}" src="\.\./pictures/', text)


@pytest.mark.parametrize("page", sorted((ROOT / "docs/how").glob("*.md")), ids=lambda page: page.stem)
def test_each_how_to_has_a_picture_and_shows_what_is_printed(site, page):
    text = (site / "how" / f"{page.stem}.html").read_text("utf-8")
    assert re.search(r'<img alt="[^"]{10,}" src="\.\./pictures/', text)
    if re.search(r"^print\(", page.read_text("utf-8"), re.MULTILINE):
        assert '<span class="filename">Output</span>' in text


@pytest.mark.parametrize("name", ["teaching", "serving", "generator"])
def test_each_guide_to_a_server_has_a_picture(site, name):
    text = (site / f"{name}.html").read_text("utf-8")
    assert re.search(r'<img alt="[^"]{10,}" src="pictures/', text)


def test_each_picture_is_on_a_page(site):
    shown = {Path(src).name for file in site.rglob("*.html") for src in Page(file).all("img", "src")}
    assert {file.name for file in (ROOT / "docs/pictures").iterdir()} - shown == set()


def test_each_live_page_has_a_description_with_a_picture(site):
    page = Page(site / "pages.html")
    known = {entry.name for entry in notebook_pages.dashboards()}
    assert known <= set(page.all("h3", "id"))
    assert {f"pictures/{name}.jpg" for name in known} <= set(page.all("img", "src"))


def test_the_explanations_and_the_comparison_are_there(site):
    names = {file.stem for file in (site / "explain").glob("*.html")}
    assert {
        "risk-and-entropy",
        "five-risks",
        "intruders",
        "choosing",
        "verdict",
        "limits",
        "compared",
    } <= names
    text = (site / "explain/compared.html").read_text("utf-8")
    for program in ("sdcMicro", "pytauargus", "GaussSuppression", "ptable", "cellKey", "ACRO"):
        assert program in text


def test_the_server_shows_it_to_those_with_the_key(site):
    """Takes more than 10 s of processor time, because a server starts with the site."""
    with serving_docs(site, "--key", "secret-key") as root:
        for path in ("docs", "docs/", "docs/index.html"):
            assert "Enter the access key" in get(f"{root}{path}")[2]
            assert "that one can touch" in get(f"{root}{path}?key=secret-key")[2]
        landing = get(f"{root}?key=secret-key")[2]
        for path in ("docs/index.html", "docs/explain/five-risks.html"):
            assert f'href="{path}"' in landing
            assert get(f"{root}{path}?key=secret-key")[0] == 200
        status, headers, _ = get(f"{root}docs/search/search_index.json?key=secret-key")
        assert (status, headers["Cache-Control"]) == (200, "no-cache")
        for path in ("docs/nothing.html", "docs/..%2f__init__.py", "docs/%00"):
            status, _, text = get(f"{root}{path}?key=secret-key")
            assert (status in (403, 404), "All dashboards" in text) == (True, True)


def test_where_it_was_not_built_a_page_says_how(tmp_path):
    """Takes more than 10 s of processor time, because a server starts without the site."""
    with serving_docs(tmp_path) as root:
        status, _, text = get(f"{root}docs/index.html")
        assert (status, "make docs" in text) == (404, True)
        assert 'href="docs/' not in get(root)[2]
