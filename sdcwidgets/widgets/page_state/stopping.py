"""Interruption of long computations, after which everything is unchanged."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from sdcwidgets._util.errors import InputError

STOPPED = "The computation took too long and was stopped. Nothing was changed."


@contextmanager
def stoppable() -> Iterator[None]:
    """Let an interrupt of the kernel end the computation, as invalid input would.

    Interrupts are handled only here, because an update of the page must not be interrupted. Solvers that are not
    written in Python first reach their own time limit.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    except KeyboardInterrupt:
        raise InputError(STOPPED) from None
    finally:
        signal.signal(signal.SIGINT, before or signal.SIG_DFL)
