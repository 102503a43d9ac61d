"""What many visits leave behind: processes, memory, descriptors and files at the end as at the start.

Run by hand: `python benchmarks/soak.py [--visits 300] [--at-once 8] [--preheat 2] [--every 0] [--minutes M]`. Each
visit takes a page or a lesson and does one of `DEEDS`: it moves controls, reloads, hangs up, vanishes, reads late,
brings a file, sends what is no message, or kills a session. After every so many visits (`--every`) the process that
sessions are forked from is killed. A visitor waits as long as it takes, and what one meets is counted, not judged: what
is measured is what is left once all have gone, which takes five minutes where some have vanished.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import signal
import socket
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import psutil
from websocket import WebSocketException

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from killing import fork_servers, processes, short_folder
from sdcwidgets.dashboards import notebook_pages
from serving import free_port, running
from visiting import Visitor, connected, frame, get, health, kernel_of, message, packed
from visiting import goodbye as say_goodbye

#: Seconds after which a visitor on a busy machine gives up, and until all who vanished are forgotten.
PATIENCE, FORGOTTEN = 900, 1200

PAGES = [entry.notebook for entry in (*notebook_pages.dashboards(), *notebook_pages.lessons())]

#: A file of people, as somebody brings it.
PEOPLE = ("Area,Age\n" + "".join(f"a{i % 40},b{i % 17}\n" for i in range(40_000))).encode()


class Visit:
    """One visitor on a page."""

    def __init__(self, address: str, folder: Path, draw: random.Random) -> None:
        self.address, self.folder, self.draw = address, folder, draw
        self.path = f"voila/render/{draw.choice(PAGES)}"

    @contextmanager
    def page(self, *, goodbye: bool = True) -> Iterator[Visitor]:
        """Open the page, and close it with a goodbye or without."""
        status, headers, html = get(self.address + self.path, timeout=PATIENCE)
        if status != 200 or "kernelId" not in html:
            raise OSError(f"no session, status {status}")
        kernel = kernel_of(html)
        with connected(self.address, kernel, timeout=PATIENCE) as channel:
            yield Visitor(channel)
        if goodbye:
            say_goodbye(self.address, kernel, headers, PATIENCE)

    def move(self, visitor: Visitor) -> None:
        """Move some control of numbers, if there is one."""
        numbers = [name for name, state in visitor.widgets.items() if "low" in state.get("spec", {})]
        if numbers:
            control = self.draw.choice(numbers)
            spec = visitor.widgets[control]["spec"]
            visitor.move(control, self.draw.choice([spec["low"], spec["low"] + spec["step"]]))

    def stay(self) -> None:
        """Move some controls."""
        with self.page() as visitor:
            for _ in range(3):
                self.move(visitor)

    def reload(self) -> None:
        """Load the page again."""
        self.stay()
        self.stay()

    def vanish(self) -> None:
        """Go without a goodbye."""
        with self.page(goodbye=False) as visitor:
            self.move(visitor)

    def hang_up(self) -> None:
        """Go while the page still comes."""
        place = urlsplit(self.address)
        with closing(socket.create_connection((place.hostname, place.port), timeout=PATIENCE)) as plain:
            plain.sendall(f"GET /{self.path} HTTP/1.1\r\nHost: {place.netloc}\r\n\r\n".encode())
            if self.draw.random() < 0.7:
                plain.recv(100)

    def read_late(self) -> None:
        """Ask for much, and take nothing of it for some seconds."""
        with self.page() as visitor:
            for _ in range(40):
                asked = {"comm_id": next(iter(visitor.widgets)), "data": {"method": "request_states"}}
                visitor.channel.send_binary(packed(message("comm_msg", asked)))
                opened = {
                    "comm_id": f"c{self.draw.random()}",
                    "target_name": "jupyter.widget.control",
                    "data": {},
                }
                visitor.channel.send_binary(
                    packed(message("comm_open", opened, metadata={"version": "1.0.0"}))
                )
            time.sleep(3)

    def bring(self) -> None:
        """Bring a file, where there is a place for one."""
        with self.page() as visitor:
            for source, state in list(visitor.widgets.items()):
                kinds = (kind["kind"] for kind in state.get("kinds", ()) if kind["asks"] == "file")
                if kind := next(kinds, None):
                    visitor.say(source, {"type": "given", "kind": kind, "name": "people.csv"}, PEOPLE)
                    break

    def disturb(self) -> None:
        """Send what is no message."""
        with self.page() as visitor:
            visitor.channel.send_binary(
                self.draw.choice([b"", self.draw.randbytes(300), frame(b"shell", b"{")])
            )

    def be_killed(self) -> None:
        """Kill or stop a session, this one or another, as the system would."""
        with self.page() as visitor:
            with suppress(psutil.Error, IndexError):
                sessions = [one for forks in fork_servers(self.folder) for one in forks.children()]
                self.draw.choice(sessions).send_signal(self.draw.choice([signal.SIGKILL, signal.SIGSTOP]))
            visitor.channel.settimeout(30)
            self.move(visitor)


#: What visitors do, and how often.
DEEDS: dict[Callable[[Visit], None], int] = {
    Visit.stay: 40,
    Visit.reload: 12,
    Visit.hang_up: 16,
    Visit.vanish: 4,
    Visit.read_late: 8,
    Visit.bring: 10,
    Visit.disturb: 5,
    Visit.be_killed: 5,
}


def held(folder: Path, address: str) -> str:
    """Return what the server and all below it hold now; a process that is ready is below the one it was forked from."""
    told, parts = health(address), []
    for one in sorted(processes(folder), key=psutil.Process.create_time):
        with suppress(psutil.Error):
            parts.append((one.memory_full_info().uss / 2**20, one.num_fds()))
    return (
        f"{told['sessions']} sessions and {told['ready']} ready, {told['processes']} processes for them; "
        f"{len(parts)} in all: {' + '.join(f'{size:.0f}' for size, _ in parts)} MB of their own, "
        f"{' + '.join(str(number) for _, number in parts)} descriptors, {sum(1 for _ in folder.rglob('*'))} files"
    )


def quiet(address: str, preheat: int) -> float:
    """Wait until nobody is there and all that is to be ready is, and return how many seconds that took."""
    start = time.monotonic()
    while time.monotonic() - start < FORGOTTEN:
        told = health(address)
        if not told["sessions"] and told["ready"] == told["processes"] == preheat:
            break
        time.sleep(2)
    return time.monotonic() - start


def main() -> None:
    """Let visitors come and go, and print what there was before, meanwhile and after."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--visits", type=int, default=300)
    options.add_argument("--at-once", type=int, default=8)
    options.add_argument("--preheat", type=int, default=2)
    options.add_argument("--every", type=int, default=0)
    options.add_argument("--minutes", type=float, default=float("inf"))
    asked = options.parse_args()
    port, met, lock = free_port(), Counter[str](), threading.Lock()
    address = f"http://127.0.0.1:{port}/"
    command = [sys.executable, "-m", "sdcwidgets.cli", "serve", "--no-browser", "--port", str(port)]
    command += ["--preheat", str(asked.preheat)]
    print(f"{platform.platform()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}", flush=True)
    start = time.monotonic()

    with short_folder() as folder:

        def visit(turn: int) -> None:
            if time.monotonic() - start > 60 * asked.minutes:
                return
            draw = random.Random(turn)
            (deed,) = draw.choices(list(DEEDS), list(DEEDS.values()))
            outcome = "as asked"
            try:
                deed(Visit(address, folder, draw))
            except (OSError, WebSocketException, ValueError, KeyError) as error:
                outcome = f"{type(error).__name__} {error}"[:60]
            with lock:
                met[f"{deed.__name__}: {outcome}"] += 1
                done = met.total()
            if asked.every and done % asked.every == 0:
                for forks in fork_servers(folder):
                    forks.kill()
            if done % 100 == 0:
                print(
                    f"{time.monotonic() - start:5.0f} s, {done} visits: {held(folder, address)}", flush=True
                )

        environment = os.environ | {"TMPDIR": str(folder)}
        with running(command, f"{address}health", seconds=PATIENCE, env=environment):
            for page in PAGES:
                first = Visit(address, folder, random.Random(0))
                first.path = f"voila/render/{page}"
                first.stay()
            quiet(address, asked.preheat)
            print(f"{time.monotonic() - start:5.0f} s, at the start: {held(folder, address)}", flush=True)
            with ThreadPoolExecutor(asked.at_once) as visitors:
                list(visitors.map(visit, range(asked.visits)))
            took = quiet(address, asked.preheat)
            print(
                f"{time.monotonic() - start:5.0f} s, {took:.0f} s after the last of {met.total()} visits: ",
                end="",
            )
            print(
                held(folder, address),
                *(f"{number:5} {what}" for what, number in sorted(met.items())),
                sep="\n",
            )
        print(f"when the server has ended: {len(processes(folder))} processes, {list(folder.iterdir())}")


if __name__ == "__main__":
    main()
