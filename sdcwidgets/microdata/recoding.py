"""Global recoding of a variable: grouping of categories, intervals, top and bottom coding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.errors import InputError, described
from sdcwidgets._util.labels import is_decimal, listed, quoted
from sdcwidgets.core.microdata.keys import MISSING
from sdcwidgets.microdata.data import Codes, Variable, variable_of

#: Maximum number of texts among numbers that an error message lists.
_FEW_TEXTS = 3


def group(variable: Variable, groups: Mapping[str, Sequence[str]]) -> Variable:
    """Merge categories of a variable; categories in no group are kept (global recoding).

    Parameters
    ----------
    variable : Variable
    groups : mapping of str to sequence of str
        Labels that each new label replaces. The new category has the position of the first of them.

    Raises
    ------
    InputError
        If a label is unknown or in two groups, or a new label is the label of another category.

    References
    ----------
    Totter 2014, section 1.2.1.

    Examples
    --------
    >>> group(Variable.of("country", ["AT", "DE", "IT", "US"]), {"EU": ["DE", "IT"]}).labels
    ('AT', 'EU', 'US')
    """
    new = {label: label for label in variable_of(variable).labels}
    if not isinstance(groups, Mapping) or any(isinstance(labels, str) for labels in groups.values()):
        raise InputError(
            f"The groups are {described(groups)}; they must be a mapping of new labels to lists of categories."
        )
    for name, labels in groups.items():
        for label in labels:
            if label not in new:
                raise InputError(
                    f"{quoted(variable.name)} has no category {quoted(label)}; it has {listed(list(variable.labels))}."
                )
            if new[label] != label:
                raise InputError(f"{quoted(label)} is in two groups; assign each category to one group.")
            new[label] = name
    same = [label for label in variable.labels if new[label] == label]
    clash = [name for name in groups if name in same and name not in groups[name]]
    if clash:
        raise InputError(
            f"{quoted(clash[0])} is already a category; choose another label, or add this category to the group."
        )
    return _recoded(variable, [new[label] for label in variable.labels])


def intervals(variable: Variable, breaks: int | Sequence[float]) -> Variable:
    """Replace numbers by intervals (global recoding).

    Parameters
    ----------
    variable : Variable
        Numeric variable.
    breaks : int or sequence of float
        Number of intervals of equal width, closed on the right as in the function `cut` of R; or the lower
        class boundaries. A number belongs to the class with the largest boundary not above it, and numbers
        below the first boundary form one more class.

    Raises
    ------
    InputError
        If the variable is not numeric, the boundaries are not increasing, or there are fewer than two intervals.

    References
    ----------
    Totter 2014, section 1.2.1, example 1.4.

    Examples
    --------
    >>> intervals(Variable.of("age", [3, 17, 18, 40, 67]), [18, 65]).labels
    ('17 or less', '18 to 64', '65 or more')
    """
    numbers = _numbers(variable)
    if isinstance(breaks, int):
        if breaks < 2:
            raise InputError(
                f"{quoted(variable.name)} cannot have {breaks} intervals; choose a number of at least 2."
            )
        low, high = float(numbers[0]), float(numbers[-1])
        ends = low + (high - low) * np.arange(1, breaks) / breaks
        group = np.searchsorted(ends, numbers, side="left")
    else:
        starts = np.asarray(breaks, dtype=np.float64)
        if starts.size == 0 or (np.diff(starts) <= 0).any() or not np.isfinite(starts).all():
            raise InputError("The lower class boundaries must be increasing numbers, such as 18, 35, 65.")
        group = np.searchsorted(starts, numbers, side="right")
    return _recoded(variable, _spans(numbers, group, None if isinstance(breaks, int) else starts))


def quantiles(variable: Variable, number: int) -> Variable:
    """Replace numbers by intervals with about equal numbers of records; equal numbers stay in the same interval.

    Raises
    ------
    InputError
        If the variable is not numeric, or has so many equal values that fewer than two intervals result.

    Examples
    --------
    >>> quantiles(Variable.of("income", [0, 0, 0, 900, 1200, 1500, 4000, 9000]), 4).labels
    ('1,199 or less', '1,200 to 3,999', '4,000 or more')
    """
    numbers = _numbers(variable)
    if number < 2:
        raise InputError(
            f"{quoted(variable.name)} cannot have {number} intervals; choose a number of at least 2."
        )
    seen = np.sort(numbers[variable.codes[variable.codes != MISSING]])
    starts = np.unique(seen[(len(seen) * np.arange(1, number)) // number])
    starts = starts[starts > numbers[0]]
    if not len(starts):
        raise InputError(
            f"Most records have the value {variable.labels[0]} in {quoted(variable.name)}; give class "
            "boundaries instead of a number."
        )
    return intervals(variable, starts.tolist())


def top_code(variable: Variable, at: str | float) -> Variable:
    """Merge the category `at` and all higher ones (top coding).

    Raises
    ------
    InputError
        If `at` is not a category, or is outside the range of the numbers.

    Examples
    --------
    >>> top_code(Variable.of("size", [1, 2, 3, 4, 9]), 3).labels
    ('1', '2', '3 or more')
    """
    position = _position_of(variable_of(variable), at)
    merged = [f"{at} or more"] * (len(variable.labels) - position)
    return _recoded(variable, [*variable.labels[:position], *merged])


def bottom_code(variable: Variable, at: str | float) -> Variable:
    """Merge the category `at` and all lower ones (bottom coding); see `top_code`.

    Examples
    --------
    >>> bottom_code(Variable.of("size", [1, 2, 3, 4, 9]), 3).labels
    ('3 or less', '4', '9')
    """
    position = _position_of(variable_of(variable), at) + 1
    if variable.numeric:
        position = int(np.searchsorted(variable.categories, float(at), side="right"))
    merged = [f"{at} or less"] * position
    return _recoded(variable, [*merged, *variable.labels[position:]])


def _position_of(variable: Variable, at: str | float) -> int:
    """Return the index of a category, or the index at which a number would be inserted."""
    if variable.numeric:
        try:
            wanted = float(at)
        except ValueError:
            wanted = np.nan
        if not variable.categories[0] <= wanted <= variable.categories[-1]:
            raise InputError(
                f"{quoted(variable.name)} has numbers from {variable.labels[0]} to {variable.labels[-1]};"
                f" choose a limit in this range instead of {quoted(at)}."
            )
        return int(np.searchsorted(variable.categories, wanted))
    if at not in variable.labels:
        raise InputError(
            f"{quoted(variable.name)} has no category {quoted(at)}; it has {listed(list(variable.labels))}."
        )
    return variable.labels.index(str(at))


def _numbers(variable: Variable) -> NDArray[np.float64]:
    if not variable_of(variable).numeric:
        raise InputError(f"{_texts(variable)} group its categories.")
    return variable.categories.astype(np.float64)


def _texts(variable: Variable) -> str:
    """Return the beginning of an error message about a variable that is not numeric."""
    texts = [position for position, label in enumerate(variable.labels) if not is_decimal(label)]
    if not texts or len(texts) > min(_FEW_TEXTS, len(variable.labels) - len(texts)):
        return f"{quoted(variable.name)} is not numeric, so it cannot have intervals;"
    number = int(np.isin(variable.codes, texts).sum())
    named = listed([variable.labels[position] for position in texts])
    return (
        f"{number:,} record{'s have' if number != 1 else ' has'} {named} in {quoted(variable.name)}, and all "
        "other values "
        "are numbers: leave these cells empty in the file and open it again, or"
    )


def _spans(
    numbers: NDArray[np.float64], groups: NDArray[np.int64], starts: NDArray[np.float64] | None
) -> list[str]:
    """Return the label of the interval of each number."""
    whole = bool((numbers == np.round(numbers)).all()) and (
        starts is None or bool((starts == np.round(starts)).all())
    )
    words = {}
    for group in np.unique(groups).tolist():
        inside = numbers[groups == group]
        low, high = inside[0], inside[-1]
        if starts is not None:
            last = group == len(starts)
            if last:
                words[group] = f"{starts[-1]:,.15g} or more"
                continue
            high = starts[group] - 1 if whole else starts[group]
            if group == 0:
                words[group] = f"{high:,.15g} or less" if whole else f"below {high:,.15g}"
                continue
            low = starts[group - 1]
        words[group] = f"{low:,.15g}" if low == high else f"{low:,.15g} to {high:,.15g}"
    return [words[group] for group in groups.tolist()]


def _recoded(variable: Variable, labels: Sequence[str]) -> Variable:
    """Return the variable with new labels; categories with the same label are merged."""
    names = list(dict.fromkeys(labels))
    position = np.array([names.index(label) for label in labels], dtype=np.int64)
    codes: Codes = np.where(variable.codes == MISSING, MISSING, position[variable.codes])
    return Variable(variable.name, codes.astype(variable.codes.dtype), np.array(names, dtype=object))
