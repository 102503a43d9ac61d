"""Settings by name and by --set, several files, existing outputs, dry runs, and progress."""

import io
import json
import re
import sys
import time
from pathlib import Path

import pytest

from sdcwidgets import FrequencyTable, __version__
from sdcwidgets.cli import _progress, main
from sdcwidgets.methods import cellkey

TABLE = "Area,Female,Male\nArea 1,181,12\nArea 2,17,1\nArea 3,83,30\n"
OTHER = "Area,Female,Male\nArea 4,18,2\nArea 5,70,11\n"
PEOPLE = "id,region,age,job\n" + "".join(
    f"{k},{'NS'[k % 2]},{['old', 'young'][k % 3 > 0]},{'xy'[k % 5 > 1]}\n" for k in range(60)
)
FIRMS = (
    "Area,Kind,firm,turnover\na,x,1,90\na,x,2,9\na,y,3,80\na,y,4,70\nb,x,5,60\nb,x,6,50\nb,y,7,40\nb,y,8,30\n"
)
ROUNDING = ["--method", "random-rounding", "--seed", str(3**44)]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "north.csv": TABLE,
        "south.csv": OTHER,
        "people.csv": PEOPLE,
        "firms.csv": FIRMS,
    }.items():
        Path(name).write_text(text, "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    "settings",
    [["--base", "5"], ["--set", "base=5"], ["--set", " base = 5"], ["--base=5"], ["--set=base=5"]],
    ids=" ".join,
)
def test_a_setting_is_given_by_its_name_or_by_set(settings, folder, capsys):
    assert main(["protect", "north.csv", *ROUNDING, *settings]) == 0
    table = FrequencyTable.from_csv(io.StringIO(capsys.readouterr().out).read().encode())
    expected = FrequencyTable.from_csv("north.csv")
    assert (table.counts % 5 == 0).all()
    assert abs(table.counts - expected.counts).max() < 5


def test_set_reaches_a_setting_whose_name_the_command_uses(folder, capsys):
    outputs = []
    for setting in (["--method-margins", "own"], ["--set", "margins=own"], []):
        assert main(["attack", "north.csv", "--method", "random-rounding", *setting, "--json"]) == 0
        outputs.append(json.loads(capsys.readouterr().out))
    assert outputs[0] == outputs[1]
    assert [output["method"]["margins"] for output in outputs] == ["own", "own", "sums"]


def test_a_p_table_of_the_agency_is_used(folder, capsys):
    Path("ptable.csv").write_text(cellkey.to_csv(cellkey.handbook_example()), "utf-8")
    call = ["attack", "north.csv", "--method", "cell-key", "--json"]
    outputs = []
    for flag in (["--p-table", "ptable.csv"], ["--set", "p_table=ptable.csv"]):
        assert main([*call, *flag]) == 0
        outputs.append(json.loads(capsys.readouterr().out))
    assert outputs[0] == outputs[1]
    assert outputs[0]["method"]["D"] == 1
    assert main([*call, "--p-table", "north.csv"]) == 2
    assert "--p-table" in capsys.readouterr().err


def test_several_files_are_written_into_a_folder(folder, capsys):
    rounding = ["--method", "random-rounding"]
    assert (
        main(["protect", "north.csv", "south.csv", "example:sex", *rounding, "--base", "5", "-o", "out"]) == 0
    )
    assert sorted(path.name for path in Path("out").iterdir()) == ["north.csv", "sex.csv", "south.csv"]
    assert not (FrequencyTable.from_csv("out/south.csv").counts % 5).any()
    assert "south.csv:" in capsys.readouterr().err
    assert main(["protect", "north.csv", "south.csv", *rounding, "-o", "books", "--file-type", "xlsx"]) == 0
    assert FrequencyTable.from_excel("books/south.xlsx").shape == (2, 2)
    # A folder takes a single file, too.
    Path("other").mkdir()
    assert main(["protect", "north.csv", *ROUNDING, "-o", "other"]) == 0
    assert Path("other/north.csv").is_file()


