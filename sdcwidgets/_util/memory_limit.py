"""Memory that a session of a server may allocate."""

from __future__ import annotations

import os

#: Environment variable with the maximum number of bytes that a kernel may allocate.
MEMORY = "SDCWIDGETS_MEMORY"


def memory_limit() -> int:
    """Return the maximum number of bytes that this process may allocate; 0 if a server does not limit it."""
    return int(os.environ.get(MEMORY) or 0)
