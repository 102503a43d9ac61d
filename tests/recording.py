"""Comparison of texts and numbers with recorded ones, on machines and with versions that differ in last digits."""

import math
import re

DECIMAL = re.compile(r"(\d+\.\d+)")

#: Relative difference at which numbers of charts are equal on all machines.
EQUAL = 1e-4


def differences(known, found, place=""):
    """Yield the places at which two JSON values differ; numbers may differ a little."""
    if isinstance(known, dict) and isinstance(found, dict):
        for key in sorted(known.keys() | found.keys()):
            yield from differences(known.get(key), found.get(key), f"{place}/{key}")
    elif isinstance(known, list) and isinstance(found, list):
        if len(known) != len(found):
            yield f"{place}: {len(known)} parts were recorded, {len(found)} are shown"
        for index, pair in enumerate(zip(known, found, strict=False)):
            yield from differences(*pair, f"{place}/{index}")
    elif isinstance(known, int | float) and isinstance(found, int | float):
        if not math.isclose(known, found, rel_tol=EQUAL, abs_tol=1e-9):
            yield f"{place}: {known} was recorded, {found} is shown"
    elif isinstance(known, str) and isinstance(found, str):
        if not is_equal_text(known, found):
            yield f"{place}: {known!r} was recorded, {found!r} is shown"
    elif known != found:
        yield f"{place}: {known!r} was recorded, {found!r} is shown"


def is_equal_text(known, found):
    """Return whether two texts are equal, but for one unit in the last place of numbers with decimals."""
    if known == found:
        return True
    old, new = DECIMAL.split(known), DECIMAL.split(found)
    if len(old) != len(new) or old[::2] != new[::2]:
        return False
    for before, after in zip(old[1::2], new[1::2], strict=True):
        unit = 10.0 ** -len(before.partition(".")[2])
        if len(before) != len(after) or abs(float(before) - float(after)) > 1.01 * unit:
            return False
    return True
