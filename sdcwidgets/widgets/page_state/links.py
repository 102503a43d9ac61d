"""States as text for links and back, with one version."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields, is_dataclass
from typing import Any, Protocol, Self, get_type_hints

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.values import with_fields

#: Maximum length of a link; browsers and mail programs truncate longer ones.
LONGEST_LINK = 8_000

#: Maximum size of an unpacked link, in bytes.
MOST_UNPACKED = 1_000_000


class State(Protocol):
    """State of a study: a frozen dataclass that can be written as one versioned dict."""

    def to_state(self) -> dict[str, object]:
        """Return plain values from which `from_state` makes an equal state."""

    @classmethod
    def from_state(cls, saved: dict[str, object]) -> Self:
        """Return the state that `to_state` wrote, or raise InputError."""


@dataclass(frozen=True, eq=False)
class Linked:
    """Base class of states that are frozen dataclasses.

    By default, all fields are saved: numbers, texts, tuples of them, and dataclasses of settings. States with
    other fields override `saved` and `restored`.
    """

    def changed(self, **changes: object) -> Self:
        """Return the state with other fields; all changes of a page use this method, which can adapt other fields."""
        return with_fields(self, **changes)

    def to_state(self) -> dict[str, object]:
        """Return plain values from which `from_state` makes an equal state."""
        return {"version": 1} | self.saved()

    @classmethod
    def from_state(cls, saved: dict[str, object]) -> Self:
        """Return the state that `to_state` wrote.

        Raises
        ------
        InputError
            If the link is damaged, has another version, or contains an invalid value.
        """
        if not isinstance(saved, dict) or saved.get("version") != 1:
            raise InputError(
                "This link belongs to another version of the dashboard; open the page without the link."
            )
        with _undamaged():
            return cls.restored(saved)

    def saved(self) -> dict[str, object]:
        """Return the fields as plain values."""
        return asdict(self)

    @classmethod
    def restored(cls, saved: Mapping[str, Any]) -> Self:
        """Return the state from plain values; any error is reported as a damaged link."""
        hints = get_type_hints(cls)
        values = {}
        for item in fields(cls):
            value, kind = saved[item.name], hints[item.name]
            if is_dataclass(kind) and isinstance(kind, type):
                value = kind(**value)
            values[item.name] = tuple(value) if isinstance(value, list) else value
        return cls(**values)


@contextmanager
def _undamaged() -> Iterator[None]:
    """Replace the various errors of damaged links by one message."""
    try:
        yield
    except InputError:
        raise
    except (
        LookupError,
        TypeError,
        ValueError,
        ArithmeticError,
        AttributeError,
        RecursionError,
        zlib.error,
    ) as error:
        raise InputError("This link is damaged; copy it again from the original page.") from error


def encode(state: State, longest: int = LONGEST_LINK) -> str:
    """Return a state as text for a link, with at most `longest` characters.

    Raises
    ------
    InputError
        If the table is too large for a link.
    """
    return pack(state.to_state(), longest)


def pack(saved: dict[str, object], longest: int = LONGEST_LINK) -> str:
    """Pack the values of `to_state` as text for a link.

    Raises
    ------
    InputError
        If the text has more than `longest` characters.
    """
    plain = json.dumps(saved, separators=(",", ":"), ensure_ascii=False).encode()
    text = base64.urlsafe_b64encode(zlib.compress(plain, 9)).decode().rstrip("=")
    if len(text) > longest:
        raise InputError("This table is too large for a link. Save it as a file and send the file instead.")
    return text


def decode(text: str, most: int = MOST_UNPACKED) -> dict[str, object]:
    """Unpack the text of a link.

    Raises
    ------
    InputError
        If the link is damaged, or has more than `most` bytes when unpacked.
    """
    with _undamaged():
        packed = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        unpacked = zlib.decompressobj().decompress(packed, most)
        saved = json.loads(unpacked)
        if not isinstance(saved, dict):
            raise TypeError(saved)
        json.dumps(
            saved, ensure_ascii=False
        ).encode()  # an unpaired surrogate could not be sent to the browser
    return saved
