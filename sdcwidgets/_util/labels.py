"""Labels and counts: validation, parsing, and formatting in sentences and in files."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from contextlib import suppress
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from sdcwidgets._util.errors import InputError

#: Maximum of a count and of a total: floats hold every whole number up to here exactly.
MOST_PEOPLE = 2**53

#: Texts that mark a missing value in microdata files. "None" and "no answer" may be categories.
NO_VALUE = ("", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "<NA>", "#N/A", ".", "..", "…")

#: Symbol of a value that is not available, according to the Government Statistical Service.
NOT_AVAILABLE = ".."

#: Further marks of a missing value among numbers; among texts they may be a category.
_PERHAPS_NO_VALUE = ("-", "−", "–", "—", "?")

#: Beginnings of a cell that a spreadsheet reads as a formula or command, also after invisible characters, which
#: some programs drop. An apostrophe before them prevents this. The rule holds for each line of a cell, because
#: some programs start a new cell there.
_INVISIBLE = (
    r"\s\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    r"\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff"
)
_FORMULA_STARTS = rf"'*[{_INVISIBLE}]*[=+\-@|%＝＋－＠｜％\t\r\n]"
_FORMULA = re.compile(rf"^(?={_FORMULA_STARTS})|(?<=[\r\n])(?={_FORMULA_STARTS})")
_ESCAPED = re.compile(rf"^'(?={_FORMULA_STARTS})|(?<=[\r\n])'(?={_FORMULA_STARTS})")

#: Maximum length of a label in a sentence, and number of characters used from each end of a very long one.
_SHORT, _LONGEST = 60, 5_000

#: Characters that no file can contain: lone surrogates, and control characters except tab and line ends.
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

#: Separator of the row and column names in the top-left cell: a single backslash.
_BETWEEN_NAMES = re.compile(r" ?(?<!\\)\\(?!\\) ?")

#: A number with optional sign, groups of three digits (or of two before the last three, as in India) and decimals.
NUMBER = re.compile(
    r"(?P<sign>[+\-−]?)"
    r"(?P<whole>(?!0)\d{1,3}(?P<group>[,.'’٬ \u00a0\u2009\u202f])\d{3}(?:(?P=group)\d{3})*"
    r"|(?!0)\d{1,2}(?:,\d{2})+,\d{3}|\d+)"
    r"(?:(?P<mark>[.,٫])(?P<fraction>\d*))?"
)


def count_error(value: object) -> str | None:
    """Return why a value is not a count, as the end of a sentence, or None if it is one."""
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
        return "infinity is not a count of people; a count must be a whole number"
    if negative:
        return f"{number_text} is negative; a count must be 0 or more"
    if not whole:
        return f"{number_text} is not a whole number, as a count must be"
    if number > MOST_PEOPLE:
        return f"the count is too large; it must be at most {MOST_PEOPLE:,}"
    return None


def _no_number(value: Any) -> str:
    if not isinstance(value, str):
        with suppress(TypeError):
            if math.isnan(value):
                return "NaN is not a count; a count must be a whole number, and 0 if the cell has no people"
    if value is None or str(value).strip() in ("", "<NA>", "NaT"):
        return "the cell is empty; write 0 if the cell has no people"
    return f"{quoted(value)} is text, but a count must be a whole number"


def parse_count(text: str) -> int:
    """Return the count that a text contains.

    A comma, point, space, thin space or apostrophe may separate groups of three digits, and zeros may follow as
    decimals ("12.0"). Commas may also separate groups of two digits before the last three, as in India ("12,34,567").

    Raises
    ------
    InputError
        If the text is not a whole number from 0 to 2**53.

    Examples
    --------
    >>> parse_count(" 1,234 "), parse_count("12,34,567")
    (1234, 1234567)
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
    """Return the count in a cell, or the reason why it is not a count."""
    if not isinstance(cell, str):
        reason = count_error(cell)
        return int(cell) if reason is None else reason
    text = cell.strip()
    if text.isascii() and text.isdigit() and len(text) < 16:
        return int(text)
    number: Any = text
    match = NUMBER.fullmatch(text)
    if match is None or (match["group"] is not None and match["group"] == match["mark"]):
        if "_" not in text:  # Python accepts underscores in numbers
            try:
                number = float(text)
            except ValueError:
                return _no_number(text)
    else:
        digits = re.sub(r"\D", "", match["whole"])[:30]  # 30 digits already exceed the maximum
        fraction = (match["fraction"] or "").rstrip("0")
        number = float(f"{digits}.{fraction}") if fraction else int(digits)
        number = number if match["sign"] in ("", "+") else -number
    reason = count_error(number)
    return int(number) if reason is None else reason


