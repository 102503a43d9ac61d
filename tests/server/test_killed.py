"""What is killed leaves nobody behind: no process, no table in one, no file. benchmarks/kills.py does so often."""

import asyncio
import fcntl
import multiprocessing
import os
import random
import resource
import subprocess
import sys
import time

import pytest

from killing import fork_servers, kill_server, left, processes, short_folder, visited
from sdcwidgets.server import fork_server
from sdcwidgets.server import temporary_folder as own_folder
from visiting import get, health, kernel_of

pytestmark = pytest.mark.slow


@pytest.fixture
def folder():
    with short_folder() as folder:
        yield folder


def until(something, seconds=120):
    """Wait for something to be true, and return it."""
    end = time.monotonic() + seconds
    while not (found := something()) and time.monotonic() < end:
        time.sleep(0.5)  # to be asked costs the server something too
    return found


@pytest.mark.parametrize("turn", range(3))
def test_a_server_that_is_killed_at_a_random_moment_leaves_no_process_and_no_file(folder, turn):
    assert kill_server(folder, random.Random(turn).uniform(0.2, 6)) == []


@pytest.mark.parametrize("name", ["", "a-name-so-long-that-no-socket-of-unix-can-be-in-it" + 40 * "-"])
def test_sessions_end_with_their_server(folder, name):
    """Forked or not, and stopped or not."""
    place = folder / name
    place.mkdir(exist_ok=True)
    with visited(place) as (server, address):
        assert until(lambda: _at_work(address))
        for one in (of_fork for forks in fork_servers(place) for of_fork in forks.children()):
            one.suspend()
        server.kill()
        server.wait()
        assert left(place) == []


def _at_work(address):
    """Whether there is a session, at least one, as the system knows it."""
    try:
        return health(address)["processes"] >= 1
    except OSError:  # it does not listen yet
        return False


def test_sessions_end_with_the_process_that_they_were_forked_from_and_the_next_visitor_gets_another(folder):
    """Takes more than 10 s of processor time, because a server starts and is killed."""
    with visited(folder) as (server, address):
        assert until(lambda: _at_work(address))
        before = {one.pid for one in processes(folder)}
        (forks,) = fork_servers(folder)
        # What they print may hold a table: it goes to the server, which writes the kind of an error.
        assert all(os.readlink(f"/proc/{forks.pid}/fd/{output}").startswith("pipe:") for output in (1, 2))
        of_forks = {one.pid for one in forks.children()}
        assert of_forks
        forks.kill()
        assert until(lambda: not of_forks & {one.pid for one in processes(folder)}, 5)
        assert kernel_of(get(f"{address}voila/render/weights.ipynb")[2])
        assert server.poll() is None
        assert forks.pid in before


def test_who_comes_while_the_process_of_the_forks_ends_gets_a_fork_of_the_next_one(monkeypatch):
    """It hears nobody any more, but the system does not yet call it ended."""
    ends = iter([ConnectionRefusedError, EOFError, BrokenPipeError, ConnectionRefusedError])

    def process(*what):
        for error in ends:
            raise error
        return what

    monkeypatch.setattr(fork_server, "_ensure_running", lambda: None)
    monkeypatch.setattr(fork_server, "_Process", process)
    assert asyncio.run(fork_server._started("a session")) == ("a session",)


def test_what_a_server_writes_while_that_process_starts_is_not_taken_for_a_sessions(monkeypatch, capfd):
    monkeypatch.setattr(
        fork_server.forkserver, "ensure_running", lambda: os.write(2, b"A line of another thread.")
    )
    monkeypatch.setattr(os, "environ", {})
    fork_server._ensure_running()
    assert capfd.readouterr().err == "A line of another thread."


def test_a_new_server_sweeps_what_an_old_one_left(folder, monkeypatch):
    """Where nothing could be done when it ended, as when all of its processes were killed at once."""
    imports = "from sdcwidgets.server import temporary_folder; import time"
    waits = f"{imports}\nwith temporary_folder.own(): print(flush=True); time.sleep(600)"
    told = os.environ | {"TMPDIR": str(folder)}
    with subprocess.Popen([sys.executable, "-c", waits], env=told, stdout=subprocess.PIPE) as server:
        server.stdout.readline()
        for one in processes(folder):
            one.kill()
    (old,) = folder.glob(f"{own_folder.PREFIX}*")
    sleeper = subprocess.Popen(
        [sys.executable, "-c", "import time; time.sleep(600)"], env=os.environ | {own_folder.OWNER: str(old)}
    )
    monkeypatch.setattr(own_folder.tempfile, "tempdir", str(folder))
    with own_folder.own() as mine:
        assert list(folder.iterdir()) == [mine]
        assert sleeper.wait(10) < 0
        own_folder.sweep()
        assert mine.is_dir()  # a server that is alive keeps its own
    assert left(folder) == []
    assert multiprocessing.current_process()._config.get("tempdir") != str(mine)  # or nothing forks any more


def test_what_is_not_a_servers_is_not_swept(folder, monkeypatch, tmp_path):
    monkeypatch.setattr(own_folder.tempfile, "tempdir", str(folder))
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").touch()
    (folder / f"{own_folder.PREFIX}link").symlink_to(kept)
    (folder / f"{own_folder.PREFIX}file").touch()
    (folder / "sdcwidgets").mkdir()
    with own_folder.own() as ours:
        own_folder.sweep()
        assert (kept / "file").exists()
        assert len(list(folder.iterdir())) == 4
        # No memory is written for who looks for faults.
        assert resource.getrlimit(resource.RLIMIT_CORE)[0] == 0
        # What clears old temporary files asks for this lock before it goes into a folder.
        place = os.open(ours, os.O_RDONLY)
        with pytest.raises(BlockingIOError):
            fcntl.flock(place, fcntl.LOCK_SH | fcntl.LOCK_NB)
        os.close(place)
