"""Written files: complete or not at all."""

import stat
from pathlib import Path

import pytest

from sdcwidgets import InputError
from sdcwidgets._util.files import put


def test_a_file_is_replaced_and_keeps_its_mode(tmp_path):
    file = tmp_path / "table.csv"
    file.write_text("old")
    file.chmod(0o640)
    put("new", file)
    assert file.read_text() == "new"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert list(tmp_path.iterdir()) == [file]


def test_a_failure_keeps_the_existing_file(tmp_path, monkeypatch):
    file = tmp_path / "table.csv"
    file.write_text("old")

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(InputError, match="no space left on device"):
        put("new", file)
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_a_link_is_written_through(tmp_path):
    file = tmp_path / "table.csv"
    file.write_text("old")
    link = tmp_path / "link.csv"
    link.symlink_to(file)
    put("new", link)
    assert link.is_symlink()
    assert file.read_text() == "new"
