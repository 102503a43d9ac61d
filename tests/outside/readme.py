"""Run the Python code of the README with an installed wheel, by `make outside`: `python readme.py REPOSITORY`."""

import re
import sys
from pathlib import Path


def main(repository: str) -> None:
    """Run all blocks of code, which share their names."""
    text = (Path(repository) / "README.md").read_text("utf-8")
    names: dict[str, object] = {}
    for code in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(compile(code, "README.md", "exec", dont_inherit=True), names)
    assert {"table", "release", "app"} <= names.keys()


if __name__ == "__main__":
    main(sys.argv[1])
