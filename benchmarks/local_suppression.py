"""Attack local suppression by running the program: `python benchmarks/local_suppression.py [seconds] [seed]`.

The attacker knows the program, its settings, the categories and the released records, but not the secret. The attacker
fills the suppressed values in every possible way, runs the program under many secrets on each of these files, and keeps
the files that lead to the released one. A suppressed value is exact if it is the same in all kept files. The script
prints the rate for the cheapest suppression and for one that a secret chooses, and by how much the latter is larger.
"""

from __future__ import annotations

import itertools
import sys
import time

import numpy as np
import pandas as pd
from scipy.stats import beta

from sdcwidgets.core.microdata.keys import MISSING
from sdcwidgets.microdata import Microdata
from sdcwidgets.microdata.data import Variable
from sdcwidgets.microdata.protecting import suppressed

#: Number of secrets that the attacker tries on each file, and maximum number of files.
SECRETS, FILES = 60, 300


#: Settings of the suppression: an intruder who knows one key at a time. With all keys, the attack finds nothing (0 of
#: 1,263) from the cheapest suppression either, because records are suppressed in groups of k that look the same.
SETTINGS = {"known": 1}


def released(
    codes: np.ndarray, sizes: list[int], k: int, secret: int | None
) -> tuple[np.ndarray, np.ndarray]:
    """Return the records after local suppression, sorted as they are released, and the original of each.

    Parameters
    ----------
    codes : ndarray of int, shape (records, variables)
    sizes : list of int
        Number of categories of each variable.
    k : int
    secret : int or None
        None for the cheapest suppression.
    """
    variables = {
        f"v{j}": Variable(f"v{j}", codes[:, j].astype(np.int16), np.arange(size).astype(str).astype(object))
        for j, size in enumerate(sizes)
    }
    file = Microdata(variables)
    # A generator, because a small number as the seed causes a warning.
    seed = None if secret is None else np.random.default_rng(secret)
    after = suppressed(file, list(variables), k, seed=seed, **SETTINGS).file.codes(list(variables))
    order = np.lexsort([*codes.T[::-1], *after.T[::-1]])
    return after[order], codes[order]


def files_that_fit(published: np.ndarray, sizes: list[int]) -> list[np.ndarray]:
    """Return each file that becomes the published one if values are suppressed, at most `FILES` + 1.

    Records that look the same are interchangeable, so that each combination of their values is taken once.
    """
    looks, member = np.unique(published, axis=0, return_inverse=True)
    of_group = []
    for group, look in enumerate(looks):
        free = [range(sizes[j]) if value == MISSING else (value,) for j, value in enumerate(look)]
        number = int((member.ravel() == group).sum())
        of_group.append(itertools.combinations_with_replacement(list(itertools.product(*free)), number))
    files = itertools.product(*of_group)
    return [np.array(list(itertools.chain(*file))) for file in itertools.islice(files, FILES + 1)]


def exact_values(
    codes: np.ndarray, sizes: list[int], k: int, secret: int | None, secrets: int = SECRETS
) -> tuple[int, int] | None:
    """Return how many suppressed values the attacker finds, and how many there are; None if too many files fit."""
    published, original = released(codes, sizes, k, secret)
    blank = published == MISSING
    files = files_that_fit(published, sizes)
    if not blank.any() or len(files) > FILES:
        return None
    rng = np.random.default_rng(0)
    kept: list[np.ndarray] = []
    for _ in range(secrets):
        for number in rng.permutation(len(files)):
            # The order of the records in the original file is not known.
            file = rng.permutation(files[number])
            drawn = None if secret is None else int(rng.integers(2**62))
            if np.array_equal(released(file, sizes, k, drawn)[0], published):
                kept.append(files[number])
        if kept and not _agreed(kept, published).any():
            return 0, int(blank.sum())
    agreed = _agreed(kept, published) if kept else np.zeros_like(blank)
    found = agreed & (kept[0] == original) if kept else agreed
    return int(found.sum()), int(blank.sum())


def _agreed(kept: list[np.ndarray], published: np.ndarray) -> np.ndarray:
    """Return the suppressed values that are the same in all kept files, for all records that look the same."""
    files = np.stack(kept)
    agreed = np.zeros(published.shape, dtype=bool)
    for look in np.unique(published, axis=0):
        rows = (published == look).all(axis=1)
        values = files[:, rows].reshape(-1, published.shape[1])
        agreed[rows] = (values == values[0]).all(axis=0)
    return agreed & (published == MISSING)


def small_file(number: int) -> tuple[np.ndarray, list[int], int]:
    """Return the codes, the sizes of the variables and k of a random small file."""
    rng = np.random.default_rng(number)
    sizes = rng.integers(2, 4, int(rng.integers(2, 4))).tolist()
    records = int(rng.integers(6, 11))
    codes = np.stack(
        [rng.choice(size, records, p=rng.dirichlet(np.ones(size) * 2)) for size in sizes], axis=1
    )
    return codes, sizes, int(rng.integers(2, 4))


def main() -> None:
    """Print the rates."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 120.0
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    for kind, share in (("cheapest", 0.2), ("secret", 0.7)):
        begun, found, values, number = time.process_time(), 0, 0, seed
        while time.process_time() - begun < share * seconds:
            codes, sizes, k = small_file(number)
            number += 1
            result = exact_values(codes, sizes, k, None if kind == "cheapest" else 2**61 + number)
            if result is not None:
                found, values = found + result[0], values + result[1]
        limit = beta.ppf(0.95, found + 1, values - found)
        print(f"{kind}: {found} of {values} suppressed values are exact, 95 % limit {limit:.1%}", flush=True)
    begun, ratios, number = time.process_time(), [], seed
    while time.process_time() - begun < 0.1 * seconds:
        rng = np.random.default_rng(number)
        frame = pd.DataFrame(
            {f"v{j}": rng.integers(0, size, 300).astype(str) for j, size in enumerate((2, 6, 9))}
        )
        file = Microdata.from_frame(frame)
        least, chosen = (
            sum(suppressed(file, list(frame), 3, seed=secret).blanked.values())
            for secret in (None, np.random.default_rng(number))
        )
        ratios.append(chosen / least)
        number += 1
    print(
        f"suppressed values: {np.median(ratios):.3f} times the cheapest (median), {np.mean(ratios):.3f} (mean)"
    )


if __name__ == "__main__":
    main()