def test_each_of_several_files_has_a_secret_of_its_own(folder, capsys):
    """With one secret, those who know the counts of one table could compute the noise of the other one."""
    Path("again.csv").write_text(TABLE, "utf-8")
    seeds = set()
    for _ in range(2):
        assert (
            main(["protect", "north.csv", "again.csv", "--method", "random-rounding", "-f", "-o", "out"]) == 0
        )
        err = capsys.readouterr().err
        seeds |= {word.rstrip(";") for word in err.split() if word.rstrip(";").isdigit() and len(word) > 25}
    assert len(seeds) == 4
    call = [
        "protect",
        "people.csv",
        "people2.csv",
        "--by",
        "region,age",
        "--method",
        "cell-key",
        "-o",
        "keyed",
    ]
    Path("people2.csv").write_text(PEOPLE, "utf-8")
    assert main(call) == 0
    assert Path("keyed/people.csv").read_bytes() == Path("keyed/people2.csv").read_bytes()


@pytest.mark.parametrize("method", ["random-rounding", "cell-key", "barnardisation"])
def test_one_small_seed_for_several_tables_is_refused(folder, capsys, method):
    """Equal positions would get equal noise, so the difference of two tables would be exact."""
    seed = ["--seed", str(17)]
    assert main(["protect", "north.csv", "south.csv", "--method", method, *seed, "-o", "out"]) == 2
    assert "same noise" in capsys.readouterr().err
    assert not Path("out").exists()
    # A secret seed is mixed with the counts, so several files give the same outputs as one file each.
    seed = ["--seed", str(3**44)]
    assert main(["protect", "north.csv", "south.csv", "--method", method, *seed, "-o", "out"]) == 0
    assert main(["protect", "south.csv", "--method", method, *seed, "-o", "alone.csv"]) == 0
    assert Path("out/south.csv").read_text("utf-8") == Path("alone.csv").read_text("utf-8")


def test_cell_keys_without_records_are_drawn_for_each_file(folder, capsys):
    Path("wide.csv").write_text(
        "Area,a,b\n" + "".join(f"{i},{50 + i},{70 + i}\n" for i in range(20)), "utf-8"
    )
    Path("again.csv").write_text(Path("wide.csv").read_text("utf-8"), "utf-8")
    assert main(["protect", "wide.csv", "again.csv", "--method", "cell-key", "-o", "out"]) == 0
    assert Path("out/wide.csv").read_bytes() != Path("out/again.csv").read_bytes()


def test_no_file_is_written_if_one_of_several_is_wrong(folder, capsys):
    Path("bad.csv").write_text("Area,a,b\nx,1,-3\ny,2,5\n", "utf-8")
    assert main(["protect", "north.csv", "bad.csv", "--method", "random-rounding", "-o", "out"]) == 2
    assert not Path("out").exists()
    # A setting that fits one of the tables only
    call = ["--method", "record-swapping", "--axis", "Area", "-o", "out"]
    Path("plain.csv").write_text("Town,a,b\nx,1,3\ny,2,5\n", "utf-8")
    assert main(["protect", "north.csv", "plain.csv", *call]) == 2
    assert not Path("out").exists()


WRITERS = {
    "protect": ["protect", "north.csv", *ROUNDING, "-o", "out.csv"],
    "report": ["protect", "north.csv", *ROUNDING, "--internal-report", "internal.html", "--report", "out.html"],
    "microdata": ["microdata", "people.csv", "--keys", "age", "-o", "out.csv"],
    "swap": ["microdata", "swap", "people.csv", "--hierarchy", "region", "--risk", "age", "-o", "out.csv"],
    "keys": ["microdata", "keys", "people.csv", "-o", "out.csv"],
    "suppress": [
        "suppress", "firms.csv", "--by", "Area,Kind", "--contributor", "firm", "--amount", "turnover", "-o", "out.csv",
    ],
    "tables": ["tables", "people.csv", "--by", "region", "--rule", "people=1", "-o", "out.csv"],
    "copy": ["course", "copy", "frequency-tables-and-entropy", "-o", "out.csv"],
}  # fmt: skip


