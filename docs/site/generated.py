"""MkDocs hook that generates reference pages from the package."""

from __future__ import annotations

import hashlib
import inspect
import json
import os
import re
import shutil
from html import escape
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any
from urllib.parse import quote

import numpy as np
from formulas import mathml
from lessons import lesson_page
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from outputs import with_outputs

import sdcwidgets
from sdcwidgets import FrequencyTable, InputError, attacks, cli, examples, measures, methods
from sdcwidgets._util.parameters import declared
from sdcwidgets.cli._json import VERSIONS, schema
from sdcwidgets.cli._parser import WIDTH, Parser
from sdcwidgets.dashboards import notebook_pages
from sdcwidgets.dashboards.protect.state import ProtectState
from sdcwidgets.widgets.page_state.links import encode
from sdcwidgets.widgets.texts.glossary import entries

ROOT = Path(__file__).parents[2]

#: Example table and seed of the generated pages.
EXAMPLE, SEED = "religion", 1

#: Path of the served pages, relative to a page of the gallery.
PAGES = "../../voila/render"

#: Files of the project that pages refer to.
DEPLOYED = (
    "deploy/Dockerfile",
    "deploy/compose.yaml",
    "deploy/jupyterhub_config.py",
    "deploy/requirements.lock",
    "deploy/sdcwidgets.service",
)

#: Elements of the theme without an accessible name, and the attribute to add.
NAMED = {
    'role="dialog"': 'aria-label="Search"',
    'class="md-search__scrollwrap"': 'role="region" aria-label="Results"',
}

CORE = [module.name for module in iter_modules(sdcwidgets.core.__path__) if not module.name.startswith("_")]

#: Modules and packages below the public modules that have a separate page.
BELOW = (
    "assessment.replications",
    "assessment.report",
    "assessment.search",
    "assessment.verdict",
    "core.estimate",
    "core.microdata",
    "core.risk",
    "core.suppression",
    "methods.cellkey",
    "methods.targeted",
    "microdata.recoding",
    "tables.io.layouts",
    "tables.io.options",
    "tables.io.proposals",
    "tables.io.reading",
    "tables.io.sources",
)


#: Public modules, except the modules of `BELOW`, whose pages are below the page of their package.
MODULES = [
    name
    for name in sdcwidgets.__all__
    if inspect.ismodule(getattr(sdcwidgets, name))
    and getattr(sdcwidgets, name).__name__.removeprefix("sdcwidgets.") not in BELOW
]


