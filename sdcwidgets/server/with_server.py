"""Imported first by the process that kernels are forked from: it ends when its server does."""

import os

from sdcwidgets.server.folder import end_with

__all__ = ["FORKED_FROM"]

if server := os.environ.get("SDCWIDGETS_SERVER"):
    end_with(int(server))

#: That process, as its forks know it even when it has ended already.
FORKED_FROM = os.getpid()
