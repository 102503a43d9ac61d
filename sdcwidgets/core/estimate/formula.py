"""Formulas of log-linear models over axis names, read into the margins that a model keeps.

A formula is written as in R and in statsmodels: ``a + b`` are main effects, ``a:b`` is the interaction of two
axes, ``a*b`` stands for ``a + b + a:b``, ``(a + b + c)^2`` for all main effects and two-way interactions, and
``1`` for a model in which all cells are equal. A name with a sign in it is written between backticks.
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
    """Return the margins that the model of a formula keeps: its terms that are in no other term.

    Parameters
    ----------
    formula : str
        As in ``"a*b + c"``.
    names : sequence of str
        The names of the axes, in their order.

    Returns
    -------
    list of tuple of int
        Positions of axes, sorted; ``[()]`` for the formula ``"1"``.

    Raises
    ------
    ValueError
        If the formula cannot be read, has a name that is no axis, or has an interaction without the terms
        below it, so that its model is not hierarchical.

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
    """Return the terms that are part of no other term, sorted.

    Examples
    --------
    >>> generators([(0,), (1, 0), (2,)])
    [(0, 1), (2,)]
    """
    sets = {frozenset(term) for term in terms} or {frozenset()}
    return sorted(tuple(sorted(term)) for term in sets if not any(term < other for other in sets))


def closure(margins: Iterable[tuple[int, ...]]) -> set[tuple[int, ...]]:
    """Return every set of axes within a margin, the empty one among them: all terms of the model.

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
    """Return the formula of a model that keeps these margins.

    Examples
    --------
    >>> written([(0,), (1, 2)], ["Age", "Area", "Sex"])
    'Age + Area*Sex'
    """
    marked = [f"`{name}`" if name == "1" or re.search(r"[-+*:^()]", name) else name for name in names]
    return " + ".join("*".join(marked[axis] for axis in margin) or "1" for margin in generators(margins))


class _Reader:
    """A reader by descent: a sum of crossings of interactions of powers of names and brackets."""

    def __init__(self, formula: str, names: Sequence[str]) -> None:
        self._names = names
        text = formula.strip().removeprefix("~")
        self._signs = [sign.strip() for sign in _SIGNS.findall(text) if sign.strip()]
        if not self._signs:
            raise ValueError("The formula is empty; write names of axes, as in a*b + c, or 1 for none.")

    def read(self) -> _Terms:
        terms = self._sum()
        if self._signs:
            raise self._unexpected()
        return terms - {frozenset()}

    def _next(self, *signs: str) -> bool:
        """Take the next sign if it is one of these."""
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
            terms = terms | more | {a | b for a in terms for b in more}
        return terms

    def _interaction(self) -> _Terms:
        terms = self._power()
        while self._next(":"):
            more = self._power()
            terms = {a | b for a in terms for b in more}
        return terms

    def _power(self) -> _Terms:
        terms = self._single()
        while self._next("^", "**"):
            degree = self._signs.pop(0) if self._signs else ""
            if not degree.isdecimal() or not 1 <= int(degree) <= 99:
                raise ValueError(f"The formula has the power {degree or 'of nothing'}; write one such as ^2.")
            # More factors than terms give nothing new.
            single = terms
            for _ in range(min(int(degree), len(single)) - 1):
                terms = terms | {a | b for a in terms for b in single}
        return terms

    def _single(self) -> _Terms:
        if self._next("("):
            terms = self._sum()
            if not self._next(")"):
                raise ValueError("The formula has a bracket that is not closed.")
            return terms
        if not self._signs or re.fullmatch(r"\*\*|[-+*:^)`]", self._signs[0]):
            raise self._unexpected()
        name = self._signs.pop(0)
        if name == "1":
            return {frozenset()}
        name = name.strip("`")
        if name not in self._names:
            raise ValueError(
                f"The formula has {name!r}, which is no axis; there are {', '.join(self._names)}."
            )
        return {frozenset([list(self._names).index(name)])}

    def _unexpected(self) -> ValueError:
        where = f"{self._signs[0]!r}" if self._signs else "its end"
        return ValueError(f"The formula cannot be read at {where}; write it as in a*b + c.")
