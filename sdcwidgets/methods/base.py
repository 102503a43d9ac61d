"""Base class and registry of protection methods.

A method is a frozen dataclass with declared parameters; most are subclasses of the classes in `tabular`.
"""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from typing import Annotated, Any, ClassVar, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sdcwidgets._util.docstrings import documented
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import quoted
from sdcwidgets._util.parameters import (
    AxisNames,
    Choices,
    Declared,
    Help,
    Label,
    check_registered,
    declared,
    generator,
)
from sdcwidgets._util.registry import Registry
from sdcwidgets._util.values import with_fields
from sdcwidgets.core.followed import PersonTransition
from sdcwidgets.core.margins import MarginAxes
from sdcwidgets.methods.random_numbers import random_numbers
from sdcwidgets.tables.release import SUMS_NOTE, Release
from sdcwidgets.tables.table import FrequencyTable, table_of

Counts = NDArray[np.int64]
Matrix = NDArray[np.float64]

#: Maximum count of a transition matrix, which has one row per count; larger matrices need too much memory.
LARGEST_ROW = 5000

#: Settings that concern only margins. Results that differ in these settings have the same cells.
_OF_MARGINS = ("margins", "cell_keys")

#: Setting of methods with several results of similar quality, shared by these methods.
Choice = Annotated[
    str,
    Choices(
        {"secret": "random result that is close to the best", "optimal": "best result (for teaching only)"}
    ),
    Label("Choice"),
    Help(
        "A data user who runs this program can infer original counts from the best result. For "
        "publication, use the random result."
    ),
]


class Chances(NamedTuple):
    """Matrix of probabilities with the names of its rows and columns; each row has the sum 1."""

    matrix: Matrix
    rows: tuple[str, ...]
    columns: tuple[str, ...]


