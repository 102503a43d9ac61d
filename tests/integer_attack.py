"""An intruder's program against a table generator: whole numbers of people behind all published numbers at once.

It shares no code with the generator: it knows the method's table of chances, and the texts of what was published.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp


@dataclass(frozen=True)
class Published:
    """A table as a reader has it: who is counted, and for the categories of each cell or total its number."""

    where: Mapping[str, frozenset[str]]
    numbers: Mapping[tuple[tuple[str, frozenset[str]], ...], int]
    exact: bool = False

    @classmethod
    def of(cls, query, release, exact: bool = False) -> Published:
        """Take a release apart; of a hidden number nothing is known."""
        numbers = {}
        for kept, array in release.values.items():
            for place in np.ndindex(np.shape(array)):
                value = float(np.asarray(array)[place])
                if value == value:
                    at = []
                    for k, i in zip(kept, place, strict=True):
                        axis = release.axes[k]
                        parts = query.groups.get(axis.name, {})
                        at.append((axis.name, frozenset(parts.get(axis.labels[i], (axis.labels[i],)))))
                    numbers[tuple(at)] = int(value)
        return cls({name: frozenset(part) for name, part in query.where.items()}, numbers, exact)


def of_rounding(base: int) -> Callable[[int], tuple[int, int]]:
    """Return the counts behind a published one when each goes to a neighbouring multiple."""
    return lambda published: (max(0, published - base + 1), published + base - 1)


def of_p_table(table) -> Callable[[int], tuple[int, int]]:
    """Return the counts behind a published one under a p-table, whose last row serves all larger counts."""
    possible: dict[int, set[int]] = {}
    for i, v, low, high in zip(table.i, table.v, table.p_int_lb, table.p_int_ub, strict=True):
        if high > low:
            possible.setdefault(int(i), set()).add(int(v))
    last = max(possible)

    def behind(published: int) -> tuple[int, int]:
        noise = {min(v for part in possible.values() for v in part), max(possible[last])}
        some = [
            i
            for i in range(max(0, published - max(noise)), published - min(noise) + 1)
            if published - i in possible[min(i, last)]
        ]
        return min(some), max(some)

    return behind


def known_small(
    labels: Mapping[str, Iterable[str]],
    tables: Iterable[Published],
    behind: Callable[[int], tuple[int, int]],
    most: int,
    *,
    boxes: bool = False,
) -> Iterator[tuple[tuple[frozenset[str], ...], int, int]]:
    """Yield each published group, and each of one category of every variable, that must have 1 to `most` people.

    With `boxes` also each group of any categories of every variable: those that tables leave when one is taken off
    another.
    """
    names = list(labels)
    people = list(itertools.product(*labels.values()))
    low: dict[bytes, float] = {}
    high: dict[bytes, float] = {}
    groups: dict[bytes, tuple[frozenset[str], ...]] = {}
    for table in tables:
        for at, value in table.numbers.items():
            box = {**{name: frozenset(part) for name, part in labels.items()}, **table.where, **dict(at)}
            for name, part in table.where.items():
                box[name] = box[name] & part
            row = np.array(
                [all(one in box[name] for name, one in zip(names, who, strict=True)) for who in people]
            )
            least, greatest = (value, value) if table.exact else behind(value)
            key = np.packbits(row).tobytes()
            groups[key] = tuple(box[name] for name in names)
            low[key] = max(low.get(key, 0), least)
            high[key] = min(high.get(key, np.inf), greatest)
    if not groups:
        return
    rows = {key: np.unpackbits(np.frombuffer(key, dtype=np.uint8), count=len(people)) for key in groups}
    for k, who in enumerate(people):
        alone = np.eye(len(people), dtype=np.uint8)[k]
        groups.setdefault(np.packbits(alone).tobytes(), tuple(frozenset([one]) for one in who))
        rows[np.packbits(alone).tobytes()] = alone
    choices = [
        [set(one) for k in range(len(part)) for one in itertools.combinations(part, k + 1)]
        for part in labels.values()
    ]
    for box in itertools.product(*choices) if boxes else ():
        inside = [all(one in part for one, part in zip(who, box, strict=True)) for who in people]
        row = np.array(inside, dtype=np.uint8)
        groups.setdefault(np.packbits(row).tobytes(), tuple(map(frozenset, box)))
        rows[np.packbits(row).tobytes()] = row
    A = np.array([rows[key] for key in low], dtype=float)
    system = LinearConstraint(A, [low[key] for key in low], [high[key] for key in low])
    whole = {"integrality": np.ones(len(people)), "bounds": Bounds(0, np.inf), "constraints": system}
    possible = np.empty((0, len(people)))  # people as they may be, as far as they were found
    for key, row in rows.items():
        here = possible @ row
        if low.get(key, 0) > most or (here > most + 0.5).any() or (here < 0.5).any():
            continue
        found = milp(-row.astype(float), **whole)
        if found.status == 3:
            continue
        assert found.status == 0, found.message
        least = milp(row.astype(float), **whole)
        possible = np.vstack([possible, found.x, least.x])
        if -found.fun < most + 0.5 and least.fun > 0.5:
            yield groups[key], round(least.fun), round(-found.fun)
