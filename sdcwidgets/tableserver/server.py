"""Table server: the steps from a request to a release or a refusal, and the log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from os import PathLike
from typing import TYPE_CHECKING, Literal

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets.core.risk import flexible
from sdcwidgets.methods.base import Method
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.tableserver.areas import failing, without
from sdcwidgets.tableserver.combining import CheckTooLarge, combined, warm
from sdcwidgets.tableserver.differencing import CountedTable, SingledOutGroup, singled_out
from sdcwidgets.tableserver.linking import Bounded, LinkedTables
from sdcwidgets.tableserver.noise import OWN
from sdcwidgets.tableserver.noise_check import check_public
from sdcwidgets.tableserver.protecting import Figures, Prepared, Protector, Stage, utility_note
from sdcwidgets.tableserver.refusing import categories, refusal
from sdcwidgets.tableserver.rules import Refusal, Rules, check_groupings, check_query, check_table
from sdcwidgets.tableserver.tabulate import Query, Tabulator

if TYPE_CHECKING:
    import ibis
    import pandas as pd

Groups = Mapping[str, Sequence[Mapping[str, Sequence[str]]]]

#: Maximum number of tables that are released exactly. All exact tables are checked together, so further
#: tables are protected instead.
MOST_EXACT = 100

UNKNOWN = Figures()

#: Number of cells above which a table is compared with the population before it is computed.
LARGE = 100_000

WITHOUT = "Totals are not released, because several totals together could undo the protection of a cell."


@dataclass(frozen=True, eq=False)
class Request:
    """One entry of the log: the request, the answer and figures for the agency.

    Attributes
    ----------
    query : Query
    answer : Release or Refusal
    exact : bool
        Whether the original counts were released.
    true : Figures
        Risk before and after protection and utility, computed from the original counts; confidential.
    read : Figures
        The same figures, computed from the counts that a data user would infer. The rules use them.
    singled : tuple of SingledOutGroup
        Groups that this table would have singled out together with earlier ones, if it had been released with
        original counts or with all totals.
    """

    query: Query
    answer: Release | Refusal
    exact: bool = False
    true: Figures = UNKNOWN
    read: Figures = UNKNOWN
    singled: tuple[SingledOutGroup, ...] = ()

    @property
    def words(self) -> str:
        """Short description of the answer."""
        if isinstance(self.answer, Refusal):
            return f"refused: {self.answer.rule}"
        return "unchanged" if self.exact else "protected"


class TableServer:
    """Table generator for one data set.

    Each request is checked by rules, protected, and checked for residual risk and utility. With a method, all
    decisions use the protected table, so a refusal reveals nothing about the original counts that the
    protected table does not reveal. A method after tabulation takes its random numbers from the record keys,
    so a cell has the same published count in every table. With a method before tabulation, all tables are
    made from the same protected data.

    Parameters
    ----------
    source : Tabulator, Protector, or an argument of `Tabulator.open`
    rules : Rules
    method : Method or str, optional
        After tabulation, a method that perturbs each cell independently; before tabulation, a method that
        protects the whole data set. Without a method, tables are released exactly or refused, and each
        refusal reveals something about the counts.
    stage : {"after", "before"}
        When the method is applied: after or before tabulation.
    policy : {"study", "public"}
        With "study", each table is checked together with all tables released before, and tables of low risk
        are released exactly. With "public", each count is perturbed, and no answer depends on earlier
        requests; the noise must prevent the disclosure of small groups by any number of tables
        (`public.uncovered`).
    weights : sequence of four float
        Weights of zeros, small counts, large counts and size in the risk.
    groups : mapping of str to sequence of groupings
        Groups of categories that users may select for each variable; groups must be nested or disjoint.
    seed : int, optional
        Seed as for `Protector`: for a method before tabulation, and for mixing record keys. By default, a
        secret seed is generated.
    mixed_keys : bool, optional
        Whether record keys are mixed with the seed, as for `Protector`. By default, they are mixed with the
        policy "public" or if a seed is given. Otherwise the policy "study" uses the record keys alone, as in
        the published study.
    weighted_from : int
        As for `Protector`.
    count : str, optional
        Column with the number of persons of each row.
    key : str, optional
        Column with the record keys.
    labels : mapping of str to sequence of str, optional
        Categories of columns, in their order.
    weight : str, optional
        Column with the weights.

    Raises
    ------
    InputError
        If the method is not possible at this stage or with this policy, or if groups overlap.

    Examples
    --------
    >>> from sdcwidgets.tableserver import hypercube
    >>> server = TableServer(hypercube.hypercube(), count="Count", key="Key")
    >>> release = server.request(["Region", "Sex"])
    >>> release.marginal("Region").tolist()
    [854539.0, 645461.0]
    >>> server.request(["Age", "Occupation", "Education"], {"Region": ["Region 1"]}).shape
    (21, 13, 9)
    >>> refusal = server.request(["Age", "Occupation"], {"Education": ["Primary"], "Sex": ["Male"]})
    >>> print(refusal.required)
    At most 1 additional variable can select the population.
    """

    def __init__(
        self,
        source: Tabulator | Protector | str | PathLike[str] | pd.DataFrame | ibis.Table,
        rules: Rules | None = None,
        method: Method | str | None = "random-rounding",
        *,
        stage: Stage = "after",
        policy: Literal["study", "public"] = "study",
        weights: Sequence[float] = flexible.WEIGHTS,
        groups: Groups | None = None,
        seed: int | None = None,
        mixed_keys: bool | None = None,
        weighted_from: int = 0,
        count: str | None = None,
        key: str | None = None,
        labels: Mapping[str, Sequence[str]] | None = None,
        weight: str | None = None,
    ) -> None:
        if not isinstance(source, Protector):
            data = source
            if not isinstance(data, Tabulator):
                data = Tabulator.open(data, count=count, key=key, labels=labels, weight=weight)
            if mixed_keys is None:
                mixed_keys = policy == "public" or seed is not None
            source = Protector(data, method, stage, seed, mixed_keys=mixed_keys, weighted_from=weighted_from)
        self.protector, self.data = source, source.data
        self.rules = rules or Rules()
        self.weights = tuple(weights)
        self.groups = {
            name: [{new: tuple(old) for new, old in groups.items()} for groups in choices]
            for name, choices in (groups or {}).items()
        }
        check_groupings(self.groups)
        self.policy = policy
        if policy == "public":
            check_public(self.protector, self.rules)
        elif self.data.weight:
            raise InputError(
                "Weighted counts need a public policy, because a study policy releases exact tables and checks "
                "them as numbers of people."
            )
        for name in {self.rules.area} - {""} | {name for names in self.rules.apart for name in names}:
            self.data.variable(name)
        self.log: list[Request] = []
        self._exact: dict[tuple[object, ...], CountedTable] = {}
        self._linked = LinkedTables(self.data, self.groups)
        self._released: tuple[tuple[object, ...], ...] = ()
        if self.rules.difference and policy == "study":
            warm()

    @property
    def method(self) -> Method | None:
        """Protection method; None releases tables exactly or refuses them."""
        return self.protector.method

    @method.setter
    def method(self, method: Method | str | None) -> None:
        before = self.protector
        self.protector = Protector(
            self.data,
            method,
            before.stage,
            before.seed,
            mixed_keys=before.mixed_keys,
            weighted_from=before.weighted_from,
        )

    def request(
        self,
        by: Sequence[str] | Query,
        where: Mapping[str, Sequence[str]] | None = None,
        groups: Mapping[str, Mapping[str, Sequence[str]]] | None = None,
    ) -> Release | Refusal:
        """Answer a request and add it to the log.

        Parameters
        ----------
        by : sequence of str or Query
            As for `tabulate.Query`.
        where : mapping, optional
            Selected categories by variable, as for `tabulate.Query`.
        groups : mapping, optional
            Merged categories by variable, as for `tabulate.Query`.

        Returns
        -------
        Release or Refusal
            A refusal names the violated rule but no count. Its truth value is False.

        Raises
        ------
        InputError
            If a variable or a category does not exist, or the source cannot be read.
        """
        query = by if isinstance(by, Query) else Query(tuple(by), where or {}, groups or {})  # type: ignore[arg-type]
        answered = self._answer(query)
        self.log.append(answered)
        return answered.answer

    def _answer(self, query: Query) -> Request:
        for name in query.where:
            self.data.variable(name)
        rule = check_query(self.rules, query, self.data, self.groups)
        if rule is not None:
            return Request(query, self._refusal(rule, query))
        if self._sparse(query):
            return Request(query, self._refusal("mean", query))
        table = self.protector.prepare(query)
        areas = failing(self.rules, table)
        rules = [rule for rule in areas if rule is not None]
        if not areas:
            rule = check_table(self.rules, table.taken, table.people)
        elif table.people < self.rules.people:
            rule = "people"
        else:
            rule = rules[0] if len(rules) == len(areas) else None
        true, read = (table.figures(self.weights, true=which) for which in (True, False))
        if rule is not None:
            return Request(query, self._refusal(rule, query), true=true, read=read)
        if rules:
            if table.release is None:
                return Request(query, self._refusal(rules[0], query), true=true, read=read)
            table = replace(table, release=without(table.release, self.rules.area, areas))
        elif self.policy == "study" and (table.release is None or self.protector.stage == "after"):
            if read.before < self.rules.before:
                return self._low_risk(table, true, read)
            if table.release is None:
                return Request(query, self._refusal("before", query), true=true, read=read)
        return self._protected(table, true, read)

    def _sparse(self, query: Query) -> bool:
        """Return whether a large table is too sparse even for the whole population.

        The server refuses such a table without computing it.
        """
        cells = prod(categories(query, self.data, name) for name in query.by)
        return cells > LARGE and self._everybody < self.rules.mean * cells

    @cached_property
    def _everybody(self) -> int:
        """Total population, as it would be published."""
        name = min(self.data.names[:3], key=lambda name: len(self.data.variable(name).labels))
        return self.protector.prepare(Query((name,))).people

    def _refusal(self, rule: str, query: Query) -> Refusal:
        return refusal(rule, self.rules, query, self.data, self.groups)

    def _low_risk(self, table: Prepared, true: Figures, read: Figures) -> Request:
        """Release the original counts unless they disclose a small group.

        A small group is disclosed by a small count, or by differencing with earlier tables.
        """
        few: int = self.rules.difference
        singled: tuple[SingledOutGroup, ...] = ()
        if few and table.clearly_above <= few:
            if table.release is not None:
                return self._protected(table, true, read)
            refused = self._refusal("difference", table.query)
            return Request(table.query, refused, true=true, read=read)
        new, released = (
            CountedTable.of(self.data, table.query, table.tabulation.table.counts),
            table.as_it_is(),
        )
        if few and table.query.key not in self._exact:
            # The limit is doubled, so that protection of this table does not reveal that a group has 1 to
            # `few` people.
            clear, singled = self._alone(new, 2 * few)
            if clear:
                known = self._known_after(table.query, released).small(few)
                if known is not None:
                    clear, singled = False, (self._named(known),)
            if not clear:
                if table.release is not None:
                    protected = self._protected(table, true, read)
                    return replace(protected, singled=(*singled, *protected.singled))
                refused = self._refusal("difference", table.query)
                return Request(table.query, refused, true=true, read=read, singled=singled)
        self._exact[table.query.key] = new
        self._note(table.query, released)
        figures = Figures(true.before, true.before, 1.0)
        return Request(table.query, released, True, figures, Figures(read.before, read.before, 1.0))

    def _alone(self, new: CountedTable, most: int) -> tuple[bool, tuple[SingledOutGroup, ...]]:
        """Return whether the exact tables single out no group, and the groups found."""
        known = list(self._exact.values())
        singled = tuple(group for old in known for group in singled_out(new, old, most))
        if singled:
            return False, singled
        if len(known) >= MOST_EXACT:
            return False, ()
        try:
            group = combined(self.data, [*known, new], most)
        except CheckTooLarge:
            return False, ()
        return group is None, () if group is None else (group,)

    def _known_after(self, query: Query, release: Release) -> LinkedTables:
        """Return the bounds of all released tables if this table is added."""
        mark = _mark(query, release)
        if mark in self._released:
            return self._linked
        return self.protector.linked((*self._released, mark), self._linked, query, release)

    def _note(self, query: Query, release: Release) -> None:
        """Add a table to the released ones."""
        mark = _mark(query, release)
        if self.rules.difference and mark not in self._released:
            self._linked, self._released = self._known_after(query, release), (*self._released, mark)

    def _named(self, group: Bounded) -> SingledOutGroup:
        """Return a disclosed group with its original number of people, for the agency."""
        chosen = {name: tuple(part) for name, part in group.categories.items()}
        names = tuple(chosen) or self.data.names[:1]
        people = self.data.tabulate(Query(names, chosen)).people
        return SingledOutGroup("combination of all released tables", group.words or "everybody", people)

    def _protected(self, table: Prepared, true: Figures, read: Figures) -> Request:
        """Release the protected table if its risk and its utility satisfy the rules."""
        assert table.release is not None
        if read.after > self.rules.after:
            return Request(table.query, self._refusal("after", table.query), False, true, read)
        if read.utility < self.rules.utility:
            return Request(table.query, self._refusal("utility", table.query), False, true, read)
        few = self.rules.difference if self.policy == "study" else 0
        release = table.release
        singled: tuple[SingledOutGroup, ...] = ()
        known = self._known_after(table.query, release).small(few) if few else None
        if known is not None:
            singled = (self._named(known),)
            notes = (*(note for note in release.notes if note != OWN), WITHOUT)
            release = replace(release, values={release.every: release.cells}, notes=notes)
            if self._known_after(table.query, release).small(few) is not None:
                refused = self._refusal("difference", table.query)
                return Request(table.query, refused, False, true, read, singled)
        if few:
            self._note(table.query, release)
        noted = replace(release, notes=(*release.notes, utility_note(read.utility)))
        return Request(table.query, noted, False, true, read, singled)

    def remember(self, query: Query, release: Release, exact: bool) -> None:
        """Add a table that another session has released.

        Parameters
        ----------
        query : Query
        release : Release
            The released table.
        exact : bool
            Whether its cells are original counts.
        """
        if self.policy == "study":
            if exact:
                counts = release.cells.astype(np.int64)
                self._exact.setdefault(query.key, CountedTable.of(self.data, query, counts))
            self._note(query, release)

    def original(self, request: Request) -> FrequencyTable:
        """Return the confidential original counts of a request."""
        return self.protector.prepare(request.query).tabulation.table

    def to_frame(self) -> pd.DataFrame:
        """Return the log for the agency, one row per request."""
        import pandas as pd

        columns: dict[str, list[object]] = {
            "table": [entry.query.words for entry in self.log],
            "answer": [entry.words for entry in self.log],
            "risk before": [entry.true.before for entry in self.log],
            "risk after": [entry.true.after for entry in self.log],
            "utility": [entry.true.utility for entry in self.log],
            "estimated utility": [entry.read.utility for entry in self.log],
            "singled out": [len(entry.singled) for entry in self.log],
        }
        return pd.DataFrame(columns)


def _mark(query: Query, release: Release) -> tuple[object, ...]:
    """Return the identity of a released table: query, exactness and margins."""
    return (query.key, release.exact, tuple(release.values))
