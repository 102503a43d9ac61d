"""What every protection method is: declared parameters, and draws of protected tables.

A method is one frozen dataclass; most are of one of the two kinds in `tabular`.
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
from sdcwidgets.core.margins import MarginAxes
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable, table_of

Counts = NDArray[np.int64]
Matrix = NDArray[np.float64]

#: A transition matrix has a row a count; above this the matrix would not fit a normal machine's memory.
LARGEST_ROW = 5000


#: How a method picks among results that protect about as well; declared once for all such methods.
Choice = Annotated[
    str,
    Choices({"secret": "by a secret, nearly the best", "optimal": "the best, for teaching only"}),
    Label("Choice"),
    Help(
        "A data user who runs the program can infer counts from the best result. Publish the choice by a secret."
    ),
]


class Chances(NamedTuple):
    """A matrix of probabilities with the names of its rows and columns, as a screen shows it; rows sum to 1."""

    matrix: Matrix
    rows: tuple[str, ...]
    columns: tuple[str, ...]


class Method(Declared, ABC):
    """A protection method with its settings.

    A draw takes a fixed amount of random numbers, one replication after the other. So the same generator
    gives the same replicates whether they are asked for at once or in parts.

    Attributes
    ----------
    name : str
        The name to call it by, in kebab-case; made from the class name.
    title : str
        The name that people see; made from the class name.
    unbiased : bool
        Whether the expectation of each published count is the original count.
    deterministic : bool
        Whether every draw of one seed is the same, so that one is enough.
    reports : bool
        Whether it chooses people for a reason, and `report` tells whom and why.
    gaps : bool
        Whether it leaves cells out, so that what it publishes is no whole table of counts.
    follows : bool
        Whether it moves people, and `follow` tells how many of each cell stayed.
    samples : bool
        Whether it counts only some of the people.
    merges : bool
        Whether it publishes fewer categories. Then `replicate` spreads each published count evenly over its cells,
        as a reader does who knows no more.
    note_settings : str
        What a note says behind the title of settings that readers need, as in " to base {0.base}".
    """

    name: ClassVar[str] = ""
    title: ClassVar[str] = ""
    reports: ClassVar[bool] = False
    unbiased: ClassVar[bool] = False
    deterministic: ClassVar[bool] = False
    gaps: ClassVar[bool] = False
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
        """Whether what it publishes follows from the seed, which must stay secret; `deterministic` is per seed."""
        return not self.deterministic

    @property
    def works_before(self) -> bool:
        """Whether it can work once on all data, of which tables are then made."""
        return False

    @classmethod
    def summary(cls) -> str:
        """Return what the method does in one sentence: the first line of its docstring."""
        return (cls.__doc__ or cls.title).strip().splitlines()[0]

    def note(self) -> str:
        """Return what stands below what is published: its summary, and the settings that readers need."""
        first = self.summary()
        return (
            f"{self.title}{self.note_settings.format(self)}: {first[0].lower()}{first[1:]}"
            if self.note_settings
            else first
        )

    def no_effect_reason(self, table: FrequencyTable) -> str:
        """Return in a sentence why the method cannot change this table, "" where it can."""
        return ""

    def changed(self, name: str, value: object) -> Self:
        """Return the method with another setting; one that this makes anew is at its default again."""
        return with_fields(self, **{name: value})

    def with_valid_axes(self, table: FrequencyTable) -> Self:
        """Return the method with what it says of axes or categories that this table does not have at its default."""
        names = {"rows", "columns", *(axis.name for axis in table.axes)}
        strange = {
            setting.name: setting.default
            for setting in declared(type(self))
            if isinstance(setting.kind, AxisNames)
            and not names.issuperset(setting.kind.named(getattr(self, setting.name)))
        }
        return with_fields(self, **strange) if strange else self

    def apply(self, table: FrequencyTable, rng: np.random.Generator | int) -> FrequencyTable:
        """Return one protected table, with the axes of the original.

        `rng` is a generator, or a seed; who knows the seed can find the true counts out.

        Raises
        ------
        InputError
            If the method leaves gaps or publishes fewer categories, which no such table has; `release` has them.
        """
        if self.merges:
            raise InputError(f"{self.title} publishes fewer categories than the table; ask for a release.")
        if self.gaps:
            raise InputError(f"{self.title} leaves gaps, which no table of counts has; ask for a release.")
        return FrequencyTable(self.replicate(table_of(table), 1, generator(rng))[0], table.axes)

    @abstractmethod
    def replicate(self, table: FrequencyTable, size: int, rng: np.random.Generator) -> NDArray[np.number]:
        """Return the cells of `size` independent protected tables, shape (size, *shape).

        Parameters
        ----------
        table : FrequencyTable
        size : int
            How many, from 1.
        rng : numpy.random.Generator

        Returns
        -------
        ndarray, shape (size, *shape)
            Counts of type int64; of a method that leaves gaps floats, with nan where nothing is published.
        """

    def follow(self, table: FrequencyTable, size: int, rng: np.random.Generator) -> tuple[Counts, Counts]:
        """Return `size` protected tables, and how many people in each cell did not leave it; see `follows`.

        Parameters
        ----------
        table, size, rng : as of `replicate`

        Returns
        -------
        published, stayed : ndarray of int64, shape (size, *shape)
            The people of a cell are the same before and after if all three counts of it are equal.

        Raises
        ------
        InputError
            If the method moves nobody.
        """
        raise InputError(f"{self.title} moves nobody, so there is nobody to follow.")

    def release(self, table: FrequencyTable, rng: np.random.Generator | int) -> Release:
        """Return what is published of the table: cells and margins, and what a reader may conclude from each.

        `rng` is a generator, or a seed that must stay secret. The cells are the first that `replicate` draws with
        the same generator.
        """
        rng, table = generator(rng), table_of(table)
        return self.release_from_cells(table, self.replicate(table, 1, rng)[0], rng)

    def release_from_cells(
        self, table: FrequencyTable, cells: NDArray[np.number], rng: np.random.Generator
    ) -> Release:
        """Return the release with these cells, which `replicate` drew of the table; here margins are their sums.

        Parameters
        ----------
        table : FrequencyTable
            The original.
        cells : ndarray, of the shape of the table
            One draw of `replicate`.
        rng : numpy.random.Generator
            For what is drawn besides the cells.

        Returns
        -------
        Release
        """
        bounds = self.conclusions(cells)
        return Release.of(FrequencyTable(cells, table.axes), *bounds, notes=[self.note()])

    def published_margin(
        self,
        table: FrequencyTable,
        published: NDArray[np.number],
        margin_axes: MarginAxes,
        rng: np.random.Generator,
    ) -> NDArray[np.number] | None:
        """Return a margin as each draw publishes it, shape (size, *margin), nan for gaps; None: the sums of cells.

        Parameters
        ----------
        table : FrequencyTable
            The original.
        published : ndarray, shape (size, *shape)
            What `replicate` drew.
        margin_axes : tuple of int
            The axes that the margin keeps.
        rng : numpy.random.Generator
            For what is drawn besides the cells.

        Returns
        -------
        ndarray, shape (size, *margin), or None
            With nan for gaps; None where the margin of each draw is the sum of its cells.
        """
        if not self.deterministic or self.merges:
            return None
        margin = self.release_from_cells(table, published[0], rng).values[margin_axes]
        return np.broadcast_to(margin, (len(published), *margin.shape))

    def conclusions(self, published: NDArray[np.number]) -> tuple[ArrayLike, ArrayLike]:
        """Return the least and the greatest true count that each published count may stand for.

        It is what a reader can say who knows the method and its settings, but nothing of the table. Here:
        that no count is below 0.
        """
        return np.zeros(published.shape), np.full(published.shape, np.inf)

    def private_note(self, table: FrequencyTable, stayed: Counts | None = None) -> str:
        """Return what the one who protects should know of a draw and a reader should not, "" for nothing.

        `stayed` is what `follow` says of the draw, of a method that follows people.
        """
        return ""

    def report(self, table: FrequencyTable, rng: np.random.Generator | int, draw: int = 0) -> Any:
        """Return who is moved in a draw of this seed and why, as a DataFrame with a line a person; keep it secret.

        Parameters
        ----------
        table : FrequencyTable
        rng : numpy.random.Generator or int
            A generator, or the seed of the draws.
        draw : int
            Which draw, from 0: that of `apply` and `release`.

        Returns
        -------
        DataFrame

        Raises
        ------
        InputError
            If the method chooses nobody for a reason; see `reports`.
        """
        raise InputError(f"{self.title} chooses nobody for a reason, so there is nothing to report.")

    def transition(self, table: FrequencyTable | int) -> Matrix | None:
        """Return the probability of each published count given each original one.

        Parameters
        ----------
        table : FrequencyTable or int
            The table to protect, or the largest original count.

        Returns
        -------
        ndarray of float, shape (largest + 1, any), or None
            Row i is the distribution of what is published for a count of i; rows sum to 1. None where
            cells are not changed independently, so that no such matrix tells all.

        Raises
        ------
        InputError
            If the largest count is above 5,000: the matrix would be too big.
        """
        return None

    def chances(self, table: FrequencyTable) -> tuple[Chances, Chances | None] | None:
        """Return the matrix that can be edited, and the one that draws follow where that is another one.

        None where the method has no matrix among its settings.
        """
        return None

    def distribution(self, table: FrequencyTable, limit: int = 100_000) -> tuple[Counts, Matrix]:
        """Return every table that the method may publish, and the probability T(G) of each.

        Returns
        -------
        published : ndarray of int64, shape (n, *shape)
        probabilities : ndarray of float, shape (n,)
            They sum to 1. With `core.assignment.mixture` they give the channel of Theorems 5 and 6.

        Raises
        ------
        InputError
            If the method has no transition matrix for single cells, or there are more than `limit` tables;
            replications stand for them then.

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
            raise InputError(f"{self.title} does not change cells by themselves; use replications of it.")
        rows = matrix[table.counts.ravel()]
        possible = [np.flatnonzero(row) for row in rows]
        number = math.prod(map(len, possible))
        if number > limit:
            raise InputError(f"{number:,} tables may be published, more than {limit:,}; use replications.")
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

    >>> "random-rounding" in available()
    True
    """
    return _METHODS.names()


def get(name: str) -> type[Method]:
    """Return the method of that name.

    >>> get("random-rounding")(base=5)
    RandomRounding(base=5, margins='sums')
    """
    return _METHODS.get(name)


def largest_count(table: FrequencyTable | int) -> int:
    """Return the largest count that a transition matrix needs a row for, or raise InputError."""
    largest = int(table.counts.max()) if isinstance(table, FrequencyTable) else table
    if largest > LARGEST_ROW:
        raise InputError(
            f"The largest count is {largest:,}; a transition matrix is made for counts up to {LARGEST_ROW:,}."
        )
    return largest


def check_size(size: int) -> None:
    """Raise InputError unless `size` is a number of replications."""
    if size < 1:
        raise InputError(f"The number of replications is {size}; it must be at least 1.")
