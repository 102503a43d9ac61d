"""Use a wheel in empty environments, as strangers have them: `python release/bare_environments.py WHEEL PYTHON...`.

Each Python gets an environment with the base, one with `[serve]` and one with `[all]`. In each, the examples of the
README run. With the base, mypy also checks the types that a user sees.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / ".venv-outside"

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


def install(wheel: Path, python: str, extra: str) -> None:
    """Make an empty environment that has the wheel with an extra."""
    uv = Path(sys.executable).with_name("uv")
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    run(uv, "venv", "--quiet", "--clear", "--no-config", "--python", python, FOLDER)
    requirement = f"sdcwidgets[{extra}] @ {wheel.as_uri()}" if extra else str(wheel)
    tools = () if extra else ("mypy", "pandas-stubs")
    target = ("--python", FOLDER / "bin/python")
    run(uv, "pip", "install", "--quiet", "--no-config", *target, requirement, *tools)
    for file in (ROOT / "tests/outside").glob("*.py"):
        shutil.copy(file, FOLDER)


def main(wheel: Path, pythons: list[str]) -> None:
    """Test the wheel with each Python and each extra."""
    for python in pythons:
        for extra in EXTRAS:
            install(wheel, python, extra)
            program = FOLDER / "bin/python"
            run(program, "use.py")
            run(program, "readme.py", ROOT, extra or "base")
            if not extra:
                run(program, "-m", "mypy", "--strict", "use.py")
                run(program, "typed_pages.py", ROOT)
            print(f"Python {python}, {extra or 'base'}: passed.", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), sys.argv[2:])