#: Maximum number of labels that are compared to see whether they combine two axes.
_MOST_COMBINED = 1_000

#: Characters between the parts of a label that names two axes, as in "Men_2022".
_BETWEEN_PARTS = " ,;:!|/_-–."


def _ends_of_codes(labels: Sequence[str]) -> list[int]:
    """Return the position before the last letter of six or more codes of equal length, such as "T1_2SGLM"."""
    are_codes = len(labels) > 5 and len({len(label) for label in labels}) == 1
    are_codes = are_codes and all(label == label.upper() and label[-3:].isalpha() for label in labels)
    return [len(labels[0]) - 1] if are_codes and any(map(str.isdigit, labels[0])) else []


def _is_in_word(sign: str) -> bool:
    """Return whether a sign is part of a word: a letter, a digit, or the mark of a vowel or tone after a letter."""
    return sign.isalnum() or unicodedata.category(sign).startswith("M")


def _is_end_of_word(text: str, k: int) -> bool:
    """Return whether a word of a text ends before a position, also as in "MenSingle"."""
    before, after = text[k - 1], text[k]
    return (_is_in_word(before) and not _is_in_word(after)) or (before.islower() and after.isupper())


def crossed_labels(labels: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the parts of labels that name two or more axes, none if they are not all combinations of parts.

    Examples
    --------
    >>> crossed_labels(["Men 2022", "Women 2022", "Men 2023", "Women 2023"])[:2]
    [('Men', '2022'), ('Women', '2022')]
    >>> crossed_labels(["MenSingle", "MenMarried", "WomenSingle", "WomenMarried"])[:2]
    [('Men', 'Single'), ('Men', 'Married')]
    >>> crossed_labels(["T2SGLM", "T2MARM", "T2DIVM", "T2SGLF", "T2MARF", "T2DIVF"])[:2]
    [('T2SGL', 'M'), ('T2MAR', 'M')]
    >>> crossed_labels(["Men 2022", "Women 2023", "All"])
    []
    """
    known = set(labels)
    if len(known) < max(len(labels), 4) or len(known) > _MOST_COMBINED:
        return []
    first = labels[0]
    ends = [k for k in reversed(range(1, len(first))) if _is_end_of_word(first, k)]
    for k in [*ends, *_ends_of_codes(labels)]:
        begun = [label[k:] for label in labels if label.startswith(first[:k])]
        ended = [label.removesuffix(first[k:]) for label in labels if label.endswith(first[k:])]
        if min(len(begun), len(ended)) > 1 and known == {
            before + after for before in ended for after in begun
        }:
            parts = dict(zip(ended, crossed_labels(ended) or [(before,) for before in ended], strict=True))
            of_label = {before + after: (*parts[before], after) for before in ended for after in begun}
            return [tuple(part.strip(_BETWEEN_PARTS) for part in of_label[label]) for label in labels]
    return []


def counted(number: int, singular: str, plural: str = "") -> str:
    """Return a number with its noun.

    Examples
    --------
    >>> counted(1, "cell"), counted(1200, "cell"), counted(2, "person", "people")
    ('1 cell', '1,200 cells', '2 people')
    """
    return f"{number:,} {singular if number == 1 else plural or f'{singular}s'}"


#: Noun for the counted units of a table, unless a file or a user names another one.
PEOPLE = "people"

#: Singular of the nouns for counted units; an unknown noun is written in the plural.
SINGULAR = {
    PEOPLE: "person",
    "persons": "person",
    "households": "household",
    "families": "family",
    "dwellings": "dwelling",
    "buildings": "building",
    "farms": "farm",
    "enterprises": "enterprise",
    "businesses": "business",
    "companies": "company",
    "firms": "firm",
    "cases": "case",
    "deaths": "death",
    "births": "birth",
    "jobs": "job",
    "units": "unit",
}


def singular(unit: str) -> str:
    """Return the singular of a noun for counted units, or the noun itself if its singular is not known.

    Examples
    --------
    >>> singular("people"), singular("households"), singular("of turnover")
    ('person', 'household', 'of turnover')
    """
    return SINGULAR.get(unit.lower(), unit)


def counted_units(number: int, unit: str = PEOPLE) -> str:
    """Return a number with its unit.

    Examples
    --------
    >>> counted_units(1), counted_units(20139, "households"), counted_units(1, "households")
    ('1 person', '20,139 households', '1 household')
    """
    return counted(number, singular(unit), unit)


def percent(share: float) -> str:
    """Return a share in percent with one decimal; only exact 0 and 1 are shown as 0% and 100%.

    Examples
    --------
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
    """Return against whom a suppression pattern protects; `coalition` is the maximum size of a coalition.

    Examples
    --------
    >>> holds_for(0, "in the table")
    'The suppression protects only against external intruders, not against respondents in the table.'
    >>> holds_for(1, "in the table")
    'The suppression protects against external intruders, and against each respondent in the table.'
    """
    if not coalition:
        return (
            f"The suppression protects only against external intruders, not against respondents "
            f"{who.split(' who ')[0]}."
        )
    if coalition == 1:
        return f"The suppression protects against external intruders, and against each respondent {who}."
    inside = who.split(" who ")[0]
    return (
        "The suppression protects against external intruders, and against any "
        f"{coalition} respondents {inside} who share their knowledge."
    )


def total_label(labels: Sequence[str]) -> str:
    """Return a label for the total of an axis that differs from its labels.

    Examples
    --------
    >>> total_label(["a", "b"]), total_label(["Total"])
    ('Total', 'Total (all)')
    """
    name = "Total"
    while name in labels:
        name += " (all)"
    return name


def no_value_among(labels: Iterable[str]) -> set[str]:
    """Return the labels of a microdata column that mark missing values; labels have no outer blanks.

    Examples
    --------
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
    """Return whether a label of a text column may mark a missing value, for example "?"."""
    return label in _PERHAPS_NO_VALUE


def is_decimal(text: str) -> bool:
    """Return whether a text is a decimal number, with a point or comma before the decimals.

    Examples
    --------
    >>> is_decimal("1,5"), is_decimal("k.A.")
    (True, False)
    """
    try:
        return math.isfinite(float(text.replace(",", ".")))
    except ValueError:
        return False


def file_name(name: str, title: str) -> str:
    """Return the name of a file to save: its purpose and the title of its table, in letters and digits.

    Examples
    --------
    >>> file_name("protected.csv", "Religion by output area")
    'protected-religion-by-output-area.csv'
    >>> file_name("protected.xlsx", "protected-06_tidy3.csv"), file_name("table.csv", "Your table")
    ('protected-06-tidy3.xlsx', 'your-table.csv')
    """
    stem, _, ending = name.rpartition(".")
    words = re.findall(r"[^\W_]+", re.sub(r"\.[A-Za-z]{3,5}$", "", title[:_LONGEST]).lower())
    while words and len("-".join(words)) > _SHORT:
        words.pop()
    # The title of a file that a page saved earlier already contains the purpose.
    known = set(stem.split("-")) <= set(words)
    return f"{'-'.join(words if known else [stem, *words])}.{ending}"


def for_spreadsheet(label: str) -> str:
    r"""Return a label in which a spreadsheet reads no line as a formula.

    Examples
    --------
    >>> for_spreadsheet("=1+1"), from_spreadsheet("'=1+1"), for_spreadsheet("Area\r=1+1")
    ("'=1+1", '=1+1', "Area\r'=1+1")
    """
    return _FORMULA.sub("'", label)


def from_spreadsheet(label: str) -> str:
    """Reverse `for_spreadsheet`."""
    return _ESCAPED.sub("", label)


def unwritable(label: str) -> str | None:
    r"""Return the name of the first character that no file can contain, or None.

    Examples
    --------
    >>> unwritable("a\x07b"), unwritable("São Paulo")
    ('U+0007', None)
    """
    match = _UNWRITABLE.search(label)
    return None if match is None else f"U+{ord(match[0]):04X}"


def corner(names: Sequence[str]) -> list[str]:
    r"""Return the first cells of a header row, which contain the axis names; `axis_names` parses them.

    Examples
    --------
    >>> corner(["Area", "Religion"])
    ['Area \\ Religion']
    """
    doubled = [name.replace("\\", "\\\\") for name in names]
    return doubled if len(names) == 1 else [*doubled[:-2], " \\ ".join(doubled[-2:])]


def axis_names(header: Sequence[str]) -> tuple[list[str | None], int]:
    """Return the axis names of a header row (None if blank), and the number of label columns."""
    names, depth = list(header[:1]), 1
    for k, cell in enumerate(header[:-1]):
        parts = _BETWEEN_NAMES.split(cell, maxsplit=1)
        if len(parts) == 2 and (k == 0 or " \\ " in cell):
            names, depth = [*header[:k], *parts], k + 1
            break
    return [name.replace("\\\\", "\\") if name.strip() else None for name in names], depth


def default_names(ndim: int) -> list[str]:
    """Return the default names of the axes: Row, Column, and layers between them."""
    return ["Row", *(f"Layer {k}" for k in range(1, ndim - 1)), "Column"][:ndim]


def cell_name(labels: Sequence[str], names: Sequence[str] = ()) -> str:
    """Return a description of a cell from its label on each axis.

    Examples
    --------
    >>> cell_name(["Area 1", "Jewish"])
    'Row "Area 1", column "Jewish"'
    >>> cell_name(["Area 1", "Male", "Jewish"], ["Area", "Sex", "Religion"])
    'Area "Area 1", Sex "Male", Religion "Jewish"'
    """
    words = names if len(labels) > 2 else ("Row", "column")
    return ", ".join(f"{shortened(word)} {quoted(label)}" for word, label in zip(words, labels, strict=False))


def quoted(label: object) -> str:
    """Return a label in quotation marks, shortened if it is long."""
    return f'"{shortened(label)}"'


def shortened(label: object) -> str:
    """Return a label on one line of at most 60 characters, shortened in the middle.

    Both ends are kept, because long labels often differ only at the end.

    Examples
    --------
    >>> shortened("Beschäftigte im Großhandel mit Fisch, Öl und Süßwaren sowie verwandten Erzeugnissen Nr. 12")
    'Beschäftigte im Großhandel mit…Erzeugnissen Nr. 12'
    """
    whole = str(label)
    if len(whole) > 2 * _LONGEST:  # limits the work for very long labels
        whole = f"{whole[:_LONGEST]} {whole[-_LONGEST:]}"
    text = _UNWRITABLE.sub("\ufffd", " ".join(whole.split()))
    if len(text) <= _SHORT:
        return text
    half = _SHORT // 2
    # Cut at a word boundary unless this would leave less than half of the end.
    space = text.rfind(" ", 0, half + 1)
    head = text[: space if space > 1 else half].rstrip(",;:")
    start = len(text) - (_SHORT - 1 - len(head))
    word = text.find(" ", start - 1) + 1
    return f"{head}…{text[word if 0 < word < (start + len(text)) / 2 else start :]}"


def listed(labels: Sequence[str]) -> str:
    """Return labels as a list in a sentence; only the first eight are named."""
    first = [quoted(label) for label in labels[:8]]
    return ", ".join(first) + (f" and {len(labels) - 8} more" if len(labels) > 8 else "")


def and_more(texts: Sequence[str], most: int) -> str:
    """Return texts as a list in a sentence; only the first `most` are named.

    Examples
    --------
    >>> and_more(["a"], 2), and_more(["a", "b"], 2), and_more(["a", "b", "c", "d"], 2)
    ('a', 'a and b', 'a, b and 2 more')
    >>> and_more([], 2)
    ''
    """
    if not texts:
        return ""
    if len(texts) > most:
        texts = [*texts[:most], f"{len(texts) - most} more"]
    *first, last = texts
    return f"{', '.join(first)} and {last}" if first else last


def whole(text: str) -> str:
    r"""Return a text in which lone surrogates are replaced, because messages cannot contain them.

    Examples
    --------
    >>> whole("table.csv"), whole("\ud800.csv") == "\ufffd.csv"
    ('table.csv', True)
    """
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


#: Format of published values: whole numbers without a point, thousands separated.
NUMBER_FORMAT = ",.15g"


def number_text(value: float) -> str:
    """Return a published value as text: a whole number without a point, thousands apart.

    Examples
    --------
    >>> number_text(3.0), number_text(2.5), number_text(46788.0)
    ('3', '2.5', '46,788')
    """
    return format(value, NUMBER_FORMAT)


def names_of(value: object, what: str) -> tuple[str, ...]:
    """Return one name or several names as a tuple.

    Parameters
    ----------
    value : str or sequence of str
    what : str
        What the names are, as the subject of a sentence in the plural.

    Returns
    -------
    tuple of str

    Raises
    ------
    InputError
        If it is not a name, nor a sequence of names.

    Examples
    --------
    >>> names_of("Area", "The columns"), names_of(["Area", "Sex"], "The columns")
    (('Area',), ('Area', 'Sex'))
    """
    if isinstance(value, str):
        return (value,)
    names = tuple(value) if isinstance(value, Iterable) else ()
    if not isinstance(value, Iterable) or not all(isinstance(name, str) for name in names):
        raise InputError(f"{what} are {shortened(value)}; they must be a name or a list of names.")
    return names
