"""The table generator at work: every answer to the requests so far, and what of it each door is shown."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from sdcwidgets._util.arrays import Floats
from sdcwidgets._util.errors import InputError
from sdcwidgets.assessment.report import Report
from sdcwidgets.core.margins import MarginAxes
from sdcwidgets.dashboards.tables.state import TablesState, variables_of
from sdcwidgets.methods import Method
from sdcwidgets.microdata import Microdata
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.release import Release
from sdcwidgets.tableserver import Refusal, Request, TableServer
from sdcwidgets.tableserver.generator import TableGenerator
from sdcwidgets.tableserver.hypercube import hypercube
from sdcwidgets.tableserver.learning import Inference, inferences
from sdcwidgets.tableserver.protecting import Protector, keyed
from sdcwidgets.tableserver.tabulate import Tabulator

#: What record keys of a file, and a method before tabulation, draw from here; it is public, since the page is for
#: learning and a link must bring back the same tables.
SEED = 1


@dataclass(frozen=True, eq=False)
class TablesResult:
    """Every answer so far; it never changes.

    Attributes
    ----------
    state : TablesState
    server : TableServer
        With its log, which only the agency sees.
    learnt : tuple of Inference
        What the releases tell of small groups; found for the agency's door only.
    """

    state: TablesState
    server: TableServer
    learnt: tuple[Inference, ...]

    @property
    def position(self) -> int:
        """Which request is looked at; -1 where nothing was asked."""
        last = len(self.server.log) - 1
        return last if self.state.looked < 0 else min(self.state.looked, last)

    @property
    def request(self) -> Request | None:
        """The request that is looked at."""
        return self.server.log[self.position] if self.server.log else None

    @property
    def release(self) -> Release | None:
        """What it was answered with, if it was released."""
        answer = self.request and self.request.answer
        return answer if isinstance(answer, Release) else None

    @property
    def refused(self) -> str:
        """By which rule it was refused, "" if it was not."""
        answer = self.request and self.request.answer
        return answer.rule if isinstance(answer, Refusal) else ""

    @property
    def current(self) -> bool:
        """Whether the question that is chosen is the one that is looked at."""
        return self.request is not None and self.request.query == self.state.query

    @property
    def report(self) -> Report:
        """The report on the same."""
        if self.release is None:
            raise InputError("This request was not answered with a table; ask for another one.")
        return Report(self.release, title=" by ".join(axis.name for axis in self.release.axes))


def compute(state: TablesState) -> TablesResult:
    """Return the answers to all requests of a state, under its rules and its method.

    Raises
    ------
    InputError
        If a request cannot be answered: a variable or category is not there, or the method does not work here.

    Examples
    --------
    >>> result = compute(TablesState().with_request())
    >>> result.request.words, result.release.shape
    ('protected', (21, 5))
    """
    if state.generator is not None:
        server = copy(_server_of(state.generator))
        # Only what was asked by the button; what a link holds and nobody asked here is not answered.
        recalled = [state.generator.recalled(query) for query in state.requests]
        server.log = [request for request in recalled if request is not None]
        return TablesResult(state, server, ())
    server = empty_server(state)
    for query in state.requests:
        server.request(query)
    groups = tuple(inferences(server)) if state.settings.door == "agency" else ()
    return TablesResult(state, server, groups)


def empty_server(state: TablesState) -> TableServer:
    """Return a server under the rules and the method of a state that was asked nothing."""
    protector = _protector(state.own, state.method, state.settings.stage)
    groups = {name: [dict(parts)] for name, parts in state.groups.items()}
    return TableServer(protector, state.rules, groups=groups)


def layer(release: Release, category: int | None) -> Release:
    """Return a table of two axes: of three one category of the last, or all of them together; of one a column.

    Only what is published is in it: without a total over the last axis, `category` None shows gaps.
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
def _data(own: Microdata | None) -> Tabulator:
    """Return what tables are asked of; people without keys get keys that are drawn once."""
    if own is None:
        return Tabulator.open(hypercube(), count="Count", key="Key")
    frame = own.to_frame()[list(variables_of(own))].astype(str).where(lambda frame: frame != "<NA>", None)
    return keyed(Tabulator.open(frame, labels=variables_of(own)), SEED)


@lru_cache(maxsize=12)
def _protector(own: Microdata | None, method: Method | None, stage: str) -> Protector:
    return Protector(_data(own), method, stage, SEED)  # type: ignore[arg-type]  # checked where it is declared
