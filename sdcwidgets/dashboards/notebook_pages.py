"""The notebooks that are shown as pages, found where they lie: dashboards in `notebooks`, lessons in `tutorials`.

Packages that add something have such folders too; `registry` says how.

What a page is called and what it is for stands in its notebook, under `sdcwidgets` in the metadata; no list names it.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.registry import added_folders

#: In which order the groups stand; a group that is not here comes after them.
GROUPS = (
    "See the risk",
    "Lower the risk",
    "Think like a reader",
    "Beyond one table",
    "Measure and protect a table",
    "Test what you publish",
    "Samples, files and servers",
)


@dataclass(frozen=True)
class NotebookPage:
    """A notebook that is shown as a page.

    Attributes
    ----------
    file : Path
        The notebook.
    title, about : str
        What the way to it is called, and what one can do there, in one sentence.
    group : str
        What one wants to do when one goes there.
    order : float
        Its place in the group.
    lessons : tuple of str
        The lessons that teach what a dashboard shows, by the names of their notebooks.
    minutes : int
        How long a lesson takes.
    """

    file: Path
    title: str
    about: str = ""
    group: str = "More"
    order: float = 99
    lessons: tuple[str, ...] = ()
    minutes: int = 0

    @property
    def name(self) -> str:
        """The notebook without its ending; of a dashboard also the name of its module."""
        return self.file.stem

    @property
    def notebook(self) -> str:
        """The file that shows it."""
        return self.file.name


def dashboards() -> tuple[NotebookPage, ...]:
    """Return every dashboard, group by group.

    >>> [entry.name for entry in dashboards()][:2]
    ['explore', 'weights']
    """
    return _read_notebooks(_folders("notebooks"), "dashboard")


def lessons() -> tuple[NotebookPage, ...]:
    """Return every lesson, in order.

    >>> lessons()[0].title
    'How much does a table give away?'
    """
    return _read_notebooks(_folders("tutorials"), "lesson")


def by_group(entries: tuple[NotebookPage, ...]) -> list[tuple[str, list[NotebookPage]]]:
    """Return entries that stand group by group with the name of each group."""
    return [(name, list(group)) for name, group in groupby(entries, lambda entry: entry.group)]


def notebooks_by_kind() -> dict[str, tuple[Path, ...]]:
    """Return the notebooks of each kind, the landing page among the dashboards."""
    index = folder("notebooks") / "index.ipynb"
    if not index.is_file():
        raise InputError("The notebooks of the dashboards are missing; install sdcwidgets again.")
    return {
        "dashboards": (index, *(entry.file for entry in dashboards())),
        "lessons": tuple(entry.file for entry in lessons()),
    }


def neighbours(lesson: str) -> dict[str, object]:
    """Return where one can go from a lesson: the lessons before and after it, and the tools that it teaches.

    >>> neighbours("02-protect-a-table")["tools"]
    [['Protect', 'protect.ipynb']]
    """
    every = lessons()
    here = next((index for index, entry in enumerate(every) if entry.name == lesson), None)
    if here is None:
        return {}
    adjacent = {
        "before": every[here - 1] if here else None,
        "after": every[here + 1] if every[here + 1 :] else None,
    }
    tools = [[tool.title, tool.notebook] for tool in dashboards() if lesson in tool.lessons]
    return {name: entry and [entry.title, entry.notebook] for name, entry in adjacent.items()} | {
        "tools": tools
    }


@contextmanager
def gathered() -> Iterator[Path]:
    """Give a folder with every page in it, for as long as it is needed; a server shows one folder."""
    with TemporaryDirectory(prefix="sdcwidgets-") as name:
        for files in notebooks_by_kind().values():
            for file in files:
                shutil.copyfile(file, Path(name) / file.name)
        yield Path(name)


def copy_lessons(target: Path) -> list[Path]:
    """Copy the lessons into a folder, to work on them in JupyterLab; what is there already is left alone.

    Raises
    ------
    InputError
        If the folder cannot be written to.
    """
    try:
        target.mkdir(parents=True, exist_ok=True)
        copied = []
        for entry in lessons():
            if not (target / entry.notebook).exists():
                copied.append(Path(shutil.copyfile(entry.file, target / entry.notebook)))
    except OSError as error:
        raise InputError(
            f"{target} cannot hold the lessons ({error.strerror}); name another folder."
        ) from None
    return copied


def _folders(name: str) -> tuple[Path, ...]:
    """Return the folder of notebooks of this package, and those of packages that add some."""
    return (folder(name), *added_folders(name))


def folder(name: str) -> Path:
    """Return a folder of notebooks or documentation: inside the installed package, or beside it in a checkout."""
    package = Path(__file__).parents[1]
    return next((path for path in (package / name, package.parent / name) if path.is_dir()), package / name)


@cache
def _read_notebooks(folders: tuple[Path, ...], kind: str) -> tuple[NotebookPage, ...]:
    entries = []
    for file in (file for folder in folders for file in sorted(folder.glob("*.ipynb"))):
        metadata: dict[str, Any] = json.loads(file.read_text("utf-8"))["metadata"].get("sdcwidgets", {})
        if metadata.get("kind") == kind:
            words = {key: value for key, value in metadata.items() if key not in ("kind", "lessons")}
            entries.append(NotebookPage(file, **words, lessons=tuple(metadata.get("lessons", ()))))
    ranks = {group: rank for rank, group in enumerate(GROUPS)}
    return tuple(
        sorted(
            entries,
            key=lambda entry: (ranks.get(entry.group, len(GROUPS)), entry.group, entry.order, entry.name),
        )
    )