#: Text on the functions of all pages of sdcwidgets, in the reference of `dashboards`.
APP = """
Each page is a module with a function `app(table=None)`, which returns the page. The method `figures()` of a page
returns its charts as plotly figures:

```python
from sdcwidgets import dashboards, examples

page = dashboards.rounding.app(examples.load("sex"))
figures = page.figures()  # plotly figures by the names of the charts
page  # a notebook shows the page if this is the last line of a cell
```

The section [Charts of a page](../how/notebook.md#charts-of-a-page) has a longer example. The class
[`Dashboard`](widgets.md#sdcwidgets.widgets.dashboard.Dashboard) lists all attributes of a page.
"""


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Add a page per module and per lesson to the navigation."""
    (tutorials,) = (part["Tutorials"] for part in config.nav if "Tutorials" in part)
    tutorials += [{entry.title: f"lessons/{entry.name}.md"} for entry in notebook_pages.lessons()]
    (reference,) = (part["Reference"] for part in config.nav if "Reference" in part)
    (api,) = (part["API"] for part in reference if isinstance(part, dict) and "API" in part)
    api[api.index("API_MODULES") :] = [{name: f"api/{name}.md"} for name in sorted([*MODULES, *BELOW])]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages, and the files of the project that pages refer to."""
    pages = (
        {
            "contributing.md": (ROOT / "CONTRIBUTING.md").read_text("utf-8"),
            "changelog.md": (ROOT / "CHANGELOG.md").read_text("utf-8"),
            "pages.md": _pages(),
            "lessons/index.md": _lessons(),
            "commands.md": _commands(),
            "glossary.md": _glossary(),
            "gallery/methods.md": _methods(),
            "gallery/measures.md": _measures(),
            "gallery/attacks.md": _attacks(),
            "gallery/examples.md": _examples(),
            "api/index.md": "# API\n\n" + _api(sdcwidgets, of_modules=False),
        }
        | {
            f"api/{name}.md": f"# {name}\n\n{_shown(getattr(sdcwidgets, name))}\n\n{_api(getattr(sdcwidgets, name))}"
            for name in MODULES
        }
        | {f"api/{name}.md": _page_below(name) for name in BELOW}
    )
    heading, description, rest = pages["api/dashboards.md"].split("\n\n", 2)
    pages["api/dashboards.md"] = "\n\n".join([heading, description, APP.strip(), rest])
    for entry in notebook_pages.lessons():
        pages[f"lessons/{entry.name}.md"] = lesson_page(entry.file, f"../pictures/{entry.name}.jpg")
    for name, text in pages.items():
        files.append(File.generated(config, name, content=text))
    copies = {name: name for name in DEPLOYED}
    own = {"assets/site.css": "docs/site/site.css", "assets/live.js": "docs/site/live.js"}
    for name, source in (copies | own).items():
        files.append(File.generated(config, name, abs_src_path=str(ROOT / source)))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Replace links to files of the project by links to their copies, and add the output of commands and code."""
    if page.file.src_uri.startswith(("how/", "explain/", "index.md")):
        markdown = with_outputs(markdown)
    if page.file.src_uri == "contributing.md":
        return markdown.replace("](docs/", "](")
    return markdown.replace("](../deploy/", "](deploy/") if "/" not in page.file.src_uri else markdown


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Move inline scripts to files, and name the elements in `NAMED`.

    The server forbids inline scripts.
    """

    def laid(found: re.Match[str]) -> str:
        name = f"assets/javascripts/{hashlib.sha256(found[1].encode()).hexdigest()[:12]}.js"
        file = Path(config.site_dir) / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(found[1], "utf-8")
        return f'<script src="{"../" * page.url.count("/")}{name}"></script>'

    for before, after in NAMED.items():
        output = output.replace(before, f"{before} {after}")
    return re.sub(r"<script>(.*?)</script>", laid, output, flags=re.DOTALL)


def on_post_build(config: MkDocsConfig) -> None:
    """Remove files that pages do not use, and add the licences of the scripts and styles of the theme.

    The search in English needs no other languages, and source maps are for the makers of the theme.
    """
    site = Path(config.site_dir)
    for name in ("404.html", "sitemap.xml", "sitemap.xml.gz"):
        (site / name).unlink(missing_ok=True)
    shutil.rmtree(site / "assets/javascripts/lunr", ignore_errors=True)
    for file in site.rglob("*.map"):
        file.unlink()
    shutil.copy(ROOT / "docs/site/LICENSES.txt", site / "LICENSES.txt")


def _shown(thing: Any) -> str:
    """Return a docstring as Markdown, without its examples and references."""
    text = re.split(r"\n(?:References|Examples)\n-+\n", inspect.getdoc(thing) or "")[0]
    text = re.split(r"\n(?:Parameters|Attributes)\n-+\n", text)[0]
    text = re.sub(r"^>>>.*?(?=\n\n|\Z)", "", text, flags=re.DOTALL | re.MULTILINE)
    return mathml(escape(text.strip(), quote=False).replace("*", r"\*"))


def _source(thing: Any) -> str:
    found = re.search(r"References\n-+\n(.*?)(?=\n\n|\Z)", inspect.getdoc(thing) or "", re.DOTALL)
    return f"**Source.** {' '.join(found[1].split())}\n" if found else ""


def _settings(cls: type) -> str:
    rows = [
        f"| `{one.name}` | {_cell(one.default)} | {_cell(one.expected)} | {_cell(one.help or one.label)} |"
        for one in declared(cls)
    ]
    return (
        "\n".join(
            ["| setting | default | what it can be | what it does |", "| --- | --- | --- | --- |", *rows, ""]
        )
        if rows
        else ""
    )


