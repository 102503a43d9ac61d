"""Pairs of overlapping tables of the same records, and the published values of the same people in both."""

import itertools

import numpy as np
import pandas as pd

from sdcwidgets import FrequencyTable
from sdcwidgets.methods import cellkey

NAMES = ("Area", "Age", "Sex", "Job")


def people(rng):
    """Return records with three to five categories per variable, and their record keys."""
    number = int(rng.integers(60, 200))
    columns = {name: [f"{name} {k}" for k in rng.integers(0, rng.integers(3, 6), number)] for name in NAMES}
    return pd.DataFrame(columns), rng.random(number)


def released(records, keys, axes, p_table, secret):
    """Return the release of a table of some records by their record keys."""
    table = FrequencyTable.from_records(records, axes)
    codes = [[axis.position(label) for label in records[axis.name]] for axis in table.axes]
    cells = np.ravel_multi_index(codes, table.shape)
    cell_keys = cellkey.cell_keys(keys, cells, table.cells).reshape(table.shape)
    return cellkey.release(table, cell_keys, p_table, secret=secret), table


def values(release, table, fixed=()):
    """Return each published value and its original count, by the set of categories of its people."""
    result = {}
    for kept, published in dict(release.values).items():
        counts = table.counts.sum(axis=tuple(k for k in range(table.ndim) if k not in kept))
        for place, value in np.ndenumerate(published):
            labels = {
                (release.axes[k].name, release.axes[k].labels[i]) for k, i in zip(kept, place, strict=True)
            }
            result[frozenset(labels | set(fixed))] = float(value), int(counts[place])
    return result


def compared(rng, p_table, secrets):
    """Return how many values of the same people two tables publish, how many differ, and how many have noise.

    The second table has other axes, and in every second pair only the people of one category.
    """
    records, keys = people(rng)
    first = rng.permutation(NAMES)[:3].tolist()
    if rng.integers(2):
        second = [first[1], *(name for name in NAMES if name not in first), first[0]]
        other, fixed, chosen = records, (), keys
    else:
        second = first[:2]
        label = records[first[2]].iloc[0]
        is_member = (records[first[2]] == label).to_numpy()
        other, fixed, chosen = (
            records[is_member].reset_index(drop=True),
            ((first[2], label),),
            keys[is_member],
        )
    one = values(*released(records, keys, first, p_table, secrets[0]))
    two = values(*released(other, chosen, second, p_table, secrets[1]), fixed)
    common = [people for people in one if people in two and one[people][1] > 0]
    assert all(one[people][1] == two[people][1] for people in common)
    differ = sum(one[people][0] != two[people][0] for people in common)
    noisy = sum(one[people][0] != one[people][1] for people in common)
    return len(common), differ, noisy


def of_pairs(pairs, seed, secrets):
    """Return the sums of `compared` over some pairs, with p-tables of several settings."""
    rng = np.random.default_rng(seed)
    tables = [cellkey.p_table(D, V, js) for D, V, js in ((3, 1, 0), (4, 3, 1), (5, 3, 2))]
    results = [compared(rng, p_table, secrets) for _, p_table in zip(range(pairs), itertools.cycle(tables))]
    return tuple(map(sum, zip(*results, strict=True)))
