"""Check that a server can listen, and find its public address."""

from __future__ import annotations

import errno
import socket
from contextlib import suppress

from sdcwidgets._util.errors import InputError


def public_host(host: str) -> str:
    """Return the name or address under which other computers reach `host`."""
    if host in ("", "0.0.0.0", "::"):
        # Computers outside of the network may not resolve the machine's name. Connecting a UDP socket finds
        # the address without sending data.
        family, outside = (
            (socket.AF_INET6, "2001:db8::1") if ":" in host else (socket.AF_INET, "198.51.100.1")
        )
        host = socket.gethostname()
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((outside, 9))
            host = probe.getsockname()[0]
    if host == "127.0.0.1":
        return "localhost"
    return f"[{host}]" if ":" in host else host


def check_address(host: str, port: int) -> None:
    """Raise InputError if no server can listen on this address and port."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            reason = "in use" if error.errno == errno.EADDRINUSE else f"not available ({error.strerror})"
            raise InputError(f"Port {port} of {host} is {reason}; choose another with --port.") from None
