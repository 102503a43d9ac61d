"""Keys of records, and the keys of cells that follow from them."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import quoted
from sdcwidgets.core.streams import uniform

if TYPE_CHECKING:
    import pandas as pd

#: Keys count with nine decimals: whole numbers below this are added without any rounding, in any order.
GRID = 10**9

#: In a table without records so many people of each cell have keys of their own; the others have one together.
LISTED = 50

#: So many records are added at a time: their sum is below 2^53, so that a float holds it exactly.
MOST_ADDED = 2**23


def record_keys(cells: ArrayLike, people: ArrayLike, seed: int) -> NDArray[np.float64]:
    """Return the key of the person with this number in this cell: the same whoever else is counted.

    Real records are given random keys once, and keep them. Where a table has no records behind it, this stands
    for them: a person is told by cell and number, so that one more person in a cell leaves all other keys as
    they are.

    Parameters
    ----------
    cells, people : array_like of int, of shapes that broadcast
        The number of the cell, and of the person in it, from 0.
    seed : int
        Another seed is other keys for everybody.

    Returns
    -------
    ndarray of float
        From 0 to below 1, with nine decimals.

    Examples
    --------
    >>> keys = record_keys(5, [0, 1, 2], seed=1)
    >>> bool(record_keys(5, 1, seed=1) == keys[1]), bool((keys == record_keys(6, [0, 1, 2], seed=1)).any())
    (True, False)
    """
    cell, person = np.broadcast_arrays(np.asarray(cells), np.asarray(people))
    own = uniform(cell.ravel().astype(np.uint64) + np.uint64(seed * 2**40 % 2**64), 0)
    # Each cell begins at a place of its own, a multiple of 2^11; neighbours are mixed well.
    start = (own * 2.0**53).astype(np.uint64) * np.uint64(2**11)
    keys = np.floor(uniform(start + person.ravel().astype(np.uint64), 1) * GRID) / GRID
    return keys.reshape(cell.shape)


def check_keys(keys: NDArray[np.float64], owner: str) -> None:
    """Raise InputError unless all keys are from 0 to below 1; `owner` says whose they are."""
    wrong = keys[~((keys >= 0) & (keys < 1))]
    if wrong.size:
        raise InputError(f"A {owner} key is {wrong[0]:g}; it must be from 0 to below 1.")


def keys_of_records(records: pd.DataFrame, secret: int, identity: str = "") -> NDArray[np.float64]:
    """Return a key for each record, made of a secret and of what tells the record apart.

    With the same secret a record has the same key in any order of the records, whichever tables are made of them.

    Parameters
    ----------
    records : DataFrame
    secret : int
        At least 0. Who knows it, and the records, can take the noise off.
    identity : str, optional
        A column of which each record has its own value, so that its key stays when records or columns come and go.
        Without it all that the record holds tells it apart; records that agree in everything are numbered.

    Returns
    -------
    ndarray of float, shape (records,)
        From 0 to below 1, with nine decimals.

    Raises
    ------
    InputError
        If there is no such column, or a value of it is missing or stands twice.

    Examples
    --------
    >>> import pandas as pd
    >>> people = pd.DataFrame({"id": ["x", "y", "z"], "area": ["A", "A", "B"]})
    >>> keys = keys_of_records(people, secret=1, identity="id")
    >>> bool((keys_of_records(people[::-1], 1, "id")[::-1] == keys).all())
    True
    """
    if identity:
        if identity not in records:
            raise InputError(f"The records have no column {quoted(identity)} that tells them apart.")
        column = records[identity]
        for wrong, problem in ((column.isna(), "has no"), (column.duplicated(), "has another's")):
            if wrong.any():
                row = int(np.argmax(wrong.to_numpy())) + 1
                raise InputError(
                    f"Record {row} {problem} {quoted(identity)}; each record needs one of its own."
                )
        texts = column.astype(str).tolist()
    else:
        # Each value with its length in front, so that no two records are the same text by accident.
        parts = [
            # A missing value stays no text in some versions of pandas.
            [f"{len(value)}:{value}" for value in map(str, records[name].astype(str).tolist())]
            for name in records
        ]
        whole = ["".join(row) for row in zip(*parts, strict=True)]
        numbers: dict[str, int] = {}
        texts = []
        for text in whole:
            numbers[text] = numbers.get(text, -1) + 1
            texts.append(f"{text}{numbers[text]}")
    key = hashlib.blake2b(str(secret).encode()).digest()
    drawn = [
        int.from_bytes(hashlib.blake2b(text.encode(), key=key, digest_size=8).digest()) for text in texts
    ]
    return np.array([draw * GRID >> 64 for draw in drawn], dtype=np.float64) / GRID


def cell_keys(record_keys: ArrayLike, cells: ArrayLike, n_cells: int) -> NDArray[np.float64]:
    """Return the key of each cell: the fractional part of the sum of the keys of its records.

    Parameters
    ----------
    record_keys : array_like of float, shape (records,)
        From 0 to below 1, counted with nine decimals: so the sum is exact, and the order of the records
        does not matter.
    cells : array_like of int, shape (records,)
        The cell that each record is in, from 0.
    n_cells : int

    Returns
    -------
    ndarray of float, shape (n_cells,)
        From 0 to below 1; 0 for an empty cell.

    Raises
    ------
    InputError
        If a key is not from 0 to below 1, or a cell is not one of them.

    Examples
    --------
    The three men of the handbook's Table 5.17:

    >>> cell_keys([0.9, 0.3, 0.6], [0, 0, 0], 2)
    array([0.8, 0. ])
    """
    keys, places = np.asarray(record_keys, dtype=np.float64), np.asarray(cells)
    if keys.shape != places.shape or keys.ndim != 1:
        raise InputError("Every record needs one key and one cell; the two lists have different lengths.")
    check_keys(keys, "record")
    if places.size and not (places.min() >= 0 and places.max() < n_cells):
        raise InputError(f"A record is in cell {places.max()}; there are {n_cells}, from 0.")
    whole = np.rint(keys * GRID)
    sums = np.zeros(n_cells)
    for start in range(0, keys.size, MOST_ADDED):
        part = slice(start, start + MOST_ADDED)
        sums = np.remainder(sums + np.bincount(places[part], whole[part], n_cells), GRID)
    return sums / GRID


def mixed_keys(keys: ArrayLike, secret: int) -> NDArray[np.float64]:
    """Return each cell key mixed with a secret: a uniform number that only the key and the secret determine.

    The key of a total is the sum of the keys of its parts. The mixed key of a total is independent of the mixed keys of
    its parts, so that their noise does not bound its noise. Equal keys stay equal: the same people keep the same noise.

    Parameters
    ----------
    keys : array_like of int
        Cell keys as whole numbers from 0 to below GRID.
    secret : int
        At least 0. It must be kept, and be the same for all tables of the same records.

    Returns
    -------
    ndarray of float, of the shape of the keys
        From 0 to below 1.

    Examples
    --------
    >>> first, second, again = mixed_keys([100_000_000, 200_000_000, 100_000_000], secret=5).tolist()
    >>> first == again, first == second
    (True, False)
    """
    whole = np.asarray(keys).astype(np.uint64)
    start = np.uint64(int.from_bytes(hashlib.blake2b(str(secret).encode(), digest_size=8).digest()))
    # Twice, since neighbouring keys are the same person more or less.
    first = uniform(whole.ravel() * np.uint64(2**24) + start, 0)
    mixed = uniform((first * 2.0**53).astype(np.uint64) ^ start, 1)
    return mixed.reshape(whole.shape)


def table_keys(counts: ArrayLike, seed: int) -> NDArray[np.float64]:
    """Return the keys of the cells of a table that has no records behind it.

    The first people of a cell have the keys that `record_keys` gives them. From the 51st on, one key stands for
    the sum of all others: it is as uniform as the sum is, and another for each number of people.

    Parameters
    ----------
    counts : array_like of int
    seed : int
        Another seed is other keys for everybody.

    Returns
    -------
    ndarray of float, of the shape of the counts
        From 0 to below 1; 0 for an empty cell.

    Examples
    --------
    >>> keys = table_keys([0, 1, 3], seed=1)
    >>> bool(keys[0] == 0), bool(keys[1] == record_keys(1, 0, seed=1))
    (True, True)
    >>> bool(np.isclose(keys[2], record_keys(2, [0, 1, 2], seed=1).sum() % 1))
    True
    """
    whole = np.asarray(counts)
    flat = whole.ravel().astype(np.int64)
    own = np.minimum(flat, LISTED)
    cells = np.repeat(np.arange(flat.size), own)
    number = np.arange(cells.size) - np.repeat(np.cumsum(own) - own, own)
    many = np.flatnonzero(flat > LISTED)
    cells, number = np.concatenate([cells, many]), np.concatenate([number, flat[many]])
    return cell_keys(record_keys(cells, number, seed), cells, flat.size).reshape(whole.shape)
