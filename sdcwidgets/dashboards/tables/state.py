"""State of the page Tables: the request of a data user, and the rules and the method of the agency.

The log is part of the state, so that the same requests are answered again by other rules. An agency needs this to see
the effect of a rule before it changes it.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from typing import Annotated, Any, Self

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import quoted
from sdcwidgets._util.parameters import Choices, Declared, Help, Label, Parameter, declared
from sdcwidgets._util.values import with_fields
from sdcwidgets.methods import Method, available, get
from sdcwidgets.methods.swapping import RecordSwapping
from sdcwidgets.microdata import Microdata
from sdcwidgets.tableserver import Rules
from sdcwidgets.tableserver.generator import TableGenerator
from sdcwidgets.tableserver.hypercube import AXES, GROUPS
from sdcwidgets.tableserver.noise import works_by_cell
from sdcwidgets.tableserver.tabulate import Query
from sdcwidgets.widgets.page_state.links import Linked

#: Number of random bits of the secret on which the noise of a user's file depends.
SECRET_BITS = 128

#: Maximum number of requests on the page.
MOST_REQUESTS = 30

#: Maximum number of categories of a variable of a request.
MOST_CATEGORIES = 120

NONE = ""

#: Environment variable with the folder of a generator.
FOLDER = "SDCWIDGETS_GENERATOR"

#: Environment variable that enables the view of the agency.
AGENCY = "SDCWIDGETS_AGENCY"


@dataclass(frozen=True)
class TablesSettings(Declared):
    """View of the page, and stage of the method."""

    door: Annotated[
        str,
        Choices({"user": "Data user", "agency": "Agency"}),
        Label("View"),
        Help(
            "In the view of data users, the page shows only published counts. In the view of the agency, "
            "it also shows original counts and the log."
        ),
    ] = "user"
    stage: Annotated[
        str,
        Choices({"after": "After tabulation", "before": "Before tabulation"}),
        Label("Stage at which the method is applied"),
        Help(
            "Applied after tabulation, the method changes each requested table. Applied before tabulation, "
            "the method changes the data once."
        ),
    ] = "after"


@dataclass(frozen=True)
class TablesState(Linked):
    """Request of a data user, and settings of the agency.

    Attributes
    ----------
    by : tuple of str
        Variables of the requested table, one to three.
    population : (str, str)
        Variable, and category or group, of the people who are counted; ("", "") means all people.
    left_out : tuple of (str, tuple of str)
        Omitted categories of variables of the table.
    grouped : tuple of str
        Variables whose categories are grouped.
    requests : tuple of Query
        Previous requests.
    looked : int
        Index of the selected request; -1 is the last.
    rules : Rules
    method : Method or None
    settings : TablesSettings
    own : Microdata, optional
        A file of the user instead of the hypercube; links do not contain it.
    title : str
        Title of the data.
    secret : int
        Seed of the noise in tables of a user's file. Each opened file gets a new one. Links, notes and code never
        contain it, because anyone who knows the seed can remove the noise.
    """

    by: tuple[str, ...] = ("Age", "Citizenship")
    population: tuple[str, str] = ("Region", "Region 1")
    left_out: tuple[tuple[str, tuple[str, ...]], ...] = ()
    grouped: tuple[str, ...] = ()
    requests: tuple[Query, ...] = ()
    looked: int = -1
    rules: Rules = field(default_factory=Rules)
    method: Method | None = field(default_factory=lambda: get("random-rounding")())
    settings: TablesSettings = field(default_factory=TablesSettings)
    own: Microdata | None = None
    title: str = "Study hypercube"
    secret: int = field(default_factory=partial(secrets.randbits, SECRET_BITS), repr=False, compare=False)

    def __post_init__(self) -> None:
        if len(self.requests) > MOST_REQUESTS:
            raise InputError(
                f"The limit of {MOST_REQUESTS} requests is reached. Delete all requests to continue."
            )
        if type(self.looked) is not int or not -1 <= self.looked < max(len(self.requests), 1):
            raise InputError(
                f"Request {self.looked} does not exist; the number of requests is {len(self.requests)}."
            )

    @property
    def generator(self) -> TableGenerator | None:
        """The shared generator in a folder, None if this server has none or the user opened a file."""
        return served() if self.own is None else None

    @property
    def variables(self) -> Mapping[str, tuple[str, ...]]:
        """Variables of requests with their categories."""
        return variables_of(self.own)

    @property
    def groups(self) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
        """Groups of categories by variable, for variables that have groups."""
        if self.generator is not None:
            return {name: levels[0] for name, levels in self.generator.policy.groups.items() if levels}
        return GROUPS if self.own is None else {}

    @property
    def query(self) -> Query:
        """The request in the lists."""
        grouped = {name: self.groups[name] for name in self.grouped if name in self.by}
        where = {}
        for name, out in self.left_out:
            if name in self.by and out:
                gone = {old for label in out for old in grouped.get(name, {}).get(label, (label,))}
                where[name] = tuple(label for label in self.variables[name] if label not in gone)
        variable, category = self.population
        if variable:
            where[variable] = self.groups.get(variable, {}).get(category, (category,))
        return Query(self.by, where, grouped)

    def shown_categories(self, name: str) -> tuple[str, ...]:
        """Return the categories of a variable in the requested table: its own, or groups."""
        if name not in self.grouped:
            return self.variables[name]
        group_of = {old: new for new, part in self.groups[name].items() for old in part}
        return tuple(dict.fromkeys(group_of.get(label, label) for label in self.variables[name]))

    def set(self, **changes: object) -> Self:
        """Return the state with other settings; a method that does not support the new stage is replaced."""
        settings = with_fields(self.settings, **changes)
        method = self.method
        if method is not None and method.name not in method_names(settings.stage):
            method = get("random-rounding")()
        return replace(self, settings=settings, method=method)

    def ruled(self, **changes: object) -> Self:
        """Return the state with other rules."""
        return replace(self, rules=with_fields(self.rules, **changes))

    def spanned(self, position: int, name: str) -> Self:
        """Return the state with another variable at a position; a variable that is already in the table is moved."""
        by = list(self.by)
        if name == NONE:
            if len(by) > 1:
                del by[position : position + 1]
        elif name not in by:
            by[position : position + 1] = [name]
        elif position < len(by):
            other = by.index(name)
            by[other], by[position] = by[position], by[other]
        population = ("", "") if self.population[0] in by else self.population
        return replace(self, by=tuple(by), population=population)

    def counted(self, variable: str, category: str = "") -> Self:
        """Return the state with another population: a category of a variable (default: the first)."""
        if not variable:
            return replace(self, population=("", ""))
        if variable in self.by:
            raise InputError(
                f"{quoted(variable)} is a variable of the table. Omit some of its categories instead."
            )
        return replace(self, population=(variable, category or self.variables[variable][0]))

    def switched(self, name: str, label: str, on: bool) -> Self:
        """Return the state with a category of a variable included or omitted."""
        gone = dict(self.left_out)
        out = [other for other in gone.get(name, ()) if other != label]
        if not on:
            out.append(label)
        if len(set(out)) >= len(self.shown_categories(name)):
            raise InputError(f"At least one category of {quoted(name)} must be included.")
        return replace(self, left_out=tuple(sorted((gone | {name: tuple(out)}).items())))

    def put_into_groups(self, name: str, on: bool) -> Self:
        """Return the state with the categories of a variable grouped or not."""
        grouped = tuple(sorted({*self.grouped, name} if on else set(self.grouped) - {name}))
        gone = tuple((other, out) for other, out in self.left_out if other != name)
        return replace(self, grouped=grouped, left_out=gone)

    @classmethod
    def begun(cls) -> Self:
        """Return the initial state of the page: a refused request to the study, or the variables of a generator."""
        generator = served()
        if generator is None:
            return cls(by=("Sex", "Citizenship"), population=("Age", "100 and over")).with_request()
        names = generator.data.names
        return cls(by=names[:2], population=("", ""), title=generator.title)

    def with_request(self, query: Query | None = None) -> Self:
        """Return the state after a request, which is then selected."""
        return replace(self, requests=(*self.requests, query or self.query), looked=-1)

    def with_method(self, name: str) -> Self:
        """Return the state with another method, or with none."""
        if name == NONE:
            return replace(self, method=None)
        # Record swapping exchanges the first variable, which is the place of residence.
        options = {"axis": next(iter(self.variables))} if issubclass(get(name), RecordSwapping) else {}
        return replace(self, method=get(name)(**options))

    def with_parameter(self, name: str, value: object) -> Self:
        """Return the state with one setting of its method changed."""
        assert self.method is not None
        return replace(self, method=self.method.changed(name, value))

    def saved(self) -> dict[str, object]:
        """Return the state as plain values.

        Raises
        ------
        InputError
            If the state has a file of the user.
        """
        if self.own is not None:
            raise InputError("Links cannot contain a file. Save the table, or send the file itself.")
        method = self.method
        turned = {}
        if method is not None:
            turned = {
                parameter.name: getattr(method, parameter.name) for parameter in method_parameters(method)
            }
        return {
            "by": self.by,
            "population": self.population,
            "left_out": self.left_out,
            "grouped": self.grouped,
            "requests": [
                [query.by, dict(query.where), {name: dict(part) for name, part in query.groups.items()}]
                for query in self.requests
            ],
            "looked": self.looked,
            "rules": vars(self.rules),
            "method": [method.name, turned] if method else None,
            "settings": vars(self.settings),
        }

    @classmethod
    def restored(cls, saved: Mapping[str, Any]) -> Self:
        """Return the state from plain values."""
        start, method = cls(), saved["method"]
        name, parameters = (NONE, {}) if method is None else method
        state = start.with_method(str(name))
        for parameter, value in parameters.items():
            state = state.with_parameter(str(parameter), value)
        known = start.variables
        by = tuple(map(str, saved["by"]))
        variable, category = map(str, saved["population"])
        if not 1 <= len(by) <= 3 or not set(by) <= set(known) or (variable and variable not in known):
            raise KeyError(by)
        return cls(
            by=by,
            population=(variable, category),
            left_out=tuple((str(name), tuple(map(str, out))) for name, out in saved["left_out"]),
            grouped=tuple(name for name in saved["grouped"] if name in GROUPS),
            requests=tuple(Query(tuple(by), where, groups) for by, where, groups in saved["requests"]),
            looked=saved["looked"],
            rules=Rules(**saved["rules"]),
            method=state.method,
            settings=TablesSettings(**saved["settings"]),
        )


def coarsened(state: TablesState, rule: str) -> tuple[str, TablesState]:
    """Return a coarser request after a refusal by a rule, as text of the primary button and as a state.

    Examples
    --------
    >>> words, state = coarsened(TablesState(), "mean")
    >>> words, state.grouped
    ('Next: request Age in groups', ('Age',))
    >>> coarsened(state, "people")[0]
    'Next: select all people'
    >>> coarsened(TablesState(("Age",), ("", ""), grouped=("Age",)), "mean")[0]
    ''
    """
    largest = sorted(state.by, key=lambda name: -len(state.shown_categories(name)))
    finer = [name for name in largest if name in state.groups and name not in state.grouped]
    everybody = "Next: select all people", state.counted("")
    if rule in ("people", "area_people", "selections", "nested") and state.population[0]:
        return everybody
    if finer and rule not in ("apart", "dimensions"):
        return f"Next: request {finer[0]} in groups", state.put_into_groups(finer[0], True)
    if state.population[0] and rule not in ("apart", "dimensions"):
        return everybody
    if len(state.by) > 1:
        return f"Next: request without {largest[0]}", state.spanned(state.by.index(largest[0]), NONE)
    return "", state


@lru_cache(maxsize=1)
def served() -> TableGenerator | None:
    """Return the generator of `sdcwidgets serve --generator FOLDER`, None if there is none."""
    folder = os.environ.get(FOLDER)
    return TableGenerator(folder) if folder else None


def method_names(stage: str) -> tuple[str, ...]:
    """Return the names of the methods that can be applied at a stage."""
    names = []
    for name in available():
        with suppress(InputError):
            method = get(name)()
            if stage == "after":
                works_by_cell(method)
            elif not method.works_before or (method.suppresses and not method.follows):
                continue
            names.append(name)
    return tuple(names)


def method_parameters(method: Method) -> tuple[Parameter, ...]:
    """Return the settings of a method that the page can change; the server determines its margins."""
    return tuple(
        parameter
        for parameter in declared(type(method))
        if parameter.kind is None and parameter.name not in ("margins", "totals")
    )


@lru_cache(maxsize=4)
def variables_of(own: Microdata | None) -> dict[str, tuple[str, ...]]:
    """Return the variables that can span a table, with their categories.

    Raises
    ------
    InputError
        If the file has no such variable.
    """
    if own is None:
        generator = served()
        if generator is not None:
            return {name: generator.variable(name).labels for name in generator.data.names}
        return {axis.name: axis.labels for axis in AXES}
    variables = {
        name: variable.labels
        for name, variable in own.variables.items()
        if 1 < len(variable.labels) <= MOST_CATEGORIES and name not in (own.weight, own.household)
    }
    if not variables:
        raise InputError(
            f"No variable of the file has 2 to {MOST_CATEGORIES} categories; recode numbers into classes first."
        )
    return variables
