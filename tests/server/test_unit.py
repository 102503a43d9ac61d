"""The unit for systemd, and who is ended where memory ends."""

import configparser
import re
import shutil
import subprocess
from pathlib import Path

import psutil
import pytest

from pins import ROOT
from sdcwidgets.cli import serve
from sdcwidgets.cli._parser import Parser
from sdcwidgets.server import visits
from sdcwidgets.server.pages import is_loopback
from visiting import connected, get, kernel_of

UNIT = ROOT / "deploy" / "sdcwidgets.service"


def test_the_end_of_one_session_is_not_the_end_of_all():
    assert "\nOOMPolicy=continue\n" in UNIT.read_text("utf-8")
    assert "\nMemoryMax=" in UNIT.read_text("utf-8")


def test_what_the_page_says_of_it_is_in_it():
    lines = set(UNIT.read_text("utf-8").splitlines())
    assert {"MemoryMax=4G", "CPUQuota=200%", "TasksMax=2000"} < lines
    # It listens where `serve` does by itself, on loopback, and the system lets nothing else in or out.
    assert {"IPAddressDeny=any", "IPAddressAllow=localhost"} < lines
    (started,) = (line for line in lines if line.startswith("ExecStart="))
    assert "--host" not in started
    parser = Parser(prog="serve")
    serve.add(parser)
    options = parser.parse_args(started.split()[2:])
    assert is_loopback(options.host)
    # A proxy passes on the name by which it was asked, which the server answers to when it is told.
    assert f"`{options.proxy}`" in (ROOT / "docs" / "serving.md").read_text("utf-8")


def test_its_lines_are_known_and_rated_as_safe(tmp_path):
    # Where there is no systemd, each line is at least a name and a value, and no name stands twice but one.
    text = UNIT.read_text("utf-8")
    read = configparser.ConfigParser(strict=False, interpolation=None)
    read.optionxform = str
    read.read_string(text)
    assert read["Service"]["DynamicUser"] == "yes"
    names = re.findall(r"^(\w+)=", text, re.MULTILINE)
    assert {name for name in names if names.count(name) > 1} == {"SystemCallFilter"}
    program = shutil.which("systemd-analyze")
    if program:
        tried = tmp_path / UNIT.name
        # The program of the unit need not be installed here.
        tried.write_text(text.replace("/opt/sdcwidgets/bin/sdcwidgets", "/bin/true"), "utf-8")
        verified = subprocess.run([program, "verify", tried], capture_output=True, text=True, check=False)
        assert str(tried) not in verified.stderr
        command = [program, "security", "--offline=true", "--no-pager", "--threshold=15", tried]
        rated = subprocess.run(command, capture_output=True, text=True, check=False)
        assert rated.returncode == 0, rated.stdout


def test_sessions_are_ended_before_the_server(served):
    def score(process: int) -> int:
        return int(Path(f"/proc/{process}/oom_score_adj").read_text("utf-8"))

    before = set(psutil.Process().children(recursive=True))
    kernel = kernel_of(get(f"{served}voila/render/explore.ipynb")[2])
    with connected(served, kernel):
        new = set(psutil.Process().children(recursive=True)) - before
        scores = [score(one.pid) for one in new]
    assert max(scores, default=0) == 500 or not Path("/proc/self/oom_score_adj").exists()
    assert score(psutil.Process().pid) < 500


@pytest.mark.parametrize(("free", "each"), [(300, 300), (2048, 512), (4096, 1024), (65536, 1024)])
def test_a_session_gets_a_quarter_of_the_memory(monkeypatch, free, each):
    monkeypatch.setattr(visits, "memory", lambda: free * 2**20)
    assert visits.default_memory() == each


@pytest.mark.parametrize(
    ("groups", "files"),
    [
        ("0::/a/b\n", {"a/memory.max": "4000000", "a/memory.current": "1000000", "a/b/memory.max": "max"}),
        (
            "1:name=systemd:/c\n4:memory:/c\n0::/c\n",
            {"memory/c/memory.limit_in_bytes": "4000000", "memory/c/memory.usage_in_bytes": "1000000"},
        ),
    ],
)
def test_the_memory_is_that_of_the_control_group(monkeypatch, tmp_path, groups, files):
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "cgroup").write_text(groups)
    limits = {
        kind: (place.replace("/sys/fs/cgroup", str(tmp_path)), *names)
        for kind, (place, *names) in visits._LIMITS.items()
    }
    monkeypatch.setattr(visits, "_LIMITS", limits)
    monkeypatch.setattr(visits, "GROUPS", tmp_path / "cgroup")
    assert visits.memory() == 3_000_000
