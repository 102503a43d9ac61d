"""How what is added is found: by its place in a room of this package, or by what another package says it adds.

A room is a package such as `sdcwidgets.methods`, which imports each of its modules; these register what they have.
Another package says in its metadata that it adds something, as an entry point of the group `sdcwidgets` that names a
module to import, and lays notebooks into folders beside that module, `notebooks` and `tutorials`:

    [project.entry-points.sdcwidgets]
    my_office = "my_office.sdc"
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, ClassVar, Generic, TypeVar

from sdcwidgets._util.errors import InputError

#: The entry points of packages that add something.
GROUP = "sdcwidgets"

T = TypeVar("T")


class Registry(Generic[T]):
    """What is known by a name, in the order of the screens; a name means one thing.

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
    sdcwidgets.InputError: There is no number 'two'; there are one.
    >>> room.add("one", 11)
    Traceback (most recent call last):
        ...
    sdcwidgets.InputError: Two things want to be the number 'one': 1 and 11; call one of them otherwise.
    """

    _rooms: ClassVar[list[Registry[Any]]] = []

    def __init__(self, noun: str, order: Callable[[T], float] = lambda entry: 0) -> None:
        self._noun, self._order = noun, order
        self._things: dict[str, T] = {}
        self._rooms.append(self)

    def add(self, name: str, entry: T) -> T:
        """Make something known by a name, and return it.

        Raises
        ------
        InputError
            If something else has the name; the same thing, imported anew, takes its own place.
        """
        there = self._things.get(name)
        if there is not None and _whence(there) != _whence(entry):
            raise InputError(
                f"Two things want to be the {self._noun} {name!r}: {_whence(there)} and {_whence(entry)}; "
                "call one of them otherwise."
            )
        self._things[name] = entry
        return entry

    def names(self) -> tuple[str, ...]:
        """Return the names of all."""
        load_added()
        return tuple(sorted(self._things, key=lambda name: self._order(self._things[name])))

    def get(self, name: str) -> T:
        """Return what has this name, or raise InputError."""
        if name not in self._things and name not in self.names():
            raise InputError(f"There is no {self._noun} {name!r}; there are {', '.join(self.names())}.")
        return self._things[name]

    @classmethod
    @contextmanager
    def all_or_nothing(cls) -> Iterator[None]:
        """Take back what was made known meanwhile in any room, if there is an error."""
        before = [(room, dict(room._things)) for room in cls._rooms]
        try:
            yield
        except BaseException:
            for room, things in before:
                room._things = things
            raise


def _whence(entry: object) -> str:
    """Return where a class or a function is defined, or what something else is."""
    name = getattr(entry, "__qualname__", None)
    return repr(entry) if name is None else f"{getattr(entry, '__module__', '')}.{name}"


def import_room(package: str) -> None:
    """Import every module of a package, in the order of their names."""
    for name in sorted(module.name for module in iter_modules(import_module(package).__path__)):
        import_module(f"{package}.{name}")


def load_added() -> tuple[EntryPoint, ...]:
    """Import the modules that other packages add, once each, and return the entry points of those that are there.

    One that fails is named on stderr, and nothing of it is used.
    """
    for point in _added():
        if point not in _LOADED:
            _LOADED[point] = True  # while it is imported it may ask what there is
            try:
                with Registry.all_or_nothing():
                    point.load()
            except (Exception, SystemExit) as error:
                _LOADED[point] = False
                print(
                    f"{point.name} is left out, since {point.module} cannot be imported: "
                    f"{type(error).__name__}: {error}",
                    file=sys.stderr,
                )
    return tuple(point for point in _added() if _LOADED[point])


#: Whether each entry point that was tried could be imported.
_LOADED: dict[EntryPoint, bool] = {}


@cache
def _added() -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group=GROUP))


def added_folders(name: str) -> tuple[Path, ...]:
    """Return the folders of this name beside the modules that other packages add."""
    modules = (sys.modules[point.module] for point in load_added())
    folders = (Path(module.__file__).parent / name for module in modules if module.__file__)
    return tuple(folder for folder in folders if folder.is_dir())
