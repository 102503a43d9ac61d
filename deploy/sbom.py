"""Write a CycloneDX bill of materials: `python deploy/sbom.py PYTHON OUTPUT`.

PYTHON is the interpreter of an environment with the pinned packages (see `make sbom`). The list includes the
libraries that this package contains, but not the libraries that other packages contain, such as scripts.
"""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

ROOT = Path(__file__).parents[1]


def vendored() -> dict[str, object]:
    """Return the entry for the plotly.js file in the package."""
    packed = ROOT / "sdcwidgets" / "widgets" / "vendored" / "plotly-basic.min.js.gz"
    head = gzip.decompress(packed.read_bytes())[:300].decode()
    found = re.search(r"plotly\.js \(basic - minified\) v([\d.]+)", head)
    if found is None:
        raise SystemExit(f"{packed.name} does not say its version in its first line.")
    purl = f"pkg:npm/plotly.js-basic-dist-min@{found[1]}"
    return {
        "type": "library",
        "bom-ref": purl,
        "name": "plotly.js-basic-dist-min",
        "version": found[1],
        "purl": purl,
        "licenses": [{"license": {"id": "MIT"}}],
        "hashes": [{"alg": "SHA-256", "content": sha256(packed.read_bytes()).hexdigest()}],
    }


def main(python: str, output: str) -> None:
    """Write the bill of materials."""
    program = Path(sys.executable).with_name("cyclonedx-py")
    command = [
        program,
        "environment",
        python,
        "--pyproject",
        ROOT / "pyproject.toml",
        "--output-reproducible",
    ]
    told = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    told["components"].append(vendored())
    text = json.dumps(told, indent=2) + "\n"
    problem = JsonStrictValidator(SchemaVersion.from_version(told["specVersion"])).validate_str(text)
    if problem is not None:
        raise SystemExit(f"The list is not valid CycloneDX: {problem}")
    Path(output).write_text(text, "utf-8")
    print(f"{output}: {len(told['components'])} components")


if __name__ == "__main__":
    main(*sys.argv[1:])
