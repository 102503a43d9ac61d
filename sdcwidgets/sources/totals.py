"""Find the totals that a table carries, check that they add up, and drop them.

A row or column is taken for totals, and a note says so, if

- its label is a word for totals ("Total", "All", "Summe" ...); it must then add up, or the table is refused;
- or it is the last or the first of at least three, is the sum of the others in every cell, and its label
  has the word "total" in it;
- or the same without such a word, and at least two of the sums are above 0. This guess is only made where
  the caller asks for it, since a category can be the sum of the others by accident.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets.axis import Axis
from sdcwidgets.errors import InputError
from sdcwidgets.labels import quoted

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["without_totals"]

#: Labels that say that a row or column holds totals.
_TOTAL = frozenset(
    word.strip()
    for line in (
        "total, totals, grand total, sum, sums, all, all people, all persons, all categories, overall",
        "gesamt, insgesamt, summe, ensemble, somme, totale, somma, suma, soma, totaal, totalt, summa, i alt",
        "yhteensä, kokku, kopā, iš viso, razem, ogółem, celkem, spolu, összesen, mindösszesen, skupaj",
        "ukupno, toplam, σύνολο, всего, итого, разом, общо, 合计, 合計, 总计, 総数, 계",
    )
    for word in line.split(",")
)

_LINES = ("row", "column")


def without_totals(
    counts: NDArray[np.int64], axes: tuple[Axis, Axis], *, guess: bool
) -> tuple[NDArray[np.int64], tuple[Axis, Axis], tuple[str, ...]]:
    """Return a table of two dimensions without its totals, and notes on what was dropped.

    Raises
    ------
    InputError
        If a row or column whose label is a word for totals doesn't add up.
    """
    kept = [np.array([label.strip(" :").casefold() not in _TOTAL for label in axis]) for axis in axes]
    kept = [keep if keep.any() else ~keep for keep in kept]
    for inside in (True, False):  # the totals of single lines first: they tell best where an error is
        for k in (0, 1):
            _check(counts, axes, kept, k, kept[1 - k] == inside)
    named = [(k, axes[k].labels[i]) for k in (0, 1) for i in np.flatnonzero(~kept[k])]
    guessed = []
    for k in (0, 1):
        found = (
            _unnamed(counts.compress(kept[1 - k], axis=1 - k), axes[k], k, guess) if kept[k].all() else None
        )
        if found is not None:
            kept[k][found] = False
            guessed.append((k, axes[k].labels[found]))
    left = [
        Axis(axis.name, tuple(itertools.compress(axis, keep))) for axis, keep in zip(axes, kept, strict=True)
    ]
    return counts[np.ix_(*kept)], (left[0], left[1]), (*_named_notes(named), *_guessed_notes(guessed))


def _check(
    counts: NDArray[np.int64],
    axes: tuple[Axis, Axis],
    kept: list[NDArray[np.bool_]],
    k: int,
    lines: NDArray[np.bool_],
) -> None:
    """Refuse the table if the named totals along axis k are not the sums, in the given lines."""
    across = np.moveaxis(counts, k, 0)
    sums = across[kept[k]].sum(axis=0)
    for i in np.flatnonzero(~kept[k]):
        wrong = np.flatnonzero((across[i] != sums) & lines)
        if wrong.size:
            j = int(wrong[0])
            off = int(across[i, j] - sums[j])
            raise InputError(
                f"{_LINES[1 - k].capitalize()} {quoted(axes[1 - k].labels[j])} sums to {sums[j]:,} but the "
                f"totals {_LINES[k]} {quoted(axes[k].labels[i])} says {across[i, j]:,}, {abs(off):,} too "
                f"{'many' if off > 0 else 'few'}; correct it or remove the totals."
            )


def _unnamed(counts: NDArray[np.int64], axis: Axis, k: int, guess: bool) -> int | None:
    """Return the position on axis k of totals without a word for it as label, None if there are none."""
    if len(axis) < 3:
        return None
    sums = counts.sum(axis=k)
    for i in (len(axis) - 1, 0):
        says = "total" in axis.labels[i].casefold().split()
        needed = 1 if says else 2 if guess else np.inf
        if (sums > 0).sum() >= needed and np.array_equal(2 * counts.take(i, axis=k), sums):
            return i
    return None


def _named_notes(named: list[tuple[int, str]]) -> list[str]:
    if not named:
        return []
    lines = " and ".join(f"{_LINES[k]} {quoted(label)}" for k, label in named)
    return [f"I dropped the totals {lines}: {'they add' if len(named) > 1 else 'it adds'} up."]


def _guessed_notes(guessed: list[tuple[int, str]]) -> list[str]:
    return [
        f"I took {_LINES[k]} {quoted(label)} for totals and dropped it, since it is the sum of the others; "
        'to keep it, name both axes in the top-left cell, as in "Area \\ Religion".'
        for k, label in guessed
    ]
