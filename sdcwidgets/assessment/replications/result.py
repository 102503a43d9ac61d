"""Results of several replicates of a protection method."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.arrays import Floats
from sdcwidgets._util.errors import InputError, MissingValue
from sdcwidgets._util.labels import quoted
from sdcwidgets._util.parameters import declared
from sdcwidgets._util.values import Value
from sdcwidgets.assessment.replications.sums import Estimate, NumberEstimate
from sdcwidgets.measures import Measure, available, get
from sdcwidgets.measures.loss import Hellinger, Utility
from sdcwidgets.measures.risk import ResidualTerm
from sdcwidgets.measures.settings import Settings
from sdcwidgets.methods import Method
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable

if TYPE_CHECKING:
    import pandas as pd

V = TypeVar("V")


@dataclass(frozen=True, eq=False, repr=False)
class SlicesAfter(Value):
    """Measures after protection for each slice along one axis, or for the whole table.

    Attributes
    ----------
    name : str
        Name of the axis, or "Table".
    labels : tuple of str
        One label per slice.
    estimates : dict of Estimate, shape (n,)
        Mean of each measure over the replicates and its standard error; nan where undefined.
    """

    name: str
    labels: tuple[str, ...]
    estimates: Mapping[Measure, Estimate]

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, measure: Measure | str) -> Estimate:
        if isinstance(measure, Measure):
            return self.estimates[measure]
        return by_column(self.estimates, measure, is_protected=True, slices=self.name)

    @property
    def r2(self) -> Estimate:
        """Residual risk R2 according to equation (3.6.6) of the thesis."""
        return self["r2"]

    @property
    def r2_star(self) -> Estimate:
        """Unweighted residual risk R2* according to the formula of the thesis."""
        return self["r2_star"]

    @property
    def hellinger(self) -> Estimate:
        """Hellinger distance between the counts before and after protection."""
        return self.estimates[Hellinger()]

    @property
    def utility(self) -> Estimate:
        """Utility 1 - HD / √N."""
        return self.estimates[Utility()]

    def columns(self) -> dict[str, Floats]:
        """Return the mean of each measure and its standard error as columns, shape (n,).

        Examples
        --------
        >>> from sdcwidgets import assess, examples
        >>> after = assess(examples.load("sex"), "random-rounding", replications=5).after
        >>> list(after.slices["Sex"].columns())[:2]
        ['r2', 'r2_error']
        """
        columns: dict[str, Floats] = {}
        for measure, (mean, error) in self.estimates.items():
            columns |= {measure.column: mean, f"{measure.column}_error": error}
        return columns


@dataclass(frozen=True)
class WholeTableAfter:
    """Measures of the whole table after protection, as single numbers.

    Attributes
    ----------
    estimates : dict of str to NumberEstimate
        The mean over the replicates and its standard error, by the names of the measures. nan where a measure is not
        defined. Each estimate is also an attribute with the name of its measure. Measures of the original table
        alone, such as `r1` and `subtraction`, are in `assessment.whole`.
    reasons : dict of str to str
        Reason for each value that is nan, by the names of the measures. With ``measures="all"``, also the reason for
        each measure that was not computed.

    Examples
    --------
    >>> from sdcwidgets import FrequencyTable, assess
    >>> after = assess(FrequencyTable([[5, 7], [8, 4]]), "random-rounding", replications=5).after
    >>> after.whole.dr.mean, after.whole.reasons["dr"]
    (nan, 'no published count of 1 or 2')
    """

    estimates: Mapping[str, NumberEstimate]
    reasons: Mapping[str, str] = field(default_factory=dict)

    def __getitem__(self, measure: Measure | str) -> NumberEstimate:
        return named_value(self.estimates, measure, is_protected=True)

    def __getattr__(self, name: str) -> NumberEstimate:
        estimates: Mapping[str, NumberEstimate] = self.__dict__.get("estimates", {})
        return value_of_attribute(estimates, name, is_protected=True)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.estimates]

    @property
    def r2(self) -> NumberEstimate:
        """Residual risk R2 according to equation (3.6.6) of the thesis."""
        return self["r2"]

    @property
    def r2_star(self) -> NumberEstimate:
        """Unweighted residual risk R2* according to the formula of the thesis."""
        return self["r2_star"]

    @property
    def hellinger(self) -> NumberEstimate:
        """Hellinger distance between the counts before and after protection."""
        return self["hellinger"]

    @property
    def utility(self) -> NumberEstimate:
        """Utility 1 - HD / √N."""
        return self["utility"]


class ByAxis(dict[str, V]):
    """Results by axis name; unknown names raise InputError."""

    def __missing__(self, name: object) -> V:
        raise InputError(
            f"There is no axis {quoted(name)}; the axes are "
            f"{', '.join(self) or 'without slices, because the table has only one slice'}."
        )


def by_column(values: Mapping[Measure, V], name: str, *, is_protected: bool, slices: str = "") -> V:
    """Return the value of the measure with this column name; see `named_value`."""
    columns = {measure.column: value for measure, value in values.items()}
    return named_value(columns, name, is_protected=is_protected, slices=slices)


def named_value(
    values: Mapping[str, V], measure: Measure | str, *, is_protected: bool, slices: str = ""
) -> V:
    """Return the value of a measure.

    Parameters
    ----------
    values : mapping of str to any
        Computed values by the names of measures.
    measure : Measure or str
    is_protected : bool
        Whether the values are those after protection.
    slices : str
        Axis of the slices; "" for the whole table.

    Raises
    ------
    InputError
        If the measure was not computed.
    """
    name = measure.column if isinstance(measure, Measure) else str(measure).replace("-", "_")
    if name in values:
        return values[name]
    kind = _registered(name)
    is_of_original = kind is not None and kind.needs == ("before",)
    part = f"slices[{quoted(slices)}]" if slices not in ("", "Table") else "whole"
    if is_protected and is_of_original:
        raise MissingValue(
            f'The measure {quoted(name)} is a measure of the original table; see assessment.{part}["{name}"].'
        )
    if not is_protected and kind is not None and "after" in kind.needs:
        raise MissingValue(
            f"The measure {quoted(name)} exists only after protection; assess the table with a method, and see "
            f'assessment.after.{part}["{name}"].'
        )
    if name == "ones_and_twos":
        raise MissingValue(
            "The number of counts of 1 and 2 is the attribute small; ones_and_twos is its column."
        )
    raise MissingValue(
        f"This assessment has no measure {quoted(measure)}; it has {', '.join(values)}. Request it in assess(..., "
        "measures=[...])."
    )


def _registered(name: str) -> type[Measure] | None:
    """Return the measure with this name, or with a name that this column begins with; None if there is none."""
    names = [known for known in available() if name == known or name.startswith(f"{known}_")]
    return get(max(names, key=len)) if names else None


def value_of_attribute(values: Mapping[str, V], name: str, *, is_protected: bool) -> V:
    """Return a computed measure that is requested as an attribute; names with an underscore are not measures."""
    if name.startswith("_"):
        raise AttributeError(name)
    return named_value(values, name, is_protected=is_protected)


@dataclass(frozen=True, eq=False, repr=False)
class Replications(Value):
    """Results of a protection method on a table, over several replicates.

    Attributes
    ----------
    table : FrequencyTable
        Original counts.
    method : Method
    settings : Settings
    size : int
        Number of replicates; 1 for a deterministic method.
    drawn : ndarray
        Published cells of the first replicate.
    slices : dict of SlicesAfter
        Slices along each axis, by axis name; empty for a table with one axis.
    whole_slice : SlicesAfter
        The whole table as the only slice; `whole` has the same values as numbers.
    draws : dict of ndarray, shape (size,)
        Value of each measure of the whole table in each replicate. The keys are measures and not names, because two
        measures may have one name: `draws[measures.get("r2")()].std()` is the standard deviation of R₂.
    omitted : dict of str to str
        Reason for each measure that was requested by "all" and cannot be computed, by its name.
    """

    table: FrequencyTable
    method: Method
    settings: Settings
    size: int
    drawn: NDArray[np.number]
    slices: Mapping[str, SlicesAfter]
    whole_slice: SlicesAfter
    draws: Mapping[Measure, Floats]
    omitted: Mapping[str, str] = field(default_factory=dict)

    @property
    def whole(self) -> WholeTableAfter:
        """Measures of the whole table, as numbers with standard errors."""
        return WholeTableAfter(
            {
                measure.column: NumberEstimate(float(mean[0]), float(error[0]))
                for measure, (mean, error) in self.whole_slice.estimates.items()
            },
            {
                measure.column: measure.nothing
                for measure, (mean, _) in self.whole_slice.estimates.items()
                if np.isnan(mean[0])
            }
            | dict(self.omitted),
        )

    @cached_property
    def first(self) -> Release:
        """Release of the first replicate; computed at first use."""
        rng = self.method.random_numbers(self.table, self.settings.seed)
        return self.method.release_from_cells(self.table, self.drawn, rng)

    @property
    def small_ratio(self) -> NumberEstimate:
        """DR of the whole table; nan if no replicate has a count of 1 or 2."""
        return self.whole["dr"]

    def to_frame(self) -> pd.DataFrame:
        """Return one row per slice: label, terms of R2, and measures after protection.

        The terms y1, y2 and y3 are means over the replicates, without weights. They measure what data users still know
        about the zeros, the unevenness and the size of the original slice, with the formula of the setting `variant`.
        They are not the terms of the protected table, which ``assess(release.table())`` computes.

        Returns
        -------
        DataFrame
            The name of the axis (`slice`), the `label`, `y1`, `y2` and `y3`, and each measure with its standard error.

        Examples
        --------
        Protection changes the row (0, 2, 9, 0) to (0, 0, 10, 0), which no longer shows how the people are distributed:

        >>> from sdcwidgets import FrequencyTable, assess
        >>> after = assess(FrequencyTable([0, 2, 9, 0]), "conventional-rounding", base=5).after
        >>> after.to_frame().loc[0, ["y1", "y2", "y3"]].astype(float).round(3).tolist()
        [0.354, 0.0, 0.663]
        """
        import pandas as pd

        terms = self._with_terms
        parts = []
        for part in (self.whole_slice, *self.slices.values()):
            of_terms = terms.whole_slice if part is self.whole_slice else terms.slices[part.name]
            means = {f"y{k + 1}": mean for k, (mean, _) in enumerate(of_terms.estimates.values())}
            columns = {"slice": [part.name] * len(part), "label": part.labels, **means, **part.columns()}
            parts.append(pd.DataFrame(columns))
        return pd.concat(parts, ignore_index=True)

    @cached_property
    def _with_terms(self) -> Replications:
        """Results of the same replicates with the three terms of R2 without weights; computed at first use."""
        from sdcwidgets.assessment.replications.run import replicate

        shared = {name: getattr(self.settings, name) for name in ("third", "epsilon", "variant")}
        terms = [
            ResidualTerm(position=0, weights=(1, 0, 0), **shared),
            ResidualTerm(position=1, weights=(0, 1, 0), **shared),
            ResidualTerm(position=2, weights=(0, 0, 1), **shared),
        ]
        # The same seed gives the same replicates.
        return replicate(self.table, self.method, self.settings, terms)

    def to_dict(self) -> dict[str, object]:
        """Return lists and numbers for JSON, with None for undefined values.

        Examples
        --------
        >>> from sdcwidgets import assess, examples
        >>> after = assess(examples.load("sex"), "random-rounding", replications=5).after
        >>> after.to_dict()["method"]
        {'name': 'random-rounding', 'base': 3, 'margins': 'sums'}
        """
        parameters = {item.name: getattr(self.method, item.name) for item in declared(type(self.method))}
        return {
            "method": {"name": self.method.name, **parameters},
            "replications": self.size,
            "seed": self.settings.seed,
            "table": _lines(self.whole_slice)[0],
            "slices": {name: _lines(part) for name, part in self.slices.items()},
            "first": _cells(self.first),
        }


def _cells(release: Release) -> object:
    """Return the published cells as nested lists of integers, with None for suppressed cells."""
    cells = np.nan_to_num(release.cells).astype(np.int64).astype(object)
    cells[release.suppressed] = None
    return cells.tolist()


def _lines(part: SlicesAfter) -> list[dict[str, object]]:
    """Return the numbers of each slice as a dictionary."""
    columns = {
        name: [None if np.isnan(value) else float(value) for value in column]
        for name, column in part.columns().items()
    }
    return [
        {"label": label, **{name: column[i] for name, column in columns.items()}}
        for i, label in enumerate(part.labels)
    ]
