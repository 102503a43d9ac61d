"""Protected table of a request, by a method before or after tabulation."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.errors import InputError
from sdcwidgets.core import utility
from sdcwidgets.core.margins import MarginAxes, margins
from sdcwidgets.core.risk import flexible
from sdcwidgets.methods import get
from sdcwidgets.methods.base import Method
from sdcwidgets.methods.cellkey.keys import derived_record_keys
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.tableserver.differencing import published_margins
from sdcwidgets.tableserver.linking import LinkedTables
from sdcwidgets.tableserver.noise import (
    keyed_release,
    multipliers_of,
    spread_of,
    weighted_release,
    works_by_cell,
)
from sdcwidgets.tableserver.reader import expected_utility, taken_for
from sdcwidgets.tableserver.tabulate import Query, Tabulation, Tabulator

if TYPE_CHECKING:
    import pandas as pd

#: Stage of a method: on each requested table, or once on all data before tabulation.
Stage = Literal["after", "before"]

#: Maximum number of cached tables.
CACHE_SIZE = 64

BEFORE = "The method was applied to the data before tabulation, so all tables are consistent."


@dataclass(frozen=True)
class Figures:
    """Risk before and after protection, and utility; nan for a missing value."""

    before: float = float("nan")
    after: float = float("nan")
    utility: float = float("nan")


@dataclass(frozen=True, eq=False)
class Prepared:
    """Table with its protected version.

    Attributes
    ----------
    query : Query
    tabulation : Tabulation
        Original counts.
    published : list of MarginAxes
        Published margins.
    release : Release or None
        Protected table; None without a method.
    counted : Release or None
        The protected numbers of people: the same, but where each stands for its weight.
    taken : ndarray
        Counts that a data user would assume; the original counts without a method.
    people : int
        Published total.
    method : Method or None
    stay : float
        Share of people whom a method before tabulation does not move.
    utility : float
        Published utility: as a data user expects it for the table, or of all data with a method before tabulation.
    """

    query: Query
    tabulation: Tabulation
    published: list[MarginAxes]
    release: Release | None
    counted: Release | None
    taken: NDArray[np.int64]
    people: int
    method: Method | None
    stay: float
    utility: float

    @property
    def clearly_above(self) -> float:
        """Lower bound of all published numbers."""
        if self.release is None:
            return float(min(sums.min() for sums in margins(self.tabulation.table.counts).values()))
        return float(min(low.min() for low in self.release.lower.values()))

    def as_it_is(self) -> Release:
        """Return the unprotected table as a release."""
        sums = margins(self.tabulation.table.counts)
        exact = {margin: sums[margin] for margin in self.published}
        notes = ["The published counts are the original counts.", utility_note(1.0, exact=True)]
        return Release.by_value(self.tabulation.axes, exact, lambda array: (array, array), notes)

    def figures(self, weights: tuple[float, ...], *, true: bool) -> Figures:
        """Return risk and utility of the original counts, or as a data user can compute them."""
        F = self.tabulation.table.counts if true else self.taken
        if not F.any():
            return Figures()
        before = float(flexible.risk(flexible.terms(F), weights))
        if self.counted is None or self.method is None:
            return Figures(before)
        G = self.counted.cells.astype(np.int64)
        spread = spread_of(self.method, F, G, self.stay)
        remaining = flexible.terms_after(F, G, spread, multipliers=multipliers_of(self.method, self.stay))
        after = float(flexible.risk(remaining, weights))
        similar = float(utility.utility(F, G))
        return Figures(before, after, similar if true else self.utility)


class Protector:
    """Data with a protection method and its stage.

    Parameters
    ----------
    data : Tabulator
    method : Method or str, optional
        A method that perturbs each cell independently (after), or moves people or changes counts (before).
    stage : {"after", "before"}
    mixed_keys : bool
        Whether the noise of a cell follows from its key and the seed together. Otherwise it follows from the key alone,
        as in the handbook: the key of a total is then the sum of the keys of its parts, from which data users can
        infer more than from the published numbers.
    weighted_from : int
        Weighted numbers of fewer people (with noise) are suppressed.
    seed : int, optional
        Secret seed of a method before tabulation (default: a new seed of 128 bits). Use the same seed for the same data
        in every generator, because averaging releases with different seeds removes the noise.

    Raises
    ------
    InputError
        If the method does not work at that stage, or data for a method after tabulation have no record keys.

    Examples
    --------
    >>> from sdcwidgets.tableserver.hypercube import hypercube
    >>> data = Tabulator.open(hypercube(), count="Count", key="Key")
    >>> swapping = get("record-swapping")(axis="Region")
    >>> swapped = Protector(data, swapping, "before", seed=1).prepare(Query(["Region", "Sex"]))
    >>> int(swapped.release.cells.sum()), bool((swapped.release.cells == swapped.tabulation.table.counts).all())
    (1500000, False)
    """

    def __init__(
        self,
        data: Tabulator,
        method: Method | str | None,
        stage: Stage = "after",
        seed: int | None = None,
        *,
        mixed_keys: bool = False,
        weighted_from: int = 0,
    ) -> None:
        self.data, self.stage, self.mixed_keys, self.weighted_from = data, stage, mixed_keys, weighted_from
        self.seed = secrets.randbits(128) if seed is None else seed
        chosen = get(method)() if isinstance(method, str) else method
        if stage not in ("after", "before"):
            raise InputError(
                f'The stage of protection is {stage}; it must be "after" or "before" tabulation.'
            )
        if chosen is not None and stage == "after":
            chosen = works_by_cell(chosen)
            if not data.has_keys:
                raise InputError(
                    "The data have no record keys. A record key is a fixed random number of "
                    "each record, so that its noise is the same in every table. Name the "
                    "column of record keys, or create one with keyed(data, secret)."
                )
        elif chosen is not None and not chosen.works_before:
            raise InputError(
                f"{chosen.title} cannot be applied before tabulation. Use a method such as record-swapping."
            )
        self.method = chosen
        self._prepared: OrderedDict[tuple[object, ...], Prepared] = OrderedDict()
        self._linked: OrderedDict[tuple[object, ...], LinkedTables] = OrderedDict()

    def prepare(self, query: Query) -> Prepared:
        """Return the table of a query and what would be published of it.

        Raises
        ------
        InputError
            If a variable or a category is not there, or the source can no longer be read.
        """
        if query.key in self._prepared:
            self._prepared.move_to_end(query.key)
            return self._prepared[query.key]
        tabulation = self.data.tabulate(query)
        published = published_margins(self.data, query)
        counts = tabulation.table.counts
        release, counted, taken, stay, useful = None, None, counts, 1.0, 1.0
        people = int(counts.sum())
        if self.method is not None and self.stage == "after":
            method = works_by_cell(self.method)
            counted = keyed_release(method, tabulation, published, self.seed if self.mixed_keys else None)
            taken = taken_for(method, counted.cells.astype(np.int64))
            # Data users add up the cells of a table without a total; independent noise would disclose more.
            people = int(counted.marginal() if () in published else counted.cells.sum())
            useful = expected_utility(method, counted.cells.astype(np.int64), people)
            weighted = tabulation.sums is not None
            release = weighted_release(counted, tabulation, self.weighted_from) if weighted else counted
        elif self.method is not None:
            taken, release = self._made_before(query, published)
            counted = release
            people, stay, useful = int(taken.sum()), self._beforehand.stay, self._beforehand.utility
        prepared = Prepared(
            query, tabulation, published, release, counted, taken, people, self.method, stay, useful
        )
        self._prepared[query.key] = prepared
        if len(self._prepared) > CACHE_SIZE:
            self._prepared.popitem(last=False)
        return prepared

    def linked(
        self, marks: tuple[object, ...], known: LinkedTables, query: Query, release: Release
    ) -> LinkedTables:
        """Return the bounds after the publication of one more table.

        The result is cached, because a changed rule repeats the same requests.

        Parameters
        ----------
        marks : tuple
            Identifiers of the earlier tables.
        known : LinkedTables
            Bounds from the earlier tables.
        query : Query
        release : Release
            The new release.

        Returns
        -------
        LinkedTables
        """
        if marks not in self._linked:
            self._linked[marks] = known.with_(query, release)
            if len(self._linked) > CACHE_SIZE:
                self._linked.popitem(last=False)
        return self._linked[marks]

    def _made_before(self, query: Query, published: list[MarginAxes]) -> tuple[NDArray[np.int64], Release]:
        """Return the table of a query from the protected data, and its release."""
        assert self.method is not None
        table = self._beforehand.data.tabulate(query).table
        sums = margins(table.counts)
        release = Release(
            table.axes,
            {margin: sums[margin] for margin in published},
            notes=(self.method.note(), BEFORE),
        )
        return table.counts, release

    @cached_property
    def _beforehand(self) -> _Beforehand:
        """Protected data of all variables."""
        assert self.method is not None
        whole = self.data.tabulate(Query(self.data.names)).table
        rng = self.method.random_numbers(whole, self.seed)
        stay = 1.0
        if self.method.follows:
            counts, stayed = (drawn[0] for drawn in self.method.follow(whole, 1, rng))
            stay = float(stayed.sum() / whole.total)
        else:
            counts = self.method.apply(whole, rng).counts
        labels = {axis.name: axis.labels for axis in whole.axes}
        data = Tabulator.open(_cells(whole.with_counts(counts)), count="sdc_people", labels=labels)
        return _Beforehand(data, stay, float(utility.utility(whole.counts, counts)))


@dataclass(frozen=True)
class _Beforehand:
    """Protected data, the share of people who did not move, and the utility of all data."""

    data: Tabulator
    stay: float
    utility: float


def keyed(data: Tabulator, secret: int, identity: str = "") -> Tabulator:
    """Return the same rows with record keys derived from a secret; see `methods.cellkey.keys_of_records`.

    Parameters
    ----------
    data : Tabulator
    secret : int
        Random number of up to 128 bits. Anyone who knows it and the records can remove the noise.
    identity : str, optional
        Column with a unique value per record; by default all values identify the record.

    Returns
    -------
    Tabulator
    """
    return data.with_keys(lambda records: derived_record_keys(records, secret, identity))


def utility_note(utility: float, *, exact: bool = False) -> str:
    """Return the footnote on utility.

    The utility of a protected table is below 1, but its estimate is 1 if all counts are large.

    Examples
    --------
    >>> utility_note(0.99186), utility_note(0.99996)
    ('Utility, 1 − HD/√N: 0.992.', 'Utility, 1 − HD/√N: above 0.999.')
    >>> utility_note(1.0), utility_note(1.0, exact=True)
    ('Utility, 1 − HD/√N: above 0.999.', 'Utility, 1 − HD/√N: 1.000.')
    """
    shown = f"{utility:.3f}" if exact or utility < 0.9995 else "above 0.999"
    return f"Utility, 1 − HD/√N: {shown}."


def _cells(table: FrequencyTable) -> pd.DataFrame:
    """Return one row per non-empty cell."""
    import pandas as pd

    places = np.nonzero(table.counts)
    columns = {
        axis.name: pd.Categorical.from_codes(codes, pd.Index(axis.labels))
        for axis, codes in zip(table.axes, places, strict=True)
    }
    return pd.DataFrame(columns).assign(sdc_people=table.counts[places])
