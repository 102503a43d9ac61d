"""What a grid sends to the browser, from what it shows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdcwidgets.tables.release import Release


def binary(array: NDArray[np.number] | None, part: tuple[slice, ...]) -> bytes | None:
    """Return numbers as a browser reads them at once; float64 holds every count up to 2^53."""
    return None if array is None else array[part].astype("<f8").tobytes()


def margin_texts(release: Release, *names: str) -> list[str] | None:
    """Return the texts of a margin, a mark before those that are not the sum of their cells; None: no margin."""
    if tuple(release.axis(name) for name in names) not in release.values:
        return None
    apart = np.abs(np.nan_to_num(np.atleast_1d(release.discrepancy(*names)))) > 1e-9
    texts = np.atleast_1d(release.display_texts(*names))
    return [f"≠ {text}" if differs else str(text) for text, differs in zip(texts, apart, strict=True)]


def window(margin: dict[str, Any] | None, part: slice) -> dict[str, Any] | None:
    """Return the part of a margin that is shown, None for no margin."""
    if margin is None:
        return None
    parts = margin.get("parts")
    return {
        "values": [str(value) for value in margin["values"][part]],
        "parts": None if parts is None else np.nan_to_num(np.asarray(parts, dtype=float)[part]).tolist(),
        "part_labels": list(margin.get("part_labels", ())),
    }
