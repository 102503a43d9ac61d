"""Formulas of log-linear models: conversion between text and the margins that a model fits.

The notation is that of R and statsmodels. ``a + b`` are main effects, ``a:b`` is an interaction, and ``a*b``
means ``a + b + a:b``. ``(a + b + c)^2`` means all main effects and two-way interactions, and ``1`` a model in
which all cells are equal. Names that contain one of the signs are written between backticks.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from typing import TypeAlias

Margins: TypeAlias = list[tuple[int, ...]]
_Terms: TypeAlias = set[frozenset[int]]

_SIGNS = re.compile(r"\*\*|[-+*:^()]|`[^`]*`|[^-+*:^()`]+|`")


def margins_of(formula: str, names: Sequence[str]) -> Margins:
    """Return the margins that the model of a formula fits: its terms that are in no other term.

    Parameters
    ----------
    formula : str
        Formula of the model, for example ``"a*b + c"``.
    names : sequence of str
        Names of the axes, in order.

    Returns
    -------
    list of tuple of int
        Positions of axes, sorted; ``[()]`` for the formula ``"1"``.

    Raises
    ------
    ValueError
        If the formula has a syntax error or an unknown name, or the model is not hierarchical because an
        interaction lacks a term of lower order.

    Examples
    --------
    >>> margins_of("Area*Sex + Age", ["Age", "Area", "Sex"])
    [(0,), (1, 2)]
    >>> margins_of("(a + b + c)^2", "abc")
    [(0, 1), (0, 2), (1, 2)]
    """
    terms = _Reader(formula, names).read()
    for term in sorted(terms, key=sorted):
        for size in range(1, len(term)):
            for part in itertools.combinations(sorted(term), size):
                if frozenset(part) not in terms:
                    whole = [names[axis] for axis in sorted(term)]
                    raise ValueError(
                        f"The formula has {':'.join(whole)} without {':'.join(names[axis] for axis in part)}, "
                        f"so the model is not hierarchical; write {'*'.join(whole)}."
                    )
    return generators(terms)


def generators(terms: Iterable[Iterable[int]]) -> Margins:
    """Return the terms that are not part of another term, sorted.

    Examples
    --------
    >>> generators([(0,), (1, 0), (2,)])
    [(0, 1), (2,)]
    """
    sets = {frozenset(term) for term in terms} or {frozenset()}
    return sorted(tuple(sorted(term)) for term in sets if not any(term < other for other in sets))


def closure(margins: Iterable[tuple[int, ...]]) -> set[tuple[int, ...]]:
    """Return all terms of the model: every subset of a margin, including the empty set.

    Examples
    --------
    >>> sorted(closure([(0, 1), (2,)]))
    [(), (0,), (0, 1), (1,), (2,)]
    """
    return {
        part
        for margin in margins
        for size in range(len(margin) + 1)
        for part in itertools.combinations(margin, size)
    }


def written(margins: Iterable[Iterable[int]], names: Sequence[str]) -> str:
    """Return the formula of the model with these margins.

    Examples
    --------
    >>> written([(0,), (1, 2)], ["Age", "Area", "Sex"])
    'Age + Area*Sex'
    """
    marked = [f"`{name}`" if name == "1" or re.search(r"[-+*:^()]", name) else name for name in names]
    return " + ".join("*".join(marked[axis] for axis in margin) or "1" for margin in generators(margins))


class _Reader:
    """Recursive-descent parser: sum, crossing, interaction, power, name or bracket."""

    def __init__(self, formula: str, names: Sequence[str]) -> None:
        self._names = names
        text = formula.strip().removeprefix("~")
        self._signs = [sign.strip() for sign in _SIGNS.findall(text) if sign.strip()]
        if not self._signs:
            raise ValueError("The formula is empty. Write axis names, for example a*b + c, or 1 for no axis.")

    def read(self) -> _Terms:
        terms = self._sum()
        if self._signs:
            raise self._unexpected()
        return terms - {frozenset()}

    def _next(self, *signs: str) -> bool:
        """Consume the next sign if it is one of these, and return whether it is."""
        if self._signs and self._signs[0] in signs:
            self._signs.pop(0)
            return True
        return False

    def _sum(self) -> _Terms:
        terms = self._crossing()
        while self._next("+"):
            terms = terms | self._crossing()
        return terms

    def _crossing(self) -> _Terms:
        terms = self._interaction()
        while self._next("*"):
            more = self._interaction()
            terms = terms | more | {term | other for term in terms for other in more}
        return terms

    def _interaction(self) -> _Terms:
        terms = self._power()
        while self._next(":"):
            more = self._power()
            terms = {term | other for term in terms for other in more}
        return terms

    def _power(self) -> _Terms:
        terms = self._single()
        while self._next("^", "**"):
            degree = self._signs.pop(0) if self._signs else ""
            if not degree.isdecimal() or not 1 <= int(degree) <= 99:
                raise ValueError(f"The formula has the power {degree or '(missing)'}; use 1 to 99, as in ^2.")
            # A power above the number of terms has the same result.
            single = terms
            for _ in range(min(int(degree), len(single)) - 1):
                terms = terms | {term | other for term in terms for other in single}
        return terms

    def _single(self) -> _Terms:
        if self._next("("):
            terms = self._sum()
            if not self._next(")"):
                raise ValueError("The formula has an opening bracket without a closing bracket.")
            return terms
        if not self._signs or re.fullmatch(r"\*\*|[-+*:^)`]", self._signs[0]):
            raise self._unexpected()
        name = self._signs.pop(0)
        if name == "1":
            return {frozenset()}
        name = name.strip("`")
        if name not in self._names:
            raise ValueError(
                f"The formula has the unknown axis {name!r}; the axes are {', '.join(self._names)}."
            )
        return {frozenset([list(self._names).index(name)])}

    def _unexpected(self) -> ValueError:
        where = f"{self._signs[0]!r}" if self._signs else "its end"
        return ValueError(f"The formula has a syntax error at {where}; a valid example is a*b + c.")
