"""A public generator: noise under which nobody becomes known, however many tables are asked for.

Whatever it says is a function of the noisy numbers of all groups. Take a group of few people, and another world with
`most` more of the same kind in it. If each noisy number may also stand for `most` people more, that world could have
published all the same, so that nobody can tell the two apart by what is possible: no set of tables, in whatever order
and from whomever, tells of a group that it has 1 to `most` people. What averaging tells by what is likely is another
matter; `averaging` measures it.
"""

from __future__ import annotations

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets.methods.cellkey import CellKey
from sdcwidgets.methods.tabular import PostTabular
from sdcwidgets.tableserver.noise import works_by_cell
from sdcwidgets.tableserver.protecting import Protector
from sdcwidgets.tableserver.rules import Rules

#: Of so few numbers at most the argument may fail.
THIN = 1e-6

#: Other methods than cell keys are looked at up to this count.
LARGEST = 200


def check_public(protector: Protector, rules: Rules) -> None:
    """Raise InputError unless nobody can become known from any number of tables under this method."""
    method = protector.method
    if method is None or protector.stage != "after":
        raise InputError("A public generator needs a method after tabulation, such as cell-key.")
    if not rules.difference:
        raise InputError(
            "A public generator needs difference of 1 or more: the largest group that is kept safe."
        )
    chance = uncovered(works_by_cell(method), rules.difference)
    if chance > THIN:
        raise InputError(
            f"Under {method.title.lower()} with these settings up to {chance:.2g} of all numbers could tell of a group "
            f"that it has at most {rules.difference} people; a public generator allows {THIN:g}: take cell-key with "
            "D = 10 and V = 3 for 2 people, more for more."
        )


def uncovered(method: PostTabular, most: int) -> float:
    """Return how likely a published number could not also stand for `most` people more, at most over all true counts.

    Where it is 0, no set of tables, however many, tells of a group that it has 1 to `most` people: the world with
    `most` people more in it would have published the very same numbers.

    Examples
    --------
    >>> from sdcwidgets import methods
    >>> wide, usual = (methods.get("cell-key")(D=D, V=3) for D in (10, 3))
    >>> uncovered(wide, 2) < 1e-6, uncovered(usual, 2) > 0.1
    (True, True)
    """
    if isinstance(method, CellKey):
        # What the p-table, with its eight decimals, can really lead to.
        table = method.noise_table()
        chances = np.zeros((int(table["i"].max()) + most + 2, int(table["j"].max()) + most + 2))
        np.add.at(chances, (table["i"], table["j"]), table["p"])
        for more in range(int(table["i"].max()) + 1, len(chances)):
            chances[more, 1:] = chances[more - 1, :-1]
    else:
        chances = np.asarray(method.transition(LARGEST))
    here, there = chances[1:-most], chances[1 + most :]
    rows = len(here) if isinstance(method, CellKey) else len(here) // 2
    return float(np.where(there > 0, 0, here).sum(axis=1)[:rows].max())
