"""Check that `mypy --strict` accepts the Python code of README and `docs/`, as a user of the wheel runs it.

Run by `make outside`, in an environment that has the wheel and mypy: `python typed_pages.py CHECKOUT`.
"""

import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

#: Public names whose types an editor must know, and a pattern of what mypy reveals.
REVEALED = {
    "sdcwidgets.FrequencyTable": r"def \(.*\) -> sdcwidgets\.tables\.table\.FrequencyTable",
    "sdcwidgets.assess": r"(def|Overload).*-> sdcwidgets\.assessment\.assessment\.Assessment",
    "sdcwidgets.protect": r"Overload\(def .*?-> sdcwidgets\.tables\.release\.Release, def .*",
    "widgets.Grid(table)": r"sdcwidgets\.widgets\.[\w.]*Grid",
    "explore.app(table)": r"sdcwidgets\.widgets\.dashboard\.Dashboard",
}

HEAD = """
import sdcwidgets
from sdcwidgets import widgets
from sdcwidgets.dashboards import explore

table = sdcwidgets.examples.load("religion")
"""


def python_code(page: Path) -> str:
    """Return the Python blocks of a page, one after the other."""
    return "\n".join(re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL))


def mypy(folder: Path) -> tuple[str, int]:
    """Return the output and the exit code of `mypy --strict` for the modules of a folder."""
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--no-error-summary",
        "--cache-dir",
        str(folder / "cache"),
    ]
    modules = sorted(path.name for path in folder.glob("*.py"))
    done = subprocess.run([*command, *modules], cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr, done.returncode


def wrong_types(output: str) -> list[str]:
    """Return the expressions of which mypy reveals something else than a class or a signature."""
    revealed = re.findall(r'Revealed type is "(.*)"', output)
    if len(revealed) != len(REVEALED):
        return [f"{len(revealed)} types revealed instead of {len(REVEALED)}"]
    return [
        f"{expression} is {found}"
        for (expression, pattern), found in zip(REVEALED.items(), revealed, strict=True)
        if not re.fullmatch(pattern, found) or re.search(r"-> Any\b", found) or found == "Any"
    ]


def main() -> int:
    """Write the code of each page and the public expressions into modules, check them, print what is wrong."""
    checkout = Path(sys.argv[1])
    pages = [checkout / "README.md", *sorted((checkout / "docs").rglob("*.md"))]
    with TemporaryDirectory() as name:
        folder = Path(name)
        for page in pages:
            if code := python_code(page):
                (folder / f"{page.stem.replace('-', '_')}_page.py").write_text(code, encoding="utf-8")
        lines = [f"reveal_type({expression})" for expression in REVEALED]
        (folder / "revealed.py").write_text("\n".join([HEAD, *lines, ""]), encoding="utf-8")
        count = len(list(folder.glob("*_page.py")))
        output, status = mypy(folder)
    problems = wrong_types(output)
    print(output, *problems, sep="\n")
    print(f"{count} pages with Python code checked, {len(REVEALED)} expressions revealed.")
    return 1 if status or problems or not count else 0


if __name__ == "__main__":
    sys.exit(main())
