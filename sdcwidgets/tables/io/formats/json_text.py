"""Values of JSON texts, within limits of memory."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from sdcwidgets._util.errors import InputError
from sdcwidgets.tables.io.formats.base import RIGHT, Format

#: Maximum numbers of objects and lists, and of quotation marks, of a JSON text. An object takes at least 64 bytes.
_MOST_PARTS, _MOST_MARKS = 1_000_000, 8_000_000

#: First characters of JSON texts with a table, without blanks.
_BEGINS = (b'{"', b'[{"', b'[["', b"[[[", b"[[-", *(b"[[%d" % digit for digit in range(10)))


class JsonFile(Format):
    """Base class of the formats of JSON texts, which do not state their encoding."""

    @classmethod
    def stated_encoding(cls, content: bytes) -> str:
        """Return "", because the format does not state its encoding."""
        return ""


def begins_like_json(content: bytes) -> bool:
    """Return whether bytes begin as a JSON object, a list of objects, or a list of lists.

    Examples
    --------
    >>> begins_like_json(b' [ {"a": 1}]'), begins_like_json(b"[11,000 agencies]"), begins_like_json(b"[[Table 1]]")
    (True, False, False)
    """
    start = content[:200].removeprefix(b"\xef\xbb\xbf").translate(None, b" \t\r\n")
    return start.startswith(_BEGINS)


def json_value(content: bytes, name: str) -> Any:
    r"""Return the value of a JSON text, or the list of the values of its lines.

    Parameters
    ----------
    content : bytes
    name : str
        Name of the file in messages.

    Raises
    ------
    InputError
        If the text is not JSON, is too large, or has an object with two equal keys.

    Examples
    --------
    >>> json_value(b'{"a": 1}', "a.json"), json_value(b'{"a": 1}\n{"a": 2}', "a.json")
    ({'a': 1}, [{'a': 1}, {'a': 2}])
    """
    parts = content.count(b"{") + content.count(b"[")
    if parts > _MOST_PARTS or content.count(b'"') > _MOST_MARKS:
        raise InputError(f"{name} has more lists, objects or texts than are read; {RIGHT}.")
    try:
        text = content.decode("utf-8-sig")
        try:
            return json.loads(text, object_pairs_hook=_unique)
        except ValueError:
            return [json.loads(line, object_pairs_hook=_unique) for line in text.splitlines() if line.strip()]
    except _TwoKeys as error:
        raise InputError(
            f"{name} has an object with two values for the key {str(error)[:80]!r}; keep one of them."
        ) from None
    except (ValueError, RecursionError):
        raise InputError(
            f"{name} begins like JSON but cannot be read, so the file may be damaged; {RIGHT}."
        ) from None


class _TwoKeys(Exception):
    """An object with two equal keys."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise _TwoKeys(Counter(key for key, _ in pairs).most_common(1)[0][0])
    return value
