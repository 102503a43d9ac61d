"""The layout of a file: where its labels and counts are, as a value and as a TOML file.

A layout decides everything that the content of a file leaves open, so that a file is read with it in one way only.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from typing import Any, TypeVar

from sdcwidgets._util.errors import InputError, described
from sdcwidgets._util.labels import listed, quoted, shortened

#: Version of the TOML format.
VERSION = 1

#: Roles of a column, each with its meaning.
COLUMN_ROLES: Mapping[str, str] = {
    "label": "labels of an axis",
    "count": "counts",
    "weight": "weights of respondents; the counts are rounded sums of the weights",
    "level": "higher level of a hierarchy: each label of the column with the number `of` has exactly one label in "
    "this column",
    "code": "code of another column: each label of the column with the number `of` has exactly one code in this "
    "column, and each code one label",
    "total": "totals of other lines, which the import omits",
    "other": "other contents, which the import omits",
}

#: Roles of a row, each with its meaning.
ROW_ROLES: Mapping[str, str] = {
    "count": "counts, with the labels that the layout states",
    "block": "heading of the rows below it, up to the next heading; the headings are the labels of one more axis, the "
    "first one",
    "total": "totals of other lines, which the import omits",
    "other": "other contents, such as a footnote, which the import omits",
    "join": 'headings that continue in the row below, such as "Not in" above "labour force"; the texts of both rows '
    "are one heading",
    "skip": "start of a part that the import omits, such as a table of percentages; the part ends before the next row "
    "with the role block",
}

#: Meanings of a text or a blank in place of a count.
MEANINGS: Mapping[str, str] = {
    "zero": "nobody",
    "unknown": "a count that was not published, which is read as 0 and reported as unknown",
    "leave out": "the import omits the row",
}

#: Meanings of combinations of labels without a row; "" leaves a doubt.
MEANINGS_OF_ABSENT = ("", "zero", "unknown")


@dataclass(frozen=True)
class LayoutColumn:
    """The role of a column.

    Attributes
    ----------
    number : int
        Number of the column in the file, from 1.
    role : str
        One of `COLUMN_ROLES`.
    heading : str
        Text in the row of headings; a file with another text raises an error.
    axis : str
        Name of the axis of a column of labels (default: the heading).
    categories : tuple of str
        Labels of a column of labels, in their order; another label raises an error (default: any label, in the order
        of the file). In a table of counts, a category without a row raises an error if `absent` is empty. For a
        column of counts, its label on each axis of headings. For another column that is not read,
        the only texts that the column may have.
    left_out : tuple of str
        Labels of rows that are not read, such as "Total".
    only : str
        If it is not empty, only rows with this label are read.
    renamed : mapping of str to str
        Other names of labels, such as "Unknown" for a blank.
    fill : bool
        Whether a blank repeats the label of the cell above.
    split : bool
        Whether the labels are all combinations of the labels of two or more axes, as in "Men 2022", and are read so.
    of : int or str
        Number of the column of labels that a code or a level belongs to. A `FileLayout` replaces the heading of this
        column by its number.
    """

    number: int
    role: str
    heading: str = ""
    axis: str = ""
    categories: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    only: str = ""
    renamed: Mapping[str, str] = field(default_factory=dict)
    fill: bool = False
    split: bool = False
    of: int | str = 0

    def __post_init__(self) -> None:
        _check_types(self, "columns.")
        _check_number("columns.number", self.number, LEAST_NUMBERS[LayoutColumn]["number"])
        _check_role("columns", self.number, self.role, COLUMN_ROLES)
        if isinstance(self.of, int):
            _check_number("columns.of", self.of, LEAST_NUMBERS[LayoutColumn]["of"])
        if bool(self.of) != (self.role in ("level", "code")):
            raise InputError(
                f"Column {self.number} has the role {self.role!r} and of = {self.of!r}. A column with the "
                "role level or code needs the key of; no other column can have this key."
            )


@dataclass(frozen=True)
class LayoutRow:
    """The role of a row that differs from the others.

    Attributes
    ----------
    number : int
        Number of the row in the file, from 1.
    role : str
        One of `ROW_ROLES`.
    label : str
        First text of the row; a file with another text raises an error.
    categories : tuple of str
        Label on each axis of a row of counts, in place of those in the file. For a heading of rows, its label.
    """

    number: int
    role: str
    label: str = ""
    categories: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _check_types(self, "rows.")
        _check_number("rows.number", self.number, LEAST_NUMBERS[LayoutRow]["number"])
        _check_role("rows", self.number, self.role, ROW_ROLES)


@dataclass(frozen=True)
class LayoutHeading:
    """A row of headings whose texts are the labels of an axis.

    Attributes
    ----------
    axis : str
        Name of the axis.
    row : int
        Number of the row; 0 if the columns of counts state their labels.
    fill : bool
        Whether a blank repeats the heading before it, as in merged cells.
    """

    axis: str
    row: int = 0
    fill: bool = False

    def __post_init__(self) -> None:
        _check_types(self, "headings.")
        _check_number("headings.row", self.row, LEAST_NUMBERS[LayoutHeading]["row"])


@dataclass(frozen=True)
class FileLayout:
    """Complete description of how a file is read.

    Attributes
    ----------
    columns : tuple of LayoutColumn
        Columns that are not blank; the columns of labels are in the order of the axes.
    headings : tuple of LayoutHeading
        Axes of the columns of counts.
    rows : tuple of LayoutRow
        Rows below `first` that differ from the others; a row with the role "block" or "skip" can also be above
        `first`, and a row with the role "join" is above it.
    first : int
        Number of the first row of counts.
    header : int
        Number of the row with the headings of the columns; 0 if there is none.
    blocks : str
        Name of the axis of the rows with the role "block".
    sheet : str
        Name of the sheet of a workbook.
    encoding : str
        Encoding of a text.
    delimiter : str
        Character between the cells of a text.
    decimal : str
        Decimal mark of counts that are texts; "" if there is none.
    thousands : str
        Characters that may separate groups of three digits.
    unit : int
        Number of people of a count of 1.
    counted : str
        Noun for the counted units, such as "households"; it does not change the counts.
    rounded : bool
        Whether counts with decimals, such as sums of weights, are rounded (default: they are an error).
    repeated : {"error", "sum"}
        Whether rows with the same labels are an error, or their counts are summed.
    texts : mapping of str to str
        Meaning of each text in place of a count, one of `MEANINGS`; "" is a blank.
    absent : {"", "zero", "unknown"}
        Meaning of combinations of labels without a row: the count 0, or a count that was not published (default: the
        count is 0, with a doubt if many combinations have no row).
    flags : tuple of str
        Flags next to counts that are removed, such as "p".

    Examples
    --------
    >>> columns = (LayoutColumn(1, "label", "Area"), LayoutColumn(2, "count", "People"))
    >>> layout = FileLayout(columns, first=2, header=1)
    >>> FileLayout.from_toml(layout.to_toml()) == layout
    True
    """

    columns: tuple[LayoutColumn, ...]
    headings: tuple[LayoutHeading, ...] = ()
    rows: tuple[LayoutRow, ...] = ()
    first: int = 1
    header: int = 0
    blocks: str = "Block"
    sheet: str = ""
    encoding: str = "utf-8"
    delimiter: str = ","
    decimal: str = ""
    thousands: str = ""
    unit: int = 1
    counted: str = "people"
    rounded: bool = False
    repeated: str = "error"
    texts: Mapping[str, str] = field(default_factory=dict)
    absent: str = ""
    flags: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _check_parts(self)
        _check_types(self, "")
        object.__setattr__(self, "columns", _with_numbers(self.columns))
        for name, least in LEAST_NUMBERS[FileLayout].items():
            _check_number(name, getattr(self, name), least)
        self._check_marks()
        if self.repeated not in ("error", "sum"):
            raise InputError(
                f'The key "repeated" of the layout is {quoted(self.repeated)}; it must be "error" or "sum".'
            )
        if self.absent not in MEANINGS_OF_ABSENT:
            raise InputError(
                f'The key "absent" of the layout is {quoted(self.absent)}; it must be "zero" or "unknown".'
            )
        if not self.counted.strip():
            raise InputError('The key "counted" of the layout is blank; it must name what is counted.')
        for text, meaning in self.texts.items():
            if meaning not in MEANINGS:
                raise InputError(
                    f"The text {quoted(text)} has the meaning {quoted(meaning)}; the meaning "
                    f"must be {' or '.join(MEANINGS)}."
                )
        for kind, items in (("column", self.columns), ("row", self.rows)):
            numbers = [item.number for item in items]
            if len(set(numbers)) < len(numbers):
                twice = next(number for number in numbers if numbers.count(number) > 1)
                raise InputError(f"The layout has {kind} {twice} twice; state it once.")
        if self.header >= self.first:
            raise InputError(
                f"The header is row {self.header} and the counts start at row {self.first}; the header "
                "must be above the counts."
            )
        for row in self.rows:
            if row.role == "join" and row.number + 1 >= self.first:
                raise InputError(
                    f"Row {row.number} has the role join, but the row below it is not above the counts, which start "
                    f"at row {self.first}."
                )
        self._check_columns()
        self._check_codes_and_levels()
        self._check_categories_of_columns()
        self._check_categories_of_rows()

    def _check_marks(self) -> None:
        if len(self.decimal) > 1 or self.decimal.isalnum():
            raise InputError(
                f"The decimal mark of the layout (decimal) is {quoted(self.decimal)}; it must be one character "
                "that is no letter and no digit."
            )
        if any(map(str.isalnum, self.thousands)):
            raise InputError(
                f"The separators of thousands of the layout (thousands) are {quoted(self.thousands)}; they must not "
                "have letters or digits."
            )

    def _check_columns(self) -> None:
        counts, weights = self.of_role("count"), self.of_role("weight")
        if not self.of_role("label") and not self.headings and not self.has_blocks:
            raise InputError(
                'The layout has no axis; give a column the role "label", or add a table [[headings]].'
            )
        if len(counts) > 1 and not self.headings:
            raise InputError(
                f"The layout has {len(counts)} columns of counts; add a table [[headings]] with their axis."
            )
        if len(weights) > 1 or (counts and weights):
            raise InputError(
                "The layout must have one column of weights, or columns of counts, and not both."
            )

    def _check_codes_and_levels(self) -> None:
        labels = {column.number for column in self.of_role("label")}
        for column in self.columns:
            if column.of and column.of not in labels:
                raise InputError(
                    f"Column {column.number} belongs to column {column.of}, which has no labels; columns with labels: "
                    f"{', '.join(map(str, sorted(labels))) or 'none'}."
                )

    def _check_categories_of_columns(self) -> None:
        for column in self.of_role("count"):
            if column.categories and len(column.categories) != len(self.headings):
                raise InputError(
                    f"Column {column.number} has {len(column.categories)} categories; it must have one for each of "
                    f"{len(self.headings)} axes of headings."
                )
            if not column.categories and any(heading.row == 0 for heading in self.headings):
                raise InputError(
                    f"Column {column.number} has no categories, and its axis has no row of headings."
                )

    def _check_categories_of_rows(self) -> None:
        labels = self.of_role("label")
        for row in self.rows:
            number = 1 if row.role == "block" else len(labels)
            if row.categories and len(row.categories) != number:
                raise InputError(
                    f"Row {row.number} has {len(row.categories)} categories; it must have one for each of "
                    f"{number} columns of labels."
                )

    @property
    def has_blocks(self) -> bool:
        """Whether rows are headings of the rows below them."""
        return any(row.role == "block" for row in self.rows)

    @property
    def joined_rows(self) -> tuple[int, ...]:
        """Numbers of the rows whose headings continue in the row below, in their order."""
        return tuple(sorted(row.number for row in self.rows if row.role == "join"))

    def of_role(self, role: str) -> list[LayoutColumn]:
        """Return the columns of a role."""
        return [column for column in self.columns if column.role == role]

    def with_any_labels(self) -> FileLayout:
        """Return a layout that does not state the labels of columns, for a file with more labels."""
        columns = tuple(
            replace(column, categories=()) if column.role in ("label", "other") else column
            for column in self.columns
        )
        return replace(self, columns=columns)

    def to_toml(self) -> str:
        """Return the layout as the text of a TOML file."""
        return "\n".join(_toml_lines(self)) + "\n"

    @classmethod
    def from_toml(cls, text: str) -> FileLayout:
        """Return the layout in the text of a TOML file.

        Raises
        ------
        InputError
            If the text is not TOML, or if a key or a value is not one of the format.
        """
        try:
            values = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise InputError(f"The layout is not a TOML file: {error}.") from None
        version = values.pop("version", None)
        if version != VERSION or isinstance(version, bool):
            raise InputError(
                f"The layout has the version {shortened(version)}; this version of sdcwidgets reads {VERSION}."
            )
        parts: dict[str, Any] = {
            "columns": (LayoutColumn, values.pop("columns", [])),
            "headings": (LayoutHeading, values.pop("headings", [])),
            "rows": (LayoutRow, values.pop("rows", [])),
        }
        made: dict[str, Any] = {}
        for name, (kind, items) in parts.items():
            if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
                raise InputError(f"The key {name} of the layout must be a list of tables, as in [[{name}]].")
            made[name] = tuple(_from_values(kind, item, f"{name}.") for item in items)
        return _from_values(cls, values, "", made)


#: Minimum of each number of a layout.
LEAST_NUMBERS: Mapping[type, Mapping[str, int]] = {
    LayoutColumn: {"number": 1, "of": 0},
    LayoutRow: {"number": 1},
    LayoutHeading: {"row": 0},
    FileLayout: {"first": 1, "header": 0, "unit": 1},
}

#: Maximum number of a row or a column, and maximum number of people of a count of 1.
MOST_NUMBER = 10**12

#: Label of people without a value, in a proposed layout.
UNKNOWN = "Unknown"

T = TypeVar("T")


def _from_values(
    kind: type[T], values: Mapping[str, Any], prefix: str, made: Mapping[str, Any] | None = None
) -> T:
    """Return a part of a layout, with a check of its keys and of the types of its values."""
    made = made or {}
    known = {item.name: item for item in fields(kind) if item.name not in made}  # type: ignore[arg-type]
    for name, value in values.items():
        if name not in known:
            raise InputError(
                f"The layout has the unknown key {prefix}{shortened(name)}; known keys: "
                f"{', '.join((*(('version', *made) if made else ()), *known))}."
            )
        expected = _kind_of(str(known[name].type))
        if not _is_of_kind(value, expected):
            raise InputError(
                f"The key {prefix}{name} of the layout is {_described(value)}; it must be {_WORDS[expected]}."
            )
    for name, item in known.items():
        if item.default is MISSING and item.default_factory is MISSING and name not in values:
            raise InputError(f"The layout has no key {prefix}{name}; add this key.")
    plain = {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
    return kind(**plain, **made)


def _described(value: object) -> str:
    """Return a value in a message: a text is named as such, so that "2" differs from 2."""
    return f"the text {quoted(value)}" if isinstance(value, str) else shortened(described(value))


def _check_types(part: Any, prefix: str) -> None:
    """Raise InputError if a value of a part of a layout has another type; a list becomes a tuple."""
    for item in fields(part):
        if item.name in _PARTS and isinstance(part, FileLayout):
            continue
        value, expected = getattr(part, item.name), _kind_of(str(item.type))
        if expected == "list" and isinstance(value, tuple | list):
            value = list(value)
            object.__setattr__(part, item.name, tuple(value))
        if not _is_of_kind(value, expected):
            raise InputError(
                f"The key {prefix}{item.name} of the layout is {_described(value)}; it must be {_WORDS[expected]}."
            )


def _check_parts(layout: FileLayout) -> None:
    """Raise InputError if the columns, headings or rows of a layout have another type; a list becomes a tuple."""
    for name, kind in _PARTS.items():
        items = getattr(layout, name)
        if not isinstance(items, tuple | list) or not all(isinstance(item, kind) for item in items):
            raise InputError(f"The {name} of the layout must be a tuple of {kind.__name__}.")
        object.__setattr__(layout, name, tuple(items))


def _with_numbers(columns: Sequence[LayoutColumn]) -> tuple[LayoutColumn, ...]:
    """Return columns of which each names the column that it belongs to by its number, and not by its heading."""
    numbered = []
    for column in columns:
        if isinstance(column.of, str) and column.of:
            labels = [other for other in columns if other.role == "label"]
            numbers = [other.number for other in labels if other.heading == column.of]
            if len(numbers) != 1:
                headings = listed([other.heading for other in labels]) if labels else "none"
                number = "no column" if not numbers else f"{len(numbers)} columns"
                raise InputError(
                    f"Column {column.number} belongs to {quoted(column.of)}, but {number} of labels have this "
                    f"heading. State the number of the column; headings of columns of labels: {headings}."
                )
            column = replace(column, of=numbers[0])
        numbered.append(column)
    return tuple(numbered)


#: Parts of a layout that are arrays of tables in its TOML file, with their classes.
_PARTS: Mapping[str, type] = {"columns": LayoutColumn, "headings": LayoutHeading, "rows": LayoutRow}

_WORDS = {
    "bool": "true or false",
    "int": "a whole number",
    "int | str": "the number or the heading of a column",
    "str": "a text",
    "list": "a list of texts",
    "map": "a table of texts",
}


def _kind_of(annotation: str) -> str:
    """Return the kind of value of a field: a key of `_WORDS`."""
    if annotation.startswith("tuple"):
        return "list"
    return "map" if annotation.startswith("Mapping") else annotation


def _is_of_kind(value: object, kind: str) -> bool:
    if kind == "list":
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    if kind == "map":
        return isinstance(value, dict) and all(isinstance(item, str) for item in value.values())
    if kind == "int | str":
        return isinstance(value, int | str) and not isinstance(value, bool)
    if kind == "int":
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, bool if kind == "bool" else str)


def _check_number(name: str, number: int, least: int) -> None:
    if not least <= number <= MOST_NUMBER:
        raise InputError(
            f"The key {name} of the layout is {shortened(number)}; it must be from {least} to {MOST_NUMBER:,}."
        )


def _check_role(kind: str, number: int, role: str, roles: Mapping[str, str]) -> None:
    if role not in roles:
        raise InputError(
            f"The role of {kind} {number} is {quoted(role)}; it must be one of {', '.join(roles)}."
        )


def _toml_lines(layout: FileLayout) -> Iterator[str]:
    yield f"version = {VERSION}"
    tables: dict[str, Sequence[Any]] = {
        "headings": layout.headings,
        "columns": layout.columns,
        "rows": layout.rows,
    }
    yield from _values_of(layout, without=tables)
    for name, items in tables.items():
        for item in items:
            yield ""
            yield f"[[{name}]]"
            yield from _values_of(item)


def _values_of(item: Any, without: Sequence[str] | Mapping[str, object] = ()) -> Iterator[str]:
    """Yield a line for each value that is not the default."""
    for known in fields(item):
        value = getattr(item, known.name)
        empty = known.default_factory() if known.default_factory is not MISSING else known.default
        if known.name not in without and value != empty:
            yield f"{known.name} = {_toml(value)}"


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{_toml(key)} = {_toml(item)}' for key, item in value.items())} }}"
    # The escapes of JSON are escapes of TOML, which also escapes the delete character.
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")


def layout_schema() -> dict[str, object]:
    """Return the JSON Schema of a layout file.

    Examples
    --------
    >>> layout_schema()["$id"]
    'sdcwidgets:layout:1'
    """
    parts = {"headings": LayoutHeading, "columns": LayoutColumn, "rows": LayoutRow}
    properties = {"version": {"const": VERSION}, **_properties(FileLayout, without=parts)}
    for name, kind in parts.items():
        properties[name] = {"type": "array", "items": _object(kind)}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"sdcwidgets:layout:{VERSION}",
        "title": "Layout file, which states how a file with a table is read",
        "type": "object",
        "properties": properties,
        "required": ["version", "columns"],
        "additionalProperties": False,
    }


_TYPES: Mapping[str, Mapping[str, object]] = {
    "bool": {"type": "boolean"},
    "int": {"type": "integer", "maximum": MOST_NUMBER},
    "int | str": {"type": ["integer", "string"], "maximum": MOST_NUMBER},
    "str": {"type": "string"},
    "list": {"type": "array", "items": {"type": "string"}},
    "map": {"type": "object", "additionalProperties": {"type": "string"}},
}


def _properties(kind: Any, without: Mapping[str, object] | None = None) -> dict[str, object]:
    enums = {
        (LayoutColumn, "role"): list(COLUMN_ROLES),
        (LayoutRow, "role"): list(ROW_ROLES),
        (FileLayout, "repeated"): ["error", "sum"],
        (FileLayout, "absent"): list(MEANINGS_OF_ABSENT),
    }
    properties: dict[str, object] = {}
    for item in fields(kind):
        if item.name in (without or ()):
            continue
        properties[item.name] = dict(_TYPES[_kind_of(str(item.type))])
        if item.name in LEAST_NUMBERS[kind]:
            properties[item.name] = {
                **_TYPES[_kind_of(str(item.type))],
                "minimum": LEAST_NUMBERS[kind][item.name],
            }
        if (kind, item.name) in enums:
            properties[item.name] = {"enum": enums[kind, item.name]}
    if kind is FileLayout:
        properties["texts"] = {"type": "object", "additionalProperties": {"enum": list(MEANINGS)}}
        properties["decimal"] = {"type": "string", "pattern": "^[^0-9A-Za-z]?$"}
        properties["thousands"] = {"type": "string", "pattern": "^[^0-9A-Za-z]*$"}
    return properties


def _object(kind: Any) -> dict[str, object]:
    required = [
        item.name for item in fields(kind) if item.default is MISSING and item.default_factory is MISSING
    ]
    return {
        "type": "object",
        "properties": _properties(kind),
        "required": required,
        "additionalProperties": False,
    }