def _cell(value: object) -> str:
    text = str(value) if str(value) else "none"
    return escape(text, quote=False).replace("|", r"\|").replace("\n", " ")


def _live(page: str, state: Any = None) -> str:
    asked = f"?state={quote(encode(state))}" if state else ""
    live = f'data-live="{PAGES}/{page}.ipynb{asked}"'
    return (
        f'<a href="../pages.html#{page}" {live}>Try it</a> (live where `sdcwidgets serve` shows this site).\n'
    )


def _pages() -> str:
    """Return a description of each live page, with a picture."""
    parts = [
        "# Live pages\n\n`sdcwidgets serve` shows these pages in a browser. In a notebook, "
        "`from sdcwidgets.dashboards import explore; explore.app()` shows one of them.\n"
    ]
    lessons = {entry.name: entry.title for entry in notebook_pages.lessons()}
    for group, members in notebook_pages.by_group(notebook_pages.dashboards()):
        parts.append(f"## {group}\n")
        for entry in members:
            known = [name.removesuffix(".ipynb") for name in entry.lessons]
            links = ", ".join(f"[{lessons[name]}](lessons/{name}.md)" for name in known if name in lessons)
            parts += [
                f"### {entry.title} {{ #{entry.name} }}\n\n{escape(entry.about, quote=False)}\n",
                f'<a href="#{entry.name}" data-live="../voila/render/{entry.notebook}">Open the live page</a> '
                "(where `sdcwidgets serve` shows this site).\n",
                f"Lessons: {links}.\n" if links else "",
                f"![Page {entry.title}](pictures/{entry.name}.jpg)\n",
            ]
    return "\n".join(parts)


def _lessons() -> str:
    """Return the list of lessons by group."""
    parts = [
        "# Lessons\n\nEach lesson is a notebook with questions and live widgets. These pages show text, code, numbers "
        "and a picture; the answers are folded.\n"
    ]
    for group, members in notebook_pages.by_group(notebook_pages.lessons()):
        rows = [
            f"| [{entry.title}]({entry.name}.md) | {_cell(entry.about)} | {entry.minutes} |"
            for entry in members
        ]
        parts.append(
            "\n".join([f"## {group}\n", "| lesson | content | minutes |", "| --- | --- | --- |", *rows, ""])
        )
    return "\n".join(parts)


def _methods() -> str:
    table, state = examples.load(EXAMPLE), ProtectState.of_example(EXAMPLE)
    r1 = measures.get("r1")().before(table)
    parts = [
        "# Methods\n\nFor each method: what it does, what it guarantees, and which disclosure remains. "
        "The numbers refer to the example "
        f"`{EXAMPLE}` (90 counts, risk before protection {r1:.3f}) with the default settings of the method and "
        f"seed {SEED}; *Remaining disclosure* is what the attacks of this package find in that one release.\n"
    ]
    for name in methods.available():
        cls = methods.get(name)
        parts += [
            f"## {cls.title} {{ #{name} }}\n",
            _shown(cls) + "\n",
            _chances(cls),
            f"**Guarantee.** {_promise(cls)}\n",
            f"**Remaining disclosure.** {_breaks(cls, table)}\n",
            _source(cls),
            _settings(cls),
            f'```python\nprotect(examples.load("{EXAMPLE}"), "{name}")\n```\n',
            _live("protect", state.with_method(name)),
        ]
    return "\n".join(parts)


def _chances(cls: type[methods.Method]) -> str:
    """Return the probabilities of published counts for some original counts."""
    if (chances := cls().transition(9)) is None:
        return ""
    told = [
        f"the count {count} becomes "
        + ", ".join(f"{k} with {p:.3g}" for k, p in enumerate(chances[count]) if p > 0)
        for count in (1, 2, 5)
    ]
    return f"**Probabilities of the published counts.** {'; '.join(told)}.\n"


