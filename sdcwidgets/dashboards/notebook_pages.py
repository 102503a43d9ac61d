"""Notebooks that are shown as pages: dashboards in `notebooks`, lessons in `tutorials`.

Plug-in packages can have the same two folders (see `registry`). The title and the description of a page are in the
metadata of its notebook, under `sdcwidgets`.
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
from sdcwidgets._util.extras import missing_modules
from sdcwidgets._util.registry import added_folders

#: Order of the groups; any other group comes after them.
GROUPS = (
    "Measure disclosure risk",
    "Protect a table",
    "Think like an intruder",
    "More than one table",
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
        Title of the page, and a description in one sentence.
    group : str
        Group of pages, named by their purpose.
    order : float
        Position in the group.
    lessons : tuple of str
        Names of the notebooks of the lessons that teach a dashboard.
    minutes : int
        Duration of a lesson.
    needs : str
        Extra of the package that the page requires, such as "tables"; "" if the base is enough.
    """

    file: Path
    title: str
    about: str = ""
    group: str = "More"
    order: float = 99
    lessons: tuple[str, ...] = ()
    minutes: int = 0
    needs: str = ""

    @property
    def is_installed(self) -> bool:
        """Whether the modules that the page requires are installed."""
        return not missing_modules(self.needs)

    @property
    def name(self) -> str:
        """Name of the notebook file without its suffix; also the name of a dashboard's module."""
        return self.file.stem

    @property
    def notebook(self) -> str:
        """Name of the notebook file."""
        return self.file.name


def dashboards() -> tuple[NotebookPage, ...]:
    """Return every dashboard, ordered by group.

    Examples
    --------
    >>> [entry.name for entry in dashboards()][:2]
    ['explore', 'weights']
    """
    return _read_notebooks(_folders("notebooks"), "dashboard")


def lessons() -> tuple[NotebookPage, ...]:
    """Return every lesson in order.

    Examples
    --------
    >>> lessons()[0].title
    'How much does a table give away?'
    """
    return _read_notebooks(_folders("tutorials"), "lesson")


def by_group(entries: tuple[NotebookPage, ...]) -> list[tuple[str, list[NotebookPage]]]:
    """Return each group with its entries; entries of a group must be adjacent."""
    return [(name, list(group)) for name, group in groupby(entries, lambda entry: entry.group)]


def notebooks_by_kind() -> dict[str, tuple[Path, ...]]:
    """Return the installed notebooks of each kind; the landing page is the first of the dashboards."""
    index = folder("notebooks") / "index.ipynb"
    if not index.is_file():
        raise InputError("The notebooks of the dashboards are missing. Install sdcwidgets again.")
    return {
        "dashboards": (index, *(entry.file for entry in dashboards() if entry.is_installed)),
        "lessons": tuple(entry.file for entry in lessons() if entry.is_installed),
    }


def neighbours(lesson: str) -> dict[str, object]:
    """Return links from a lesson: the lessons before and after it, and the tools that it teaches.

    Examples
    --------
    >>> neighbours("02-protect-a-table")["tools"]
    [['Protect', 'protect.ipynb']]
    """
    every = [entry for entry in lessons() if entry.is_installed or entry.name == lesson]
    here = next((index for index, entry in enumerate(every) if entry.name == lesson), None)
    if here is None:
        return {}
    adjacent = {
        "before": every[here - 1] if here else None,
        "after": every[here + 1] if every[here + 1 :] else None,
    }
    tools = [
        [tool.title, tool.notebook] for tool in dashboards() if tool.is_installed and lesson in tool.lessons
    ]
    return {name: entry and [entry.title, entry.notebook] for name, entry in adjacent.items()} | {
        "tools": tools
    }


@contextmanager
def gathered() -> Iterator[Path]:
    """Provide a temporary folder with every installed page, because a server shows one folder."""
    with TemporaryDirectory(prefix="sdcwidgets-") as name:
        for files in notebooks_by_kind().values():
            for file in files:
                shutil.copyfile(file, Path(name) / file.name)
        yield Path(name)


def copy_lessons(target: Path) -> list[Path]:
    """Copy the lessons into a folder, to work on them in JupyterLab. Existing files are kept.

    Parameters
    ----------
    target : Path
        Folder; it is created if necessary.

    Returns
    -------
    list of Path
        Copied files.

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
            f"Cannot write the lessons to {target} ({error.strerror}). Name another folder."
        ) from None
    return copied


def _folders(name: str) -> tuple[Path, ...]:
    return (folder(name), *added_folders(name))


def folder(name: str) -> Path:
    """Return a folder of notebooks or documentation, inside the installed package or next to it in a checkout."""
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
