"""Write a release as PX, JSON-stat 2.0 or SDMX-CSV, with the symbols of suppressed cells as statuses."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from os import PathLike
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sdcwidgets._util.csv_writing import DIGITS, csv_text
from sdcwidgets._util.files import put_too
from sdcwidgets._util.labels import NOT_AVAILABLE, total_label

if TYPE_CHECKING:
    from sdcwidgets.tables.release import Release

#: Codes of the SDMX lists CL_OBS_STATUS and CL_CONF_STATUS: a value, a suppressed value, and no value.
_VALUE, _SUPPRESSED, _NO_VALUE = ("A", "F"), ("Q", "C"), ("O", "F")


class _CubeAxis(NamedTuple):
    """An axis with the label of its margin, and a code for each label."""

    name: str
    labels: list[str]
    codes: list[str]


def _cube(release: Release, margins: bool) -> tuple[list[_CubeAxis], Iterator[tuple[float, str]]]:
    """Return the axes with the labels of their totals, and the value and the symbol of each cell or total."""
    sets = [margin for margin in release.values if margins or margin == release.every]
    over = [any(k not in margin for margin in sets) for k in range(release.ndim)]
    shape = [len(axis) + more for axis, more in zip(release.axes, over, strict=True)]
    values, texts = np.full(shape, np.nan), np.full(shape, NOT_AVAILABLE, dtype=object)
    for margin in sets:
        view = tuple(slice(0, len(axis)) if k in margin else -1 for k, axis in enumerate(release.axes))
        values[view], texts[view] = release.values[margin], release.symbols[margin]
    axes = []
    for axis, more in zip(release.axes, over, strict=True):
        codes = axis.codes or axis.labels
        last = [total_label((*axis.labels, *codes))] if more else []
        axes.append(_CubeAxis(axis.name, [*axis.labels, *last], [*codes, *last]))
    return axes, zip(values.ravel().tolist(), map(str, texts.ravel()), strict=True)


def _notes(release: Release, margins: bool) -> tuple[str, ...]:
    """Return the footnotes of a file with or without totals."""
    return (release if margins else release.without_note_on_totals()).notes


def _plain(value: float) -> int | float:
    return int(value) if value == int(value) else float(f"{value:.{DIGITS}g}")


def px(release: Release, path: str | PathLike[str] | None = None, *, margins: bool = True) -> str:
    r"""Return a PX file; symbols of suppressed cells are declared as DATASYMBOL.

    Examples
    --------
    >>> from sdcwidgets.tables.axis import Axis
    >>> from sdcwidgets.tables.release import Release
    >>> area = Axis("Area", ("A", "B", "C"), codes=("01", "02", "03"))
    >>> print(px(Release([area], {(0,): [4, float("nan"), 6]})))
    CHARSET="ANSI";
    AXIS-VERSION="2013";
    CODEPAGE="utf-8";
    MATRIX="RELEASE";
    SUBJECT-CODE="-";
    SUBJECT-AREA="-";
    TITLE="Area";
    CONTENTS="Count";
    UNITS="number";
    DECIMALS=0;
    STUB="Area";
    VALUES("Area")="A","B","C";
    CODES("Area")="01","02","03";
    DATASYMBOL1="c";
    DATA=
    4 "." 6;
    <BLANKLINE>
    """
    notes = _notes(release, margins)
    axes, cells = _cube(release, margins)
    pairs = list(cells)
    symbols = dict.fromkeys(symbol for value, symbol in pairs if value != value)
    dots = {symbol: "." * k for k, symbol in enumerate(itertools.islice(symbols, 6), start=1)}
    names = [_text(axis.name) for axis in axes]
    whole = all(value != value or value == int(value) for value, _ in pairs)
    stub, heading = (names[:-1], names[-1:]) if len(names) > 1 else (names, [])
    lines = [
        'CHARSET="ANSI";',
        'AXIS-VERSION="2013";',
        'CODEPAGE="utf-8";',
        # The format requires these three keywords. The names of a table can contain counts, so they are fixed.
        'MATRIX="RELEASE";',
        'SUBJECT-CODE="-";',
        'SUBJECT-AREA="-";',
        f"TITLE={_text(' by '.join(axis.name for axis in axes))};",
        'CONTENTS="Count";',
        'UNITS="number";',
        f"DECIMALS={0 if whole else 6};",
        f"STUB={','.join(stub)};",
    ]
    if heading:
        lines.append(f"HEADING={','.join(heading)};")
    lines += [f"VALUES({_text(axis.name)})={','.join(map(_text, axis.labels))};" for axis in axes]
    lines += [
        f"CODES({_text(axis.name)})={','.join(map(_text, axis.codes))};"
        for axis in axes
        if axis.codes != axis.labels
    ]
    lines += [f"DATASYMBOL{len(dot)}={_text(symbol)};" for symbol, dot in dots.items()]
    if notes:
        lines.append(f"NOTE={_text(' '.join(notes))};")
    lines.append("DATA=")
    wide = len(axes[-1].labels) if heading else len(pairs)
    texts = [
        f'"{dots.get(symbol, "......")}"' if value != value else str(_plain(value)) for value, symbol in pairs
    ]
    rows = [" ".join(texts[at : at + wide]) for at in range(0, len(texts), wide)]
    return put_too("\n".join([*lines, "\n".join(rows) + ";"]) + "\n", path)


def _text(text: str) -> str:
    """Return a text in quotation marks for PX; quotation marks inside become apostrophes, and line ends blanks."""
    return '"' + " ".join(text.replace('"', "'").split()) + '"'


def json_stat(release: Release, path: str | PathLike[str] | None = None, *, margins: bool = True) -> str:
    """Return a dataset of JSON-stat 2.0; the symbol of a suppressed cell is its status.

    Examples
    --------
    >>> from sdcwidgets.tables.axis import Axis
    >>> from sdcwidgets.tables.release import Release
    >>> text = json_stat(Release([Axis("Area", ("A", "B"))], {(0,): [4, float("nan")]}))
    >>> json.loads(text)["value"], json.loads(text)["status"]
    ([4, None], {'1': 'c'})
    """
    notes = _notes(release, margins)
    axes, cells = _cube(release, margins)
    pairs = list(cells)
    data: dict[str, object] = {
        "version": "2.0",
        "class": "dataset",
        "label": " by ".join(axis.name for axis in axes),
        "id": [axis.name for axis in axes],
        "size": [len(axis.labels) for axis in axes],
        "dimension": {axis.name: {"label": axis.name, "category": _category(axis)} for axis in axes},
        "value": [None if value != value else _plain(value) for value, _ in pairs],
        "status": {str(at): symbol for at, (value, symbol) in enumerate(pairs) if value != value},
    }
    if notes:
        data["note"] = list(notes)
    return put_too(json.dumps(data, ensure_ascii=False), path)


def _category(axis: _CubeAxis) -> dict[str, object]:
    """Return the codes of an axis in JSON-stat, with labels if they differ from the codes."""
    category: dict[str, object] = {"index": {code: i for i, code in enumerate(axis.codes)}}
    if axis.codes != axis.labels:
        category["label"] = dict(zip(axis.codes, axis.labels, strict=True))
    return category


def sdmx_csv(release: Release, path: str | PathLike[str] | None = None, *, margins: bool = True) -> str:
    r"""Return SDMX-CSV 1.0, with codes of the SDMX lists of statuses.

    A suppressed cell has the OBS_STATUS "Q" (missing value, suppressed) and the CONF_STATUS "C" (confidential). Data
    users do not learn from the file which suppressed cells are primary.

    Examples
    --------
    >>> from sdcwidgets.tables.axis import Axis
    >>> from sdcwidgets.tables.release import Release
    >>> print(sdmx_csv(Release([Axis("Area", ("A", "B"))], {(0,): [4, float("nan")]})))
    DATAFLOW,Area,OBS_VALUE,OBS_STATUS,CONF_STATUS
    SDCWIDGETS:RELEASE(1.0),A,4,A,F
    SDCWIDGETS:RELEASE(1.0),B,,Q,C
    <BLANKLINE>
    """
    axes, cells = _cube(release, margins)
    names = [axis.name for axis in axes]
    lines: list[list[object]] = [["DATAFLOW", *names, "OBS_VALUE", "OBS_STATUS", "CONF_STATUS"]]
    for labels, (value, symbol) in zip(
        itertools.product(*(axis.labels for axis in axes)), cells, strict=True
    ):
        statuses = _NO_VALUE if symbol == NOT_AVAILABLE else _SUPPRESSED
        seen = ["", *statuses] if value != value else [_plain(value), *_VALUE]
        lines.append(["SDCWIDGETS:RELEASE(1.0)", *labels, *seen])
    return csv_text(lines, path)


#: Functions that write files, by the endings of file names.
ENDINGS = {".px": px, ".json": json_stat, ".sdmx.csv": sdmx_csv}
