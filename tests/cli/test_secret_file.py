"""A file of --secret-file that does not exist is created with a new seed, which a second run uses again."""

import os
import stat
from pathlib import Path

import pytest

from sdcwidgets.cli import main

PEOPLE = "".join(f"{k},{'NS'[k % 2]},{'abc'[k % 3]},{k % 7}\n" for k in range(60))
FIRMS = "".join(f"{k},{'NS'[k % 2]},{'abc'[k % 3]},{k * k + 1}\n" for k in range(60))

#: Commands that draw from a secret, each with its input.
COMMANDS = {
    "protect": ["protect", "example:religion", "--method", "random-rounding"],
    "suppress": ["suppress", "firms.csv", "--by", "area,kind", "--contributor", "firm", "--amount", "amount"],
    "microdata": ["microdata", "people.csv", "--keys", "area,job", "--pram", "job=0.5"],
    "swap": ["microdata", "swap", "people.csv", "--hierarchy", "area", "--risk", "job,age", "--rate", "0.5"],
    "keys": ["microdata", "keys", "people.csv"],
    "tables": ["tables", "people.csv", "--by", "area,job", "--rule", "people=1", "--rule", "mean=0"],
}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Return the current folder, with the inputs."""
    monkeypatch.chdir(tmp_path)
    Path("people.csv").write_text("id,area,job,age\n" + PEOPLE, "utf-8")
    Path("firms.csv").write_text("firm,area,kind,amount\n" + FIRMS, "utf-8")
    return tmp_path


@pytest.mark.parametrize("name", COMMANDS)
def test_a_new_secret_file_is_private_and_gives_the_same_output_again(name, capsys):
    secret = Path("secret.txt")
    old_mask = os.umask(0)
    try:
        assert main([*COMMANDS[name], "--secret-file", str(secret), "-o", "first.csv"]) == 0
    finally:
        os.umask(old_mask)
    lines = [line for line in capsys.readouterr().err.splitlines() if str(secret) in line]
    assert len(lines) == 1
    if os.name == "posix":
        assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    seed = secret.read_text("utf-8")
    assert int(seed) > 2**64
    assert seed.strip() not in Path("first.csv").read_text("utf-8")
    assert main([*COMMANDS[name], "--secret-file", str(secret), "-o", "second.csv"]) == 0
    output = capsys.readouterr()
    assert str(secret) not in output.err
    assert seed.strip() not in output.out + output.err
    assert secret.read_text("utf-8") == seed
    assert Path("second.csv").read_bytes() == Path("first.csv").read_bytes()


@pytest.mark.parametrize("name", COMMANDS)
def test_a_dry_run_and_wrong_input_write_no_secret_file(name, capsys):
    call = [*COMMANDS[name], "--secret-file", "secret.txt"]
    before = sorted(Path().iterdir())
    main([*call, "-o", "out.csv", "--dry-run"])
    assert main([*call, "-o", "out.pdf"]) == 2
    assert main([*call, "-o", "secret.txt"]) == 2
    assert main([*call[:-1], "none/secret.txt", "-o", "out.csv"]) == 2
    assert "none" in capsys.readouterr().err
    assert sorted(Path().iterdir()) == before


def test_several_tables_and_a_blocked_release_use_one_new_secret(capsys):
    call = [
        "protect",
        "example:religion",
        "example:sex",
        "--method",
        "random-rounding",
        "--force",
        "-o",
        "out",
    ]
    Path("out").mkdir()
    assert main([*call, "--secret-file", "secret.txt"]) == 0
    first = {path.name: path.read_bytes() for path in Path("out").iterdir()}
    assert main([*call, "--secret-file", "secret.txt"]) == 0
    assert {path.name: path.read_bytes() for path in Path("out").iterdir()} == first
    Path("secret.txt").unlink()
    Path("table.csv").write_text("Area,x,y\na,1,0\nb,0,1\n", "utf-8")
    blocked = ["protect", "table.csv", "--method", "random-rounding", "--rules", "minimum-frequency"]
    assert main([*blocked, "--secret-file", "secret.txt", "-o", "blocked.csv"]) == 3
    assert int(Path("secret.txt").read_text("utf-8")) > 0


def test_an_attack_needs_a_secret_file_that_exists(capsys):
    assert (
        main(["attack", "example:religion", "--method", "random-rounding", "--secret-file", "none.txt"]) == 2
    )
    assert "none.txt" in capsys.readouterr().err
    assert not Path("none.txt").exists()
