"""Result of the page Tables: the answers to all requests, and the part of them in each view."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from sdcwidgets._util.arrays import Floats
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.publication import file_notes, method_lines
from sdcwidgets.assessment.report import Report
from sdcwidgets.core.margins import MarginAxes
from sdcwidgets.dashboards.tables.state import TablesState, method_parameters, variables_of
from sdcwidgets.methods import Method
from sdcwidgets.microdata import Microdata
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.release import Release
from sdcwidgets.tableserver import Refusal, Request, TableServer
from sdcwidgets.tableserver.generator import TableGenerator
from sdcwidgets.tableserver.hypercube import hypercube
from sdcwidgets.tableserver.inferences import Inference, inferences
from sdcwidgets.tableserver.protecting import Protector, keyed
from sdcwidgets.tableserver.tabulate import Tabulator

#: Seed of the hypercube's record keys and of methods before tabulation. It is public, because its people are synthetic
#: and links must give the same tables. The tables of a user's file depend on the secret of its state.
SEED = 1


@dataclass(frozen=True, eq=False)
class TablesResult:
    """Answers to all requests; it is immutable.

    Attributes
    ----------
    state : TablesState
    server : TableServer
        Server with its log, which only the agency sees.
    learnt : tuple of Inference
        Inferences about small groups from the releases; computed only in the view of the agency.
    """

    state: TablesState
    server: TableServer
    learnt: tuple[Inference, ...]

    @property
    def position(self) -> int:
        """Index of the selected request, -1 if there is none."""
        last = len(self.server.log) - 1
        return last if self.state.looked < 0 else min(self.state.looked, last)

    @property
    def request(self) -> Request | None:
        """The selected request."""
        return self.server.log[self.position] if self.server.log else None

    @property
    def release(self) -> Release | None:
        """The release of the selected request; None if a rule refuses the request."""
        answer = self.request and self.request.answer
        return answer if isinstance(answer, Release) else None

    @property
    def refused(self) -> str:
        """Rule that refuses the selected request; "" if there is a table."""
        answer = self.request and self.request.answer
        return answer.rule if isinstance(answer, Refusal) else ""

    @property
    def current(self) -> bool:
        """Whether the selected request is the one in the lists."""
        return self.request is not None and self.request.query == self.state.query

    @property
    def report(self) -> Report:
        """Report on the released table."""
        if self.release is None:
            raise InputError("This request was refused, so there is no table. Request another table.")
        notes = (*self.release.notes, *file_notes("", self.method_lines)[1:])
        title = " by ".join(axis.name for axis in self.release.axes)
        return Report(replace(self.release, notes=notes), title=title)

    @property
    def method_lines(self) -> list[tuple[str, str]]:
        """Names and texts on the method of the released table, without settings that a generator does not use."""
        method = self.server.method
        if method is None or self.request is None or self.request.exact:
            return []
        first, *others = method_lines(method)
        used = {parameter.label for parameter in method_parameters(method)}
        return [first, *(line for line in others if line[0] in used)]


def compute(state: TablesState) -> TablesResult:
    """Return the answers to all requests of a state, by its rules and its method.

    Raises
    ------
    InputError
        If a request has an unknown variable or category, or the method cannot be applied.

    Examples
    --------
    >>> result = compute(TablesState().with_request())
    >>> result.request.words, result.release.shape
    ('protected', (21, 5))
    """
    if state.generator is not None:
        server = copy(_server_of(state.generator))
        # Requests in a link that were not sent by the button are not answered.
        recalled = [state.generator.recalled(query) for query in state.requests]
        server.log = [request for request in recalled if request is not None]
        return TablesResult(state, server, ())
    server = empty_server(state)
    for query in state.requests:
        server.request(query)
    groups = tuple(inferences(server)) if state.settings.door == "agency" else ()
    return TablesResult(state, server, groups)


def empty_server(state: TablesState) -> TableServer:
    """Return a server with the rules and the method of a state, without requests."""
    seed = SEED if state.own is None else state.secret
    protector = _protector(state.own, state.method, state.settings.stage, seed)
    groups = {name: [dict(parts)] for name, parts in state.groups.items()}
    return TableServer(protector, state.rules, groups=groups)


def layer(release: Release, category: int | None) -> Release:
    """Return a two-way part of a release: one category of the third variable, or all of them; one variable is a column.

    The part has only published counts: without a total over the third variable, all categories together are suppressed.
    """
    if release.ndim == 2:
        return release

    def part(arrays: Mapping[MarginAxes, Floats]) -> dict[MarginAxes, Floats]:
        if release.ndim == 1:
            return {(*margin, 1): array[..., np.newaxis] for margin, array in arrays.items()}
        if category is None:
            return {margin: array for margin, array in arrays.items() if 2 not in margin}
        return {margin[:-1]: array[..., category] for margin, array in arrays.items() if 2 in margin}

    axes = (*release.axes, Axis("Counted", ("People",)))[:2]
    values = part(release.values) or {(0, 1): np.full(release.shape[:2], np.nan)}
    return Release(axes, values, part(release.lower), part(release.upper), notes=release.notes)


@lru_cache(maxsize=1)
def _server_of(generator: TableGenerator) -> TableServer:
    return generator.server()


@lru_cache(maxsize=2)
def _data(own: Microdata | None, seed: int) -> Tabulator:
    """Return the data of the requests; records without keys get random record keys."""
    if own is None:
        return Tabulator.open(hypercube(), count="Count", key="Key")
    frame = own.to_frame()[list(variables_of(own))].astype(str).where(lambda frame: frame != "<NA>", None)
    return keyed(Tabulator.open(frame, labels=variables_of(own)), seed)


@lru_cache(maxsize=12)
def _protector(own: Microdata | None, method: Method | None, stage: str, seed: int) -> Protector:
    return Protector(_data(own, seed), method, stage, seed)  # type: ignore[arg-type]  # checked by the declaration
