"""Long work that a person may end: then everything is as it was before."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from sdcwidgets._util.errors import InputError

STOPPED = "This took long and was stopped; nothing was changed."


@contextmanager
def stoppable() -> Iterator[None]:
    """Let an interrupt of the kernel end what is done here, as bad input would.

    Only here: what shows a result must not be torn. A solver that is no Python ends with its own limit first.
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
