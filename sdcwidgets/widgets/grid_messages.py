"""Messages of a grid to the browser."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdcwidgets.tables.release import Release


def binary(array: NDArray[np.number] | None, part: tuple[slice, ...]) -> bytes | None:
    """Return numbers in the binary format of the browser; float64 represents all counts up to 2^53 exactly."""
    return None if array is None else array[part].astype("<f8").tobytes()


def margin_texts(release: Release, *names: str) -> list[str] | None:
    """Return the texts of a margin, with ≠ before those that differ from the sum of their cells, or None."""
    if tuple(release.axis(name) for name in names) not in release.values:
        return None
    apart = np.abs(np.nan_to_num(np.atleast_1d(release.discrepancy(*names)))) > 1e-9
    texts = np.atleast_1d(release.display_texts(*names))
    return [f"≠ {text}" if differs else str(text) for text, differs in zip(texts, apart, strict=True)]


def window(margin: dict[str, Any] | None, part: slice) -> dict[str, Any] | None:
    """Return the visible part of a margin, None if there is no margin."""
    if margin is None:
        return None
    parts = margin.get("parts")
    return {
        "values": [str(value) for value in margin["values"][part]],
        "parts": None if parts is None else np.nan_to_num(np.asarray(parts, dtype=float)[part]).tolist(),
        "part_labels": list(margin.get("part_labels", ())),
    }