def _promise(cls: type[methods.Method]) -> str:
    said = [
        (cls.unbiased, "Each published count equals the original count on average (unbiased)."),
        (
            cls.deterministic and not cls().seeded,
            "The method uses no random numbers, so every replicate is the same.",
        ),
        (cls.deterministic and cls().seeded, "A secret seed chooses the result."),
        (not cls.deterministic, "The method draws random numbers from a secret seed."),
        (cls.suppresses, "Counts that are not suppressed are exact."),
        (cls.merges, "The table has fewer categories, and their counts are exact."),
        (cls.samples, "Only a sample of the people is counted."),
        (
            issubclass(cls, methods.PreTabular),
            "People are moved or left out before tabulation, so the table is additive.",
        ),
    ]
    return " ".join(sentence for holds, sentence in said if holds)


def _breaks(cls: type[methods.Method], table: FrequencyTable) -> str:
    method = cls()
    release = method.release(table, SEED)
    finding = attacks.get("linking")([release], None)
    draw = measures.Batch(table, method.replicate(table, 1, np.random.default_rng(SEED)))
    risk, loss = (float(measures.get(one)().values(draw)[0, 0]) for one in ("r2", "hellinger"))
    said = [
        f"A data user can be certain of {finding.exact.sum()} of the {finding.exact.size} counts, "
        f"{finding.recovered} of them only by [linking](attacks.md#linking) cells and margins."
    ]
    if not cls.deterministic and (chances := method.transition(table)) is not None:
        answers = [method.release(table, seed) for seed in range(10)]
        score = attacks.get("averaging")(answers, attacks.Knowledge(chances=chances)).score(table)
        said.append(
            f"A data user with ten independent replicates of the table estimates {score.right} counts correctly by "
            "[averaging](attacks.md#averaging)."
        )
    said.append(f"The residual disclosure risk R₂ is {risk:.3f}, and the information loss HD is {loss:.2f}.")
    return " ".join(said)


def _glossary() -> str:
    """Return the glossary of the pages and lessons, in alphabetical order."""
    known = {entry.word: entry for entry in entries().values()}
    parts = ["# Glossary\n\nTerms and symbols of the pages, lessons and documents.\n"]
    for word in sorted(known, key=str.casefold):
        entry = known[word]
        formula = f" Formula: {entry.formula}." if entry.formula else ""
        source = f" Source: {entry.source}." if entry.source else ""
        name, text = (_plain(part) for part in (word, f"{entry.meaning}{formula}{source}"))
        parts.append(f"**{name}**  \n{text}\n")
    return "\n".join(parts)


def _plain(text: str) -> str:
    """Return a text as Markdown without markup."""
    return escape(text, quote=False).replace("*", "\\*").replace("_", "\\_")


def _measures() -> str:
    table = examples.load(EXAMPLE)
    drawn = methods.get("random-rounding")().replicate(table, 1, np.random.default_rng(SEED))
    state, batch = ProtectState.of_example(EXAMPLE), measures.Batch(table, drawn)
    parts = [
        "# Measures\n\nThe formula of each measure, with the numbers of the example "
        f"`{EXAMPLE}` rounded at random to base 3, seed {SEED}.\n"
    ]
    for name in measures.available():
        cls = measures.get(name)
        measure = cls()
        lines = ["".join(piece.text for piece in line) for line in measure.explain(batch)]
        unit = f" {cls.unit}" if cls.unit else ""
        high = "∞" if np.isinf(cls.high) else f"{cls.high:g}"
        low = "−∞" if np.isinf(cls.low) else f"{cls.low:g}".replace("-", "−")
        axes = {axis: kept for axis, kept in (("risk", state.risk), ("loss", state.loss))}
        for axis in axes:
            try:
                live = state.changed(**{axis: name})
                break
            except InputError:
                live = None
        before = "before" in cls.needs and len(cls.needs) == 1
        parts += [
            f"## {cls.label}{', ' + cls.symbol if cls.symbol else ''} {{ #{name} }}\n",
            _shown(cls) + "\n",
            "\n".join(f"- {escape(line, quote=False)}" for line in lines) + "\n",
            f"**Range.** From {low} to {high}{unit}. A higher value means more {cls.direction}.\n",
            f"**Special cases.** {cls.suppression_note} A dash means: {cls.nothing}.\n",
            f"**Source.** {cls.source}\n" if cls.source else "",
            _settings(cls),
            f'```python\nmeasures.get("{name}")\n```\n',
            _live("protect", live) if live else _live("explore" if before else "protect"),
        ]
    return "\n".join(parts)


