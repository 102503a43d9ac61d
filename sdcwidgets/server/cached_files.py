"""Files that are read or compressed once and cached by browsers."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Protocol

from jupyter_server.auth.decorator import allow_unauthenticated
from tornado.iostream import StreamClosedError
from tornado.web import RequestHandler

from sdcwidgets.server.error_pages import ErrorPageMixin

_A_YEAR = 365 * 24 * 3600

#: Bytes per write. The handler waits until each piece is sent.
PIECE = 64 * 1024


class Script(Protocol):
    """A script with a version, as a module or an object."""

    def version(self) -> str:
        """Return the version, which changes with the content."""

    def source(self) -> bytes:
        """Return the content."""

    def compressed(self) -> bytes:
        """Return the content, compressed by gzip."""


class OwnScript:
    """A file of this package as a `Script`."""

    def __init__(self, file: Path) -> None:
        self._text = file.read_bytes()

    def version(self) -> str:
        """Return the first 12 hexadecimal digits of the SHA-256 hash of the content."""
        return hashlib.sha256(self._text).hexdigest()[:12]

    def source(self) -> bytes:
        """Return the content."""
        return self._text

    def compressed(self) -> bytes:
        """Return the content, compressed by gzip."""
        return self._compressed

    @cached_property
    def _compressed(self) -> bytes:
        return gzip.compress(self._text, mtime=0)


class CachedFileHandler(ErrorPageMixin, RequestHandler):
    """Handler of a public script, which is compressed once.

    The file is the same for all visitors and requires no access key. A URL with the current version (`?v=`)
    never changes its content, so browsers cache it for a year. Other URLs are revalidated on each request.
    """

    SUPPORTED_METHODS = ("GET", "HEAD")

    def initialize(self, script: Script, kind: str = "text/javascript") -> None:
        """Set the script and its MIME type."""
        self.script, self._kind = script, kind

    def compute_etag(self) -> str:
        """Return the version as ETag, which avoids hashing megabytes per request."""
        return f'"{self.script.version()}"'

    @allow_unauthenticated
    async def get(self) -> None:
        """Send the file, or status 304 if the browser has the current version."""
        named = self.get_query_argument("v", "") == self.script.version()
        self.set_header("Content-Type", f"{self._kind}; charset=utf-8")
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Cache-Control", f"public, max-age={_A_YEAR}, immutable" if named else "no-cache")
        self.set_header("Vary", "Accept-Encoding")
        self.set_etag_header()
        if self.check_etag_header():
            self.set_status(304)
            return
        if "gzip" in self.request.headers.get("Accept-Encoding", ""):
            self.set_header("Content-Encoding", "gzip")
            content = await asyncio.to_thread(self.script.compressed)
        else:
            content = await asyncio.to_thread(self.script.source)
        self.set_header("Content-Length", len(content))
        if self.request.method == "HEAD":
            return
        # Only one piece is held in memory for a slow client. A client that disconnects is not an error.
        with suppress(StreamClosedError):
            for start in range(0, len(content), PIECE):
                self.write(content[start : start + PIECE])
                await self.flush()

    head = get
