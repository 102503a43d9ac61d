"""The files for administrators: read as their programs read them, and equal in commands and limits."""

import re
import runpy
import shutil
import subprocess
import sys
from types import SimpleNamespace

import pytest
import yaml

from pins import ROOT
from sdcwidgets.cli import _parser

DEPLOY = ROOT / "deploy"
GUIDE = (ROOT / "docs" / "administrator.md").read_text("utf-8")
UNIT = (DEPLOY / "sdcwidgets.service").read_text("utf-8")
SERVICE = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))["services"]["sdcwidgets"]


def hub_service():
    """Return the service of a hub that reads our configuration."""
    config = SimpleNamespace(JupyterHub=SimpleNamespace())
    runpy.run_path(str(DEPLOY / "jupyterhub_config.py"), {"get_config": lambda: config})
    (service,) = config.JupyterHub.services
    return service


def commands():
    unit = re.search(r"^ExecStart=(.*)$", UNIT, re.MULTILINE)[1].split()
    return {"unit": unit, "compose": SERVICE["command"], "hub": hub_service()["command"]}


@pytest.mark.parametrize("name", commands())
def test_each_command_has_options_that_the_program_has(name):
    program, *words = commands()[name]
    assert program == "/opt/sdcwidgets/bin/sdcwidgets"
    words = [word.replace("${SDCWIDGETS_KEY:?set the access key}", "word") for word in words]
    options = _parser().parse_args(words)
    assert options.preheat == 5
    assert "--no-browser" in words


def test_the_container_has_the_limits_of_the_unit():
    limits = dict(re.findall(r"^(MemoryMax|CPUQuota|TasksMax)=(\d+)", UNIT, re.MULTILINE))
    assert SERVICE["mem_limit"] == f"{limits['MemoryMax']}g"
    assert SERVICE["cpus"] * 100 == int(limits["CPUQuota"])
    assert SERVICE["pids_limit"] == int(limits["TasksMax"])
    assert SERVICE["read_only"] is True
    assert SERVICE["tmpfs"] == ["/tmp"]
    assert SERVICE["cap_drop"] == ["ALL"]


def test_the_container_is_built_from_files_that_exist_and_is_not_public():
    build = SERVICE["build"]
    context = (DEPLOY / build["context"]).resolve()
    assert context == ROOT
    assert (context / build["dockerfile"]).is_file()
    exposed = re.search(r"^EXPOSE (\d+)$", (context / build["dockerfile"]).read_text("utf-8"), re.MULTILINE)[
        1
    ]
    assert SERVICE["ports"] == [f"127.0.0.1:{exposed}:{exposed}"]


def test_systemd_reads_the_unit(tmp_path):
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is missing.")
    # The program of the unit is not installed here; any other one is.
    text = UNIT.replace("/opt/sdcwidgets/bin/sdcwidgets", sys.executable)
    (tmp_path / "sdcwidgets.service").write_text(text, "utf-8")
    read = subprocess.run(
        ["systemd-analyze", "verify", tmp_path / "sdcwidgets.service"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "sdcwidgets.service" not in read.stderr, read.stderr


@pytest.mark.parametrize("language", ["caddy", "apache"])
def test_each_proxy_hides_monitoring_passes_the_address_and_has_balanced_blocks(language):
    (block,) = re.findall(rf"```{language}\n(.*?)```", GUIDE, re.DOTALL)
    assert {"/health", "/metrics"} <= set(re.findall(r"/\w+", block))
    assert "X-Forwarded-For" in block
    assert "127.0.0.1:8866" in block
    if language == "caddy":
        assert block.count("{") == block.count("}")
    else:
        assert re.findall(r"^</?(\w+)", block, re.MULTILINE) == ["VirtualHost", "VirtualHost"]


def test_nginx_hides_monitoring():
    text = (ROOT / "docs" / "serving.md").read_text("utf-8")
    (block,) = re.findall(r"```nginx\n(.*?)```", text, re.DOTALL)
    assert {"/health", "/metrics"} == set(re.findall(r"location = (/\w+) \{ return 404; \}", block))


def test_the_guide_has_the_steps_of_the_service_and_fits_two_pages():
    (steps,) = re.findall(r"```text\n(python3 .*?)```", GUIDE, re.DOTALL)
    assert steps in (ROOT / "docs" / "serving.md").read_text("utf-8")
    assert len(GUIDE.split()) <= 800
