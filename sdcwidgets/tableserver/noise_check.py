"""Check that noise protects small groups against any number of published tables.

All answers of a public generator are functions of the noisy counts of all groups. Compare a group of few
people with a second population in which it has `most` more people of the same kind. If each noisy count is
also possible in the second population, no set of tables can prove that the group has 1 to `most` people. This
argument concerns possible counts only. An attack that averages answers yields probabilities, which
`averaging` measures.
"""

from __future__ import annotations

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets.methods.cellkey import CellKey
from sdcwidgets.methods.tabular import PostTabular
from sdcwidgets.tableserver.noise import works_by_cell
from sdcwidgets.tableserver.protecting import Protector
from sdcwidgets.tableserver.rules import Rules

#: Maximum probability of a count for which the argument fails.
THIN = 1e-6

#: Largest count that is checked for methods without cell keys.
LARGEST = 200


def check_public(protector: Protector, rules: Rules) -> None:
    """Raise InputError if a method can prove that a group is small."""
    method = protector.method
    if method is None or protector.stage != "after":
        raise InputError("A public generator needs a method after tabulation, such as cell-key.")
    if not rules.difference:
        raise InputError(
            "A public generator needs a difference of at least 1: the size of the largest protected group."
        )
    chance = uncovered(works_by_cell(method), rules.difference)
    if chance > THIN:
        raise InputError(
            f"Under {method.title.lower()} with these settings, up to {chance:.2g} of all counts disclose a group of "
            f"at most {rules.difference} people; a public generator allows {THIN:g}. For groups of 2 people, use "
            "cell-key with D = 10 and V = 3. Larger groups need larger values."
        )


def uncovered(method: PostTabular, most: int) -> float:
    """Return the probability of a count that is impossible with `most` more people.

    The result is the maximum over all original counts. If it is 0, no set of tables proves that a group has 1
    to `most` people, because a population with `most` more people could have produced the same counts.

    Parameters
    ----------
    method : PostTabular
    most : int
        Maximum size of a protected group.

    Returns
    -------
    float

    Examples
    --------
    >>> from sdcwidgets import methods
    >>> wide, usual = (methods.get("cell-key")(D=D, V=3) for D in (10, 3))
    >>> uncovered(wide, 2) < 1e-6, uncovered(usual, 2) > 0.1
    (True, True)
    """
    if isinstance(method, CellKey):
        # The p-table has eight decimals, so its entries decide which values are possible.
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
