"""Record keys, and the cell keys that are computed from them."""

from __future__ import annotations

import hashlib
import warnings
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sdcwidgets._util.arguments import check_frame, check_kind, check_number, numbers_of, whole_numbers_of
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import quoted
from sdcwidgets._util.parameters import check_secret
from sdcwidgets._util.seeds import seed_caution
from sdcwidgets.core.streams import uniform

if TYPE_CHECKING:
    import pandas as pd

#: Number of different keys: keys have nine decimals, so sums of whole numbers below this are exact.
GRID = 10**9

#: Maximum number of people per cell with separate record keys, if a table has no records; the rest share a key.
LISTED = 50

#: Number of records to add at once: the sum is below 2^53, so a float represents it exactly.
MOST_ADDED = 2**23

#: Maximum number of cells of a table.
MOST_CELLS = 10**9


def record_keys(cells: ArrayLike, people: ArrayLike, seed: int) -> NDArray[np.float64]:
    """Return record keys for the people of a table without records, by cell and number of the person.

    Real records get random keys once and keep them. For a table without records, the key depends only on the
    cell and the number of the person. One more person in a cell therefore does not change the keys of the
    others.

    Parameters
    ----------
    cells : array_like of int
        Number of the cell, of a shape that broadcasts with `people`.
    people : array_like of int
        Number of the person in the cell, from 0.
    seed : int
        Seed; another seed gives other keys.

    Returns
    -------
    ndarray of float
        Keys in [0, 1) with nine decimals.

    Examples
    --------
    >>> keys = record_keys(5, [0, 1, 2], seed=1)
    >>> bool(record_keys(5, 1, seed=1) == keys[1]), bool((keys == record_keys(6, [0, 1, 2], seed=1)).any())
    (True, False)
    """
    check_number("seed", seed, whole=True)
    whole_numbers_of("cells", cells)
    whole_numbers_of("people", people)
    cell, person = np.broadcast_arrays(np.asarray(cells), np.asarray(people))
    own = uniform(cell.ravel().astype(np.uint64) + np.uint64(seed * 2**40 % 2**64), 0)
    # Each cell starts at a different multiple of 2^11, and neighbouring starting points are mixed well.
    start = (own * 2.0**53).astype(np.uint64) * np.uint64(2**11)
    keys = np.floor(uniform(start + person.ravel().astype(np.uint64), 1) * GRID) / GRID
    return keys.reshape(cell.shape)


def check_keys(keys: NDArray[np.float64], owner: str, largest_key: int | None = None) -> None:
    """Raise InputError unless all keys are in their range.

    Parameters
    ----------
    keys : ndarray of float
    owner : {"record", "cell"}
        Owner of the keys in the message.
    largest_key : int, optional
        Largest whole key; default: keys are in [0, 1).

    Raises
    ------
    InputError
        If a key is missing or outside its range.
    """
    is_right = is_key(keys, largest_key)
    if not is_right.all():
        raise InputError(f"A {owner} key is {keys[~is_right][0]:g}; it must be {range_of_keys(largest_key)}.")


def is_key(keys: NDArray[np.float64], largest_key: int | None = None) -> NDArray[np.bool_]:
    """Return which numbers are in the range of keys.

    Parameters
    ----------
    keys : ndarray of float
    largest_key : int, optional
        Largest whole key; default: keys are in [0, 1).

    Examples
    --------
    >>> is_key(np.array([0.5, 1, 255, 256]), 255).tolist(), is_key(np.array([0.5, 1])).tolist()
    ([False, True, True, False], [True, False])
    """
    if largest_key is None:
        in_range: NDArray[np.bool_] = (keys >= 0) & (keys < 1)
    else:
        in_range = (keys >= 0) & (keys <= largest_key) & (keys == np.floor(keys))
    return in_range


def range_of_keys(largest_key: int | None = None) -> str:
    """Return the range of keys as the end of a sentence."""
    return "from 0 to below 1" if largest_key is None else f"a whole number from 0 to {largest_key}"


