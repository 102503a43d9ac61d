"""First import of the fork server: end with the server, and print into its log."""

import os

from sdcwidgets.server.temporary_folder import end_with

server = os.environ.get("SDCWIDGETS_SERVER")
if server:
    end_with(int(server))
    try:
        printed = os.open(os.environ["SDCWIDGETS_PRINTED"], os.O_WRONLY)
    except OSError:  # output may contain a table, so it must not go to another place
        printed = os.open(os.devnull, os.O_WRONLY)
    for output in (1, 2):
        os.dup2(printed, output)
    os.close(printed)

#: Process id of the fork server, kept for forks because the fork server may have ended.
FORKED_FROM = os.getpid()
