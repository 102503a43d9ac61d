"""Progress on a terminal: for work of more than 2 s, the step and the elapsed time on stderr."""

from __future__ import annotations

import io
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

#: Time before the first line of progress, in seconds.
DELAY = 2.0

#: Time between two updates, in seconds.
INTERVAL = 0.5

#: Control sequence that returns to the start of the line and erases it.
ERASE = "\r\x1b[K"


class ProgressLine:
    """Line of progress on a terminal, updated by a thread.

    Parameters
    ----------
    terminal : text stream
    step : str
        Name of the work, for example "sdcwidgets protect".
    """

    def __init__(self, terminal: TextIO, step: str) -> None:
        self.terminal, self.step = terminal, step
        self._start = time.monotonic()
        self._is_visible = False
        self._lock = threading.RLock()
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._update, daemon=True)
        self._thread.start()

    def _update(self) -> None:
        wait = DELAY
        while not self._end.wait(wait):
            wait = INTERVAL
            with self._lock:
                seconds = time.monotonic() - self._start
                self.terminal.write(f"{ERASE}{self.step}: {seconds:.0f} s")
                self.terminal.flush()
                self._is_visible = True

    def write(self, stream: TextIO, text: str) -> int:
        """Erase the line of progress, and write a text."""
        with self._lock:
            if self._is_visible:
                self.terminal.write(ERASE)
                self.terminal.flush()
                self._is_visible = False
            return stream.write(text)

    def stop(self) -> None:
        """Stop the updates, and erase the line."""
        self._end.set()
        self._thread.join()
        self.write(self.terminal, "")


class _Stream(io.TextIOBase):
    """Stream that erases the line of progress before it writes."""

    def __init__(self, stream: TextIO, progress: ProgressLine) -> None:
        self._stream, self._progress = stream, progress

    def write(self, text: str) -> int:
        return self._progress.write(self._stream, text)

    def flush(self) -> None:
        if not self._stream.closed:
            self._stream.flush()

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return self._stream.isatty()

    def fileno(self) -> int:
        return self._stream.fileno()

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._stream.encoding


_current: ProgressLine | None = None


@contextmanager
def progress(step: str) -> Iterator[None]:
    """Show the progress of the work in this context, if stderr is a terminal."""
    global _current
    if not sys.stderr.isatty():
        yield
        return
    streams = sys.stdout, sys.stderr
    _current = line = ProgressLine(sys.stderr, step)
    replaced: Any = [_Stream(stream, line) if stream.isatty() else stream for stream in streams]
    sys.stdout, sys.stderr = replaced
    try:
        yield
    finally:
        _current = None
        sys.stdout, sys.stderr = streams
        line.stop()


def show_step(step: str) -> None:
    """Name the step that the line of progress shows from now on."""
    if _current is not None:
        _current.step = step
