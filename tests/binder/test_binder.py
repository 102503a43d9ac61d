"""Binder: an environment from the files in `binder/`, made as repo2docker makes it, shows Explore live.

repo2docker copies the repository, makes an environment from environment.yml, runs postBuild in it, and starts a Jupyter
server in the folder of the repository. Here the environment is a venv of the running Python, not of conda.
"""

import os
import re
import shutil
import subprocess
import sys
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
import yaml
from playwright.sync_api import sync_playwright

import addresses
from pins import ROOT
from serving import free_port, running

README = (ROOT / "README.md").read_text("utf-8")
(LINK,) = re.findall(r"https://mybinder\.org/[^)\s]+", README)
PAGES = parse_qs(urlsplit(LINK).query)["urlpath"][0]


def test_the_link_names_the_repository_and_the_landing_page():
    provider, repository, version = urlsplit(LINK).path.removeprefix("/v2/").split("/")
    assert (provider, version) == ("git", "HEAD")
    assert unquote(repository) == addresses.addresses()["repository"]
    assert PAGES == "voila/render/pages/index.ipynb"
    assert LINK in (ROOT / "docs" / "how" / "try-online.md").read_text("utf-8")


def test_the_environment_has_python_and_pip_alone():
    described = yaml.safe_load((ROOT / "binder" / "environment.yml").read_text("utf-8"))
    names = {re.split("[=<>]", line)[0] for line in described["dependencies"]}
    assert names == {"python", "pip"}  # everything else comes from pyproject.toml


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder of a copy of the repository, and the environment variables of its built environment."""
    folder = tmp_path_factory.mktemp("binder")
    copy, environment = folder / "repository", folder / "environment"
    copy.mkdir()
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    subprocess.run(
        ["tar", "--create", "--null", "--files-from=-", "--file", folder / "all.tar"],
        cwd=ROOT,
        input=files,
        check=True,
    )
    subprocess.run(["tar", "--extract", "--file", folder / "all.tar"], cwd=copy, check=True)
    subprocess.run([sys.executable, "-m", "venv", environment], check=True)
    variables = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    variables |= {"PATH": f"{environment / 'bin'}{os.pathsep}{os.environ['PATH']}", "HOME": str(folder)}
    done = subprocess.run(
        [copy / "binder" / "postBuild"], cwd=copy, env=variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return copy, variables


@pytest.mark.slow
def test_explore_is_live_on_binder(built, missing):
    copy, variables = built
    names = ("chromium", "chromium-browser", "google-chrome")
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if path is None:
        missing("Chromium is missing.")
    port = free_port()
    root = f"http://127.0.0.1:{port}/user/visitor/"
    command = [
        "jupyter",
        "server",
        "--no-browser",
        "--allow-root",
        f"--port={port}",
        "--ServerApp.base_url=/user/visitor/",
    ]
    command += ["--IdentityProvider.token=", "--ServerApp.password="]
    with (
        running(command, f"{root}api", cwd=copy, env=variables, stderr=subprocess.DEVNULL),
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        page.set_default_timeout(120_000)
        page.goto(root + PAGES)
        page.locator("a[href$='explore.ipynb']").first.click()
        slider = page.locator(".sdc-page input[type=range]").first
        slider.wait_for()
        slider.press("ArrowRight")
        # The kernel has computed the change.
        page.locator(".sdc-actions button", has_text="Undo").and_(
            page.locator(":enabled:not([aria-disabled=true])")
        ).wait_for()
        names = {entry["name"] for entry in page.request.get(f"{root}api/contents/pages").json()["content"]}
        assert names == {
            file.name for folder in ("notebooks", "tutorials") for file in (ROOT / folder).glob("*.ipynb")
        }
        browser.close()
