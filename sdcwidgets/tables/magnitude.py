"""Magnitude tables: sums of contributions, such as turnover, by categories."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from sdcwidgets._util.arguments import check_kind, check_number, check_texts, numbers_of, wrong
from sdcwidgets._util.errors import InputError, type_with_article
from sdcwidgets._util.labels import cell_name, quoted
from sdcwidgets._util.parameters import chosen_by
from sdcwidgets.core.suppression import (
    Contributions,
    Insiders,
    Pattern,
    Problem,
    Sensitive,
    Tree,
    Unprotectable,
    above,
    dominance,
    entropy_rule,
    find_pattern,
    of_tables,
    p_percent,
    pq,
    union_rule,
    weigh,
    with_margins,
)
from sdcwidgets.tables.apriori import MANUAL_RANGE, Apriori
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.hierarchy import axes_of, caution_of, labels_of, tree_of
from sdcwidgets.tables.nesting import check_disjoint, detected, without_totals
from sdcwidgets.tables.table import FrequencyTable

if TYPE_CHECKING:
    import pandas as pd
    from numpy.random import Generator
    from numpy.typing import ArrayLike

    from sdcwidgets._util.arrays import Flags, Floats, Whole


__all__ = ["RULES", "MagnitudeTable"]

#: The rules of primary suppression, by name.
RULES: Mapping[str, Callable[..., Sensitive]] = {
    "dominance": dominance,
    "p-percent": p_percent,
    "pq": pq,
    "entropy": entropy_rule,
}


@dataclass(frozen=True, eq=False)
class MagnitudeTable:
    """Magnitude table with named axes and the contributions to each cell.

    Parameters
    ----------
    axes : sequence of Axis
    contributions : Contributions
        Cell (index in the flattened table), amount and contributor of each contribution.
    hierarchies : mapping of str to mapping of str to str
        Hierarchy of axes with sub-totals: the parent of each label, and of each parent below the grand total.

    Raises
    ------
    InputError
        If a contribution is outside of the table, or if a label is missing in a hierarchy.

    Examples
    --------
    >>> records = [("north", "a", 90), ("north", "b", 10), ("south", "c", 30), ("south", "d", 40)]
    >>> table = MagnitudeTable.from_records(records, ["Region"])
    >>> table.values.tolist(), table.sensitive("dominance", n=1, k=75).flags.tolist()
    ([100.0, 70.0], [True, False, False])
    """

    axes: tuple[Axis, ...]
    contributions: Contributions
    hierarchies: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def __repr__(self) -> str:
        sizes = ", ".join(f"{axis.name}: {len(axis)}" for axis in self.axes)
        return f"MagnitudeTable({sizes}; {len(self.contributions.entries):,} contributions)"

    def __post_init__(self) -> None:
        check_kind(
            "contributions", self.contributions, Contributions, "the contributions of another magnitude table"
        )
        object.__setattr__(self, "axes", tuple(self.axes))
        entries = self.contributions.entries
        if len(entries) and not (entries.min() >= 0 and entries.max() < int(np.prod(self.shape))):
            raise InputError("A contribution belongs to a cell outside of the table.")
        unknown = set(self.hierarchies) - {axis.name for axis in self.axes}
        if unknown:
            raise InputError(f"The hierarchy {quoted(min(unknown))} does not belong to an axis of the table.")
        _ = self.trees  # raise an error for an inconsistent hierarchy at once

    @classmethod
    def from_records(
        cls,
        records: Sequence[tuple[Any, ...]],
        names: Sequence[str],
        hierarchies: Mapping[str, Mapping[str, str]] | None = None,
    ) -> MagnitudeTable:
        """Create a table from records: a label per axis, the contributor and the amount.

        Raises
        ------
        InputError
            If there is no record, a record has a wrong length, or an amount is not a non-negative number.

        Examples
        --------
        >>> from sdcwidgets import MagnitudeTable
        >>> records = [("north", "a", 90), ("north", "b", 10), ("south", "c", 30)]
        >>> table = MagnitudeTable.from_records(records, ["Region"])
        >>> table.values.tolist()
        [100.0, 30.0]
        """
        if not isinstance(records, Sequence) or isinstance(records, str | bytes):
            raise wrong("records", records, "a list of records")
        check_texts("names", names)
        if not records:
            raise InputError("There are no contributions; a magnitude table needs at least one.")
        for k, record in enumerate(records):
            if len(record) != len(names) + 2:
                raise InputError(
                    f"Contribution {k + 1} has {len(record)} values; it needs {len(names)} labels, a contributor "
                    "and an amount."
                )
            amount = record[-1]
            if isinstance(amount, bool) or not isinstance(amount, int | float | np.number) or not amount >= 0:
                raise InputError(
                    f"Contribution {k + 1} is {amount!r}; an amount must be a number of at least 0."
                )
        axes = [
            Axis(name, tuple(dict.fromkeys(str(record[k]) for record in records)))
            for k, name in enumerate(names)
        ]
        places = [[axis.position(str(record[k])) for record in records] for k, axis in enumerate(axes)]
        holders = {holder: k for k, holder in enumerate(dict.fromkeys(record[-2] for record in records))}
        contributions = Contributions(
            np.ravel_multi_index(places, tuple(map(len, axes))).astype(np.int64),
            np.array([float(record[-1]) for record in records]),
            np.array([holders[record[-2]] for record in records], dtype=np.int64),
        )
        return cls(tuple(axes), contributions, hierarchies or {})

    @classmethod
    def from_frame(
        cls,
        frame: pd.DataFrame,
        names: Sequence[str],
        holder: str,
        amount: str,
        hierarchies: Mapping[str, Mapping[str, str]] | None = None,
    ) -> MagnitudeTable:
        """Create a table from a DataFrame with one row per contribution.

        Raises
        ------
        InputError
            If a column does not exist, or if an amount is not a non-negative number.

        Examples
        --------
        >>> import pandas as pd
        >>> from sdcwidgets import MagnitudeTable
        >>> firms = pd.DataFrame({"Area": ["a", "a", "b"], "firm": [1, 2, 3], "turnover": [90, 9, 40]})
        >>> MagnitudeTable.from_frame(firms, ["Area"], "firm", "turnover").values.tolist()
        [99.0, 40.0]
        """
        if not hasattr(frame, "columns"):
            raise InputError(
                f"The contributions are {type_with_article(frame)}; pass a DataFrame, such as pandas.read_csv(file)."
            )
        missing = [name for name in (*names, holder, amount) if name not in frame.columns]
        if missing:
            raise InputError(f"The records have no column {quoted(missing[0])}.")
        columns = [frame[name].tolist() for name in (*names, holder, amount)]
        return cls.from_records(list(zip(*columns, strict=True)), names, hierarchies)

    def with_hierarchies(self, hierarchies: Mapping[str, Mapping[str, str] | str]) -> MagnitudeTable:
        """Return the table with hierarchies; categories with children become sub-totals.

        Parameters
        ----------
        hierarchies : mapping of str to mapping of str to str, or "detected"
            Parent of each label by axis; "detected" uses the hierarchy that the sums of the axis show.

        Returns
        -------
        MagnitudeTable
            Table without the contributions to categories that are sub-totals.

        Raises
        ------
        InputError
            If no hierarchy is detected, or if a category is not the sum of its children.

        Examples
        --------
        >>> records = [("a", "x", 413), ("b", "y", 487), ("c", "z", 723), ("north", "all", 900)]
        >>> table = MagnitudeTable.from_records(records, ["Area"])
        >>> table.with_hierarchies({"Area": "detected"}).labels
        (('a', 'b', 'c', 'north', 'Total'),)
        """
        check_kind("hierarchies", hierarchies, Mapping, "a mapping of axes to hierarchies")
        axes_of([list(hierarchies)], [axis.name for axis in self.axes])
        parents = {
            name: detected(self.values, self.axes, name) if isinstance(hierarchy, str) else hierarchy
            for name, hierarchy in hierarchies.items()
        }
        _, axes = without_totals(self.values, self.axes, parents)
        if axes == self.axes:
            return replace(self, hierarchies=parents)
        places = np.unravel_index(self.contributions.entries, self.shape)
        moved = []
        for place_of, before, after in zip(places, self.axes, axes, strict=True):
            position = {label: k for k, label in enumerate(after)}
            moved.append(np.array([position.get(label, -1) for label in before], dtype=np.int64)[place_of])
        is_base = np.all([numbers >= 0 for numbers in moved], axis=0)
        entries = np.ravel_multi_index([numbers[is_base] for numbers in moved], tuple(map(len, axes)))
        source = self.contributions
        amounts = source.values[is_base]  # noqa: PD011
        contributions = Contributions(entries.astype(np.int64), amounts, source.holders[is_base])
        return MagnitudeTable(axes, contributions, parents)

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of categories of each axis."""
        return tuple(map(len, self.axes))

    @cached_property
    def values(self) -> Floats:
        """Amount of each cell."""
        return self.contributions.totals(int(np.prod(self.shape))).reshape(self.shape)

    @cached_property
    def counts(self) -> FrequencyTable:
        """Number of contributors of each cell."""
        merged = self.contributions.merged()
        number = np.bincount(merged.entries, minlength=int(np.prod(self.shape)))
        return FrequencyTable(number.reshape(self.shape), self.axes)

    @cached_property
    def trees(self) -> tuple[Tree, ...]:
        """Hierarchy of each axis: labels, then sub-totals, then the grand total."""
        return tuple(tree_of(axis, self.hierarchies.get(axis.name, {})) for axis in self.axes)

    @cached_property
    def labels(self) -> tuple[tuple[str, ...], ...]:
        """Labels of each axis with its sub-totals and total."""
        return tuple(labels_of(axis, self.hierarchies.get(axis.name, {})) for axis in self.axes)

    @cached_property
    def full(self) -> Floats:
        """Amounts with all sub-totals and totals."""
        return np.asarray(with_margins(self.values, self.trees), dtype=np.float64)

    @cached_property
    def everywhere(self) -> Contributions:
        """Contribution of each contributor to each cell, sub-total and total."""
        return above(self.contributions, self.shape, self.trees)

    def check(self, amounts: ArrayLike) -> None:
        """Raise InputError if contributions do not add up to these amounts.

        Examples
        --------
        >>> from sdcwidgets import MagnitudeTable
        >>> records = [("north", "a", 90), ("north", "b", 10), ("south", "c", 30)]
        >>> table = MagnitudeTable.from_records(records, ["Region"])
        >>> table.check([100, 30])
        """
        expected = numbers_of("amounts", amounts)
        if expected.shape != self.shape:
            raise InputError(
                f"The amounts have the shape {expected.shape} and the table has the shape {self.shape}; "
                "both must be equal."
            )
        off = np.abs(expected - self.values) > 1e-9 * np.maximum(np.abs(expected), 1)
        if off.any():
            at = tuple(int(i) for i in np.argwhere(off)[0])
            where = cell_name(
                [axis.labels[i] for axis, i in zip(self.axes, at, strict=True)],
                [axis.name for axis in self.axes],
            )
            raise InputError(
                f"{where}: the contributions sum to {self.values[at]:g}, the amount is {expected[at]:g}; "
                "both must be equal."
            )

    def sensitive(self, rule: str = "p-percent", **settings: float) -> Sensitive:
        """Apply a sensitivity rule to cells and totals, in the order of `full.ravel()`.

        Raises
        ------
        InputError
            If the rule does not exist, or if its settings are invalid.

        Examples
        --------
        >>> from sdcwidgets import MagnitudeTable
        >>> records = [("north", "a", 90), ("north", "b", 10), ("south", "c", 30)]
        >>> table = MagnitudeTable.from_records(records, ["Region"])
        >>> table.sensitive("dominance", n=1, k=75).flags.tolist()
        [True, True, False]
        """
        return self._rule(rule, settings)(self.everywhere, self.full.size)

    def suppress(
        self,
        rule: str = "p-percent",
        *,
        cost: str = "value",
        costs: ArrayLike | None = None,
        coalition: int = 1,
        tables: Sequence[Sequence[str]] | None = None,
        apriori: Apriori | None = None,
        non_hierarchical: Collection[str] = (),
        choice: str = "secret",
        seed: int | Generator | None = None,
        **settings: float,
    ) -> Pattern:
        """Return an audited suppression pattern, in the order of `full.ravel()`.

        For linked tables, the pattern covers the cells of these tables only. A total that two tables share is
        suppressed in both or in neither, and contributors are the same in all tables.

        Each sensitive cell gets the upper and lower protection that the rule requires, against outsiders and
        against each contributor. Contributors know their own contributions to all cells. The lower bound that a
        contributor can compute is at least their own contribution. A cell with a single contributor needs no
        protection from this contributor. A published sum of suppressed cells must not be sensitive.

        Parameters
        ----------
        rule : {"p-percent", "pq", "dominance", "entropy"}
            Sensitivity rule of primary suppression.
        cost : {"value", "cell"}
            Cost that secondary suppression minimises: suppressed amount or number of cells.
        costs : array_like, optional
            Custom costs of all cells and totals.
        coalition : int
            Number of contributors who may collude, 0 to 3; 0 protects against outsiders only.
        tables : sequence of sequence of str, optional
            Axes of each published table, which includes all its totals; by default one table of all axes.
        apriori : Apriori, optional
            Cells that are set by hand as unsafe, safe or protected, and costs, for example of `read_apriori`. An
            unsafe cell without protection levels is protected by 20 % of its amount.
        non_hierarchical : collection of str
            Axes whose categories are disjoint, although their labels or amounts look like a hierarchy.
        choice : {"secret", "optimal"}
            "secret" selects a nearly optimal pattern by a secret. "optimal" selects the cheapest pattern and
            is for teaching only: a data user who runs the program can infer amounts from the cheapest
            pattern.
        seed : int or Generator, optional
            The secret; generated by default. Equal secrets give equal patterns.
        **settings
            Settings of the rule.

        Raises
        ------
        InputError
            If no pattern gives the required protection, an axis is unknown, or an axis looks like a hierarchy
            that is neither
            confirmed nor denied.

        Examples
        --------
        >>> from sdcwidgets import MagnitudeTable
        >>> records = [(area, kind, f"{area}{kind}{k}", 20 + k) for area in "abc" for kind in "xyz" for k in range(4)]
        >>> records += [("a", "x", "large firm", 900)]
        >>> table = MagnitudeTable.from_records(records, ["Area", "Kind"])
        >>> pattern = table.suppress("p-percent", p=10, seed=2**100 + 1)
        >>> bool(pattern.suppressed.sum() >= 4)
        True
        """
        check_texts("non_hierarchical", non_hierarchical)
        check_number("coalition", coalition, whole=True)
        axes_of([list(non_hierarchical)], [axis.name for axis in self.axes])
        check_disjoint(self.values, self.axes, {*self.hierarchies, *non_hierarchical})
        if not 0 <= coalition <= 3:
            raise InputError(f"The coalition is {coalition}; it must be a whole number from 0 to 3.")
        secret = chosen_by(choice, seed)
        rule_of_cells = self._rule(rule, settings)
        numbers, relations = of_tables(self.trees, axes_of(tables, [axis.name for axis in self.axes]))
        values, everywhere = self.full.ravel()[numbers], self.everywhere.within(numbers)
        sensitive = rule_of_cells(everywhere, len(values))
        try:
            weights = weigh(values, cost, None if costs is None else self._costs(costs)[numbers])
            by_hand = None if apriori is None else self._by_hand(apriori, numbers, values, sensitive.flags)
            flags, lower_level, upper_level = _required(sensitive, values, by_hand)
            problem = Problem.of(
                relations,
                values,
                flags,
                above=upper_level,
                below=lower_level,
                width=upper_level,
                weights=weights
                if by_hand is None
                else np.where(np.isnan(by_hand.costs), weights, by_hand.costs),
                usable=None if by_hand is None else (values > 0) & ~by_hand.frozen,
                usual=weigh(values, cost),
                union=union_rule(everywhere, rule_of_cells),
                insiders=Insiders(everywhere, coalition) if coalition else None,
            )
            return find_pattern(problem, secret=secret)
        except Unprotectable as error:
            at = np.unravel_index(numbers[error.entry], self.full.shape)
            labels = [names[int(i)] for names, i in zip(self.labels, at, strict=True)]
            where = cell_name(labels, [axis.name for axis in self.axes])
            refused = f"{where}: no suppression pattern gives this amount the required protection"
            advice = " against all contributors. Use a smaller coalition size." if error.inside else "."
            raise InputError(f"{refused}{advice}") from None
        except ValueError as error:
            raise InputError(str(error)) from None

    def caution(self, tables: Sequence[Sequence[str]] | None) -> str:
        """Return a warning about linked tables that are not fully audited, "" if none.

        Examples
        --------
        >>> from sdcwidgets import MagnitudeTable
        >>> records = [("north", "a", 90), ("north", "b", 10), ("south", "c", 30)]
        >>> table = MagnitudeTable.from_records(records, ["Region"])
        >>> table.caution(None)
        ''
        """
        return caution_of(axes_of(tables, [axis.name for axis in self.axes]))

    def to_frame(
        self, pattern: Pattern | None = None, tables: Sequence[Sequence[str]] | None = None
    ) -> pd.DataFrame:
        """Return one row per cell and total: labels, amount, and type of suppression.

        Examples
        --------
        >>> from sdcwidgets import MagnitudeTable
        >>> records = [("north", "a", 90), ("north", "b", 10), ("south", "c", 30)]
        >>> table = MagnitudeTable.from_records(records, ["Region"])
        >>> table.to_frame().shape
        (3, 1)
        """
        if pattern is not None:
            check_kind("pattern", pattern, Pattern, "the result of suppress")
        import pandas as pd

        index = pd.MultiIndex.from_tuples(
            list(itertools.product(*self.labels)), names=[axis.name for axis in self.axes]
        )
        numbers, _ = of_tables(self.trees, axes_of(tables, [axis.name for axis in self.axes]))
        frame = pd.DataFrame({"amount": self.full.ravel()}, index=index).iloc[numbers]
        if pattern is not None:
            kinds = np.where(pattern.secondary, "secondary", np.where(pattern.suppressed, "primary", ""))
            frame = frame.assign(suppressed=kinds, lower=pattern.lower, upper=pattern.upper)
        return frame

    def _by_hand(self, apriori: Apriori, numbers: Whole, values: Floats, sensitive: Flags) -> Apriori:
        """Check the settings of single cells, and return the settings of the published cells."""
        check_kind("apriori", apriori, Apriori, "the result of read_apriori")
        if apriori.unsafe.shape != self.full.shape:
            raise InputError(
                f"The a priori file is for a table of the shape {apriori.unsafe.shape}; the table with all its sums "
                f"has {self.full.shape}."
            )
        by_hand = apriori.entries(numbers)
        conflict = by_hand.conflict(sensitive, values)
        if conflict is not None:
            at = np.unravel_index(numbers[conflict[0]], self.full.shape)
            names = [own[int(i)] for own, i in zip(self.labels, at, strict=True)]
            where = cell_name(names, [axis.name for axis in self.axes])
            raise InputError(f"{where}: {conflict[1]}; correct the a priori file.")
        return by_hand

    def _costs(self, costs: ArrayLike) -> Floats:
        own = numbers_of("costs", costs)
        if own.size != self.full.size:
            raise ValueError(f"The costs must be {self.full.size} numbers above 0.")
        return own.ravel()

    def _rule(self, rule: str, settings: Mapping[str, float]) -> Callable[[Contributions, int], Sensitive]:
        check_kind("rule", rule, str, "the name of a rule")
        if rule not in RULES:
            raise InputError(f"There is no rule {quoted(rule)}. The rules are {', '.join(RULES)}.")
        checked = partial(RULES[rule], **settings)
        try:
            checked(Contributions(np.zeros(1, np.int64), np.ones(1), np.zeros(1, np.int64)), 1)
        except TypeError:
            raise InputError(
                f"The rule {quoted(rule)} does not have the settings {', '.join(settings)}."
            ) from None
        except ValueError as error:
            raise InputError(str(error)) from None
        return checked


def _required(sensitive: Sensitive, values: Floats, by_hand: Apriori | None) -> tuple[Flags, Floats, Floats]:
    """Return the sensitive cells, and the required distances of their lower and upper bounds."""
    upper = sensitive.needed
    lower = np.minimum(upper, values)
    if by_hand is None:
        return sensitive.flags, lower, upper
    level = np.where(by_hand.unsafe, MANUAL_RANGE * values, 0)
    upper = np.maximum(upper, np.where(np.isnan(by_hand.above), level, by_hand.above))
    lower = np.maximum(lower, np.where(np.isnan(by_hand.below), level, by_hand.below))
    return sensitive.flags | by_hand.unsafe, np.minimum(lower, values), upper
