"""A visitor who sends anything at all harms nobody else; and what a visitor uploads is written nowhere."""

import json
import os
import signal
import sys
import time
from pathlib import Path

import psutil
import pytest
import websocket

from hostility import attacked
from sdcwidgets.server import kernels
from serving import free_port, running
from visiting import Visitor, come_and_go, connected, get, goodbye, kernel_of, sessions

pytestmark = pytest.mark.slow

EXPLORE = "voila/render/explore.ipynb"
HOSTILE = 10_000

CELL = "What nobody else calls a cell: Zwiebelkuchenhausen"


def test_ten_thousand_hostile_messages_leave_another_visitor_at_work(served):
    """Each change of the other one is answered meanwhile; how fast, benchmarks/hostile.py says."""
    pages = [kernel_of(get(served + EXPLORE)[2]) for _ in range(2)]
    with connected(served, pages[1]) as channel:
        visitor = Visitor(channel)
        slider = visitor.slider("ε")
        with attacked(served, pages[0], HOSTILE) as (attacker, sent):
            moved, until = 0, time.monotonic() + 300
            while attacker.is_alive() and time.monotonic() < until:
                visitor.move(slider, 0.3 + 0.01 * (moved % 40))
                moved += 1
        assert len(sent) == HOSTILE
        assert moved > 0  # on a busy machine, the messages are sent faster than a slider is moved
        assert Visitor(channel).widgets[slider]["value"] == pytest.approx(0.3 + 0.01 * ((moved - 1) % 40))
    assert get(f"{served}health")[0] == 200
    assert get(served + EXPLORE)[0] == 200


@pytest.mark.skipif(sys.platform != "linux", reason="needs the signals of Unix, and forks")
@pytest.mark.parametrize(("how", "why"), [("SIGKILL", kernels.DIED), ("SIGSTOP", kernels.STOPPED)])
def test_a_page_that_connects_to_a_session_that_ends_is_refused(served, how, why):
    """Rather than left for a minute in which Jupyter waits for the session."""
    kernel = kernel_of(get(served + EXPLORE)[2])
    newest = max(psutil.Process().children(recursive=True), key=psutil.Process.create_time)
    newest.send_signal(getattr(signal, how))
    with (
        pytest.raises(websocket.WebSocketBadStatusException, match="404"),
        connected(served, kernel, timeout=40),
    ):
        pass
    status, _, told = get(f"{served}api/kernels/{kernel}")
    assert (status, json.loads(told)["message"]) == (404, why)


def test_a_websocket_ends_with_its_session(served):
    """Else who ends one session after another keeps sockets of the server without end."""
    _, headers, html = get(served + EXPLORE)
    with connected(served, kernel_of(html), timeout=20) as channel:
        Visitor(channel)
        goodbye(served, kernel_of(html), headers)
        while channel.connected:
            opcode, data = channel.recv_data()
            if opcode == websocket.ABNF.OPCODE_CLOSE:
                break
        assert (opcode, int.from_bytes(data[:2], "big")) == (websocket.ABNF.OPCODE_CLOSE, 1001)


def files_below(*folders):
    return {Path(place) / name for folder in folders for place, _, names in os.walk(folder) for name in names}


@pytest.mark.parametrize("name", ["tmp", "a-name-so-long-that-no-socket-of-unix-can-be-in-it" + 40 * "-"])
def test_an_upload_leaves_no_file(tmp_path, name):
    home, temporary = tmp_path / "home", tmp_path / name
    home.mkdir()
    temporary.mkdir()
    notebooks = Path(__file__).parents[2] / "notebooks"
    port = free_port()
    command = [sys.executable, "-m", "sdcwidgets.cli", "serve", "--no-browser", "--port", str(port)]
    environment = os.environ | {"HOME": str(home), "TMPDIR": str(temporary)}
    address = f"http://127.0.0.1:{port}/"
    with running(command, f"{address}health", env=environment):
        before, kernel = files_below(notebooks), kernel_of(get(address + EXPLORE)[2])
        told = [
            one.cmdline() + list(one.environ().values()) for one in psutil.Process().children(recursive=True)
        ]
        assert kernel not in str(told)
        with connected(address, kernel) as channel:
            visitor = Visitor(channel)
            source = visitor.widget(lambda state: "kinds" in state)
            visitor.say(
                source,
                {"type": "given", "kind": "file", "name": "ours.csv"},
                f",A,B\n{CELL},1,2\nother,3,4\n".encode(),
            )
            assert CELL in json.dumps(Visitor(channel).widgets)
            written = files_below(home, temporary)
            assert not [file for file in written if kernel in file.name]
            assert files_below(notebooks) == before
            assert not [file for file in written if file.is_file() and CELL.encode() in file.read_bytes()]
    assert files_below(home, temporary) == set()


def test_visits_leave_no_kernel_and_no_file(tmp_path, capfd):
    """A short hour of a service that has no home; benchmarks/soak.py has a long one, with the memory.

    Takes more than 10 s of processor time, because seven visits come to a server of its own.
    """
    nowhere, temporary = tmp_path / "no folder", tmp_path / "temporary"
    nowhere.touch()
    temporary.mkdir()
    port = free_port()
    command = [sys.executable, "-m", "sdcwidgets.cli", "serve", "--no-browser", "--port", str(port)]
    address = f"http://127.0.0.1:{port}/"
    environment = os.environ | {"HOME": str(nowhere / "home"), "TMPDIR": str(temporary)}
    with running(command, f"{address}health", env=environment):
        come_and_go(address)
        before = files_below(temporary)
        for turn in range(6):
            come_and_go(address, patient=turn % 3 > 0)
        until = time.monotonic() + 20
        while (left := sessions(address)) and time.monotonic() < until:
            time.sleep(0.2)
        assert left == 0
        assert files_below(temporary) <= before
        assert len(list(temporary.iterdir())) == 1
    assert not list(temporary.iterdir())
    # Who leaves is no event.
    assert "ended" not in capfd.readouterr().err
