"""Plug-in discovery: modules of our packages, and entry points of other packages.

A package such as `sdcwidgets.methods` imports each of its modules, and these register their classes. Another
package adds classes by an entry point of the group `sdcwidgets`, which names a module to import. It can also
add notebooks, in folders `notebooks` and `tutorials` next to that module:

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

from sdcwidgets._util.errors import InputError, unknown_name

#: Group of the entry points of packages that add something.
GROUP = "sdcwidgets"

T = TypeVar("T")


class Registry(Generic[T]):
    """Registered objects by unique name, in the order of the interface.

    Parameters
    ----------
    noun : str
        Noun for one object in messages.
    order : callable, optional
        Function that returns the sort key of an object; objects with equal keys keep the order of registration.

    Examples
    --------
    >>> numbers = Registry[int]("number")
    >>> numbers.add("one", 1)
    1
    >>> numbers.names(), numbers.get("one")
    (('one',), 1)
    >>> numbers.get("two")
    Traceback (most recent call last):
        ...
    sdcwidgets.InputError: There is no number 'two'; there are one.
    >>> numbers.add("one", 11)
    Traceback (most recent call last):
        ...
    sdcwidgets.InputError: The number 'one' is defined twice: 1 and 11. Rename one of them.
    """

    _registries: ClassVar[list[Registry[Any]]] = []

    def __init__(self, noun: str, order: Callable[[T], float] = lambda entry: 0) -> None:
        self._noun, self._order = noun, order
        self._things: dict[str, T] = {}
        self._sorted: tuple[str, ...] | None = None
        self._registries.append(self)

    def add(self, name: str, entry: T) -> T:
        """Register an object by name, and return it.

        Raises
        ------
        InputError
            If another object has the name. An object that is imported again replaces itself.
        """
        there = self._things.get(name)
        if there is not None and _whence(there) != _whence(entry):
            raise InputError(
                f"The {self._noun} {name!r} is defined twice: {_whence(there)} and {_whence(entry)}. "
                "Rename one of them."
            )
        self._things[name] = entry
        self._sorted = None
        return entry

    def names(self) -> tuple[str, ...]:
        """Return the names of all registered objects."""
        load_added()
        if self._sorted is None or len(self._sorted) != len(self._things):
            self._sorted = tuple(sorted(self._things, key=lambda name: self._order(self._things[name])))
        return self._sorted

    def get(self, name: str) -> T:
        """Return the object with this name, or raise InputError."""
        if not isinstance(name, str) or (name not in self._things and name not in self.names()):
            raise unknown_name(self._noun, name, self.names())
        return self._things[name]

    @classmethod
    @contextmanager
    def all_or_nothing(cls) -> Iterator[None]:
        """Undo all registrations of the body in all registries if it raises an exception."""
        before = [(registry, dict(registry._things)) for registry in cls._registries]
        try:
            yield
        except BaseException:
            for registry, things in before:
                registry._things = things
                registry._sorted = None
            raise


def _whence(entry: object) -> str:
    """Return where a class or function is defined, or the repr of another object."""
    name = getattr(entry, "__qualname__", None)
    return repr(entry) if name is None else f"{getattr(entry, '__module__', '')}.{name}"


def import_modules(package: str) -> None:
    """Import all modules of a package in alphabetical order."""
    for name in sorted(module.name for module in iter_modules(import_module(package).__path__)):
        import_module(f"{package}.{name}")


def load_added() -> tuple[EntryPoint, ...]:
    """Import the modules of all entry points once, and return the entry points that could be imported.

    If a module fails, its name is printed to stderr, and all its registrations are undone.
    """
    for point in _added():
        if point not in _LOADED:
            _LOADED[point] = True  # the module may query the registry while it is imported
            try:
                with Registry.all_or_nothing():
                    point.load()
            except (Exception, SystemExit) as error:
                _LOADED[point] = False
                print(
                    f"{point.name} is skipped because {point.module} cannot be imported: "
                    f"{type(error).__name__}: {error}",
                    file=sys.stderr,
                )
    return tuple(filter(_LOADED.get, _added()))


#: Whether each entry point could be imported.
_LOADED: dict[EntryPoint, bool] = {}


@cache
def _added() -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group=GROUP))


def added_folders(name: str) -> tuple[Path, ...]:
    """Return the folders of this name next to the modules of entry points."""
    modules = (sys.modules[point.module] for point in load_added())
    folders = (Path(module.__file__).parent / name for module in modules if module.__file__)
    return tuple(folder for folder in folders if folder.is_dir())
