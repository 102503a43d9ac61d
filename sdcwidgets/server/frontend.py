"""The scripts that draw a page, as one file.

Voila's front end and those of the widgets come in about eighty pieces, each asked for as the one before it
names it. What loads them takes pieces that are there before it as loaded; so here they are put before it. They
also wait longer for a busy session or browser here.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path

from jupyter_core.paths import jupyter_path
from voila.paths import collect_static_paths

#: Where the server offers it, below its base URL.
ROUTE = "sdcwidgets/static/frontend.js"

#: Voila's script that starts the rest.
ENTRY = "voila.js"

#: The extensions that a page with widgets needs whole: what draws ipywidgets, and what draws anywidgets.
WHOLE = ("@jupyter-widgets/jupyterlab-manager", "anywidget")

#: What gives up within seconds, and what stands in its place: thirty visitors at once make a session slow, and an old
#: laptop its browser. A page was then drawn with parts missing.
PATIENCE = {
    # The manager of the widgets waits for their state; after that it asks each by itself, of a session that is busy.
    rb'(Control comm did not respond in time"\)+),4e3\)': rb"\1,6e4)",
    # It looks for a widget every now and then. The last look may be long ago, and the widget here meanwhile.
    rb'(\(void 0!==\((\w+)=this\._models\[(\w+)\]\)\)return \2;[^{}]{0,90}\})(?=throw Error\("widget model)': (
        rb"\1if(void 0===(\2=this._models[\3]))"
    ),
    # An anywidget waits until its script has run.
    rb"\bAbortSignal\.timeout\((?:2e3|2000)\)": b"AbortSignal.timeout(60000)",
}

#: What is loaded before a page is begun, and does nothing for it: editors, notebooks and their menus, and what draws
#: outputs of kinds that no page has. That is a third of the script, and MathJax, fetched for words without formulas.
UNUSED = re.compile(
    r"""("(?:@lumino/datagrid|@jupyterlab/(?:codemirror|console|docregistry|logconsole|mainmenu|notebook|"""
    r"""settingregistry|(?:codemirror|javascript|json|markedparser|mathjax2?|vega5)-extension))","""
    r"""[^()]{0,40}\(\(\)=>)(?:\w+\.e\(\d+\)|Promise\.all\(\[[^\]]*\]\))\.then\(\(\(\)=>\(\)=>\w+\(\d+\)\)\)"""
)

#: What stands in their place: no extensions, and names for what is asked for by name and never there.
NOTHING = b"""var sdcUnused = new Proxy({ __esModule: true, default: [] }, {
  get: (names, name) => (typeof name !== "string" || name === "then" ? undefined : (names[name] ??= class {})),
});"""


class FrontEnd:
    """Voila's entry script, after the pieces that it and the extensions are going to ask for.

    Parameters
    ----------
    static : Path
        The folder of Voila's scripts.
    extensions : iterable of Path
        The folders of the scripts of extensions whose pieces are all needed.
    """

    def __init__(self, static: Path, extensions: Iterable[Path] = ()) -> None:
        pieces = [file for folder in extensions for file in _numbered(folder)]
        whole = (static / ENTRY).read_text("utf-8")
        self._entry = UNUSED.sub(r"\1Promise.resolve((()=>sdcUnused))", whole)
        self.files = [*_named(static / ENTRY, self._entry), *pieces, static / ENTRY]

    def version(self) -> str:
        """Return a name of this content."""
        return self._version

    def source(self) -> bytes:
        """Return the script."""
        return self._source

    def compressed(self) -> bytes:
        """Return the script, gzipped."""
        return self._compressed

    @cached_property
    def _source(self) -> bytes:
        # A piece may end in a comment or without a semicolon; the next one begins a statement of its own.
        pieces = [file.read_bytes() for file in self.files[:-1]]
        together = b"\n;\n".join([NOTHING, *pieces, self._entry.encode()])
        for hasty, patient in PATIENCE.items():
            together = re.sub(hasty, patient, together)
        return together

    @cached_property
    def _version(self) -> str:
        return sha256(self.source()).hexdigest()[:16]

    @cached_property
    def _compressed(self) -> bytes:
        return gzip.compress(self.source(), compresslevel=6, mtime=0)


@cache
def installed() -> FrontEnd:
    """Return the front end of the installed Voila and widget packages."""
    static = next(
        Path(path) for path in collect_static_paths(["voila"], "lab") if (Path(path) / ENTRY).is_file()
    )
    places = [[Path(root) / name / "static" for root in jupyter_path("labextensions")] for name in WHOLE]
    # The first place that has an extension is the one that Voila takes it from.
    return FrontEnd(static, [folder for folders in places for folder in [*filter(Path.is_dir, folders)][:1]])


def _named(entry: Path, text: str) -> list[Path]:
    """Return the pieces that an entry loads: webpack writes `name.e(number)`."""
    numbers = sorted({int(number) for number in re.findall(r"\.e\((\d+)\)", text)})
    files = [entry.with_name(f"{number}.{entry.name}") for number in numbers]
    return [file for file in files if file.is_file()]


def _numbered(folder: Path) -> list[Path]:
    """Return the pieces in a folder: files such as `84.09c61a.js`, not their entry."""
    return [file for file in sorted(folder.glob("*.js")) if file.name.split(".")[0].isdigit()]
