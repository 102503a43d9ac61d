"""What deploy/requirements.lock pins: each distribution with its hashes."""

import re
from pathlib import Path

from packaging.requirements import Requirement

import sdcwidgets

ROOT = Path(sdcwidgets.__path__[0]).parent

_LINES = re.split(r"\n(?=\S)", (ROOT / "deploy" / "requirements.lock").read_text("utf-8").strip())
PINNED = [
    (Requirement(line.split("\\")[0]), re.findall(r"--hash=sha256:[0-9a-f]{64}\b", line))
    for line in _LINES
    if not line.startswith("#")
]