def number_of_keys(largest_key: int | None) -> int:
    """Return the number of different keys: `GRID` for keys in [0, 1).

    Parameters
    ----------
    largest_key : int or None
        Largest whole key, such as 255 or 4095; None for keys in [0, 1).

    Raises
    ------
    InputError
        If the largest key is not a whole number from 1 to below `GRID`.
    """
    if largest_key is None:
        return GRID
    check_number("largest_key", largest_key, whole=True)
    if not 1 <= largest_key < GRID:
        raise InputError(f"The largest record key is {largest_key}; it must be from 1 to below {GRID:,}.")
    return int(largest_key) + 1


def keys_of_records(records: pd.DataFrame, secret: int, identity: str = "") -> NDArray[np.float64]:
    """Return a record key for each record, computed from a secret and the identity of the record.

    With the same secret, a record has the same key in any order of the records and in all tables.

    Parameters
    ----------
    records : DataFrame
        One row per record.
    secret : int
        Random number of up to 128 bits. Anyone who knows it and the records can remove the noise. A secret below
        2^48 can be found by trying and causes a warning.
    identity : str, optional
        Column with a unique value per record, so that its key is unchanged if records or columns are added or
        removed. By default all values identify the record, and identical records are numbered.

    Returns
    -------
    ndarray of float, shape (records,)
        Keys in [0, 1) with nine decimals.

    Raises
    ------
    InputError
        If the column does not exist, one of its values is missing or not unique, or the secret is not a whole number
        of at least 0, or is a long number with a pattern, such as 2^64.

    Examples
    --------
    >>> import secrets
    >>> import pandas as pd
    >>> secret = secrets.randbits(128)  # keep it, and use it for all tables of these people
    >>> people = pd.DataFrame({"id": ["x", "y", "z"], "area": ["A", "A", "B"]})
    >>> keys = keys_of_records(people, secret, identity="id")
    >>> bool((keys_of_records(people[::-1], secret, "id")[::-1] == keys).all())
    True
    """
    caution = seed_caution(check_secret("secret", secret))
    if caution:
        warnings.warn(caution, UserWarning, stacklevel=2)
    return derived_record_keys(records, secret, identity)