@pytest.mark.parametrize("name", WRITERS)
def test_an_existing_file_is_overwritten_with_force_only(name, folder, capsys):
    out = Path(WRITERS[name][-1])
    out.write_text("precious", "utf-8")
    before = sorted(Path().iterdir())
    assert main(WRITERS[name]) == 2
    error = capsys.readouterr().err
    assert f"{out} exists" in error
    assert "--force" in error
    assert out.read_text("utf-8") == "precious"
    assert sorted(Path().iterdir()) == before
    assert main([*WRITERS[name], "--force"]) == 0
    assert out.read_text("utf-8") != "precious"


@pytest.mark.parametrize("name", [name for name in WRITERS if name != "copy"])
def test_a_dry_run_writes_nothing_and_draws_nothing(name, folder, capsys):
    before = sorted(Path().iterdir())
    assert main([*WRITERS[name], "--dry-run"]) == 0
    printed = capsys.readouterr()
    assert WRITERS[name][-1] in printed.out
    assert "seed" not in printed.err
    assert sorted(Path().iterdir()) == before
    wrong = [
        word.replace("north.csv", "none.csv").replace("people.csv", "none.csv") for word in WRITERS[name]
    ]
    assert main([*[word.replace("firms.csv", "none.csv") for word in wrong], "-n"]) == 2


def test_a_dry_run_of_a_generator_is_not_logged(folder, capsys):
    assert main(["tables", "init", "made", "--source", "people.csv"]) == 0
    assert main(["tables", "made", "--by", "region", "-n"]) == 0
    capsys.readouterr()
    assert main(["tables", "log", "made"]) == 0
    assert "region" not in capsys.readouterr().out


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_is_shown_on_a_terminal_only(monkeypatch):
    monkeypatch.setattr(_progress, "DELAY", 0.01)
    for stream, is_shown in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr("sys.stderr", stream)
        with _progress.progress("sdcwidgets protect"):
            _progress.show_step("Reading table.csv")
            end = time.monotonic() + 60
            # A busy machine may show the first line after more than a second.
            while is_shown and not re.search(r"Reading table\.csv: \d+ s", stream.getvalue()):
                assert time.monotonic() < end
                time.sleep(0.01)
            print("a remark", file=sys.stderr)
        text = stream.getvalue()
        assert "a remark" in text
        assert (_progress.ERASE in text) == is_shown
        assert not is_shown or text.index(_progress.ERASE + "a remark") > 0


def test_quick_work_shows_no_progress(monkeypatch, folder):
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setattr(_progress, "DELAY", 1e6)
    assert main(["assess", "example:sex"]) == 0
    assert _progress.ERASE not in terminal.getvalue()


def test_json_names_version_file_and_method(folder, capsys):
    for call, file in (
        (["assess", "north.csv", "--method", "random-rounding", "--replications", "5"], "north.csv"),
        (["attack", "example:sex", "--method", "random-rounding"], "example:sex"),
        (["tables", "people.csv", "--by", "region", "--rule", "people=1"], "people.csv"),
    ):
        assert main([*call, "--json"]) == 0
        output = json.loads(capsys.readouterr().out)
        assert (output["version"], output["file"], output["method"]["name"]) == (
            __version__,
            file,
            "random-rounding",
        )


def test_quiet_keeps_the_generated_seed_of_a_chosen_pattern(folder, capsys):
    assert main(["protect", "north.csv", "--method", "cell-suppression", "--quiet"]) == 0
    [line] = capsys.readouterr().err.splitlines()
    assert "random seed" in line


def test_progress_depends_on_stderr_and_not_on_stdout(monkeypatch):
    monkeypatch.setattr(_progress, "DELAY", 1e6)
    for output, errors, is_shown in ((io.StringIO(), Terminal(), True), (Terminal(), io.StringIO(), False)):
        monkeypatch.setattr("sys.stdout", output)
        monkeypatch.setattr("sys.stderr", errors)
        with _progress.progress("sdcwidgets protect"):
            assert (sys.stderr is not errors) == is_shown
        assert sys.stderr is errors
