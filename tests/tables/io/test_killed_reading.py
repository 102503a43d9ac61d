"""A session that is killed while it reads or writes a file leaves nothing of it on the disk."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sdcwidgets.tables.io import formats

pytestmark = pytest.mark.slow


def test_who_is_killed_at_work_with_a_file_leaves_none(tmp_path):
    """Wherever it could be: the folder of temporary files, the home, and the folder where it works.

    Takes 14 s, because a process of its own reads each file and is killed at several moments.
    """
    script = Path(__file__).with_name("killed.py")
    places = {name: tmp_path / name for name in ("TMPDIR", "HOME", "here", "files")}
    for place in places.values():
        place.mkdir()
    environment = os.environ | {name: str(places[name]) for name in ("TMPDIR", "HOME")}
    done = subprocess.run(
        [sys.executable, script, places["files"]],
        env=environment,
        cwd=places["here"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    kinds = dict(json.loads(line) for line in done.stdout.splitlines())
    assert {f"a table as {name}" for name in formats.available()} < set(kinds)
    assert len(kinds) == 14 + len(formats.available())
    assert set(kinds.values()) == {10}
    assert not [file for file in tmp_path.rglob("*") if file.is_file()]
