"""The image answers, as its Dockerfile says it is made and started.

CONTAINER names the tool that builds and runs it (`podman`, `docker`), with its options for all; BUILD and RUN are more
options of these two commands. Without it the steps of the Dockerfile are taken one by one in an empty folder.
"""

import json
import os
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from pins import PINNED, ROOT
from serving import free_port
from visiting import Visitor, connected, get, kernel_of

pytestmark = pytest.mark.slow

TOOL = shlex.split(os.environ.get("CONTAINER", ""))
FILE = (ROOT / "deploy" / "Dockerfile").read_text("utf-8").replace("\\\n", "")
HOME, FOLDER, NAME = "/opt/sdcwidgets", "/tmp", "sdcwidgets-tried"


STEPS = re.findall(r"(?<=RUN ).*", FILE)
START, HEALTH = (json.loads(one) for one in re.findall(r"\bCMD (\[.*\])$", FILE, re.MULTILINE)[::-1])


@dataclass(frozen=True)
class Running:
    """An image, or its steps, that runs."""

    address: str
    key: str
    port: int
    ask: list[str]
    folders: dict[str, str]
    environment: dict[str, str] | None

    def asked(self, *words: str) -> str:
        """Return what a program says that is started beside the server."""
        told = [here(word, self.folders).replace(":8866", f":{self.port}") for word in words]
        command = [*self.ask, *told]
        return subprocess.run(
            command, capture_output=True, text=True, check=True, env=self.environment
        ).stdout


def here(line: str, folders: dict[str, str]) -> str:
    """Return a line with the folders that stand for those of the image."""
    names = "|".join(folders) or "(?!)"
    return re.sub(rf"(?<![\w./])({names})(?![\w-])", lambda found: folders[found[0]], line)


@contextmanager
def started(command: list[str], log: Path, seconds: float = 90, **options) -> Iterator[tuple[str, str]]:
    """Start a server, and give the key and the port of the address that it prints first."""
    with (
        log.open("wb") as written,
        subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=written, **options) as server,
    ):
        try:
            end = time.monotonic() + seconds
            while not (found := re.search(r" at http://[^:]+:(\d+)/\?key=(\S+) ", log.read_text("utf-8"))):
                assert server.poll() is None, log.read_text("utf-8")
                assert time.monotonic() < end, log.read_text("utf-8")
                time.sleep(0.1)
            yield found[1], found[2]
        finally:
            server.terminate()
            assert server.wait(30) in (0, -15, 143), log.read_text("utf-8")


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """The running image."""
    log, port = tmp_path_factory.mktemp("log") / "log", free_port()
    subprocess.run(["make", "--silent", "wheel"], cwd=ROOT, check=True)
    if TOOL:
        build = [*shlex.split(os.environ.get("BUILD", "")), "--tag", NAME, "--file", "deploy/Dockerfile", "."]
        subprocess.run([*TOOL, "build", *build], cwd=ROOT, check=True)
        limits = ["--read-only", "--tmpfs", FOLDER, "--memory", "4g", "--cpus", "2", "--network", "host"]
        more = ["--rm", "--name", NAME, *shlex.split(os.environ.get("RUN", ""))]
        command = [*TOOL, "run", *more, *limits, NAME, *START, "--port", str(port)]
        ask, folders, environment = [*TOOL, "exec", NAME], {}, None
    else:
        root = tmp_path_factory.mktemp("root")
        folders, ask = {HOME: str(root / "opt"), FOLDER: str(root / "tmp")}, []
        (root / "tmp").mkdir()
        for source in (ROOT / "deploy" / "requirements.lock", *(ROOT / "dist").glob("*.whl")):
            (root / "tmp" / source.name).write_bytes(source.read_bytes())
        environment = {
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "HOME": folders[FOLDER],
            "TMPDIR": folders[FOLDER],
            **{name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_"))},
            "PIP_NO_COMPILE": "yes",
        }
        # A user is made in an image alone; what is fetched may be kept between two tests.
        for line in (part for run in STEPS for part in run.split(" && ") if "useradd" not in part):
            words = here(line.replace("--no-cache-dir ", ""), folders).replace(
                "python3 ", f"{sys.executable} "
            )
            cache = {"PIP_CACHE_DIR": str(Path("~/.cache/pip").expanduser())}
            subprocess.run(["sh", "-ec", words], cwd=root, env=environment | cache, check=True)
        command = [here(word, folders) for word in (*START, "--port", str(port))]
    settings = {} if environment is None else {"env": environment, "cwd": "/"}
    with started(command, log, **settings) as (said, key):
        assert said == str(port)
        yield Running(f"http://127.0.0.1:{port}/", key, port, ask, folders, environment)


def test_a_visitor_with_the_key_moves_a_slider(image):
    assert get(image.address)[0] in (401, 403) or "key" in get(image.address)[2]
    _, headers, html = get(f"{image.address}voila/render/explore.ipynb?key={image.key}")
    cookie = "; ".join(re.findall(r"[\w-]+=[^;,]+(?=;)", headers["Set-Cookie"]))
    with connected(image.address, kernel_of(html), cookie=cookie) as channel:
        visitor = Visitor(channel)
        assert visitor.move(visitor.slider("ε"), 0.4) < 10
        assert visitor.followed


def test_its_question_about_its_health_is_answered(image):
    image.asked(*HEALTH)
    told = json.loads(get(f"{image.address}health")[2])
    assert told["status"] == "ok"
    # Four fifths of 4 GB, where there are so many, at 40 MB each.
    assert 1 <= told["most_sessions"] <= (82 if TOOL else 500)


def test_it_holds_what_the_lock_says(image):
    said = image.asked(f"{HOME}/bin/pip", "list", "--format", "json")
    found = {one["name"].lower().replace("_", "-"): one["version"] for one in json.loads(said)}
    pinned = {(pin.name.lower().replace("_", "-"), next(iter(pin.specifier)).version) for pin, _ in PINNED}
    assert set(found.items()) - pinned == {
        (name, found[name]) for name in ("pip", "setuptools", "sdcwidgets") if name in found
    }


def test_it_can_write_into_the_folder_of_temporary_files_alone(image):
    line = "import sys; open(sys.argv[1], 'w').close(); print('written')"
    python = f"{HOME}/bin/python"
    assert image.asked(python, "-c", line, f"{FOLDER}/new") == "written\n"
    if TOOL:
        assert image.asked("id", "-un") == "guest\n"
        for place in (f"{HOME}/new", "/new"):
            with pytest.raises(subprocess.CalledProcessError):
                image.asked(python, "-c", line, place)