def derived_record_keys(records: pd.DataFrame, secret: int, identity: str = "") -> NDArray[np.float64]:
    """Return the keys of `keys_of_records`, for a secret that the caller has checked.

    Parameters
    ----------
    records : DataFrame
        One row per record.
    secret : int
        Random number of up to 128 bits. Anyone who knows it and the records can remove the noise. A secret below 2^48
        can be found by trying and causes a warning.
    identity : str, optional
        Column with a unique value per record, so that its key is unchanged if records or columns are added or
        removed. By default all values identify the record, and identical records are numbered.

    Returns
    -------
    ndarray of float, shape (records,)

    Raises
    ------
    InputError
        If the column does not exist, or one of its values is missing or not unique.
    """
    check_frame("records", records)
    check_kind("identity", identity, str, "the name of a column")
    if identity:
        if identity not in records:
            raise InputError(f"The records have no column {quoted(identity)}, which must identify them.")
        column = records[identity]
        for wrong, problem in (
            (column.isna(), "has no value of the column"),
            (column.duplicated(), "repeats a value of the column"),
        ):
            if wrong.any():
                row = int(np.argmax(wrong.to_numpy())) + 1
                raise InputError(
                    f"Record {row} {problem} {quoted(identity)}; each record needs a unique value."
                )
        texts = column.astype(str).tolist()
    else:
        # The length before each value ensures that different records have different texts.
        parts = [
            # In some versions of pandas, astype(str) does not convert missing values.
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


def cell_keys(
    record_keys: ArrayLike, cells: ArrayLike, n_cells: int, *, largest_key: int | None = None
) -> NDArray[np.float64]:
    """Return the cell key of each cell: the fractional part of the sum of its record keys.

    If record keys are whole numbers, the cell key is the remainder of their sum after division by the number of keys.

    Parameters
    ----------
    record_keys : array_like of float, shape (records,)
        Record keys in [0, 1) with nine decimals, so that the sum is exact and independent of the order.
    cells : array_like of int, shape (records,)
        Cell of each record, from 0.
    n_cells : int
        Number of cells.
    largest_key : int, optional
        Largest record key if record keys are whole numbers, such as 255 or 4095; default: keys in [0, 1).

    Returns
    -------
    ndarray of float, shape (n_cells,)
        Cell keys in [0, 1), or whole numbers from 0 to `largest_key`; 0 for an empty cell.

    Raises
    ------
    InputError
        If a key is outside its range, or a cell number is out of range.

    Examples
    --------
    The three men of Table 5.17 of the handbook:

    >>> cell_keys([0.9, 0.3, 0.6], [0, 0, 0], 2)
    array([0.8, 0. ])
    >>> cell_keys([200, 100], [0, 0], 1, largest_key=255)
    array([44.])
    """
    grid = number_of_keys(largest_key)
    check_number("n_cells", n_cells, whole=True)
    if not 0 <= n_cells < MOST_CELLS:
        raise InputError(f"The argument n_cells is {n_cells}; it must be from 0 to below {MOST_CELLS:,}.")
    keys, places = numbers_of("record_keys", record_keys), whole_numbers_of("cells", cells)
    if keys.shape != places.shape or keys.ndim != 1:
        raise InputError("Every record needs one key and one cell; the two arrays have different lengths.")
    check_keys(keys, "record", largest_key)
    if places.size and not (places.min() >= 0 and places.max() < n_cells):
        raise InputError(
            f"A record is in cell {places.max()}, but there are only {n_cells} cells, numbered from 0."
        )
    whole = np.rint(keys * GRID) if largest_key is None else keys
    sums = np.zeros(n_cells)
    for start in range(0, keys.size, MOST_ADDED):
        part = slice(start, start + MOST_ADDED)
        sums = np.remainder(sums + np.bincount(places[part], whole[part], n_cells), grid)
    return sums / GRID if largest_key is None else sums


def mixed_keys(keys: ArrayLike, secret: int) -> NDArray[np.float64]:
    """Mix each cell key with a secret: the result is a uniform number determined by both.

    The cell key of a total is the sum of the cell keys of its parts. The mixed key of a total is independent of
    the mixed keys of its parts, so their noise does not bound its noise. Equal keys have equal mixed keys, so
    the same people have the same noise.

    Parameters
    ----------
    keys : array_like of int
        Cell keys as whole numbers in [0, GRID).
    secret : int
        Secret, 0 or more. Keep it, and use it for all tables of the same records.

    Returns
    -------
    ndarray of float, of the shape of the keys
        Mixed keys in [0, 1).

    Examples
    --------
    >>> first, second, again = mixed_keys([100_000_000, 200_000_000, 100_000_000], secret=5).tolist()
    >>> first == again, first == second
    (True, False)
    """
    check_number("secret", secret, whole=True)
    whole_numbers_of("keys", keys)
    whole = np.asarray(keys).astype(np.uint64)
    start = np.uint64(int.from_bytes(hashlib.blake2b(str(secret).encode(), digest_size=8).digest()))
    # Hash twice: keys that differ by one record are adjacent and would get correlated numbers.
    first = uniform(whole.ravel() * np.uint64(2**24) + start, 0)
    mixed = uniform((first * 2.0**53).astype(np.uint64) ^ start, 1)
    return mixed.reshape(whole.shape)


def table_keys(counts: ArrayLike, seed: int) -> NDArray[np.float64]:
    """Return the cell keys of a table without records.

    The first people of a cell have the keys from `record_keys`. One key replaces the sum of all keys from the
    51st person on. It is uniform like the sum, and differs for each number of people.

    Parameters
    ----------
    counts : array_like of int
        Counts of the table.
    seed : int
        Seed; another seed gives other keys.

    Returns
    -------
    ndarray of float, of the shape of the counts
        Cell keys in [0, 1); 0 for an empty cell.

    Examples
    --------
    >>> keys = table_keys([0, 1, 3], seed=1)
    >>> bool(keys[0] == 0), bool(keys[1] == record_keys(1, 0, seed=1))
    (True, True)
    >>> bool(np.isclose(keys[2], record_keys(2, [0, 1, 2], seed=1).sum() % 1))
    True
    """
    whole_numbers_of("counts", counts)
    whole = np.asarray(counts)
    flat = whole.ravel().astype(np.int64)
    own = np.minimum(flat, LISTED)
    cells = np.repeat(np.arange(flat.size), own)
    number = np.arange(cells.size) - np.repeat(np.cumsum(own) - own, own)
    many = np.flatnonzero(flat > LISTED)
    cells, number = np.concatenate([cells, many]), np.concatenate([number, flat[many]])
    return cell_keys(record_keys(cells, number, seed), cells, flat.size).reshape(whole.shape)
