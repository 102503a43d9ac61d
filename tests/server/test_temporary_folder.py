"""Temporary folders of servers, and the processes that own them."""

import os

from sdcwidgets.server import temporary_folder


class ListedProcess:
    """A process as psutil lists it, which nothing can kill."""

    def __init__(self, pid, folder):
        self.pid, self.folder, self.is_killed = pid, folder, False

    def environ(self):
        return {} if self.folder is None else {temporary_folder.OWNER: self.folder}

    def kill(self):
        self.is_killed = True


def test_only_other_processes_of_the_owner_of_a_folder_are_killed(monkeypatch):
    listed = [
        ListedProcess(os.getpid(), "/tmp/mine"),
        ListedProcess(1_000_001, "/tmp/mine"),
        ListedProcess(1_000_002, "/tmp/other"),
        ListedProcess(1_000_003, None),
    ]
    monkeypatch.setattr(temporary_folder.psutil, "process_iter", lambda: listed)
    temporary_folder._end_processes("/tmp/mine")
    assert [process.is_killed for process in listed] == [False, True, False, False]
