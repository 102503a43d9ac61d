"""Files that are put together once, kept, and fetched by a browser once for all pages."""

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

from sdcwidgets.server.refusals import ErrorPageMixin

_A_YEAR = 365 * 24 * 3600

#: Bytes that are sent before it is waited until they are taken.
PIECE = 64 * 1024


class Script(Protocol):
    """A script that knows its version, as a module or an object."""

    def version(self) -> str:
        """Return the name of its content in caches."""

    def source(self) -> bytes:
        """Return its text."""

    def compressed(self) -> bytes:
        """Return its text, gzipped."""


class OwnScript:
    """A file of this package as a script that knows its version."""

    def __init__(self, file: Path) -> None:
        self._text = file.read_bytes()

    def version(self) -> str:
        """Return the beginning of a hash of the text."""
        return hashlib.sha256(self._text).hexdigest()[:12]

    def source(self) -> bytes:
        """Return the text."""
        return self._text

    def compressed(self) -> bytes:
        """Return the text, gzipped."""
        return self._compressed

    @cached_property
    def _compressed(self) -> bytes:
        return gzip.compress(self._text, mtime=0)


class CachedFileHandler(ErrorPageMixin, RequestHandler):
    """Serve a script, gzipped once and kept.

    It is the same public file for everyone, so it asks nobody who they are. A URL that names the version
    (`?v=`) never changes its content and is cached for good; another one is asked for again each time.
    """

    SUPPORTED_METHODS = ("GET", "HEAD")

    def initialize(self, script: Script, kind: str = "text/javascript") -> None:
        """Note what is served here, and its MIME type."""
        self.script, self._kind = script, kind

    def compute_etag(self) -> str:
        """Name the content by its version; hashing megabytes a request would only say the same."""
        return f'"{self.script.version()}"'

    @allow_unauthenticated
    async def get(self) -> None:
        """Answer with the file, or with 304 where the browser has it."""
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
        # For who reads slowly one piece is held and not the whole; who left is no error.
        with suppress(StreamClosedError):
            for start in range(0, len(content), PIECE):
                self.write(content[start : start + PIECE])
                await self.flush()

    head = get
