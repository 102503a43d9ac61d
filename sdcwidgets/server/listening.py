"""Where a server listens: whether it can, and under which address others find it."""

from __future__ import annotations

import errno
import socket
from contextlib import suppress

from sdcwidgets._util.errors import InputError


def public_host(host: str) -> str:
    """Return the name or the address under which others find what listens at `host`."""
    if host in ("", "0.0.0.0", "::"):
        # Whoever is not of this network may not know the machine's name. Nothing is sent to find the address.
        family, outside = (
            (socket.AF_INET6, "2001:db8::1") if ":" in host else (socket.AF_INET, "198.51.100.1")
        )
        host = socket.gethostname()
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((outside, 9))
            host = probe.getsockname()[0]
    return "localhost" if host == "127.0.0.1" else f"[{host}]" if ":" in host else host


def check_address(host: str, port: int) -> None:
    """Raise InputError if nothing can listen at this address."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            reason = "in use" if error.errno == errno.EADDRINUSE else f"not to be had ({error.strerror})"
            raise InputError(f"Port {port} of {host} is {reason}; choose another with --port.") from None
