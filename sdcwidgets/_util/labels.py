"""Labels and counts in sentences, and labels in files: what the table and all that reads one share."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from sdcwidgets._util.errors import InputError

#: The largest count and the largest total: up to here a float holds every whole number exactly.
MOST_PEOPLE = 2**53

#: What stands in files of records where a person has no value. "None" and "no answer" may be categories.
NO_VALUE = ("", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "<NA>", "#N/A", ".", "..", "…")

#: Among numbers these stand for no value too; among texts they may be a category.
_PERHAPS_NO_VALUE = ("-", "−", "–", "—", "?")

#: A spreadsheet takes a cell for a formula or a command if it begins with one of these characters, also after invisible
#: characters, which some programs drop. An apostrophe before it prevents that. The same holds for each line of a cell,
#: because some programs begin a new cell there.
_INVISIBLE = (
    r"\s\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    r"\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff"
)
_FORMULA_STARTS = rf"'*[{_INVISIBLE}]*[=+\-@|%＝＋－＠｜％\t\r\n]"
_FORMULA = re.compile(rf"^(?={_FORMULA_STARTS})|(?<=[\r\n])(?={_FORMULA_STARTS})")
_ESCAPED = re.compile(rf"^'(?={_FORMULA_STARTS})|(?<=[\r\n])'(?={_FORMULA_STARTS})")

#: A label in a sentence has at most so many characters; so many are looked at from each end of one that is far longer.
_SHORT, _LONGEST = 60, 5_000

#: What no file can hold: halves of characters, and control characters but tab and line ends.
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

#: What stands between the names of the rows and the columns in the top-left cell: one backslash.
_BETWEEN_NAMES = re.compile(r" ?(?<!\\)\\(?!\\) ?")

#: A number as people write it: its digits may stand in groups of three, with a mark between them.
_NUMBER = re.compile(
    r"(?P<sign>[+\-−]?)"
    r"(?P<whole>[1-9]\d{0,2}(?P<group>[,.'’ \u00a0\u2009\u202f])\d{3}(?:(?P=group)\d{3})*|\d+)"
    r"(?:(?P<mark>[.,])(?P<fraction>\d*))?"
)


def count_error(value: object) -> str | None:
    """Return why a value is no count, as the end of a sentence, or None where it is one."""
    if isinstance(value, str):
        return _no_number(value)
    number: Any = None if type(value).__name__ in ("bool", "bool_") else value
    try:
        infinite, negative = abs(number) == math.inf, number < 0
        whole = infinite or number % 1 == 0
        if number != number:  # NaN is not equal to itself
            return _no_number(value)
    except (TypeError, ValueError, ArithmeticError):
        return _no_number(value)
    number_text = str(number) if abs(number) <= MOST_PEOPLE else "the count"
    if infinite:
        return "infinity is not a count; a count must be a whole number"
    if negative:
        return f"{number_text} is negative; a count must be 0 or more"
    if not whole:
        return f"{number_text} is not whole; a count must be a whole number"
    if number > MOST_PEOPLE:
        return f"the count is too large; it must be at most {MOST_PEOPLE:,}"
    return None


def _no_number(value: Any) -> str:
    if not isinstance(value, str):
        with suppress(TypeError):
            if math.isnan(value):
                return "NaN is not a number; a count must be a whole number, 0 where there is nobody"
    if value is None or str(value).strip() in ("", "<NA>", "NaT"):
        return "the cell is empty; write 0 where there is nobody"
    return f"{quoted(value)} is text; a count must be a whole number"


def parse_count(text: str) -> int:
    """Return the count that a person typed.

    A comma, point, space, thin space or apostrophe may separate groups of three digits, and a fraction
    of zeros ("12.0") may follow.

    Raises
    ------
    InputError
        If it is no whole number from 0 to 2**53; the sentence says why.

    Examples
    --------
    >>> parse_count(" 1,234 ")
    1234
    >>> parse_count("-3")
    Traceback (most recent call last):
        ...
    sdcwidgets.InputError: -3 is negative; a count must be 0 or more.
    """
    count = count_in(text)
    if isinstance(count, str):
        raise InputError(f"{count[0].upper()}{count[1:]}.")
    return count


def count_in(cell: Any) -> int | str:
    """Return the count in a cell, or why it is none."""
    if not isinstance(cell, str):
        reason = count_error(cell)
        return int(cell) if reason is None else reason
    text = cell.strip()
    if text.isascii() and text.isdigit() and len(text) < 16:
        return int(text)
    number: Any = text
    match = _NUMBER.fullmatch(text)
    if match is None or (match["group"] is not None and match["group"] == match["mark"]):
        if "_" not in text:  # which Python allows in numbers
            try:
                number = float(text)
            except ValueError:
                return _no_number(text)
    else:
        digits = re.sub(r"\D", "", match["whole"])[:30]  # 30 digits are too many already
        fraction = (match["fraction"] or "").rstrip("0")
        number = float(f"{digits}.{fraction}") if fraction else int(digits)
        number = number if match["sign"] in ("", "+") else -number
    reason = count_error(number)
    return int(number) if reason is None else reason


def counted(number: int, singular: str, plural: str = "") -> str:
    """Return a number with its noun.

    >>> counted(1, "gap"), counted(1200, "gap"), counted(2, "person", "people")
    ('1 gap', '1,200 gaps', '2 people')
    """
    return f"{number:,} {singular if number == 1 else plural or f'{singular}s'}"


def percent(share: float) -> str:
    """Return a share in percent: one decimal, a half upwards, and what is neither nothing nor all never reads so.

    >>> percent(0.365), percent(73 / 200), percent(0.0625), percent(0.36)
    ('36.5%', '36.5%', '6.3%', '36%')
    >>> percent(0), percent(1e-6), percent(0.99999), percent(1)
    ('0%', 'less than 0.1%', 'more than 99.9%', '100%')
    """
    if 0 < share < 0.001:
        return "less than 0.1%"
    if 0.999 < share < 1:
        return "more than 99.9%"
    rounded = (Decimal(f"{share:.12g}") * 100).quantize(Decimal("0.1"), ROUND_HALF_UP)
    return f"{rounded:f}%".replace(".0%", "%")


def holds_for(coalition: int, who: str) -> str:
    """Return for whom gaps hold: outsiders, those inside, or so many of them together.

    >>> holds_for(0, "in the table")
    'The gaps hold for outsiders only, not for those in the table.'
    >>> holds_for(1, "in the table")
    'The gaps hold for outsiders, and for everyone in the table.'
    """
    if not coalition:
        return f"The gaps hold for outsiders only, not for those {who.split(' who ')[0]}."
    if coalition == 1:
        return f"The gaps hold for outsiders, and for everyone {who}."
    inside = who.split(" who ")[0]
    return f"The gaps hold for outsiders, and for any {coalition} {inside} who put together what they know."


def total_label(labels: Sequence[str]) -> str:
    """Return what the sum over an axis is called beside its labels.

    >>> total_label(["a", "b"]), total_label(["Total"])
    ('Total', 'Total (all)')
    """
    name = "Total"
    while name in labels:
        name += " (all)"
    return name


def no_value_among(labels: Iterable[str]) -> set[str]:
    """Return which labels of a column of records stand for no value; blanks around them are off.

    >>> sorted(no_value_among(["23", ".", "?"])), sorted(no_value_among(["a", "NA", "?"]))
    (['.', '?'], ['NA'])
    """
    seen = set(labels)
    gone = seen.intersection(NO_VALUE)
    others = seen - gone
    perhaps = others.intersection(_PERHAPS_NO_VALUE)
    if perhaps and others != perhaps and all(map(is_decimal, others - perhaps)):
        gone |= perhaps
    return gone


def is_perhaps_no_value(label: str) -> bool:
    """Return whether a label of a column of texts may stand for no value, such as "?"."""
    return label in _PERHAPS_NO_VALUE


def is_decimal(text: str) -> bool:
    """Return whether a text is a number; a comma may stand before its decimals.

    >>> is_decimal("1,5"), is_decimal("k.A.")
    (True, False)
    """
    try:
        return math.isfinite(float(text.replace(",", ".")))
    except ValueError:
        return False


def file_name(name: str, title: str) -> str:
    """Return the name of a file that a page saves with the title of its table in it, in letters and digits.

    >>> file_name("protected.csv", "Religion by output area")
    'protected-religion-by-output-area.csv'
    >>> file_name("protected.xlsx", "protected-06_tidy3.csv"), file_name("table.csv", "Your table")
    ('protected-06-tidy3.xlsx', 'your-table.csv')
    """
    stem, _, ending = name.rpartition(".")
    words = re.findall(r"[^\W_]+", re.sub(r"\.[A-Za-z]{3,5}$", "", title[:_LONGEST]).lower())
    while words and len("-".join(words)) > _SHORT:
        words.pop()
    # What was saved by a page before says already what is in it.
    known = set(stem.split("-")) <= set(words)
    return f"{'-'.join(words if known else [stem, *words])}.{ending}"


def for_spreadsheet(label: str) -> str:
    r"""Return a label such that a spreadsheet takes no line of it for a formula.

    >>> for_spreadsheet("=1+1"), from_spreadsheet("'=1+1"), for_spreadsheet("Area\r=1+1")
    ("'=1+1", '=1+1', "Area\r'=1+1")
    """
    return _FORMULA.sub("'", label)


def from_spreadsheet(label: str) -> str:
    """Undo `for_spreadsheet`."""
    return _ESCAPED.sub("", label)


def unwritable(label: str) -> str | None:
    r"""Return the name of the first character of a label that no file can hold, None if there is none.

    >>> unwritable("a\x07b"), unwritable("São Paulo")
    ('U+0007', None)
    """
    match = _UNWRITABLE.search(label)
    return None if match is None else f"U+{ord(match[0]):04X}"


def corner(names: Sequence[str]) -> list[str]:
    r"""Return the first cells of a header row, which name the axes; `axis_names` reads them.

    >>> corner(["Area", "Religion"])
    ['Area \\ Religion']
    """
    doubled = [name.replace("\\", "\\\\") for name in names]
    return doubled if len(names) == 1 else [*doubled[:-2], " \\ ".join(doubled[-2:])]


def axis_names(header: Sequence[str]) -> tuple[list[str | None], int]:
    """Return the axis names in a header row, None where blank, and how many columns hold labels."""
    names, depth = list(header[:1]), 1
    for k, cell in enumerate(header[:-1]):
        parts = _BETWEEN_NAMES.split(cell, maxsplit=1)
        if len(parts) == 2 and (k == 0 or " \\ " in cell):
            names, depth = [*header[:k], *parts], k + 1
            break
    return [name.replace("\\\\", "\\") if name.strip() else None for name in names], depth


def default_names(ndim: int) -> list[str]:
    """Return the usual names of the axes: Row, Column, and layers between them."""
    return ["Row", *(f"Layer {k}" for k in range(1, ndim - 1)), "Column"][:ndim]


def cell_name(labels: Sequence[str], names: Sequence[str] = ()) -> str:
    """Return where a cell is, in words, from its label on each axis.

    >>> cell_name(["Area 1", "Jewish"])
    'Row "Area 1", column "Jewish"'
    >>> cell_name(["Area 1", "Male", "Jewish"], ["Area", "Sex", "Religion"])
    'Area "Area 1", Sex "Male", Religion "Jewish"'
    """
    words = names if len(labels) > 2 else ("Row", "column")
    return ", ".join(f"{shortened(word)} {quoted(label)}" for word, label in zip(words, labels, strict=False))


def quoted(label: object) -> str:
    """Return a label in quotation marks for a sentence, shortened where it is long."""
    return f'"{shortened(label)}"'


def shortened(label: object) -> str:
    """Return a label on one line of at most 60 characters, cut in its middle as the table on a screen cuts it.

    What tells two long labels apart is as often at the end as at the beginning.

    >>> shortened("Beschäftigte im Großhandel mit Fisch, Öl und Süßwaren sowie verwandten Erzeugnissen Nr. 12")
    'Beschäftigte im Großhandel mit…Erzeugnissen Nr. 12'
    """
    whole = str(label)
    if len(whole) > 2 * _LONGEST:  # far more is not looked through
        whole = f"{whole[:_LONGEST]} {whole[-_LONGEST:]}"
    text = _UNWRITABLE.sub("\ufffd", " ".join(whole.split()))
    if len(text) <= _SHORT:
        return text
    half = _SHORT // 2
    # Whole words are left, but where that would leave less than half of the end.
    space = text.rfind(" ", 0, half + 1)
    head = text[: space if space > 1 else half].rstrip(",;:")
    start = len(text) - (_SHORT - 1 - len(head))
    word = text.find(" ", start - 1) + 1
    return f"{head}…{text[word if 0 < word < (start + len(text)) / 2 else start :]}"


def listed(labels: Sequence[str]) -> str:
    """Return some labels in words, the first eight in full."""
    first = [quoted(label) for label in labels[:8]]
    return ", ".join(first) + (f" and {len(labels) - 8} more" if len(labels) > 8 else "")


def and_more(texts: Sequence[str], most: int) -> str:
    """Return some texts as a sentence names them, the first `most` in full.

    >>> and_more(["a"], 2), and_more(["a", "b"], 2), and_more(["a", "b", "c", "d"], 2)
    ('a', 'a and b', 'a, b and 2 more')
    """
    *first, last = [*texts[:most], *([f"{len(texts) - most} more"] if len(texts) > most else [])]
    return f"{', '.join(first)} and {last}" if first else last


def whole(text: str) -> str:
    r"""Return a text with halves of characters replaced, which no message can carry.

    >>> whole("table.csv"), whole("\ud800.csv") == "\ufffd.csv"
    ('table.csv', True)
    """
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def number_text(value: float) -> str:
    """Return a published value as text: a whole number without a point, thousands apart.

    >>> number_text(3.0), number_text(2.5), number_text(46788.0)
    ('3', '2.5', '46,788')
    """
    return f"{value:,.15g}"
