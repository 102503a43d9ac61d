"""Comparison of protection methods and settings on one table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sdcwidgets import measures as registry
from sdcwidgets._util.arguments import check_flag, check_kinds
from sdcwidgets._util.errors import InputError, MissingValue, described, type_with_article, unknown_name
from sdcwidgets._util.labels import quoted
from sdcwidgets._util.parameters import declared
from sdcwidgets._util.values import Value
from sdcwidgets.assessment.assessment import ALL, requested_measures
from sdcwidgets.assessment.recommending import Judging, is_for_teaching, means_of, ordered, within_limits
from sdcwidgets.assessment.replications import Replications
from sdcwidgets.assessment.search import candidates, changes_nothing, pareto_front, sweep
from sdcwidgets.assessment.verdict import ReleaseLimits, Rule
from sdcwidgets.measures import Measure
from sdcwidgets.measures.settings import Settings
from sdcwidgets.methods import Method, available, get, method_of
from sdcwidgets.methods.describing import describe, describe_all
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable, table_of

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Comparison", "compare"]


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Value):
    """Several protection methods and settings on one table.

    Attributes
    ----------
    table : FrequencyTable
        The original counts.
    settings : Settings
        The settings of the measures, the number of replicates and the seed.
    points : tuple of Replications
        The replicates of each setting, in the order in which the settings were passed.
    refused : tuple of Method
        Methods that cannot protect this table, for example cell suppression without a feasible pattern.
    requested : tuple of str
        The columns that were requested; empty for all.
    """

    table: FrequencyTable
    settings: Settings
    points: tuple[Replications, ...]
    refused: tuple[Method, ...] = ()
    requested: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.points)

    def __repr__(self) -> str:
        return f"Comparison({self.table!r}; {len(self.points)} settings)"

    def _repr_html_(self) -> str:
        return str(self.to_frame().to_html(max_rows=60, border=0))

    @property
    def methods(self) -> tuple[Method, ...]:
        """The methods with their settings, in the order of the rows."""
        return tuple(point.method for point in self.points)

    @cached_property
    def changes_nothing(self) -> NDArray[np.bool_]:
        """Mask of the settings that do not protect this table, because each count can be inferred."""
        return np.array([changes_nothing(point) for point in self.points])

    @cached_property
    def recalculable_cells(self) -> NDArray[np.int64]:
        """Number of suppressed cells of the first replicate of each setting that can be recalculated."""
        numbers = [
            int(point.first.recalculable[point.first.every].sum()) if point.method.suppresses else 0
            for point in self.points
        ]
        return np.array(numbers, dtype=np.int64)

    def to_frame(self, *, errors: bool = False) -> pd.DataFrame:
        """Return one row per setting, and one column per measure of the whole table.

        Parameters
        ----------
        errors : bool
            Whether each measure is followed by a column with its standard error, whose name ends in "_error".

        Returns
        -------
        DataFrame
            The index has the methods with their settings in words. The column `name` has the name of the method, and
            `replications` the number of replicates. The other columns have the means of the measures. Unless `compare`
            was called with `measures`, the column `r1` has the risk before protection, `recalculable_cells` the number
            of suppressed cells that can be recalculated, and `changes_nothing` states whether all original counts can
            be inferred.

        Examples
        --------
        >>> from sdcwidgets import compare, examples
        >>> comparison = compare(examples.load("sex"), ["random-rounding", "record-swapping"], replications=20)
        >>> comparison.to_frame()[["r1", "r2", "hellinger"]].shape
        (2, 3)
        """
        import pandas as pd

        check_flag("errors", errors)
        rows = []
        risk_before = registry.get("r1").of(self.settings).before(self.table)
        for point in self.points:
            row: dict[str, object] = {"name": point.method.name, "replications": point.size}
            if not self.requested:
                row["r1"] = risk_before
            for name, (mean, error) in point.whole.estimates.items():
                if not self.requested or name in self.requested:
                    row |= {name: mean, f"{name}_error": error} if errors else {name: mean}
            rows.append(row)
        frame = pd.DataFrame(rows, index=pd.Index(describe_all(self.methods), name="method"))
        if not self.requested:
            frame["recalculable_cells"] = self.recalculable_cells
            frame["changes_nothing"] = self.changes_nothing
        return frame

    def pareto_front(self, risk: str = "r2", loss: str = "hellinger") -> NDArray[np.bool_]:
        """Return which settings are Pareto-optimal for a measure of risk and a measure of loss.

        Settings that change nothing do not protect, and are not on the Pareto front.

        Parameters
        ----------
        risk : str
            The name of a measure of risk.
        loss : str
            The name of a measure of information loss or utility.

        Returns
        -------
        ndarray of bool, shape (settings,)
            True if the setting changes the table, and no other setting has less of one measure and not more of the
            other.

        Raises
        ------
        InputError
            If a measure was not computed.

        Examples
        --------
        >>> from sdcwidgets import compare, examples
        >>> compare(examples.load("sex"), ["random-rounding"], replications=5).pareto_front().tolist()
        [True]
        """
        columns = []
        for name in (risk, loss):
            try:
                values = [point.whole[name].mean for point in self.points]
            except MissingValue:
                raise InputError(
                    f"The comparison has no values of {described(name)} after protection; name a measure of protected "
                    "tables in compare(..., measures=[...])."
                ) from None
            (measure,) = registry.select(self.table, self.settings, names=(name,))[:1]
            columns.append(np.nan_to_num(measure.worse(1.0) * np.array(values), nan=np.inf))
        front: NDArray[np.bool_] = pareto_front(*columns) & ~self.changes_nothing
        return front

    def recommended(self, limits: ReleaseLimits | Rule, others: Sequence[Release] = ()) -> Method:
        """Return the setting with the lowest information loss whose releases pass the limits.

        The page Protect recommends the setting "Least information loss" in the same way: the means of the setting are
        within the limits, and each of its first five replicates passes the limits. A deterministic method has one
        replicate. The page also compares settings that merge or suppress counts below the minimum count of the limits,
        and omits settings that change most cells to zero. The method `judged` states why other settings fail.

        Parameters
        ----------
        limits : ReleaseLimits or Rule
            Release rules, such as `verdict.load("minimum-frequency")`, or limits alone. If the rules require a method,
            only this method with its settings can be recommended. Limits alone contain no required method.
        others : sequence of Release
            Tables of the same people that are published already.

        Returns
        -------
        Method

        Raises
        ------
        InputError
            If no compared setting passes, or the required method or a measure of the limits was not compared.

        Examples
        --------
        >>> from sdcwidgets import compare, examples
        >>> from sdcwidgets.assessment.verdict import ReleaseLimits, Rule
        >>> comparison = compare(examples.load("religion"), ["record-swapping", "redesign"], replications=20)
        >>> comparison.recommended(ReleaseLimits("Disclosure panel, May 2026", risk=0.22, loss=4.0))
        RecordSwapping(rate=0.1, axis='rows', strata=())
        """
        check_kinds("others", others, Release, "a list of releases")
        limits, required, risk, loss = self._measured_limits(limits)
        means = means_of(self.points, (risk, loss))
        within = within_limits(means, risk, loss, limits) & ~self.changes_nothing
        if required is None:
            within &= ~np.array([is_for_teaching(method) for method in self.methods])
        else:
            within &= np.array([method == required for method in self.methods])
        if not within.any() and required is not None:
            raise InputError(
                f"The rules require the method {describe(required)}, which is not within their limits of risk and "
                "information loss."
            )
        if not within.any():
            raise InputError(
                "No compared setting is within the limits of risk and information loss "
                f"({'; '.join(_best_values(means, risk, loss, limits))}). Compare more methods, or change the limits."
            )
        methods = [self.methods[i] for i in ordered(means, loss, risk) if within[i]]
        judging = Judging(self.table, self.settings, limits, others=others)
        best = judging.first_that_passes(methods)
        standing = judging.standing(best)
        if standing.stops:
            words = standing.words[:1].lower() + standing.words[1:]
            raise InputError(
                f"No compared setting passes the limits; the best one is {describe(best)} ({words})."
            )
        return best

    def judged(self, limits: ReleaseLimits | Rule, others: Sequence[Release] = ()) -> pd.DataFrame:
        """Return which settings pass the limits, and why other settings fail.

        As in `recommended`, the first five replicates of each setting are judged one by one, or the only one of a
        deterministic method. A setting is not judged if it changes nothing, if a mean exceeds its limit, or if the
        rules require another method.

        Parameters
        ----------
        limits : ReleaseLimits or Rule
            Release rules, or limits alone, as for `recommended`.
        others : sequence of Release
            Tables of the same people that are published already.

        Returns
        -------
        DataFrame
            One row per setting, in the order of the comparison. The index has the methods in words. The columns are
            the means of `risk` and `loss` by the measures of the limits, the number of replicates that were `judged`,
            the number that `passed`, and the `reason` of the first failure, "" if there is none.

        Raises
        ------
        InputError
            If the required method or a measure of the limits was not compared.

        Examples
        --------
        >>> from sdcwidgets import compare, examples
        >>> from sdcwidgets.assessment.verdict import ReleaseLimits
        >>> comparison = compare(examples.load("religion"), ["record-swapping", "redesign"], replications=20)
        >>> judged = comparison.judged(ReleaseLimits("Disclosure panel, May 2026", risk=0.22, loss=4.0))
        >>> judged["judged"].tolist(), judged["passed"].tolist()
        ([5, 0], [5, 0])
        """
        import pandas as pd

        check_kinds("others", others, Release, "a list of releases")
        limits, required, risk, loss = self._measured_limits(limits)
        means = means_of(self.points, (risk, loss))
        within = within_limits(means, risk, loss, limits) & ~self.changes_nothing
        judging = Judging(self.table, self.settings, limits, others=others)
        rows = []
        for i, method in enumerate(self.methods):
            violations: list[str] = []
            if required is not None and method != required:
                reason = f"the rules require the method {describe(required)}"
            elif not within[i]:
                values = {measure: float(means[measure][i]) for measure in (risk, loss)}
                reason = _reason_of_means(values, {risk: limits.risk, loss: limits.loss})
            else:
                violations = judging.violations(method)
                reason = next((violation for violation in violations if violation), "")
            row = {"risk": means[risk][i], "loss": means[loss][i], "judged": len(violations)}
            rows.append(row | {"passed": violations.count(""), "reason": reason})
        return pd.DataFrame(rows, index=pd.Index(describe_all(self.methods), name="method"))

    def _measured_limits(
        self, limits: ReleaseLimits | Rule
    ) -> tuple[ReleaseLimits, Method | None, Measure, Measure]:
        """Return the limits, the required method, and the measures of risk and loss, which must have been compared."""
        required = limits.method if isinstance(limits, Rule) else None
        limits = limits.limits if isinstance(limits, Rule) else limits
        if not isinstance(limits, ReleaseLimits):
            raise InputError(
                f"The limits are {type_with_article(limits)}; pass ReleaseLimits, or the rules of verdict.load."
            )
        if required is not None and required not in self.methods:
            raise InputError(
                f"The rules require the method {describe(required)}, which was not compared; add it to the methods."
            )
        risk, loss = limits.measured(self.table, self.settings)
        for measure in (risk, loss):
            if any(measure not in point.whole_slice.estimates for point in self.points):
                raise InputError(
                    f"The limits use the measure {measure.name}, which was not compared; add it to the measures of "
                    "compare."
                )
        return limits, required, risk, loss


def _reason_of_means(means: Mapping[Measure, float], limits: Mapping[Measure, float | None]) -> str:
    """Return why a setting is not judged: a mean that exceeds its limit, or a table that does not change."""
    for measure, mean in means.items():
        limit = limits[measure]
        if limit is not None and not measure.within(mean, limit):
            text = measure.format_value(mean, limit)
            return f"the mean of {measure.name} is {text}, and the limit is {limit:.15g}"
    return "the setting changes nothing, so it does not protect the table"


def _best_values(
    means: Mapping[Measure, NDArray[np.float64]], risk: Measure, loss: Measure, limits: ReleaseLimits
) -> Iterator[str]:
    """Yield the best value and the limit of each measure that has a limit."""
    for measure, limit in ((risk, limits.most_risk(as_it_is=False)), (loss, limits.loss)):
        if limit is not None:
            values = means[measure]
            best = float(np.nanmax(values) if measure.more_is_better else np.nanmin(values))
            word = "highest" if measure.more_is_better else "lowest"
            yield f"{measure.name}: {word} value {measure.format_value(best, limit)}, limit {limit:.15g}"


def compare(
    table: FrequencyTable,
    methods: Sequence[Method | str] | None = None,
    *,
    replications: int = 1000,
    seed: int = 1,
    measures: Sequence[str | Measure] | str = (),
    weights: tuple[float, ...] = (0.1, 0.8, 0.1),
    third: str = "h2",
    epsilon: float = 0.5,
    suppressed: str = "interval",
    **unknown: object,
) -> Comparison:
    """Compare protection methods and settings on one table.

    Each setting is applied to the table many times. The measures are means over these replicates, with their standard
    errors. *Compare all methods* of the page Protect computes the same numbers.

    Parameters
    ----------
    table : FrequencyTable
        The original counts.
    methods : sequence of Method or str, optional
        Methods with their settings, or names of methods with default settings. Default: all methods, each with
        several values of each setting.
    replications : int
        The number of replicates of each setting, from 1 to 100,000.
    seed : int
        The seed of the random numbers; equal seeds give equal results.
    measures : "all", or sequence of str or Measure, optional
        The measures that `to_frame` shows; default: all usual measures. `measures.available()` lists the names. Only
        measures that compare the tables before and after protection are possible; "all" computes all of these.
    weights : three floats
        The weights of the terms of the risk; they sum to 1.
    third : {"h2", "h1", "h3"}
        The function of the third term of the risk.
    epsilon : float
        The parameter of this function, from 0 to 1.
    suppressed : {"interval", "mean", "zero"}
        The value of a suppressed cell in the measures, as in `assess`.
    **unknown
        Settings of methods, which raise `InputError`; each method of `methods` states its own settings.

    Returns
    -------
    Comparison
        `to_frame()` has one row per setting and one column per measure.

    Raises
    ------
    InputError
        If there is no such method or measure, a setting is out of its range, or no method can protect the table.

    See Also
    --------
    sdcwidgets.plots.risk_utility_map : The same as a chart.

    Examples
    --------
    Hellinger distance of two rounding bases; PSD 2014 publishes 2.98 for base 3:

    >>> from sdcwidgets import compare, examples, methods
    >>> rounding = methods.get("random-rounding")
    >>> comparison = compare(examples.load("religion"), [rounding(base=3), rounding(base=5)], replications=200)
    >>> frame = comparison.to_frame()
    >>> frame.index.tolist(), frame["hellinger"].round(1).tolist()
    (['Random rounding, base 3', 'Random rounding, base 5'], [3.0, 3.9])
    """
    table = table_of(table)
    if isinstance(methods, str | Method):
        methods = [methods]
    _check_unknown(unknown, methods)
    if methods is not None and not isinstance(methods, Sequence):
        raise InputError(
            f"The methods are {described(methods)}; they must be a list of methods or of their names."
        )
    settings = Settings(weights, third, epsilon, "information", replications, seed, suppressed=suppressed)
    chosen = candidates(table=table) if methods is None else [method_of(method) for method in methods]
    if not chosen:
        raise InputError("There is no method to compare; pass at least one method, such as random-rounding.")
    more, is_all = _further_measures(table, settings, measures)
    latest: dict[Method, Replications] = {}
    for point in sweep(table, settings, list(dict.fromkeys(chosen)), more):
        if point is not None:
            latest[point.method] = point
    if not latest:
        names = ", ".join(dict.fromkeys(method.name for method in chosen))
        raise InputError(f"No method can protect this table; {names} refused it. Try random-rounding.")
    points = tuple(latest[method] for method in dict.fromkeys(chosen) if method in latest)
    refused = tuple(method for method in dict.fromkeys(chosen) if method not in latest)
    requested = () if is_all else tuple(measure.column for measure in more)
    return Comparison(table, settings, points, refused, requested)


def _further_measures(
    table: FrequencyTable, settings: Settings, requested: object
) -> tuple[tuple[Measure, ...], bool]:
    """Return the requested measures, and whether all possible measures are requested."""
    wanted = requested_measures(requested)
    if wanted == (ALL,):
        every = registry.select(table, settings)
        return tuple(measure for measure in every if set(measure.needs) == {"before", "after"}), True
    return tuple(measure for item in wanted for measure in _named(table, settings, item)), False


def _check_unknown(arguments: Mapping[str, object], methods: object) -> None:
    """Raise InputError for an argument that `compare` does not have."""
    named = [name for name in methods if name in available()] if isinstance(methods, list | tuple) else []
    of_methods = {item.name: name for name in (*available(), *named) for item in declared(get(name))}
    for name, value in arguments.items():
        if name in of_methods:
            raise InputError(
                f"The setting {name} belongs to a method; pass the method with its settings, such as "
                f"compare(table, [methods.get({quoted(of_methods[name])})({name}={value!r})])."
            )
        own = ["methods", "replications", "seed", "measures", "weights", "third", "epsilon", "suppressed"]
        raise unknown_name("argument", name, own)


def _named(table: FrequencyTable, settings: Settings, item: str | Measure) -> tuple[Measure, ...]:
    """Return the measures with this name, after checking that they compare a table before and after protection."""
    selected = (item,) if isinstance(item, Measure) else registry.select(table, settings, names=(item,))
    for measure in selected:
        if set(measure.needs) != {"before", "after"}:
            raise InputError(
                f"The measure {quoted(measure.name)} does not compare a table with its protected version; choose one "
                "that does, such as r2 or hellinger."
            )
    return selected
