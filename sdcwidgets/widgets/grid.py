"""The grid: a table of counts as a native HTML table of number fields.

The browser never sets a trait of a grid. It sends messages, which are checked here. The kernel sends four dicts: the
frame (labels and layout), the cells, the margins, and the reply to the last edit. Of a large table only a window is
sent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import numpy as np
import traitlets
from numpy.typing import NDArray

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import NOT_AVAILABLE, parse_count
from sdcwidgets.tables.arrangement import two_way
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.arrays import ArrayTrait
from sdcwidgets.widgets.base import STATIC, check_traits
from sdcwidgets.widgets.grid_messages import binary, margin_texts, window
from sdcwidgets.widgets.table_binding import TableBinding
from sdcwidgets.widgets.texts import ROLES

#: Maximum number of rows and columns in the window.
WINDOW = (100, 60)

#: Legend of the mark of unknown counts.
UNKNOWN_MARK = f"Dashed ({NOT_AVAILABLE}) = unknown count."

_SHAPED = (
    "rows",
    "columns",
    "counts",
    "reference",
    "shade",
    "texts",
    "suppressed",
    "unknown",
    "after",
    "row_margin",
    "column_margin",
)
_DISPLAYED = (
    *_SHAPED,
    "hits",
    "title",
    "row_name",
    "column_name",
    "hint",
    "editable",
    "best",
    "corner",
    "origin",
)


class Grid(TableBinding):
    """A table of counts with marks for small counts and zeros, margins, and editable cells.

    Zeros are striped, counts of 1 or 2 are framed, unknown counts are dashed, and cells that differ from `reference`
    have an arrow. With `texts` and `shade` the grid is a heat map, which is not editable.

    Parameters
    ----------
    table : FrequencyTable, optional
        Two-way table. `table` and `value` then follow each edit, and can be observed and set.
    title : str
        Accessible name of the table.
    row_name : str
        Name of the axis of rows.
    column_name : str
        Name of the axis of columns.
    rows : tuple of str
        Labels of rows; they are data and never markup.
    columns : tuple of str
        Labels of columns; they are data and never markup.
    counts : array of int, shape (rows, columns)
    editable : bool
        Whether the cells are fields. An edit calls the handlers of `on_edit`, which set `counts` or `refuse` it.
        Without handlers the grid applies the edit itself.
    reference : array of int, optional
        Counts for comparison; cells that differ are marked.
    shade : array of float from -1 to 1, optional
        Colours of a heat map: blue below 0, orange above 0.
    texts : array of str, optional
        Texts of a heat map.
    suppressed : array of str, optional
        Texts of suppressed cells, "" for all other cells; the grid is then not editable.
    unknown : array of bool, optional
        Cells with unknown counts, which are 0 in `counts`; a number that a user enters there, also 0, is a known count.
    after : array of str, optional
        Published counts, "" if unchanged: a cell reads 7 → 9, and its count is still editable.
    hits : (rows, columns)
        Indices of rows and columns to mark, such as those with disclosure.
    best : (row, column, reason), optional
        Cell of the heat map to outline, and the reason.
    row_margin : dict, optional
        `title`, `values` (one str per row), and for bars `parts` (three weighted terms each) and `part_labels`.
    column_margin : dict, optional
        The same as `row_margin`, with one value per column.
    corner : dict, optional
        `text` and `parts` of the whole table.
    hint : str, optional
        Line below the table (default: a legend of the marks and keys).

    Examples
    --------
    >>> grid = Grid(rows=("Area 1", "Area 2"), columns=("None", "Other"), counts=[[4, 0], [1, 7]])
    >>> grid.on_edit(lambda counts: print(counts.tolist()))
    >>> grid.edit([(0, 1, "3"), (1, 0, "two")])
    [[4, 3], [1, 7]]
    >>> [(row, column) for row, column, sentence in grid.problems]
    [(1, 0)]

    With a table, in a notebook:

    >>> grid = Grid(FrequencyTable([[4, 0], [1, 7]], {"Area": "AB", "Sex": "mf"}))
    >>> grid.edit([(0, 1, "3")])
    >>> grid.table.total, grid.value["counts"]
    (15, [[4, 3], [1, 7]])
    """

    _esm = STATIC / "grid.js"
    _css = STATIC / "grid.css"

    title = traitlets.Unicode("Table")
    row_name = traitlets.Unicode("")
    column_name = traitlets.Unicode("")
    rows = traitlets.Tuple()
    columns = traitlets.Tuple()
    counts = ArrayTrait(np.int64)
    editable = traitlets.Bool(True)
    reference = ArrayTrait(np.int64)
    shade = ArrayTrait(np.float64)
    texts = ArrayTrait(np.str_)
    suppressed = ArrayTrait(np.str_)
    unknown = ArrayTrait(np.bool_)
    after = ArrayTrait(np.str_)
    hits = traitlets.Tuple(traitlets.Tuple(), traitlets.Tuple(), default_value=((), ()))
    best = traitlets.Tuple(
        traitlets.Int(), traitlets.Int(), traitlets.Unicode(), default_value=None, allow_none=True
    )
    row_margin = traitlets.Dict(default_value=None, allow_none=True)
    column_margin = traitlets.Dict(default_value=None, allow_none=True)
    corner = traitlets.Dict(default_value=None, allow_none=True)
    hint = traitlets.Unicode(None, allow_none=True)
    origin = traitlets.Tuple(traitlets.Int(), traitlets.Int(), default_value=(0, 0))

    frame = traitlets.Dict().tag(sync=True)
    cells = traitlets.Dict().tag(sync=True)
    margins = traitlets.Dict().tag(sync=True)
    reply = traitlets.Dict({"turn": 0, "problems": []}).tag(sync=True)

    def __init__(self, table: FrequencyTable | None = None, **traits: object) -> None:
        super().__init__(**traits)
        #: Mask of the unknown counts for which the last edit entered numbers; None if there are none.
        self.settled: NDArray[np.bool_] | None = None
        self._edited: list[Callable[[NDArray[np.int64]], None]] = []
        self._explained: list[Callable[[str, int], None]] = []
        self.hear("edit", lambda message, _: self._hear_edit(message))
        self.hear("explain", lambda message, _: self._hear_explain(message))
        self.hear("page", lambda message, _: self._hear_page(message))
        self.observe(self._compose, _DISPLAYED)
        self.observe(lambda _: self._answer([]), ("rows", "columns", "counts"))
        self._compose()
        self.begin(table)

    # Methods for the owner of the widget

    def show(self, table: FrequencyTable, reference: FrequencyTable | None = None, **traits: object) -> None:
        """Show a table and other traits at once; if it has more than two axes, the first ones are crossed."""
        table, reference = two_way(table), None if reference is None else two_way(reference)
        row, column = table.axes
        self.update(
            row_name=row.name,
            column_name=column.name,
            rows=row.labels,
            columns=column.labels,
            counts=table.counts,
            reference=None if reference is None else reference.counts,
            **{"suppressed": None, "after": None, "unknown": table.unknown} | traits,
        )

    def show_release(
        self, release: Release, reference: FrequencyTable | None = None, **traits: object
    ) -> None:
        """Show a two-way release with its suppressed cells, and its margins unless they are sums of the cells.

        A margin that differs from the sum of the published cells is marked with ≠. With a reference of the same
        axes, cells that differ are marked.

        Raises
        ------
        InputError
            If the release does not have two axes.
        """
        if release.ndim != 2:
            raise InputError(f"The grid shows two-way tables; this table has {release.ndim} axes.")
        row, column = release.axes
        hidden = release.suppressed
        unknown = release.symbols[release.every] == NOT_AVAILABLE
        sides = [margin_texts(release, *names) for names in ((row.name,), (column.name,), ())]
        if release.plain:
            sides = [None, None, None]
        self.update(
            row_name=row.name,
            column_name=column.name,
            rows=row.labels,
            columns=column.labels,
            counts=np.nan_to_num(release.cells).astype(np.int64),
            reference=None if reference is None or reference.axes != release.axes else reference.counts,
            suppressed=np.where(hidden, release.display_texts(row.name, column.name), "").astype(np.str_)
            if hidden.any()
            else None,
            unknown=unknown if unknown.any() else None,
            row_margin=None if sides[0] is None else {"title": "Total", "values": sides[0]},
            column_margin=None if sides[1] is None else {"title": "Total", "values": sides[1]},
            corner=None if sides[2] is None else {"text": sides[2][0]},
            **traits,
        )

    def update(self, **traits: Any) -> None:
        """Set several traits at once, so that labels and counts can change their size together."""
        check_traits(type(self), traits)
        with self.hold_sync(), self.hold_trait_notifications():
            size = tuple(len(traits.get(name, getattr(self, name))) for name in ("rows", "columns"))
            if size != self._size:
                self.origin = (0, 0)
            for name, value in traits.items():
                setattr(self, name, value)

    def on_edit(self, handler: Callable[[NDArray[np.int64]], None]) -> None:
        """Call `handler(counts)` after each edit; an InputError of the handler rejects the edit."""
        self._edited.append(handler)

    def on_undo(self, handler: Callable[[], None]) -> None:
        """Call `handler()` when the user presses the keys for undo in the grid."""
        self.hear("undo", lambda *_: handler())

    def on_redo(self, handler: Callable[[], None]) -> None:
        """Call `handler()` when the user presses the keys for redo in the grid."""
        self.hear("redo", lambda *_: handler())

    def on_explain(self, handler: Callable[[str, int], None]) -> None:
        """Call `handler(kind, index)` when a number is selected.

        The kind is "row", "column" or "table" for a margin, and "cell" for a cell of a heat map, numbered row by row.
        """
        self._explained.append(handler)
        self._compose()

    def refuse(self, row: int, column: int, sentence: str) -> None:
        """Show the reason next to a cell why its edit was rejected."""
        self._answer([*self.problems, [row, column, sentence]])

    @property
    def problems(self) -> list[list[object]]:
        """Errors of the last edit: row, column and sentence of each cell."""
        reply: dict[str, Any] = self.reply
        return list(reply["problems"])

    def edit(self, cells: list[tuple[int, int, str]]) -> None:
        """Apply texts to cells as one edit; a cell with an invalid text keeps its count."""
        counts, problems = self.counts.copy(), []
        entered = np.zeros(counts.shape, dtype=bool)
        for row, column, text in cells:
            if self._is_unknown(row, column) and text.strip() == NOT_AVAILABLE:
                continue
            try:
                counts[row, column] = parse_count(text)
                entered[row, column] = True
            except ValueError as error:
                problems.append([row, column, f"{self.rows[row]}, {self.columns[column]}: {error}"])
        self.settled = None if self.unknown is None else entered & self.unknown
        differs = counts != self.counts
        changed = np.argwhere(differs if self.settled is None else differs | self.settled)
        with self.hold_sync():
            self._answer([])
            if len(changed):
                try:
                    self._keep(counts)
                except InputError as error:
                    row, column = changed[0].tolist()
                    self.refuse(row, column, str(error))
            self._answer([*problems, *self.problems])

    # Messages from the browser

    def _keep(self, counts: NDArray[np.int64]) -> None:
        if not self._edited:
            unknown = None if self.settled is None else self.unknown & ~self.settled
            self.update(counts=counts, unknown=unknown)
        for handler in self._edited:
            handler(counts)

    def _hear_edit(self, message: Mapping[str, object]) -> None:
        cells, turn = message.get("cells"), message.get("turn")
        if not self._can_edit or type(turn) is not int or not isinstance(cells, list):
            return
        if len(cells) > WINDOW[0] * WINDOW[1] or not all(self._is_cell(cell) for cell in cells):
            return
        with self.hold_sync():
            # The turn is set even if a handler fails, so that the browser shows the actual counts.
            self.reply = self.reply | {"turn": turn}
            self.edit([tuple(cell) for cell in cells])

    def _is_unknown(self, row: int, column: int) -> bool:
        return self.unknown is not None and bool(self.unknown[row, column])

    def _is_cell(self, cell: object) -> bool:
        if not isinstance(cell, list) or [type(part) for part in cell] != [int, int, str]:
            return False
        row, column, text = cell
        return 0 <= row < len(self.rows) and 0 <= column < len(self.columns) and len(text) <= 100

    def _hear_explain(self, message: Mapping[str, object]) -> None:
        kind, index = message.get("kind"), message.get("index")
        rows, columns = self._size
        size = {"row": rows, "column": columns, "table": 1, "cell": rows * columns}
        if isinstance(kind, str) and type(index) is int and 0 <= index < size.get(kind, 0):
            for handler in self._explained:
                handler(kind, index)

    def _hear_page(self, message: Mapping[str, Any]) -> None:
        with suppress(KeyError, TypeError, ValueError):
            steps = (int(np.sign(message["rows"])), int(np.sign(message["columns"])))
            self.origin = tuple(
                start + step * size if 0 <= start + step * size < total else start
                for start, step, size, total in zip(self.origin, steps, WINDOW, self._size, strict=True)
            )

    # Traits and messages for the browser

    @property
    def _size(self) -> tuple[int, int]:
        return len(self.rows), len(self.columns)

    @property
    def _can_edit(self) -> bool:
        return self.editable and self.texts is None and self.suppressed is None and self.counts is not None

    @traitlets.validate(*_SHAPED)
    def _fits(self, proposal: traitlets.Bunch) -> object:
        new = {name: getattr(self, name) for name in _SHAPED} | {proposal.trait.name: proposal.value}
        size = len(new["rows"]), len(new["columns"])
        for name in ("counts", "reference", "shade", "texts", "suppressed", "unknown", "after"):
            if new[name] is not None and new[name].shape != size:
                raise traitlets.TraitError(
                    f"{name} has the shape {new[name].shape}, but the labels have {size}; use update() to set both."
                )
        for name, length in (("row_margin", size[0]), ("column_margin", size[1])):
            values = () if new[name] is None else new[name]["values"]
            if new[name] is not None and len(values) != length:
                raise traitlets.TraitError(f"{name} has {len(values)} values; it must have {length}.")
        return proposal.value

    def _answer(self, problems: list[list[object]]) -> None:
        self.reply = self.reply | {"problems": problems}

    def _compose(self, _: object = None) -> None:
        """Compute the messages to the browser from the traits, for the current window."""
        (top, left), (height, width) = self.origin, WINDOW
        part = (slice(top, top + height), slice(left, left + width))
        with self.hold_sync():
            self.frame = {
                "title": self.title,
                "row_name": self.row_name,
                "column_name": self.column_name,
                "rows": [str(label) for label in self.rows[part[0]]],
                "columns": [str(label) for label in self.columns[part[1]]],
                "origin": list(self.origin),
                "size": list(self._size),
                "window": list(WINDOW),
                "where": self._where(),
                "editable": self._can_edit,
                "hint": self._hint() if self.hint is None else self.hint,
                "row_title": None if self.row_margin is None else self.row_margin["title"],
                "column_title": None if self.column_margin is None else self.column_margin["title"],
                "explain": bool(self._explained),
                "roles": list(ROLES),
                "becomes": self.after is not None,
            }
            self.cells = {
                "counts": binary(self.counts, part),
                "reference": binary(self.reference, part),
                "shade": binary(self.shade, part),
                "texts": None if self.texts is None else self.texts[part].ravel().tolist(),
                "suppressed": None if self.suppressed is None else self.suppressed[part].ravel().tolist(),
                "best": None if self.best is None else list(self.best),
                "after": None if self.after is None else self.after[part].ravel().tolist(),
                "hits": [list(places) for places in self.hits],
            }
            if self.unknown is not None:
                self.cells = self.cells | {"unknown": self.unknown[part].ravel().tolist()}
            self.margins = {
                "row": window(self.row_margin, part[0]),
                "column": window(self.column_margin, part[1]),
                "corner": self.corner,
            }

    def _where(self) -> str:
        """Return a sentence on the visible window of a large table, "" if all of it is visible."""
        sides = zip(("rows", "columns"), self.origin, WINDOW, self._size, strict=True)
        parts = [
            f"{name} {start + 1:,} to {min(start + most, size):,} of {size:,}"
            for name, start, most, size in sides
            if size > most
        ]
        return f"Shown: {' and '.join(parts)}. The results include all cells of the table." if parts else ""

    def _hint(self) -> str:
        sentences = ["Striped = zero. Framed = count of 1 or 2."] if self.texts is None else []
        if self.unknown is not None and self.unknown.any():
            sentences.append(UNKNOWN_MARK)
        if self.reference is not None:
            sentences.append("▴ or ▾ = changed.")
        if self._can_edit:
            sentences.append(
                "To edit a count, type a number. Enter saves, Esc cancels, Tab leaves the table."
            )
        return " ".join(sentences)