class Method(Declared, ABC):
    """A protection method with its settings.

    Each replicate uses a fixed amount of random numbers. The same generator therefore gives the same replicates
    in one call and in several.

    Attributes
    ----------
    name : str
        Name in kebab-case, derived from the class name.
    title : str
        Name in the interface, derived from the class name.
    unbiased : bool
        Whether the expectation of each published count is the original count.
    deterministic : bool
        Whether all replicates of one seed are equal.
    reports : bool
        Whether the method selects people by their risk, so that `report` lists them with the reason.
    suppresses : bool
        Whether the method suppresses cells, so that its result is not a complete table of counts.
    follows : bool
        Whether the method moves people, so that `follow` returns how many of each cell stayed.
    samples : bool
        Whether the method counts only a sample of the people.
    merges : bool
        Whether the method publishes fewer categories. `replicate` then divides each published count evenly
        among its cells, like a data user without further information.
    note_settings : str
        Format of the settings in the footnote, for example " to base {0.base}".
    """

    name: ClassVar[str] = ""
    title: ClassVar[str] = ""
    reports: ClassVar[bool] = False
    unbiased: ClassVar[bool] = False
    deterministic: ClassVar[bool] = False
    suppresses: ClassVar[bool] = False
    follows: ClassVar[bool] = False
    samples: ClassVar[bool] = False
    merges: ClassVar[bool] = False
    note_settings: ClassVar[str] = ""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        words = re.findall(r"[A-Z]+(?![a-z])|[A-Z][a-z0-9]*", cls.__name__)
        if "name" not in cls.__dict__:
            cls.name = "-".join(words).lower()
        if "title" not in cls.__dict__:
            cls.title = " ".join(words).capitalize()

    @property
    def seeded(self) -> bool:
        """Whether the result depends on the seed, which must then stay secret; `deterministic` is per seed."""
        return not self.deterministic

    @property
    def works_before(self) -> bool:
        """Whether the method can be applied once to the data before tables are made."""
        return False

    @classmethod
    def summary(cls) -> str:
        """Return a description of the method in one sentence: the first line of its docstring."""
        return (cls.__doc__ or cls.title).strip().splitlines()[0]

    def note(self) -> str:
        """Return the footnote of a release: the name of the method, its description, and its public settings."""
        first = self.summary()
        return f"{self.title}{self.note_settings.format(self)}: {first[0].lower()}{first[1:]}"

    def no_change_note(self) -> str:
        """Return the footnote of a release in which the method suppressed nothing."""
        return f"{self.title}{self.note_settings.format(self)}: no count is suppressed."

    def is_slow_for(self, table: FrequencyTable) -> bool:
        """Return whether a replicate of this table may take seconds; a comparison computes such settings last."""
        return False

    def no_effect_reason(self, table: FrequencyTable) -> str:
        """Return a sentence with the reason why the method cannot change this table, or ""."""
        return ""

    def changed(self, name: str, value: object) -> Self:
        """Return the method with another setting; settings that depend on it are reset to their defaults."""
        return with_fields(self, **{name: value})

    def with_valid_axes(self, table: FrequencyTable) -> Self:
        """Reset the settings that name axes or categories this table lacks to their defaults."""
        names = {"rows", "columns", *(axis.name for axis in table.axes)}
        strange = {
            setting.name: setting.default
            for setting in declared(type(self))
            if isinstance(setting.kind, AxisNames)
            and not names.issuperset(setting.kind.named(getattr(self, setting.name)))
        }
        return with_fields(self, **strange) if strange else self

    def apply(self, table: FrequencyTable, rng: np.random.Generator | int) -> FrequencyTable:
        """Return one protected table with the axes of the original.

        `rng` is a generator or a seed; anyone who knows the seed can reconstruct the original counts.

        Raises
        ------
        InputError
            If the method suppresses cells or merges categories; use `release` for these methods.
        """
        if self.merges:
            raise InputError(
                f"The method {self.title} merges categories, so its result has fewer cells "
                "than the table. Call release() instead of apply()."
            )
        if self.suppresses:
            raise InputError(
                f"The method {self.title} suppresses cells, so its result is not a complete "
                "table of counts. Call release() instead of apply()."
            )
        table = table_of(table)
        return FrequencyTable(self.replicate(table, 1, self.random_numbers(table, rng))[0], table.axes)

    def random_numbers(
        self, table: FrequencyTable, rng: np.random.Generator | int | None
    ) -> np.random.Generator:
        """Return the generator for a table: a secret seed is mixed with the settings and the counts.

        Parameters
        ----------
        table : FrequencyTable
            The original table.
        rng : Generator, int or None
            A generator, which is returned unchanged, or a seed. A method that is deterministic per seed does not
            mix the seed, because it adds no noise that two tables could share.

        Returns
        -------
        Generator
        """
        if rng is None or self.deterministic:
            return generator(rng)
        # If two settings had the same random numbers, a data user could compare the noise of their results.
        of_cells = [item.name for item in declared(type(self)) if item.name not in _OF_MARGINS]
        settings = ", ".join(f"{name}={getattr(self, name)!r}" for name in of_cells)
        return random_numbers(table, rng, f"{self.name}: {settings}")

    @abstractmethod
    def replicate(self, table: FrequencyTable, size: int, rng: np.random.Generator) -> NDArray[np.number]:
        """Return the cells of `size` independent protected tables, shape (size, *shape).

        Parameters
        ----------
        table : FrequencyTable
            The original table.
        size : int
            Number of replicates, 1 or more.
        rng : numpy.random.Generator
            Source of random numbers.

        Returns
        -------
        ndarray, shape (size, *shape)
            Counts (int64), or floats with nan for suppressed cells.
        """

    def follow(self, table: FrequencyTable, size: int, rng: np.random.Generator) -> tuple[Counts, Counts]:
        """Return `size` protected tables and the number of people who stayed in each cell; see `follows`.

        Parameters
        ----------
        table : FrequencyTable
            The original table.
        size : int
            Number of replicates, 1 or more.
        rng : numpy.random.Generator
            Source of random numbers.

        Returns
        -------
        published, stayed : ndarray of int64, shape (size, *shape)
            If all three counts of a cell are equal, its people are the same before and after.

        Raises
        ------
        InputError
            If the method does not move people.
        """
        raise InputError(f"{self.title} does not move people, so it has no information on who stayed.")

    def release(self, table: FrequencyTable, rng: np.random.Generator | int) -> Release:
        """Return the release of the table: cells, margins, and the interval of each published value.

        `rng` is a generator, or a seed that must stay secret. The cells equal the first replicate of
        `replicate` with the same generator.
        """
        table = table_of(table)
        rng = self.random_numbers(table, rng)
        release = self.release_from_cells(table, self.replicate(table, 1, rng)[0], rng)
        return release.made_by(self)

    def release_from_cells(
        self, table: FrequencyTable, cells: NDArray[np.number], rng: np.random.Generator
    ) -> Release:
        """Return the release with these cells from `replicate`; by default margins are their sums.

        Parameters
        ----------
        table : FrequencyTable
            The original table.
        cells : ndarray, of the shape of the table
            One replicate of `replicate`.
        rng : numpy.random.Generator
            Source of further random numbers, for example for margins.

        Returns
        -------
        Release
            Cells, margins and intervals.
        """
        bounds = self._checked_conclusions(table, cells)
        return Release.of(FrequencyTable(cells, table.axes), *bounds, notes=[self.note(), SUMS_NOTE])

    def _checked_conclusions(
        self, table: FrequencyTable, cells: NDArray[np.number]
    ) -> list[NDArray[np.float64]]:
        """Return the bounds of `conclusions`, or raise InputError if they do not fit the cells or are false."""
        try:
            low, high = self.conclusions(cells)
            lower = np.broadcast_to(np.asarray(low, dtype=np.float64), cells.shape)
            upper = np.broadcast_to(np.asarray(high, dtype=np.float64), cells.shape)
        except (TypeError, ValueError):
            raise InputError(
                f"{type(self).__name__}.conclusions must return two arrays of the shape {cells.shape}: the smallest "
                "and the largest original count of each cell."
            ) from None
        # A comparison with nan is False, so that a bound of nan is false, too.
        is_false = ~((lower <= table.counts) & (table.counts <= upper))
        if is_false.any():
            cell = tuple(int(index) for index in np.argwhere(is_false)[0])
            labels = ", ".join(axis.labels[index] for axis, index in zip(table.axes, cell, strict=True))
            raise InputError(
                f"{type(self).__name__}.conclusions returned the interval from {lower[cell]:g} to {upper[cell]:g} for "
                f"the published value {cells[cell]:g} of {quoted(labels)}, but the original count is "
                f"{table.counts[cell]}; each interval must contain the original count."
            )
        return [lower, upper]

    def published_margin(
        self,
        table: FrequencyTable,
        published: NDArray[np.number],
        margin_axes: MarginAxes,
        rng: np.random.Generator,
    ) -> NDArray[np.number] | None:
        """Return a published margin of each replicate, or None if it is the sum of the cells.

        Parameters
        ----------
        table : FrequencyTable
            The original table.
        published : ndarray, shape (size, *shape)
            Replicates of `replicate`.
        margin_axes : tuple of int
            The axes that the margin keeps.
        rng : numpy.random.Generator
            Source of further random numbers.

        Returns
        -------
        ndarray, shape (size, *margin), or None
            Margins with nan for suppressed values; None if the margin of each replicate is the sum of its cells.
        """
        if not self.deterministic or self.merges:
            return None
        margin = self.release_from_cells(table, published[0], rng).values[margin_axes]
        return np.broadcast_to(margin, (len(published), *margin.shape))

    def conclusions(self, published: NDArray[np.number]) -> tuple[ArrayLike, ArrayLike]:
        """Return the least and the greatest original count behind each published count.

        The interval is for a data user who knows the method and its settings, but nothing about the table. By
        default the lower bound is 0 and there is no upper bound.
        """
        return np.zeros(published.shape), np.full(published.shape, np.inf)

    def private_note(self, table: FrequencyTable, stayed: Counts | None = None) -> str:
        """Return internal information on a replicate that must not be published, or "".

        `stayed` is the result of `follow` for this replicate, for methods that move people.
        """
        return ""

    def report(self, table: FrequencyTable, rng: np.random.Generator | int, draw: int = 0) -> Any:
        """Return the moved people of a replicate with the reason, one row per person; keep it secret.

        Parameters
        ----------
        table : FrequencyTable
            The original table.
        rng : numpy.random.Generator or int
            A generator, or the seed of the replicates.
        draw : int
            Number of the replicate, from 0; `apply` and `release` return replicate 0.

        Returns
        -------
        DataFrame
            One row per person.

        Raises
        ------
        InputError
            If the method does not select people by their risk; see `reports`.
        """
        raise InputError(f"{self.title} does not select people by their risk, so it has no report.")

    def transition(self, table: FrequencyTable | int) -> Matrix | None:
        """Return the transition matrix: the probability of each published count for each original count.

        Parameters
        ----------
        table : FrequencyTable or int
            The table to protect, or its largest count.

        Returns
        -------
        ndarray of float, shape (largest + 1, any), or None
            Row i is the distribution of the published count for an original count i; each row has the sum 1.
            None if cells are not perturbed independently.

        Raises
        ------
        InputError
            If the largest count is above 5,000, because the matrix would be too large.
        """
        return None

    def person_transition(self, table: FrequencyTable) -> PersonTransition | None:
        """Return the probabilities with which the method changes one variable of a person.

        Parameters
        ----------
        table : FrequencyTable
            The original table.

        Returns
        -------
        PersonTransition or None
            None if the method does not move people, or its probabilities are not known.
        """
        return None

    def chances(self, table: FrequencyTable) -> tuple[Chances, Chances | None] | None:
        """Return the matrix that users can edit, and the one actually used if it differs.

        The result is None if the method has no matrix among its settings.
        """
        return None

    def distribution(self, table: FrequencyTable, limit: int = 100_000) -> tuple[Counts, Matrix]:
        """Return every table that the method can publish, with its probability T(G).

        Returns
        -------
        published : ndarray of int64, shape (n, *shape)
        probabilities : ndarray of float, shape (n,)
            Probabilities with the sum 1. With `core.assignment.mixture` they give the channel of Theorems 5 and
            6.

        Raises
        ------
        InputError
            If the method has no transition matrix for single cells, or there are more than `limit` tables; use
            `replicate` then.

        Examples
        --------
        >>> from sdcwidgets import methods
        >>> table = FrequencyTable([0, 2, 4])
        >>> published, probabilities = methods.get("random-rounding")(base=3).distribution(table)
        >>> published.tolist(), probabilities.round(4).tolist()
        ([[0, 0, 3], [0, 0, 6], [0, 3, 3], [0, 3, 6]], [0.2222, 0.1111, 0.4444, 0.2222])
        """
        matrix = self.transition(table)
        if matrix is None:
            raise InputError(
                f"The method {self.title} has no transition matrix. Call replicate() instead, or define transition() "
                f"in {type(self).__name__} if the method perturbs cells independently."
            )
        rows = matrix[table.counts.ravel()]
        possible = [np.flatnonzero(row) for row in rows]
        number = math.prod(map(len, possible))
        if number > limit:
            raise InputError(
                f"The method can publish {number:,} different tables, more than the limit of "
                f"{limit:,}. Call replicate() instead."
            )
        published = np.stack([axis.ravel() for axis in np.meshgrid(*possible, indexing="ij")], axis=1)
        probabilities = rows[np.arange(len(rows)), published].prod(axis=1)
        return published.reshape(number, *table.shape), probabilities


