"""How what is added is found: by its place in a room of this package, or by what another package says it adds.

A room is a package such as `sdcwidgets.methods`, which imports each of its modules; these register what they have.
Another package says in its metadata that it adds something, as an entry point of the group `sdcwidgets` that names a
module to import, and lays notebooks into folders beside that module, `notebooks` and `tutorials`:

    [project.entry-points.sdcwidgets]
    my_office = "my_office.sdc"
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from typing import Generic, TypeVar

from sdcwidgets.errors import InputError

__all__ = ["GROUP", "Registry", "added_folders", "import_room", "load_added"]

#: The entry points of packages that add something.
GROUP = "sdcwidgets"

T = TypeVar("T")


class Registry(Generic[T]):
    """What is known by a name, in the order of the screens.

    Parameters
    ----------
    noun : str
        What one thing is called.
    order : callable, optional
        Gives the place of each; things with the same place stand as they are found.

    Examples
    --------
    >>> room = Registry[int]("number")
    >>> room.add("one", 1)
    1
    >>> room.names(), room.get("one")
    (('one',), 1)
    >>> room.get("two")
    Traceback (most recent call last):
        ...
    sdcwidgets.errors.InputError: There is no number 'two'; there are one.
    """

    def __init__(self, noun: str, order: Callable[[T], float] = lambda thing: 0) -> None:
        self._noun, self._order = noun, order
        self._things: dict[str, T] = {}

    def add(self, name: str, thing: T) -> T:
        """Make something known by a name, and return it."""
        self._things[name] = thing
        return thing

    def names(self) -> tuple[str, ...]:
        """Return the names of all."""
        load_added()
        return tuple(sorted(self._things, key=lambda name: self._order(self._things[name])))

    def get(self, name: str) -> T:
        """Return what has this name, or raise InputError."""
        if name not in self._things and name not in self.names():
            raise InputError(f"There is no {self._noun} {name!r}; there are {', '.join(self.names())}.")
        return self._things[name]


def import_room(package: str) -> None:
    """Import every module of a package, in the order of their names."""
    for name in sorted(module.name for module in iter_modules(import_module(package).__path__)):
        import_module(f"{package}.{name}")


@cache
def load_added() -> None:
    """Import the modules that other packages add."""
    for point in entry_points(group=GROUP):
        point.load()


@cache
def added_folders(name: str) -> tuple[Path, ...]:
    """Return the folders of this name beside the modules that other packages add."""
    specs = (find_spec(point.module) for point in entry_points(group=GROUP))
    beside = (Path(spec.origin).parent / name for spec in specs if spec is not None and spec.origin)
    return tuple(folder for folder in beside if folder.is_dir())
