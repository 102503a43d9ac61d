"""What a browser may send through its websocket, checked before any library takes it apart.

A frame of Jupyter's protocol v1 is a number of offsets, the offsets, and what lies between them: the name of a
channel, then header, parent header, metadata, content and buffers of a message. The parsers of Jupyter
Server and Voila believe the number that a frame begins with; eight bytes made them fill the memory.
"""

from __future__ import annotations

import itertools
import json
import re
import struct

#: The one protocol that is spoken here.
PROTOCOL = "v1.kernel.websocket.jupyter.org"

#: The channels a browser may speak on; nobody is asked for input, so there is no stdin.
CHANNELS = (b"shell", b"control")

#: Channel, header, parent header, metadata and content have an end each, and the first a beginning.
FEWEST = 6

#: A message carries a buffer or two; a file is one of them.
MOST = 256

#: A header names a message, its kind and its sender.
LONGEST_HEADER = 4096

_KIND = re.compile(r"[a-z_]{1,40}")

#: How a character outside the first 65,536, or half of one, begins in JSON. A browser writes whole ones as they are.
_HALF = re.compile(rb"\\u[dD][89a-fA-F]")


class BadFrame(ValueError):
    """A frame that no front end sends; its text never repeats what was sent."""


def check(frame: str | bytes) -> None:
    """Raise BadFrame if a frame is not one message of the protocol.

    Examples
    --------
    >>> check((1 << 40).to_bytes(8, "little"))
    Traceback (most recent call last):
        ...
    sdcwidgets.server.frames.BadFrame: its length
    """
    if isinstance(frame, str):
        raise BadFrame("text instead of bytes")
    if len(frame) < 8 * (FEWEST + 1):
        raise BadFrame("its length")
    number = int.from_bytes(frame[:8], "little")
    if not FEWEST <= number <= MOST or 8 * (number + 1) > len(frame):
        raise BadFrame("the number of its parts")
    offsets = struct.unpack_from(f"<{number}Q", frame, 8)
    edges = (8 * (number + 1), *offsets, len(frame))
    if any(after < before for before, after in itertools.pairwise(edges)):
        raise BadFrame("the order of its parts")
    if frame[offsets[0] : offsets[1]] not in CHANNELS:
        raise BadFrame("its channel")
    _check_header(frame[offsets[1] : offsets[2]])
    for start, end in itertools.pairwise((*offsets, len(frame))[2:6]):
        _check_text(frame[start:end])


def header_of(frame: bytes) -> dict[str, object]:
    """Return the header of a frame that was checked."""
    start, end = struct.unpack_from("<2Q", frame, 16)
    header: dict[str, object] = json.loads(frame[start:end])
    return header


def _check_header(text: bytes) -> None:
    """Raise BadFrame if a header does not name the kind of its message."""
    if len(text) > LONGEST_HEADER:
        raise BadFrame("the length of its header")
    try:
        header = json.loads(text)
    except (ValueError, RecursionError):
        raise BadFrame("its header") from None
    _check_text(text)
    kind = header.get("msg_type") if isinstance(header, dict) else None
    if not isinstance(kind, str) or not _KIND.fullmatch(kind):
        raise BadFrame("the kind of its message")


def _check_text(text: bytes) -> None:
    """Raise BadFrame if there is half a character in it, as U+D800: JSON, but no text that can be passed on."""
    if _HALF.search(text) is None:
        return
    try:
        json.dumps(json.loads(text), ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise BadFrame("half a character") from None
