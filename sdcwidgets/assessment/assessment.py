"""Assessment of a table before and after protection with a method and settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from sdcwidgets import measures as registry
from sdcwidgets._util import html_table
from sdcwidgets._util.arguments import check_kind
from sdcwidgets._util.errors import InputError, MissingValue, described, nearest_names, unknown_name
from sdcwidgets._util.parameters import declared
from sdcwidgets._util.values import Value
from sdcwidgets.assessment.assessment_text import assessment_text
from sdcwidgets.assessment.replications import Replications, replicate
from sdcwidgets.assessment.replications.result import ByAxis, by_column, named_value, value_of_attribute
from sdcwidgets.core.risk import population
from sdcwidgets.measures import Batch, Measure
from sdcwidgets.measures.base import measured_values
from sdcwidgets.measures.settings import Settings
from sdcwidgets.methods import Method, available, get, method_of
from sdcwidgets.tables.table import FrequencyTable, table_of

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["TERMS", "Assessment", "Settings", "Slices", "assess"]

#: Value of the argument `measures` for all measures that a table and a method have the data for.
ALL = "all"

#: Names of the three terms of the risk measure, in the order of their weights.
TERMS = ("Zeros", "Unevenness", "Small size")


@dataclass(frozen=True, eq=False, repr=False)
class Slices(Value):
    """Risk of each slice of a table along one axis, or of the whole table as the only slice.

    Attributes
    ----------
    name : str
        Name of the axis, or "Table".
    labels : tuple of str
        One label per slice.
    people : ndarray of int64, shape (n,)
        Table total N of each slice.
    cells : int
        Number of cells K of each slice.
    zeros, small : ndarray of int64, shape (n,)
        Number of zeros, and of cells with a count of 1 or 2, in each slice.
    terms : ndarray of float, shape (n, 3)
        Terms x1, x2 and x3, each from 0 to 1; nan for a slice without people or with one cell.
    measured : dict of ndarray of float, shape (n,)
        Value of each measure of the original counts.
    """

    name: str
    labels: tuple[str, ...]
    people: NDArray[np.int64]
    cells: int
    zeros: NDArray[np.int64]
    small: NDArray[np.int64]
    terms: NDArray[np.float64]
    measured: Mapping[Measure, NDArray[np.float64]]

    def __len__(self) -> int:
        return len(self.labels)

    def _repr_html_(self) -> str:
        risks = {measure.symbol: values for measure, values in self.measured.items()}
        sizes = zip(self.people, self.zeros, self.small, strict=True)
        rows = [
            ([label], [*(html_table.Cell(f"{number:,}") for number in size), *map(html_table.risk, risk)])
            for label, size, risk in zip(self.labels, sizes, zip(*risks.values(), strict=True), strict=True)
        ]
        more = len(rows) - html_table.MOST_ROWS
        return html_table.of_lines(
            f"Risk of {self.name}",
            [self.name, "People", "Zeros", "Counts of 1 and 2", *risks],
            rows[: html_table.MOST_ROWS],
            [f"{more:,} more rows."] if more > 0 else [],
        )

    def __getitem__(self, measure: Measure | str) -> NDArray[np.float64]:
        if isinstance(measure, Measure):
            return self.measured[measure]
        return by_column(self.measured, measure, is_protected=False, slices=self.name)

    @cached_property
    def r1(self) -> NDArray[np.float64]:
        """Weighted disclosure risk R1, equation (3.5.2), from 0 to 1."""
        return self["r1"]

    @cached_property
    def r1_star(self) -> NDArray[np.float64]:
        """Unweighted disclosure risk R1*, equation (3.5.4), from 0 to 1."""
        return self["r1_star"]

    def riskiest(self, most: int) -> NDArray[np.intp]:
        """Return the indices of at most `most` slices with the highest risk, in the order of the table.

        Examples
        --------
        >>> from sdcwidgets import assess, examples
        >>> assess(examples.load("religion")).rows.riskiest(3).tolist()
        [1, 5, 8]
        """
        if len(self) <= most:
            return np.arange(len(self))
        ranked = np.argsort(-np.nan_to_num(self.r1, nan=-1.0), kind="stable")
        return np.sort(ranked[:most])

    @property
    def highest(self) -> int | None:
        """Index of the slice with the highest risk; None if no slice has a defined risk."""
        return None if np.isnan(self.r1).all() else int(np.nanargmax(self.r1))


@dataclass(frozen=True)
class WholeTable:
    """The risk of the whole table, as single numbers.

    Attributes
    ----------
    people : int
        N, the number of people.
    cells : int
        K, the number of cells.
    zeros, small : int
        The number of empty cells, and of cells with a count of 1 or 2.
    terms : tuple of float
        The terms x1, x2 and x3, each from 0 to 1; nan where they are not defined.
    measures : dict of str to float
        Each measure of the original counts, by its name. Each measure is also an attribute with this name.
        Measures that compare the table before and after protection, such as `r2`, are in `assessment.after.whole`.
    reasons : dict of str to str
        Reason for each measure that is nan, by its name. With ``measures="all"`` and without a method, also the reason
        for each measure that was not computed.

    Examples
    --------
    >>> from sdcwidgets import assess, examples
    >>> whole = assess(examples.load("religion"), measures=["r1", "subtraction"]).whole
    >>> whole.people, whole.small, round(whole.r1, 4), whole.subtraction
    (2449, 21, 0.2315, 1.0)
    """

    people: int
    cells: int
    zeros: int
    small: int
    terms: tuple[float, ...]
    measures: Mapping[str, float]
    reasons: Mapping[str, str] = field(default_factory=dict)

    def __getitem__(self, measure: Measure | str) -> float:
        return named_value(self.measures, measure, is_protected=False)

    def __getattr__(self, name: str) -> float:
        measures: Mapping[str, float] = self.__dict__.get("measures", {})
        return value_of_attribute(measures, name, is_protected=False)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.measures]

    @property
    def r1(self) -> float:
        """Weighted disclosure risk R1, equation (3.5.2), from 0 to 1."""
        return self["r1"]

    @property
    def r1_star(self) -> float:
        """Unweighted disclosure risk R1*, equation (3.5.4), from 0 to 1."""
        return self["r1_star"]


def requested_measures(requested: object) -> tuple[str | Measure, ...]:
    """Return the requested measures as a tuple.

    Raises
    ------
    InputError
        If the argument contains anything other than names and measures.
    """
    if isinstance(requested, str | Measure):
        return (requested,)
    measures = tuple(requested) if isinstance(requested, Iterable) else None
    if measures is None or not all(isinstance(item, str | Measure) for item in measures):
        raise InputError(
            f'The measures are {described(requested)}; they must be names of measures, such as ["r2"].'
        )
    return measures


def _named(table: FrequencyTable, settings: Settings, names: Sequence[str | Measure]) -> list[Measure]:
    named = (
        registry.select(table, settings, followed=True, names=(name,)) if isinstance(name, str) else (name,)
        for name in names
    )
    return [measure for measures in named for measure in measures]


def _computable(table: FrequencyTable, settings: Settings, method: Method | None) -> list[Measure]:
    """Return all measures that this table and method have the data for."""
    followed = method is not None and method.follows
    possible = list(registry.select(table, settings, followed=followed))
    if method is not None and method.samples:
        of_samples = tuple(name for name in registry.available() if "sample" in registry.get(name).needs)
        possible += registry.select(table, settings, names=of_samples)
    return [measure for measure in possible if method is not None or measure.needs == ("before",)]


def _omitted(
    table: FrequencyTable, settings: Settings, method: Method | None, named: Sequence[Measure]
) -> dict[str, str]:
    """Return the reason for each measure that is not computed, by its name."""
    computed = {measure.name for measure in named}
    omitted = {}
    for name in registry.available():
        kind = registry.get(name)
        if name in computed:
            continue
        if "sample" in kind.needs:
            omitted[name] = "needs a sampling method, such as simple-random-sampling"
        elif "followed" in kind.needs:
            omitted[name] = "needs a method that changes individual records, such as record-swapping"
        elif method is None and "after" in kind.needs:
            omitted[name] = "needs a protection method"
        elif not kind.lines(table, settings):
            omitted[name] = "the table has only one axis"
    return omitted


def _check_needs(measure: Measure, method: Method | None) -> None:
    """Raise InputError if a measure needs a method, or a method of another kind."""
    if "after" in measure.needs and method is None:
        raise InputError(
            f"{measure.title} compares a table before and after protection; pass a method as well."
        )
    if "sample" in measure.needs and not (method is not None and method.samples):
        raise InputError(f"{measure.title} needs a sampling method, such as simple-random-sampling.")
    if "followed" in measure.needs and not (method is not None and method.follows):
        raise InputError(
            f"{measure.title} needs a method that changes individual records, such as record-swapping; "
            f"choose {measure.symbol}*, which needs only the counts."
        )


@dataclass(frozen=True, eq=False)
class Assessment(Value):
    """Assessment of one table with one choice of settings; immutable.

    Attributes
    ----------
    table : FrequencyTable
    settings : Settings
    slices : dict of Slices
        Slices along each axis, by axis name; empty for a table with one axis.
    whole_slice : Slices
        The whole table as the only slice; `whole` has the same values as numbers.
    after_protection : Replications, optional
        Results after protection; None without a method. `after` has the same results.
    requested : tuple of Measure
        Measures that were requested; empty for the default measures.
    omitted : dict of str to str
        Reason for each measure that was requested by "all" and cannot be computed, by its name.
    """

    table: FrequencyTable
    settings: Settings
    slices: Mapping[str, Slices]
    whole_slice: Slices
    after_protection: Replications | None = None
    requested: tuple[Measure, ...] = ()
    omitted: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        table: FrequencyTable,
        settings: Settings,
        method: Method | None = None,
        requested: Sequence[str | Measure] | str = (),
    ) -> Self:
        """Assess a table with these settings; see `assess`.

        Examples
        --------
        >>> from sdcwidgets import Assessment, examples
        >>> from sdcwidgets.measures.settings import Settings
        >>> round(Assessment.of(examples.load("religion"), Settings()).whole.r1, 4)
        0.2315
        """
        table_of(table)
        check_kind("settings", settings, Settings, "the settings of an assessment")
        if method is not None:
            check_kind("method", method, Method, "a method, such as methods.get('random-rounding')()")
        names = requested_measures(requested)
        named = _computable(table, settings, method) if names == (ALL,) else _named(table, settings, names)
        for measure in named:
            _check_needs(measure, method)
        batch = Batch(table)
        usual = map(registry.get, registry.available())
        alone = [measure.of(settings) for measure in usual if measure.usual and measure.needs == ("before",)]
        before = list(
            dict.fromkeys([*alone, *(measure for measure in named if measure.needs == ("before",))])
        )
        axes = range(table.ndim if table.ndim > 1 else 0)
        slices = ByAxis({table.axes[axis].name: _slices(batch, settings, before, axis) for axis in axes})
        after = None
        if method is not None:
            chosen = [measure for measure in named if "after" in measure.needs] if named else None
            after = replicate(table, method, settings, chosen)
        omitted = _omitted(table, settings, method, named) if names == (ALL,) else {}
        if after is not None:
            after = replace(after, omitted=omitted)
        # With all measures, `to_frame` also shows the terms of the risk, as it does by default.
        shown = () if names == (ALL,) else tuple(named)
        return cls(table, settings, slices, _slices(batch, settings, before, None), after, shown, omitted)

    @property
    def after(self) -> Replications:
        """Results after protection.

        Raises
        ------
        InputError
            If the table was assessed without a method.

        Examples
        --------
        >>> from sdcwidgets import assess, examples
        >>> round(assess(examples.load("religion"), "random-rounding").after.whole.hellinger.mean, 1)
        3.0
        """
        if self.after_protection is None:
            raise MissingValue(
                "This assessment has no results after protection; pass a method, as in "
                'assess(table, "random-rounding").'
            )
        return self.after_protection

    @property
    def whole(self) -> WholeTable:
        """Risk of the whole table, as numbers."""
        part = self.whole_slice
        return WholeTable(
            people=int(part.people[0]),
            cells=part.cells,
            zeros=int(part.zeros[0]),
            small=int(part.small[0]),
            terms=tuple(part.terms[0].tolist()),
            measures={measure.column: float(values[0]) for measure, values in part.measured.items()},
            reasons={
                measure.column: measure.nothing
                for measure, values in part.measured.items()
                if np.isnan(values[0])
            }
            | (dict(self.omitted) if self.after_protection is None else {}),
        )

    @property
    def rows(self) -> Slices | None:
        """Slices along the first axis (rows); None for a table with one axis."""
        return self.slices.get(self.table.axes[0].name)

    @property
    def columns(self) -> Slices | None:
        """Slices along the last axis (columns); None for a table with one axis."""
        return self.slices.get(self.table.axes[-1].name)

    @cached_property
    def change_by_one(self) -> dict[int, NDArray[np.float64]]:
        """Change of the table's risk if one cell has one person more (key 1) or fewer (key -1).

        Arrays in the shape of the table; nan if the cell is empty and cannot have fewer. Computed at first use.
        """
        options = asdict(registry.get("r1").of(self.settings))
        before = self.whole_slice.r1[0]
        return {
            step: population.change_by_one(self.table.counts, step=step, **options) - before
            for step in (1, -1)
        }

    def __repr__(self) -> str:
        after = self.after_protection
        method = f"; after {after.method.name}" if after is not None else ""
        return f"Assessment({self.table!r}{method})"

    def __str__(self) -> str:
        """Return the risks of the table and of each slice as text, as the command `assess` prints them.

        Examples
        --------
        >>> from sdcwidgets import FrequencyTable, assess
        >>> print(str(assess(FrequencyTable([1, 5]))).splitlines()[0])
        slice label  people  cells  zeros  ones_and_twos     x1     x2     x3     r1  r1_star
        """
        return assessment_text(self)

    def _repr_html_(self) -> str:
        has_risk = any(measure.name == "r1" for measure in self.whole_slice.measured)
        notes = [f"Risk R₁ of the table: {self.whole_slice.r1[0]:.3f}."] if has_risk else []
        margins = None
        if has_risk and self.table.ndim == 2:
            rows, columns = (self.slices[axis.name].r1 for axis in self.table.axes)
            margins = ("Risk R₁", rows, columns)
        return html_table.of_arrays(
            repr(self),
            self.table.axes,
            [self.table.counts],
            html_table.counted,
            margins=margins,
            notes=notes,
        )

    def to_frame(self) -> pd.DataFrame:
        """Return one row per slice: label, size, three terms and risks.

        With a method, each measure after protection and its standard error are added. If measures were
        requested by name, only these are included.

        Examples
        --------
        >>> from sdcwidgets import assess, examples
        >>> frame = assess(examples.load("religion")).to_frame()
        >>> frame.loc[0, ["slice", "people"]].tolist(), round(frame.loc[0, "r1"], 4)
        (['Table', np.int64(2449)], np.float64(0.2315))
        """
        import pandas as pd

        parts: list[dict[str, Any]] = []
        for part in (self.whole_slice, *self.slices.values()):
            columns: dict[str, Any] = {"slice": [part.name] * len(part), "label": part.labels}
            columns |= {"people": part.people, "cells": [part.cells] * len(part)}
            columns |= {"zeros": part.zeros, "ones_and_twos": part.small}
            if not self.requested:
                columns |= {f"x{k + 1}": part.terms[:, k] for k in range(3)}
            columns |= {
                measure.column: values
                for measure, values in part.measured.items()
                if not self.requested or measure in self.requested
            }
            if self.after_protection is not None:
                after = self.after.whole_slice if part is self.whole_slice else self.after.slices[part.name]
                columns |= after.columns()
            parts.append(columns)
        # Concatenation by column is several times as fast as concatenation of data frames.
        sizes = [len(columns["label"]) for columns in parts]
        return pd.DataFrame(
            {
                name: np.concatenate(
                    [
                        columns.get(name, np.full(size, np.nan))
                        for columns, size in zip(parts, sizes, strict=True)
                    ]
                )
                for name in dict.fromkeys(name for columns in parts for name in columns)
            }
        )

    def summary(self) -> pd.DataFrame:
        """Return one row per measure of the whole table: its value, or why it has none.

        Returns
        -------
        DataFrame
            The name of the `measure`; `table`, which is "before" for measures of the original table and "after" for
            measures after protection; `value`, nan if undefined; its standard `error` over the replicates, nan for the
            original table; `reason` why the value is undefined or not computed, "" if there is a value.

        Examples
        --------
        >>> from sdcwidgets import FrequencyTable, assess
        >>> table = FrequencyTable([[5, 7], [8, 4]])
        >>> summary = assess(table, "random-rounding", measures="all", replications=5).summary()
        >>> summary.set_index("measure").loc[["dr", "estimated_risk"], "reason"].tolist()
        ['no published count of 1 or 2', 'needs a sampling method, such as simple-random-sampling']
        """
        import pandas as pd

        whole = self.whole
        rows: list[tuple[str, str, float, float, str]] = [
            (name, "before", value, np.nan, whole.reasons.get(name, ""))
            for name, value in whole.measures.items()
        ]
        if self.after_protection is not None:
            after = self.after_protection.whole
            rows += [
                (name, "after", estimate.mean, estimate.error, after.reasons.get(name, ""))
                for name, estimate in after.estimates.items()
            ]
        for name, reason in self.omitted.items():
            place = "before" if registry.get(name).needs == ("before",) else "after"
            rows.append((name, place, np.nan, np.nan, reason))
        return pd.DataFrame(rows, columns=["measure", "table", "value", "error", "reason"])

    def to_dict(self) -> dict[str, Any]:
        """Return lists and numbers for JSON, with None for undefined values.

        Examples
        --------
        >>> from sdcwidgets import assess, examples
        >>> numbers = assess(examples.load("religion")).to_dict()
        >>> numbers["table"]["zeros"], sorted(numbers["slices"])
        (25, ['Area', 'Religion'])
        """
        settings = {item.name: getattr(self.settings, item.name) for item in fields(self.settings)}
        if not settings["of_measures"]:
            del settings["of_measures"]
        plain = {
            "settings": settings | {"weights": list(self.settings.weights)},
            "table": _plain(self.whole_slice)[0],
            "slices": {name: _plain(part) for name, part in self.slices.items()},
        }
        return plain if self.after_protection is None else plain | {"after": self.after.to_dict()}


def assess(
    table: FrequencyTable,
    method: Method | str | None = None,
    *,
    weights: tuple[float, ...] = (0.1, 0.8, 0.1),
    third: str = "h2",
    epsilon: float = 0.5,
    variant: str = "information",
    replications: int = 1000,
    seed: int = 1,
    suppressed: str = "interval",
    measures: Sequence[str | Measure] | str = (),
    of_measures: Sequence[tuple[str, str, object]] = (),
    **method_settings: object,
) -> Assessment:
    """Assess the disclosure risk of a table, of each row and of each column.

    With a method, residual risk and information loss are estimated from replicates of the protected table.

    Parameters
    ----------
    table : FrequencyTable
        Counts of people, with any number of axes.
    method : Method or str, optional
        Protection method, or the name of a method with default settings.
    weights : three floats
        Weights w1, w2, w3 of the terms, at least 0, with sum 1.
    third : {"h2", "h1", "h3"}
        Function of the third term.
    epsilon : float
        Parameter ε of the third term, from 0 to 1.
    variant : {"information", "uncertainty", "followed"}
        Formula of the second term of the residual risk. The measures `r2` and `r2_uncertainty` are always computed;
        "followed" adds `r2_followed`, for which the people of record swapping or PRAM are followed.
    replications : int
        Number of replicates, from 1 to 100,000.
    seed : int
        Random seed; equal seeds give equal results.
    suppressed : {"interval", "mean", "zero"}
        Value of a suppressed cell in the measures: the midpoint of the interval that a data user can infer, the
        mean of all suppressed counts, or 0. The thesis (section 6.2) objects that R2 assumes altered cells, not
        suppressed ones.
    measures : "all", or sequence of str or Measure
        Measures or names of measures to compute; default: all usual ones. `measures.available()` lists the
        names. Some measures need a method, a sampling method, or a method that changes individual records. The text
        "all" computes all measures that are possible for this table and method.
    of_measures : sequence of (str, str, any)
        Settings of single measures, as triples of measure, setting and value.
    **method_settings
        Settings of the method if `method` is a name: `assess(table, "random-rounding", base=5)`.

    Returns
    -------
    Assessment
        Risks from 0 to 1; `after` has the results after protection with standard errors.

    Raises
    ------
    InputError
        If a setting is out of range, a method or measure does not exist, or a measure needs a method.

    References
    ----------
    Antal 2016, section 3.5, equations (3.5.2) and (3.5.4); section 3.6, equation (3.6.6); section 3.8.

    Examples
    --------
    PSD 2014, Table 5, gives 0.2315 for the risk of the religion table and 0.5460 for its Area 6:

    >>> from sdcwidgets.assessment.assessment import assess
    >>> from sdcwidgets.tables import examples
    >>> assessment = assess(examples.load("religion"))
    >>> round(assessment.whole.r1, 4), round(float(assessment.rows.r1[5]), 4)
    (0.2315, 0.546)

    After random rounding to base 3 it gives 2.9751 for the Hellinger distance:

    >>> after = assess(examples.load("religion"), "random-rounding").after
    >>> round(after.whole.hellinger.mean, 1), after.whole.hellinger.error < 0.01
    (3.0, True)

    All measures that are possible for a table and a method:

    >>> every = assess(examples.load("sex"), "random-rounding", measures="all", replications=10)
    >>> "frank_bound" in every.whole.measures, "cramers_v" in every.after.whole.estimates
    (True, True)
    """
    if not isinstance(of_measures, Sequence):
        raise InputError(
            f"The settings of measures are {described(of_measures)}; they must be a list of (measure, setting, value)."
        )
    settings = Settings(weights, third, epsilon, variant, replications, seed, tuple(of_measures), suppressed)
    _check_spelling(method_settings)
    if method is None and method_settings:
        raise InputError(
            f"The setting {next(iter(method_settings))!r} needs a method; pass one, as in "
            'assess(table, "random-rounding", base=5).'
        )
    chosen = None if method is None else method_of(method, **method_settings)
    return Assessment.of(table_of(table), settings, chosen, measures)


def _check_spelling(method_settings: Mapping[str, object]) -> None:
    """Raise InputError for a setting that is a misspelt argument of `assess`."""
    own = [*(item.name for item in fields(Settings)), "measures"]
    of_methods = {item.name for name in available() for item in declared(get(name))}
    for name in method_settings:
        nearest = nearest_names(name, [*of_methods, *own], 1)
        if name not in of_methods and nearest and nearest[0] in own:
            raise unknown_name("setting", name, own)


def _slices(batch: Batch, settings: Settings, before: Sequence[Measure], position: int | None) -> Slices:
    """Return the slices along the axis at `position`, or the whole table if it is None."""
    counts = batch.true(position)
    axis = None if position is None else batch.table.axes[position]
    return Slices(
        name="Table" if axis is None else axis.name,
        labels=("Table",) if axis is None else axis.labels,
        people=counts.sum(axis=1),
        cells=counts.shape[1],
        zeros=(counts == 0).sum(axis=1),
        small=((counts == 1) | (counts == 2)).sum(axis=1),
        terms=batch.terms(position, settings.third, settings.epsilon),
        measured={
            measure: measured_values(measure, batch, position)[0]
            for measure in before
            if measure.sliced or position is None
        },
    )


def _plain(part: Slices) -> list[dict[str, object]]:
    """Return the numbers of each slice as a dictionary."""
    return [
        {
            "label": part.labels[i],
            "people": int(part.people[i]),
            "cells": part.cells,
            "zeros": int(part.zeros[i]),
            "ones_and_twos": int(part.small[i]),
            "terms": [None if np.isnan(term) else float(term) for term in part.terms[i]],
        }
        | {
            measure.column: None if np.isnan(values[i]) else float(values[i])
            for measure, values in part.measured.items()
        }
        for i in range(len(part))
    ]
