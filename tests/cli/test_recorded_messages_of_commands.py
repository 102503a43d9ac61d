"""Messages of wrong calls of commands, compared with a recorded file.

`test_cli_wrong_calls.py` says what each message must contain. After an intended change, `pytest --renew-snapshots
tests/cli/test_recorded_messages_of_commands.py` writes the file anew, and its differences are read before a commit.
"""

from pathlib import Path

from recording import is_equal_text
from test_cli_wrong_calls import CALLS, FILES

from sdcwidgets.cli import main

KEYS = "protect people.csv --by region,age --method cell-key --record-key"

#: Further calls.
MORE = [f"{KEYS} {rest}" for rest in ("job", "job --largest-record-key 9", "id", "id --largest-record-key 3")]

FILE = Path(__file__).parent / "recorded" / "messages.txt"


def messages(folder, capsys):
    """Return each wrong call, its exit status and its message."""
    for name, content in FILES.items():
        (folder / name).write_text(content, "utf-8")
    lines = []
    for words in [*(words for words, *_ in CALLS), *(call.split() for call in MORE)]:
        try:
            status = main(list(words))
        except SystemExit as end:
            status = end.code
        printed = capsys.readouterr().err.replace(str(folder), "folder").splitlines()
        lines += [f"$ {' '.join(words)}", f"  {status} {' '.join(printed)}"]
    return lines


def test_messages_of_commands_are_recorded(tmp_path, monkeypatch, capsys, pytestconfig):
    monkeypatch.chdir(tmp_path)
    lines = messages(tmp_path, capsys)
    if pytestconfig.getoption("--renew-snapshots"):
        FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return
    known = FILE.read_text("utf-8").splitlines()
    assert len(known) == len(lines)
    assert [pair for pair in zip(known, lines, strict=True) if not is_equal_text(*pair)] == []
