"""Error that the package raises for invalid input, and the message for an unknown name."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

#: Input of more than 100 characters without a space; the message shows its beginning and its end.
_LONG = re.compile(r"(\S{57})\S{41,}(\S{3})")

#: Minimum similarity of two names, from 0 to 1, so that one may be a misspelling of the other.
_LEAST_SIMILARITY = 0.65

#: Ends of lines in a value, such as a frame; a message has one line.
_LINES = re.compile(r"\s*\n\s*")


class InputError(ValueError):
    """Invalid input, described in one sentence: the problem, its place, and a valid alternative.

    Dashboards, the command line and notebooks show the message unchanged. Words of more than 100 characters are
    shortened.

    Examples
    --------
    >>> print(InputError("There is no example " + 1000 * "x" + "; take another one."))
    There is no example xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...xx; take another one.
    """

    # Tracebacks show the public name.
    __module__ = "sdcwidgets"

    def __init__(self, sentence: str = "") -> None:
        super().__init__(_LONG.sub(r"\1...\2", _LINES.sub(" ", sentence)))


class MissingValue(InputError, AttributeError):
    """A value that was not computed, requested as an attribute."""

    __module__ = "sdcwidgets"


def nearest_names(name: object, names: Iterable[str], most: int = 3) -> list[str]:
    """Return at most `most` names that are similar to a misspelt name, the nearest first.

    Capital letters, underscores, hyphens and spaces make no difference. A part of a name counts if it begins a word.

    Examples
    --------
    >>> nearest_names("Random_roundin", ["random-rounding", "record-swapping"])
    ['random-rounding']
    >>> nearest_names("all", ["small_changed"])
    []
    """
    plain = {_plain(known): known for known in names}
    wanted = _plain(str(name))
    similar = difflib.get_close_matches(wanted, plain, most, _LEAST_SIMILARITY)
    longer = [known for known in plain if len(wanted) > 2 and f"-{wanted}" in f"-{known}"]
    return [plain[near] for near in dict.fromkeys([*similar, *longer])][:most]


def _plain(name: str) -> str:
    return name.lower().replace("_", "-").replace(" ", "-")


def unknown_name(kind: str, name: object, names: Iterable[str], hint: str = "") -> InputError:
    """Return the error for an unknown name, with the nearest names, or with all names if none is near.

    Parameters
    ----------
    kind : str
        Noun for what the name denotes.
    name : object
        The unknown name.
    names : iterable of str
        All names.
    hint : str
        Words before the full stop, for example where the names are listed.

    Examples
    --------
    >>> print(unknown_name("method", "rounding", ["random-rounding", "conventional-rounding", "cell-key"]))
    There is no method 'rounding'; the nearest ones are random-rounding and conventional-rounding.
    >>> print(unknown_name("setting", "bse", ["base", "margins"]), unknown_name("setting", "x", []))
    There is no setting 'bse'; the nearest one is base. There is no setting 'x'; there are none.
    """
    known = list(names)
    if not isinstance(name, str):
        return InputError(
            f"The name of a {kind} is {described(name)}; it must be a text: {', '.join(known) or 'none'}{hint}."
        )
    near = nearest_names(name, known)
    if near:
        listed = " and ".join(filter(None, [", ".join(near[:-1]), near[-1]]))
        return InputError(
            f"There is no {kind} {name!r}; the nearest {'one is' if len(near) == 1 else 'ones are'} {listed}{hint}."
        )
    return InputError(f"There is no {kind} {name!r}; there are {', '.join(known) or 'none'}{hint}.")


def type_with_article(value: object) -> str:
    """Return the type of a value for a message, with its indefinite article.

    Examples
    --------
    >>> type_with_article(5), type_with_article([5])
    ('an int', 'a list')
    """
    name = type(value).__name__
    return f"an {name}" if name[:1].lower() in "aeiou" else f"a {name}"


def described(value: object) -> str:
    """Return a value for a message: a text in quotes, and a large object by its type.

    Examples
    --------
    >>> described(5), described("5"), described(object()), described(range(1000))
    ('5', '"5"', 'a value of the Python type object', 'range(0, 1000)')
    """
    if isinstance(value, str):
        return f'"{value}"'
    text = str(value)
    if len(text) > 80 or "\n" in text or " at 0x" in text:
        return f"a value of the Python type {type(value).__name__}"
    return text
