"""Imported first by the process that kernels are forked from: it ends when its server does, and prints into its log."""

import os

from sdcwidgets.server.folder import end_with

if server := os.environ.get("SDCWIDGETS_SERVER"):
    end_with(int(server))
    try:
        printed = os.open(os.environ["SDCWIDGETS_PRINTED"], os.O_WRONLY)
    except OSError:  # what is printed may hold a table, so it goes nowhere else
        printed = os.open(os.devnull, os.O_WRONLY)
    for output in (1, 2):
        os.dup2(printed, output)
    os.close(printed)

#: That process, as its forks know it even when it has ended already.
FORKED_FROM = os.getpid()
