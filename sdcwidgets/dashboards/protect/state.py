"""State of the page Protect: a table, a method, the deciding measures, and the limits of the agency."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

from sdcwidgets import measures, methods
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.parameters import declared
from sdcwidgets._util.values import turned, with_fields
from sdcwidgets.assessment.replications import STORED_REPLICATES
from sdcwidgets.assessment.verdict import KINDS, ReleaseLimits
from sdcwidgets.dashboards.protect.measured import axis_names
from sdcwidgets.dashboards.protect.minimum_count import with_minimum_count, with_threshold_of_minimum
from sdcwidgets.measures import Measure
from sdcwidgets.measures.settings import Settings
from sdcwidgets.methods import Method
from sdcwidgets.methods.nested_suppression import Parents, with_sub_totals
from sdcwidgets.tables.hierarchy import tree_of
from sdcwidgets.tables.io.sources import Example, Source
from sdcwidgets.tables.io.writers.as_read import AsRead
from sdcwidgets.tables.sub_totals import SubTotals, without_sums
from sdcwidgets.tables.table import Axis, FrequencyTable
from sdcwidgets.tables.unnamed import unnamed_axes
from sdcwidgets.widgets.page_state.table_state import TableState

#: Kinds of violations that only the source of a table has, whatever the method, the seed and the limits are.
OF_SOURCE = frozenset({"unknown"})


def _first_method() -> Method:
    return methods.get("random-rounding")()


@dataclass(frozen=True)
class ProtectState(TableState):
    """A table, a method with its settings, the deciding measures, and the limits of the agency.

    Attributes
    ----------
    method : Method
    shown : int
        Index of the replicate on the page, from 0.
    risk, loss : str
        Names of the deciding measures.
    limits : ReleaseLimits
        Limits of the agency; no decision is made without a source.
    beside : tuple of FrequencyTable
        Other published tables of the same population; removed when the axes of the table change.
    accepted : tuple of (str, str)
        Accepted violations, each with its reason; removed when the table, the method or the replicate changes. The
        acceptance of unknown counts remains until the table changes.
    rule : str
        Name of the release rules; "" for limits that were set on the page.
    required : Method or None
        Method that the release rules require. With one, the original table is never proposed.
    protects : bool
        Whether the protected table is shown even if the limits allow the original one. Choosing a method sets it to
        True, and new limits set it to False.
    nested : bool
        Whether the files contain the sub-totals of the source, which are then protected, too. A table that contains its
        sub-totals as categories becomes a table of the other categories, with this setting.
    texts : tuple of (str, str)
        Lines of the file around its table, with the texts that files of the release have in their place. They are
        removed when the table is read from another source.
    """

    method: Method = field(default_factory=_first_method)
    shown: int = 0
    risk: str = "r2"
    loss: str = "hellinger"
    limits: ReleaseLimits = field(default_factory=ReleaseLimits)
    accepted: tuple[tuple[str, str], ...] = ()
    beside: tuple[FrequencyTable, ...] = ()
    rule: str = ""
    required: Method | None = None
    protects: bool = False
    nested: bool = False
    texts: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        if self.source.sub_totals:
            categories = without_sums(self.table, self.source.sub_totals)
            if categories is not self.table:
                object.__setattr__(self, "table", categories)
                object.__setattr__(self, "nested", bool(self.sub_totals))
        super().__post_init__()
        if self.nested and not self.sub_totals:
            object.__setattr__(self, "nested", False)
        if not 0 <= self.shown < STORED_REPLICATES:
            raise InputError(
                f"Replicate {self.shown + 1} cannot be shown; it must be one of the first {STORED_REPLICATES}."
            )
        for name, offered in zip((self.risk, self.loss), axis_names(), strict=True):
            if name not in offered:
                raise InputError(f"The map has no axis '{name}'; choose one of {', '.join(offered)}.")
        object.__setattr__(self, "method", self.fitted(self.method))

    @property
    def as_read(self) -> AsRead | None:
        """Layout of the table in its file, with the texts that a user published in place of its lines."""
        layout = self.source.as_read
        if layout is None:
            return None
        for line, text in self.texts:
            layout = layout.with_text(line, text)
        return layout

    @property
    def unnamed_axes(self) -> list[Axis]:
        """Axes of an own table whose names the import invented."""
        return [] if isinstance(self.source, Example) else unnamed_axes(self.table)

    @property
    def sub_totals(self) -> tuple[SubTotals, ...]:
        """Sums of the source by axis, if their categories are those of the table and some are sub-totals."""
        labels = {axis.name: axis.labels for axis in self.table.axes}
        sums = self.source.sub_totals
        if not any(axis_sums.labels for axis_sums in sums):
            return ()
        fits = all(
            axis_sums.axis in labels and _fits(axis_sums, labels[axis_sums.axis]) for axis_sums in sums
        )
        return sums if fits else ()

    @property
    def parents(self) -> Parents:
        """Axes with the hierarchies of their sub-totals, if the sub-totals are protected."""
        return (
            tuple((axis_sums.axis, axis_sums.parents) for axis_sums in self.sub_totals if axis_sums.labels)
            if self.nested
            else ()
        )

    @property
    def unpublished_levels(self) -> tuple[str, ...]:
        """Names of the higher levels of the source whose totals the release does not protect."""
        sums = self.sub_totals if self.nested else ()
        protected = {level for axis_sums in sums for level in axis_sums.levels}
        return tuple(level for level in self.source.levels if level not in protected)

    def fitted(self, method: Method) -> Method:
        """Return the method with the settings that this table allows, and with its sub-totals if they are protected."""
        return with_sub_totals(method.with_valid_axes(self.table), self.parents)

    def with_table(self, table: FrequencyTable, source: Source) -> Self:
        """Return the state with a table from another source; sub-totals are protected if the table has them.

        The limits stay. Without a limit, the reason why none applies is removed, since it is a reason for one table.
        The method is the one that the rules require, or the default method; the seed is the default.
        """
        new = super().with_table(table, source).set(seed=Settings().seed)
        method = self.required or _first_method()
        limits = self.limits if self.limits.has_limit else with_fields(self.limits, no_risk_limit="")
        new = replace(new, method=method, limits=limits, shown=0, protects=False, accepted=())
        return new if new.table is not table else replace(new, nested=False)

    def is_of_another_table(self, other: ProtectState) -> bool:
        """Return whether the table was read from another source; an edit or a new name of an axis is no other table."""
        if self.source == other.source:
            return False
        is_renamed = self.source.title == other.source.title and self._contents() == other._contents()
        return not is_renamed

    def _contents(self) -> tuple[object, ...]:
        return (self.table.counts.tolist(), [axis.labels for axis in self.table.axes])

    def with_axis_name(self, old: str, new: str) -> Self:
        """Return the state with another name of an axis; limits, method and accepted violations stay."""
        method = self.method
        along = {
            parameter.name: new
            for parameter in declared(type(method))
            if getattr(method, parameter.name) == old
        }
        table, source = self.table.rename({old: new}), self.source.with_axis_name(old, new)
        renamed = self.changed(table=table, source=source, method=replace(method, **along))
        return replace(renamed, accepted=self.accepted)

    def changed(self, **changes: object) -> Self:
        """Return the state with other values of some fields.

        Accepted violations are removed if the published table changes, and accepted kinds of violations if the limits
        change, except those of the source of the table. A limit is removed if its measure changes. A new minimum count
        raises a lower threshold of suppression, unless the rules require a method.
        """
        new = with_fields(self, **changes)
        least = new.limits.smallest_count
        if least != self.limits.smallest_count and new.method == self.method and new.required is None:
            new = replace(new, method=with_threshold_of_minimum(new.method, least))
        if "protects" not in changes:
            new = replace(new, protects=self._protects_after(new))
        if (new.table.axes, new.source) != (self.table.axes, self.source):
            new = replace(new, beside=())
        if new.source != self.source:
            new = replace(new, texts=())
        limits = {"risk": None, "risk_before": None} if new.risk != self.risk else {}
        limits |= {"loss": None} if new.loss != self.loss else {}
        if new.limits == self.limits and limits:
            new = replace(new, limits=with_fields(new.limits, **limits))
        if new.accepted != self.accepted:
            return new
        if (new.table, new.source) != (self.table, self.source):
            return replace(new, accepted=())
        if new._published() != self._published():
            return replace(new, accepted=tuple(pair for pair in new.accepted if pair[0] in OF_SOURCE))
        if new.limits == self.limits:
            return new
        # A kind was accepted for violations of the previous limits.
        others = KINDS.keys() - OF_SOURCE
        return replace(new, accepted=tuple(pair for pair in new.accepted if pair[0] not in others))

    def _protects_after(self, new: Self) -> bool:
        """Return whether the protected table is shown after a change: a new method sets it, new limits reset it."""
        if new.limits != self.limits:
            return False
        return self.protects or self._drawn() != new._drawn()

    def _drawn(self) -> tuple[object, ...]:
        return (self.method, self.settings.seed, self.shown)

    def _published(self) -> tuple[object, ...]:
        return (self.table, self.source, self.beside, self.nested, *self._drawn())

    @cached_property
    def applied_limits(self) -> ReleaseLimits:
        """The limits with the measures of this state; their source notes a departure from the required method."""
        limits = replace(self.limits, risk_measure=self.risk, loss_measure=self.loss)
        required = self.required_instead(self.method)
        if required is None or not limits.decides:
            return limits
        is_same = self.method.name == required.name
        departure = "with other settings of the required method" if is_same else "without the required method"
        return replace(limits, source=f"{limits.source.strip()}, but {departure}")

    def required_instead(self, method: Method) -> Method | None:
        """Return the method that the rules require if it is not this one with the same settings; None otherwise."""
        if self.required is None or method == self.fitted(self.required):
            return None
        return self.required

    @property
    def risk_measure(self) -> Measure:
        """Deciding risk measure, with the settings of this state."""
        return measures.get(self.risk).lines(self.table, self.settings)[0]

    @property
    def loss_measure(self) -> Measure:
        """Deciding measure of information loss."""
        return measures.get(self.loss).lines(self.table, self.settings)[0]

    def with_method(self, name: str) -> Self:
        """Return the state with another method at its default settings; suppression keeps the minimum count."""
        method = with_minimum_count(methods.get(name)(), self.limits.smallest_count)
        return self.changed(method=method, shown=0)

    def with_parameter(self, name: str, value: object) -> Self:
        """Return the state with one setting of the method changed."""
        return self.changed(method=self.method.changed(name, value), shown=0)

    def saved(self) -> dict[str, object]:
        """Return the state as plain values."""
        return super().saved() | {
            **_saved_method(self.method),
            "shown": self.shown,
            "limits": turned(self.limits),
            "beside": [
                {
                    "axes": [[axis.name, list(axis.labels)] for axis in table.axes],
                    "counts": table.counts.tolist(),
                }
                for table in self.beside
            ],
            "accepted": [list(pair) for pair in self.accepted],
            "axes_of_map": [self.risk, self.loss],
            "rule": self.rule,
            "required": None if self.required is None else _saved_method(self.required),
            "protects": self.protects,
            "nested": self.nested,
            "texts": [list(pair) for pair in self.texts],
        }

    @classmethod
    def restored(cls, saved: Mapping[str, Any]) -> Self:
        """Return the state from plain values; saved courses may lack fields of rules and other tables."""
        risk, loss = map(str, saved["axes_of_map"])
        required = saved.get("required")
        other_tables = (
            FrequencyTable(table["counts"], [Axis(name, tuple(labels)) for name, labels in table["axes"]])
            for table in saved.get("beside", ())
        )
        return cls(
            **vars(TableState.restored(saved)),
            method=_restored_method(saved),
            shown=int(saved["shown"]),
            risk=risk,
            loss=loss,
            limits=ReleaseLimits(**saved["limits"]),
            accepted=tuple((str(name), str(reason)) for name, reason in saved["accepted"]),
            beside=tuple(other_tables),
            rule=str(saved.get("rule", "")),
            required=None if required is None else _restored_method(required),
            protects=bool(saved.get("protects", False)),
            nested=bool(saved.get("nested", False)),
            texts=tuple((str(line), str(text)) for line, text in saved.get("texts", ())),
        )


def _fits(sums: SubTotals, labels: tuple[str, ...]) -> bool:
    """Return whether an axis has the categories of its sums, and the hierarchy is consistent."""
    if set(sums.categories) != set(labels):
        return False
    try:
        tree_of(Axis(sums.axis, labels), dict(sums.parents))
    except InputError:
        return False
    return True


def _saved_method(method: Method) -> dict[str, object]:
    """Return the name and the settings of a method; the hierarchies of sub-totals are part of the source."""
    plain = with_sub_totals(method, ())
    parameters = {parameter.name: getattr(plain, parameter.name) for parameter in declared(type(plain))}
    return {"method": plain.name, "parameters": parameters}


def _restored_method(saved: Mapping[str, Any]) -> Method:
    return methods.get(str(saved["method"]))(**saved["parameters"])


def with_secret_seed(state: ProtectState) -> ProtectState:
    """Return the state with a new seed that cannot be guessed, and that a browser stores without rounding."""
    return state.set(seed=2**52 + secrets.randbelow(2**52))
