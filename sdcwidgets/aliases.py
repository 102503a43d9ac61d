"""Names under which callers know modules that lie elsewhere; each is the very same module.

>>> from sdcwidgets.dashboards import third_term
>>> third_term.__name__
'sdcwidgets.pages.third_term.page'
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import Path
from types import ModuleType

#: What code that a page or a lesson once gave away imports; its place is another one by now.
MOVED = {
    "sdcwidgets.plots.tables": "sdcwidgets.pages.tables.charts",
    "sdcwidgets.studies.attack_cases": "sdcwidgets.pages.attack.cases",
    "sdcwidgets.studies.attack_own": "sdcwidgets.pages.attack.own",
    "sdcwidgets.studies.suppression": "sdcwidgets.pages.suppression.state",
}


def _place(name: str) -> str | None:
    """Return where a module lies: `dashboards.NAME` is the page of that name."""
    room, _, stem = name.rpartition(".")
    page = Path(__file__).parent / "pages" / stem / "page.py"
    if room == "sdcwidgets.dashboards" and page.is_file():
        return f"sdcwidgets.pages.{stem}.page"
    return MOVED.get(name)


class _Aliases:
    """Finds and loads such modules; Python asks it after it found no file of that name."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return spec_from_loader(name, self) if _place(name) else None  # type: ignore[arg-type]  # it is a loader

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        place = _place(module.__name__)
        assert place is not None  # it was found
        sys.modules[module.__name__] = import_module(place)


def install() -> None:
    """Make the names known, once."""
    if not any(isinstance(finder, _Aliases) for finder in sys.meta_path):
        sys.meta_path.append(_Aliases())
