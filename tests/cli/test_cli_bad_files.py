"""Each command with bad files: exit status 2, one sentence, nothing written, and no file changed."""

from pathlib import Path

import pytest

from sdcwidgets.cli import main

#: Files that hold no table, by name.
BAD: dict[str, bytes] = {
    "empty.csv": b"",
    "blank.csv": b"\n \n\n",
    "header.csv": b"Area,Sex,n\n",
    "binary.csv": bytes(range(256)) * 20,
    "zip.xlsx": b"PK\x03\x04" + bytes(200),
    "ragged.csv": b"a,b\n1,2,3\n4\n",
    "prose.csv": b"This is a letter.\nIt holds no table at all.\n",
    "unpaired.csv": b'"Area,m,f\na,5,6\n',
}

#: Inputs that are not a file with content.
PLACES = ("missing.csv", "folder", "nowhere/missing.csv")

#: Commands that read a file, with an output where they have one; {} is the file.
COMMANDS: dict[str, list[str]] = {
    "assess": ["assess", "{}"],
    "assess --method": ["assess", "{}", "--method", "random-rounding"],
    "protect": ["protect", "{}", "--method", "random-rounding", "-o", "out.csv"],
    "protect several": ["protect", "good.csv", "{}", "--method", "random-rounding", "-o", "outputs"],
    "protect --rules": ["protect", "good.csv", "--rules", "{}", "-o", "out.csv"],
    "protect --published": [
        *("protect", "good.csv", "--method", "random-rounding"),
        *("--published", "{}", "-o", "out.csv"),
    ],
    "protect --p-table": ["protect", "good.csv", "--method", "cell-key", "--p-table", "{}", "-o", "out.csv"],
    "protect --layout": [
        *("protect", "good.csv", "--layout", "{}"),
        *("--method", "random-rounding", "-o", "out.csv"),
    ],
    "protect --secret-file": [
        *("protect", "good.csv", "--method", "random-rounding"),
        *("--secret-file", "{}", "-o", "out.csv"),
    ],
    "attack": ["attack", "{}", "--method", "random-rounding"],
    "compare": ["compare", "{}", "--methods", "random-rounding", "--replications", "2"],
    "microdata": ["microdata", "{}", "--keys", "Area,Sex", "--suppress", "-o", "out.csv"],
    "microdata keys": ["microdata", "keys", "{}", "--identity", "person", "-o", "out.csv"],
    "microdata swap": ["microdata", "swap", "{}", "--hierarchy", "Area", "--risk", "Sex", "-o", "out.csv"],
    "suppress": [
        *("suppress", "{}", "--by", "Area,Sex", "--contributor", "firm"),
        *("--amount", "turnover", "-o", "out.csv"),
    ],
    "tables": ["tables", "{}", "--by", "Area,Town", "-o", "out.csv"],
    "tables init": ["tables", "init", "generator", "--data", "{}"],
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return the current folder, with a good table and all bad files."""
    for name, content in BAD.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "good.csv").write_text("Area,m,f\na,5,6\nb,7,8\n", "utf-8")
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def contents(folder: Path) -> dict[str, bytes | None]:
    """Return the content of each file below a folder, and None for a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
    }


def status_of(arguments: list[str]) -> int:
    """Return the exit status of a call, also where the parser exits."""
    try:
        return main(arguments)
    except SystemExit as error:
        return int(error.code or 0)


@pytest.mark.parametrize("file", [*BAD, *PLACES])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_bad_file_loses_nothing(command, file, folder, capsys):
    if command == "protect --secret-file" and file == "missing.csv":
        return  # the command creates it with a new seed
    before = contents(folder)
    arguments = [file if word == "{}" else word for word in COMMANDS[command]]
    assert status_of(arguments) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.strip()
    assert "Traceback" not in output.err
    assert contents(folder) == before


@pytest.mark.parametrize("command", [name for name, words in COMMANDS.items() if "out.csv" in words])
@pytest.mark.parametrize("output", ["good.csv", "folder", "nowhere/out.csv"])
def test_an_output_that_cannot_be_written_loses_nothing(command, output, folder, capsys):
    before = contents(folder)
    replaced = {"{}": "good.csv", "out.csv": output}
    arguments = [replaced.get(word, word) for word in COMMANDS[command]]
    # A folder is a valid output of `protect`, which gives the file the name of the table.
    if command.startswith("protect") and output == "folder" and command != "protect --published":
        return
    if status_of(arguments) == 0:
        raise AssertionError(capsys.readouterr())
    assert contents(folder) == before
