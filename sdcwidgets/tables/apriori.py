"""A priori files of τ-ARGUS (.hst): cells whose status, cost or protection is set by hand."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sdcwidgets._util.arrays import Flags, Floats, Whole
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import listed, quoted

#: Separators of the codes, in the order in which they are tried.
SEPARATORS = (",", ";", "\t", "|")

#: Statuses, with the number of values that follow each of them.
STATUSES = {"u": 0, "m": 0, "ml": 0, "p": 0, "s": 0, "c": 1, "w": 1, "pl": 2}

#: Required protection of an amount that is unsafe by hand, as a share of the amount; the default of τ-ARGUS.
MANUAL_RANGE = 0.2


@dataclass(frozen=True, eq=False)
class Apriori:
    """Settings of single cells for cell suppression, in the shape of the table with all its sums.

    Attributes
    ----------
    unsafe : ndarray of bool
        Cells that are suppressed and protected as small counts are.
    safe : ndarray of bool
        Cells that are stated to be safe.
    frozen : ndarray of bool
        Cells that must be published.
    costs : ndarray of float
        Cost of suppressing a cell; nan if it is not set.
    below, above : ndarray of float
        Required distance of the bounds of an unsafe cell from its value; nan if it is not set.
    """

    unsafe: Flags
    safe: Flags
    frozen: Flags
    costs: Floats
    below: Floats
    above: Floats

    @classmethod
    def nothing(cls, shape: tuple[int, ...]) -> Apriori:
        """Return an object that sets nothing, for a table of this shape."""
        flags, numbers = np.zeros(shape, dtype=bool), np.full(shape, np.nan)
        return cls(flags, flags, flags, numbers, numbers, numbers)

    def entries(self, numbers: Whole) -> Apriori:
        """Return the settings of some entries of the flattened arrays.

        Parameters
        ----------
        numbers : ndarray of int
            Positions of the entries.
        """
        return Apriori(
            self.unsafe.ravel()[numbers],
            self.safe.ravel()[numbers],
            self.frozen.ravel()[numbers],
            self.costs.ravel()[numbers],
            self.below.ravel()[numbers],
            self.above.ravel()[numbers],
        )

    def conflict(self, sensitive: Flags, values: Floats) -> tuple[int, str] | None:
        """Return the first entry with invalid or contradictory settings, and the reason; None if all are valid.

        Parameters
        ----------
        sensitive : ndarray of bool
            Entries that are sensitive by the rule of the method.
        values : ndarray of float
            Original values. The last one is the grand total.
        """
        last = np.arange(len(values)) == len(values) - 1
        reasons = (
            (self.unsafe & self.frozen, "the cell is set as unsafe and as protected"),
            (self.unsafe & self.safe, "the cell is set as unsafe and as safe"),
            (self.safe & sensitive, "the cell is set as safe, but the rule of the method makes it sensitive"),
            (
                self.frozen & sensitive,
                "the cell is set as protected, but the rule of the method makes it sensitive",
            ),
            (self.unsafe & (values == 0), "the cell is set as unsafe, but a zero is not suppressed"),
            (self.unsafe & last, "the grand total is set as unsafe, but it is always published"),
            (self.costs <= 0, "the cost must be above 0"),
        )
        for flags, reason in reasons:
            if flags.any():
                return int(np.argmax(flags)), reason
        return None


def apriori_of(text: str, axes: Mapping[str, Sequence[str]], name: str = "The a priori file") -> Apriori:
    r"""Read an a priori file of τ-ARGUS.

    Each line has the code of a cell on each axis, and a status: u (unsafe), p (protected, must be published), s (safe),
    c or w with a cost, pl with a lower and an upper protection level, or m and ml (secondary), which are read as u. A
    blank code or "Total" is the total.

    Parameters
    ----------
    text : str
        Content of the file. Commas, semicolons, tabs or vertical bars separate the codes.
    axes : mapping of str to sequence of str
        Labels of each axis, with its sub-totals and its total.
    name : str
        Name of the file in messages.

    Returns
    -------
    Apriori

    Raises
    ------
    InputError
        If a line has another form, or a code is not a label of its axis.

    Examples
    --------
    >>> axes = {"Area": ["a", "b", "Total"], "Sex": ["m", "f", "Total"]}
    >>> apriori = apriori_of("a,m,u\nb,Total,p\n", axes)
    >>> apriori.unsafe.tolist(), apriori.frozen[1].tolist()
    ([[True, False, False], [False, False, False], [False, False, False]], [False, False, True])
    """
    shape = tuple(map(len, axes.values()))
    flags = {status: np.zeros(shape, dtype=bool) for status in ("u", "s", "p")}
    numbers = {part: np.full(shape, np.nan) for part in ("c", "below", "above")}
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    separator = _separator(lines[0][1], len(axes)) if lines else ","
    for number, line in lines:
        where = f"Line {number} of {quoted(name)}"
        parts = [part.strip().strip('"') for part in line.split(separator)]
        codes, rest = parts[: len(axes)], parts[len(axes) :]
        status = rest[0].lower() if rest else ""
        if status not in STATUSES or len(rest) != 1 + STATUSES[status]:
            raise InputError(
                f"{where} is {quoted(line.strip())}; it must have {len(axes)} codes, a status (u, p, s, m, c or pl), a "
                "cost after c, and two protection levels after pl."
            )
        at = tuple(
            _position(code, labels, axis, where)
            for code, (axis, labels) in zip(codes, axes.items(), strict=True)
        )
        values = [_number(value, where) for value in rest[1:]]
        if status == "pl":
            numbers["below"][at], numbers["above"][at] = values
        elif status in ("c", "w"):
            numbers["c"][at] = values[0]
        else:
            flags["u" if status in ("m", "ml") else status][at] = True
    return Apriori(flags["u"], flags["s"], flags["p"], numbers["c"], numbers["below"], numbers["above"])


def _separator(line: str, axes: int) -> str:
    """Return the separator of a line: the first one that gives all codes and a status."""
    for separator in SEPARATORS:
        parts = line.split(separator)
        if len(parts) > axes and parts[axes].strip().strip('"').lower() in STATUSES:
            return separator
    return SEPARATORS[0]


def _position(code: str, labels: Sequence[str], axis: str, where: str) -> int:
    """Return the position of a code on its axis; a blank code and "Total" are the last label."""
    if code in labels:
        return list(labels).index(code)
    if code.lower() in ("", "total"):
        return len(labels) - 1
    raise InputError(
        f"{where} has {quoted(code)} as {quoted(axis)}, which is not one of its categories. The categories are "
        f"{listed(list(labels))}."
    )


def _number(text: str, where: str) -> float:
    """Return a number of at least 0."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 <= number < math.inf:
        raise InputError(f"{where} has {quoted(text)}; it must be a number of 0 or more.")
    return number