def _attacks() -> str:
    parts = [
        "# Attacks\n\nAttacks that an intruder can carry out with published tables. No attack uses the "
        "original counts.\n"
    ]
    for name in attacks.available():
        attack = attacks.get(name)
        parts += [
            f"## {name.capitalize()} {{ #{name} }}\n",
            _shown(attack) + "\n",
            _source(attack),
            _live("attack"),
        ]
    return "\n".join(parts)


def _examples() -> str:
    rows = [
        f"| `{name}` | {_cell(one.title)} | {_cell(one.note)} | {_cell(one.source)}. {_cell(one.licence)} |"
        for name, one in examples.available().items()
    ]
    head = "# Examples\n\n`examples.load(NAME)`, and `example:NAME` on the command line.\n"
    return "\n".join([head, "| name | table | note | source |", "| --- | --- | --- | --- |", *rows, ""])


def _commands() -> str:
    """Return the help of the program and of each command, also of nested commands, and the JSON schemas."""
    # The help does not depend on the width of the terminal in which the site is built.
    os.environ["COLUMNS"] = str(WIDTH)
    root = cli._parser()
    parts = ["# Command line\n\n" + _help(root)]
    for name, parser in root.commands().items():
        parts.append(f"## {name}\n\n{_help(parser)}")
        parts += [f"### {name} {nested}\n\n{_help(below)}" for nested, below in parser.commands().items()]
    parts.append(
        "## JSON schemas\n\nThe output of `--json` follows a schema with a version. `sdcwidgets list schemas COMMAND` "
        "prints it.\n"
    )
    for command in VERSIONS:
        text = json.dumps(schema(command), indent=2, ensure_ascii=False)
        parts.append(f"### Schema of {command}, version {VERSIONS[command]}\n\n```json\n{text}\n```\n")
    return "\n".join(parts)


def _help(parser: Parser) -> str:
    return f"```text\n{parser.format_help().strip()}\n```\n"


def _page_below(name: str) -> str:
    """Return the page of a module or package below a public module."""
    module = import_module(f"sdcwidgets.{name}")
    if not hasattr(module, "__all__") and not hasattr(module, "__path__"):
        return f"# {name}\n\n::: {module.__name__}\n"
    if name.startswith("core."):
        names = [
            f"{name}.{item.name}" for item in iter_modules(module.__path__) if not item.name.startswith("_")
        ]
        return f"# {name}\n\n{_shown(module)}\n\n" + "\n".join(f"::: sdcwidgets.{item}\n" for item in names)
    return f"# {name}\n\n{_shown(module)}\n\n{_api(module)}"


def _api(module: Any, of_modules: bool = True) -> str:
    """Return mkdocstrings directives for the objects that a module exports, and links to the pages below it."""
    name = module.__name__.removeprefix("sdcwidgets.")
    below = [other for other in BELOW if other.startswith(f"{name}.")]
    parts = [f"More: {', '.join(f'[{other}]({other}.md)' for other in below)}.\n"] if below else []
    if module.__name__ == "sdcwidgets.core":
        alone = [name for name in CORE if f"core.{name}" not in BELOW]
        return "\n".join([*parts, *(f"::: sdcwidgets.core.{name}\n" for name in alone)])
    for name in module.__all__:
        thing = getattr(module, name)
        if inspect.ismodule(thing):
            has_page = thing.__name__.removeprefix("sdcwidgets.") in (*MODULES, *BELOW)
            parts += [f"::: {thing.__name__}\n"] if of_modules and not has_page else []
        elif f"{getattr(thing, '__module__', '')}.".startswith("sdcwidgets."):
            parts.append(f"::: {thing.__module__}.{thing.__qualname__}\n")
    return "\n".join(parts)
