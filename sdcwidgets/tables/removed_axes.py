"""Variables whose categories are all merged, which the files of a release do not contain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.labels import and_more, quoted

if TYPE_CHECKING:
    from sdcwidgets.tables.release import Release

T = TypeVar("T", bound=np.generic)

#: Maximum number of categories or variables that a note names.
_MOST_NAMED = 200


def member_note(axis: str, category: str, members: Sequence[str]) -> str:
    """Return a note with the original categories of a merged category.

    Examples
    --------
    >>> member_note("Area", "A to C", ["A", "B", "C"])
    'The category "A to C" of "Area" contains "A", "B" and "C".'
    """
    names = and_more([quoted(label) for label in members], _MOST_NAMED)
    return f"The category {quoted(category)} of {quoted(axis)} contains {names}."


def with_named_axis(method: Any, names: Sequence[str]) -> Any:
    """Return a method with the name of its variable in place of "rows" or "columns", for files without this variable.

    Parameters
    ----------
    method : Method or None
    names : sequence of str
        Names of the axes of the table that the method protects.

    Examples
    --------
    >>> from sdcwidgets import methods
    >>> with_named_axis(methods.get("redesign")(axis="columns"), ["Age", "Sex"]).axis
    'Sex'
    """
    position = {"rows": 0, "columns": -1}.get(getattr(method, "axis", ""))
    return method if position is None else replace(method, axis=names[position])


def without_removed_axes(release: Release) -> Release:
    """Return a release without variables whose categories are all merged, and with a note on them.

    At least one variable stays.

    Examples
    --------
    >>> from sdcwidgets import FrequencyTable, protect
    >>> table = FrequencyTable([[1, 9], [7, 4]], {"Age": ["0-9", "10+"], "Sex": ["m", "f"]})
    >>> without = without_removed_axes(protect(table, "redesign", axis="Age", smallest=8))
    >>> without.cells.tolist(), without.notes[-1]
    ([8.0, 13.0], 'The table does not contain the variable "Age", because all its categories are merged.')
    """
    names = release.removed_axes
    removed = {release.axis(name) for name in names}
    if not removed or len(removed) == release.ndim:
        return release
    positions = [k for k in range(release.ndim) if k not in removed]

    def without(arrays: Mapping[tuple[int, ...], NDArray[T]]) -> dict[tuple[int, ...], NDArray[T]]:
        smaller = dict[tuple[int, ...], NDArray[T]]()
        # The only category of a removed variable has the same values as the total over this variable.
        for margin in sorted(arrays, key=len, reverse=True):
            of_removed = tuple(i for i, k in enumerate(margin) if k in removed)
            others = tuple(positions.index(k) for k in margin if k not in removed)
            smaller.setdefault(others, arrays[margin].squeeze(axis=of_removed))
        return smaller

    members = [
        member_note(name, next(iter(release.axes[release.axis(name)])), list(release.merged[name]))
        for name in names
    ]
    is_one = len(names) == 1
    note = (
        f"The table does not contain the {'variable' if is_one else 'variables'} "
        f"{and_more([quoted(name) for name in names], _MOST_NAMED)}, because all "
        f"{'its' if is_one else 'their'} categories are merged."
    )
    return replace(
        release,
        axes=tuple(release.axes[k] for k in positions),
        values=without(release.values),
        lower=without(release.lower),
        upper=without(release.upper),
        symbols=without(release.symbols),
        secondary=None if release.secondary is None else without(release.secondary),
        method=with_named_axis(release.method, [axis.name for axis in release.axes]),
        merged={name: labels for name, labels in release.merged.items() if name not in names},
        notes=(*(text for text in release.notes if text not in members), note),
    )
