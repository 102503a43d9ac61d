"""Test a wheel in empty environments: `python release/bare_environments.py WHEEL PYTHON...`.

A PYTHON is a version or a path. If pyenv has not installed a version, uv finds or downloads it. A version that
cannot be downloaded is an error, and with `--rehearsal` it is only reported.

Each Python gets an environment with the base, one with `[serve]` and one with `[all]`. In each, the examples of the
README run. With the base, mypy also checks the types that a user sees.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / ".venv-outside"

UV = Path(sys.executable).with_name("uv")

#: Extras that a reader of the README installs; "" is the base.
EXTRAS = ("", "serve", "all")


def run(*words: object) -> None:
    """Run a program in the folder of the environment, without the path of the checkout."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [str(word) for word in words]
    done = subprocess.run(command, cwd=FOLDER, env=environment, check=False, capture_output=True, text=True)
    if done.returncode:
        print(done.stdout, done.stderr, sep="\n")
        raise SystemExit(f"{' '.join(command)} failed.")


def interpreter(python: str) -> str:
    """Return the path of a version that pyenv has installed, and any other argument unchanged."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    known = [path for path in pyenv.glob(f"versions/{python}.*/bin/python") if path.exists()]
    return str(known[-1]) if known else python


def missing(pythons: list[str]) -> list[str]:
    """Return the versions of Python that are not installed and cannot be downloaded."""
    absent = []
    for python in pythons:
        with tempfile.TemporaryDirectory() as folder:
            command = [
                UV,
                "venv",
                "--quiet",
                "--no-config",
                "--python",
                interpreter(python),
                f"{folder}/venv",
            ]
            if subprocess.run(command, check=False, capture_output=True).returncode:
                absent.append(python)
    return absent


def install(wheel: Path, python: str, extra: str) -> None:
    """Make an empty environment that has the wheel with an extra."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    run(UV, "venv", "--quiet", "--clear", "--no-config", "--python", interpreter(python), FOLDER)
    requirement = f"sdcwidgets[{extra}] @ {wheel.as_uri()}" if extra else str(wheel)
    tools = () if extra else ("mypy", "pandas-stubs")
    target = ("--python", FOLDER / "bin/python")
    run(UV, "pip", "install", "--quiet", "--no-config", *target, requirement, *tools)
    for file in (ROOT / "tests/outside").glob("*.py"):
        shutil.copy(file, FOLDER)


def main(wheel: Path, pythons: list[str], rehearsal: bool = False) -> int:
    """Test the wheel with each Python and each extra, and return 1 if a Python is missing."""
    absent = missing(pythons)
    for python in absent:
        print(f"Python {python} is missing and cannot be downloaded. Install it, or set PYTHONS to others.")
    for python in pythons:
        if python in absent:
            continue
        for extra in EXTRAS:
            install(wheel, python, extra)
            program = FOLDER / "bin/python"
            run(program, "use.py")
            run(program, "readme.py", ROOT, extra or "base")
            if not extra:
                run(program, "-m", "mypy", "--strict", "use.py")
                run(program, "typed_pages.py", ROOT)
            print(f"Python {python}, {extra or 'base'}: passed.", flush=True)
    return int(bool(absent) and not rehearsal)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("wheel", type=Path)
    arguments.add_argument("pythons", nargs="+", metavar="python")
    arguments.add_argument("--rehearsal", action="store_true", help="succeed although a Python is missing")
    options = arguments.parse_args()
    sys.exit(main(options.wheel.resolve(), options.pythons, options.rehearsal))
