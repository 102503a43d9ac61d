"""The table generator itself: the steps from a request to a release or a refusal, and the log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from sdcwidgets.core import utility
from sdcwidgets.core.risk import flexible
from sdcwidgets.errors import InputError
from sdcwidgets.methods import get
from sdcwidgets.methods.base import Method, PostTabular
from sdcwidgets.release import Release
from sdcwidgets.table import FrequencyTable
from sdcwidgets.tableserver.differencing import Exact, Singled, singled_out
from sdcwidgets.tableserver.noise import keyed_release, spread, works_by_cell
from sdcwidgets.tableserver.rules import Refusal, Rules, check_query, check_table
from sdcwidgets.tabulate import Query, Tabulation, Tabulator

if TYPE_CHECKING:
    import ibis
    import pandas as pd

__all__ = ["Request", "TableServer"]

Groups = Mapping[str, Sequence[Mapping[str, Sequence[str]]]]

#: A request is answered from the log of this many exact tables before it; older ones still count for everybody.
MOST_EXACT = 2_000


@dataclass(frozen=True, eq=False)
class Request:
    """One line of the log: what was asked, what was answered, and what the agency knows of it.

    Attributes
    ----------
    query : Query
    answer : Release or Refusal
    exact : bool
        Whether the counts were released as they are.
    before, after, utility : float
        Risk before and after protection and the utility; nan where it did not come to that.
    singled : tuple of Singled
        The groups that the table would have singled out together with earlier ones.
    """

    query: Query
    answer: Release | Refusal
    exact: bool = False
    before: float = float("nan")
    after: float = float("nan")
    utility: float = float("nan")
    singled: tuple[Singled, ...] = ()


class TableServer:
    """A table generator for one set of data.

    Each request goes through the same steps: rules, risk, protection, risk again, release with its utility.
    Protection takes its random numbers from the record keys, so that the same cell is published alike in every table.

    Parameters
    ----------
    source : Tabulator, or what `Tabulator.open` takes
    rules : Rules
    method : PostTabular or str, optional
        A method that protects each cell by itself; without one, tables are released as they are or refused.
    weights : sequence of four float
        Of zeros, small counts, large counts and size in the risk.
    groups : mapping of str to sequence of groupings
        The groups of categories that users may choose for each variable.
    **options
        For `Tabulator.open`: count, key, labels.

    Examples
    --------
    >>> from sdcwidgets import hypercube
    >>> server = TableServer(hypercube.hypercube(), count="Count", key="Key")
    >>> release = server.request(["Region", "Sex"])
    >>> release.margin("Region").tolist()
    [854539.0, 645461.0]
    >>> server.request(["Age", "Occupation", "Education"], {"Region": ["Region 1"]}).shape
    (21, 13, 9)
    >>> print(server.request(["Age", "Occupation"], {"Education": ["Primary"], "Sex": ["Male"]}))
    People may be selected by at most 1 variables besides those of the table.
    """

    def __init__(
        self,
        source: Tabulator | str | PathLike[str] | pd.DataFrame | ibis.Table,
        rules: Rules | None = None,
        method: PostTabular | str | None = "random-rounding",
        *,
        weights: Sequence[float] = flexible.WEIGHTS,
        groups: Groups | None = None,
        **options: Any,
    ) -> None:
        self.data = source if isinstance(source, Tabulator) else Tabulator.open(source, **options)
        self.rules = rules or Rules()
        self.weights = tuple(weights)
        self.groups = {
            name: [{new: tuple(old) for new, old in one.items()} for one in choices]
            for name, choices in (groups or {}).items()
        }
        self.log: list[Request] = []
        self._exact: list[Exact] = []
        self.method = method

    @property
    def method(self) -> PostTabular | None:
        """The method that protects; None releases tables as they are or not at all."""
        return self._method

    @method.setter
    def method(self, method: Method | str | None) -> None:
        chosen = get(method)() if isinstance(method, str) else method
        if chosen is not None:
            chosen = works_by_cell(chosen)
            if not self.data.has_keys:
                raise InputError("The data have no record keys; name the column that holds them.")
        self._method = chosen

    def request(
        self,
        by: Sequence[str] | Query,
        where: Mapping[str, Sequence[str]] | None = None,
        groups: Mapping[str, Mapping[str, Sequence[str]]] | None = None,
    ) -> Release | Refusal:
        """Answer a request and write it into the log.

        Parameters
        ----------
        by, where, groups
            As for `tabulate.Query`.

        Returns
        -------
        Release or Refusal
            A refusal names the rule, and no count; it is false as a condition.

        Raises
        ------
        InputError
            If a variable or a category is not there, or the source can no longer be read.
        """
        query = by if isinstance(by, Query) else Query(tuple(by), where or {}, groups or {})  # type: ignore[arg-type]
        answered = self._answer(query)
        self.log.append(answered)
        return answered.answer

    def _answer(self, query: Query) -> Request:
        refused = check_query(self.rules, query, self.groups)
        if refused is None:
            found = self.data.tabulate(query)
            refused = check_table(self.rules, found)
        if refused is not None:
            return Request(query, refused)
        before = self._risk(flexible.terms(found.counts, cells=found.cells))
        if before < self.rules.before:
            return self._as_it_is(query, found, before)
        if self.method is None:
            reason = "The risk of this table is too high, and no protection is chosen."
            return Request(query, Refusal("before", reason), before=before)
        return self._protected(query, found, before)

    def _as_it_is(self, query: Query, found: Tabulation, before: float) -> Request:
        """Release the counts, unless they single out a few people together with earlier tables."""
        new = Exact.of(self.data, query, found.table.counts)
        if self.rules.difference:
            singled = tuple(
                one for old in self._exact for one in singled_out(new, old, self.rules.difference)
            )
            if singled:
                if self.method is not None:
                    answered = self._protected(query, found, before)
                    return Request(
                        query, answered.answer, False, before, answered.after, answered.utility, singled
                    )
                reason = "Together with a table released earlier this one would single out very few people."
                return Request(query, Refusal("difference", reason), before=before, singled=singled)
        self._exact = [*self._exact, new][-MOST_EXACT:]
        release = Release.of(found.table, notes=["The counts are published as they are.", _kept(1.0)])
        return Request(query, release, True, before, before, 1.0)

    def _protected(self, query: Query, found: Tabulation, before: float) -> Request:
        """Release the protected table, if its risk and its utility allow it."""
        assert self.method is not None
        release = keyed_release(self.method, found)
        counts = found.table.counts
        cells = release.cells.astype(np.int64)
        terms = flexible.terms_after(counts, cells, spread(self.method, counts))
        after = self._risk(terms)
        kept = float(utility.utility(counts, cells))
        if after > self.rules.after:
            reason = "The risk that is left after protection is too high; choose wider categories."
            return Request(query, Refusal("after", reason), False, before, after, kept)
        if kept < self.rules.utility:
            reason = "Protection would change this table too much to be of use; choose wider categories."
            return Request(query, Refusal("utility", reason), False, before, after, kept)
        noted = Release(
            release.axes, release.values, release.lower, release.upper, notes=(*release.notes, _kept(kept))
        )
        return Request(query, noted, False, before, after, kept)

    def _risk(self, terms: np.ndarray[Any, np.dtype[np.float64]]) -> float:
        return float(flexible.risk(terms, self.weights))

    def original(self, request: Request) -> FrequencyTable:
        """Return the true counts behind a request, which only the agency sees."""
        return self.data.tabulate(request.query).table

    def to_frame(self) -> pd.DataFrame:
        """Return the log as a table, a line a request."""
        import pandas as pd

        return pd.DataFrame(
            {
                "table": [one.query.words for one in self.log],
                "answer": [
                    f"refused: {one.answer.rule}"
                    if isinstance(one.answer, Refusal)
                    else ("as it is" if one.exact else "protected")
                    for one in self.log
                ],
                "risk before": [one.before for one in self.log],
                "risk after": [one.after for one in self.log],
                "utility": [one.utility for one in self.log],
                "singled out": [len(one.singled) for one in self.log],
            }
        )


def _kept(utility: float) -> str:
    return f"Utility, 1 − HD/√N: {utility:.3f}."