_METHODS = Registry[type[Method]]("method")

M = TypeVar("M", bound=type[Method])


def register(cls: M) -> M:
    """Register a method under its name; a decorator above `@dataclass(frozen=True)`.

    Parameters
    ----------
    cls : type of Method
        A frozen dataclass whose fields are the settings; a subclass of `PostTabular` or `PreTabular`.

    Returns
    -------
    type of Method
        The same class, with its settings in the docstring. `get`, the pages and the command line then know it.

    Raises
    ------
    InputError
        If the class lacks a method, is not a frozen dataclass, or another method has the name.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> from sdcwidgets import methods
    >>> @methods.register
    ... class Halving(methods.PostTabular):
    ...     def perturb(self, counts, draws, where):
    ...         return counts // 2
    Traceback (most recent call last):
        ...
    sdcwidgets.InputError: Halving is not a frozen dataclass; write @dataclass(frozen=True) below @methods.register.
    """
    check_registered(cls, Method, "methods.register")
    _METHODS.add(cls.name, cls)
    return documented(cls)


def available() -> tuple[str, ...]:
    """Return the names of all methods.

    Examples
    --------
    >>> "random-rounding" in available()
    True
    """
    return _METHODS.names()


def get(name: str) -> type[Method]:
    """Return the method class with this name.

    Examples
    --------
    >>> get("random-rounding")(base=5)
    RandomRounding(base=5, margins='sums')
    """
    return _METHODS.get(name)


def largest_count(table: FrequencyTable | int) -> int:
    """Return the largest count, which determines the size of a transition matrix, or raise InputError."""
    largest = int(table.counts.max()) if isinstance(table, FrequencyTable) else table
    if largest > LARGEST_ROW:
        raise InputError(
            f"The largest count is {largest:,}; transition matrices are available for counts up to {LARGEST_ROW:,}."
        )
    return largest


def check_size(size: int) -> None:
    """Raise InputError unless `size` is a valid number of replicates."""
    if size < 1:
        raise InputError(f"The number of replicates is {size}; it must be at least 1.")
