"""A table with its counts before and after protection, or their difference."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.labels import NOT_AVAILABLE, NUMBER_FORMAT
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.grid import UNKNOWN_MARK, Grid

#: Views of the table.
LOOKS = {"change": "Before → after", "before": "Before", "after": "After", "difference": "Difference"}

#: Legend of the marks.
_MARKS = "Shaded = changed. Framed = original count of 1 or 2. Striped = zero."

#: Hint on unknown counts in an editable table.
SETTLES = " A number that you type there, also 0, is a known count."


class ChangeGrid(Grid):
    """An editable grid of original counts, with the published counts next to them."""

    def show_change(
        self, true: FrequencyTable, release: Release, look: str, total: str, hits: tuple[Collection[str], ...]
    ) -> None:
        """Show a two-way table and its release.

        Parameters
        ----------
        true : FrequencyTable
            Original counts.
        release : Release
            Release in the same arrangement; if it has fewer categories, only the release is shown.
        look : str
            One of `LOOKS`.
        total : str
            Label of the totals.
        hits : (rows, columns)
            Labels of rows and columns to mark.
        """
        rows, columns = (
            [k for k, label in enumerate(axis) if label in of]
            for axis, of in zip(true.axes, hits, strict=True)
        )
        marked = (tuple(rows), tuple(columns))
        unknown = np.zeros(true.shape, dtype=bool) if true.unknown is None else true.unknown
        legend_of_unknown = "" if true.unknown is None else f" {UNKNOWN_MARK}"
        if release.axes != true.axes or look == "after":
            self.show_release(
                release, editable=False, after=None, hits=marked if release.axes == true.axes else ((), ())
            )
            self.update(hint=f"Striped = zero. Framed = count of 1 or 2.{legend_of_unknown}")
            return
        names = [axis.name for axis in true.axes]
        published = release.display_texts(*names)
        sides = [true.counts.sum(axis=1), true.counts.sum(axis=0), np.array([true.total])]
        sides_with_unknown = [np.atleast_1d(unknown.any(axis=axis)) for axis in (1, 0, None)]
        texts = [
            _changed(side, has_unknown, release, of, look)
            for side, has_unknown, of in zip(
                sides, sides_with_unknown, ((names[0],), (names[1],), ()), strict=True
            )
        ]
        margins = {
            "row_margin": {"title": total, "values": texts[0]},
            "column_margin": {"title": total, "values": texts[1]},
            "corner": {"text": texts[2][0]},
        }
        if look == "difference":
            difference = release.cells - true.counts
            signs = np.array([_signed(value) for value in difference.ravel()]).reshape(difference.shape)
            self.update(
                **_labels(true),
                counts=true.counts,
                editable=False,
                suppressed=np.where(unknown, NOT_AVAILABLE, np.where(signs == "", " ", signs)),
                unknown=true.unknown,
                after=None,
                hits=marked,
                hint=f"Each cell shows the published count minus the original count. Empty = unchanged."
                f"{legend_of_unknown}",
                **margins,
            )
            return
        same = (release.cells == true.counts) | unknown
        after = np.where(same, "", published.astype(str)) if look == "change" else None
        self.update(
            **_labels(true),
            counts=true.counts,
            editable=True,
            suppressed=None,
            unknown=true.unknown,
            after=after,
            hits=marked,
            hint=f"{_MARKS}{legend_of_unknown}{SETTLES if legend_of_unknown else ''}",
            **margins,
        )


def _labels(true: FrequencyTable) -> dict[str, object]:
    row, column = true.axes
    return {"row_name": row.name, "column_name": column.name, "rows": row.labels, "columns": column.labels}


def _changed(
    side: NDArray[np.int64],
    unknown: NDArray[np.bool_],
    release: Release,
    names: tuple[str, ...],
    look: str,
) -> list[str]:
    """Return the texts of a margin; a total that is not published is the sum of the published cells."""
    published = np.atleast_1d(release.marginal(*names))
    texts = np.atleast_1d(release.display_texts(*names))
    changes = []
    for before, has_unknown, after, text in zip(
        side.tolist(), unknown.tolist(), published.tolist(), texts.tolist(), strict=True
    ):
        if has_unknown:
            changes.append(NOT_AVAILABLE)
        elif look == "before" or before == after:
            changes.append(format(before, NUMBER_FORMAT))
        elif look == "difference":
            changes.append(_signed(after - before))
        else:
            changes.append(f"{before:{NUMBER_FORMAT}} → {text}")
    return changes


def _signed(value: float) -> str:
    if np.isnan(value):
        return "suppressed"
    return "" if value == 0 else f"{value:+,.15g}".replace("-", "−")
