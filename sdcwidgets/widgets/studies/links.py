"""States as text for a link and back: one version, one sentence for a damaged link."""

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

#: A link may be this long; browsers and mail programs cut longer ones.
LONGEST_LINK = 8_000

#: What a link unpacks to is at most so many bytes.
MOST_UNPACKED = 1_000_000


class State(Protocol):
    """What a study holds: a frozen dataclass that can be written as one versioned dict."""

    def to_state(self) -> dict[str, object]:
        """Return plain values from which `from_state` makes an equal state."""

    @classmethod
    def from_state(cls, saved: dict[str, object]) -> Self:
        """Return the state that `to_state` wrote, or raise InputError."""


@dataclass(frozen=True, eq=False)
class Linked:
    """A base for states that are frozen dataclasses.

    What is written are the fields, unless `saved` and `restored` say otherwise: numbers, texts, tuples of them,
    and dataclasses of settings.
    """

    def changed(self, **changes: object) -> Self:
        """Return the state with other fields; every change of a page comes by here, and says what follows from it."""
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
            If a value is not what it should be, or the link is of another version, or damaged.
        """
        if not isinstance(saved, dict) or saved.get("version") != 1:
            raise InputError(
                "This link was not made by this version of the dashboard; open the page without it."
            )
        with _undamaged():
            return cls.restored(saved)

    def saved(self) -> dict[str, object]:
        """Return the fields as plain values."""
        return asdict(self)

    @classmethod
    def restored(cls, saved: Mapping[str, Any]) -> Self:
        """Return the state of such values; what goes wrong here is told as damage."""
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
    """Say in one sentence what a damaged link makes fail in many ways."""
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
        raise InputError("This link is damaged; copy it again from the page that made it.") from error


def encode(state: State, longest: int = LONGEST_LINK) -> str:
    """Return a state as text for a link, of at most so many characters.

    Raises
    ------
    InputError
        If the table is too large for a link.
    """
    return pack(state.to_state(), longest)


def pack(saved: dict[str, object], longest: int = LONGEST_LINK) -> str:
    """Return what `to_state` wrote as text for a link, of at most so many characters, or raise InputError."""
    plain = json.dumps(saved, separators=(",", ":"), ensure_ascii=False).encode()
    text = base64.urlsafe_b64encode(zlib.compress(plain, 9)).decode().rstrip("=")
    if len(text) > longest:
        raise InputError("This table is too large for a link; save it as a file and send that.")
    return text


def decode(text: str, most: int = MOST_UNPACKED) -> dict[str, object]:
    """Return the dict that a link's text stands for, at most so many bytes unpacked, or raise InputError."""
    with _undamaged():
        packed = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        unpacked = zlib.decompressobj().decompress(packed, most)
        saved = json.loads(unpacked)
        if not isinstance(saved, dict):
            raise TypeError(saved)
        json.dumps(saved, ensure_ascii=False).encode()  # half a character could be told to no page
    return saved
