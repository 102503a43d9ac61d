"""Validate websocket frames from browsers before any library parses them.

A frame of Jupyter's protocol v1 consists of a number of offsets, the offsets, and the parts between them:
channel, header, parent header, metadata, content and buffers. The parsers of Jupyter Server and Voila trust
the number of offsets. A frame of eight bytes could make them exhaust the memory.
"""

from __future__ import annotations

import itertools
import json
import re
import struct

#: Name of the only supported protocol.
PROTOCOL = "v1.kernel.websocket.jupyter.org"

#: Channels that a browser may use. Pages never prompt for input of a kernel, so stdin is missing.
CHANNELS = (b"shell", b"control")

#: Minimum number of offsets: the start of the channel name and the ends of the five parts.
FEWEST = 6

#: Maximum number of offsets. Messages have one or two buffers, for example an uploaded file.
MOST = 256

#: Maximum length of a header in bytes.
LONGEST_HEADER = 4096

_KIND = re.compile(r"[a-z_]{1,40}")

#: A JSON escape of a surrogate. Browsers send complete characters unescaped.
_HALF = re.compile(rb"\\u[dD][89a-fA-F]")


class BadFrame(ValueError):
    """An invalid frame; its message does not repeat the frame's content."""


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
    """Return the header of a valid frame."""
    start, end = struct.unpack_from("<2Q", frame, 16)
    header: dict[str, object] = json.loads(frame[start:end])
    return header


def _check_header(text: bytes) -> None:
    """Raise BadFrame if a header does not contain a message type."""
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
    """Raise BadFrame if a text contains an unpaired surrogate such as U+D800.

    Such a text is valid JSON but cannot be encoded in UTF-8.
    """
    if _HALF.search(text) is None:
        return
    try:
        json.dumps(json.loads(text), ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise BadFrame("half a character") from None
