"""What is wrong is told in the same words by every door."""

from importlib import import_module
from pathlib import Path

import openpyxl
import pandas as pd
import pytest
from stating import stating

from sdcwidgets import FrequencyTable, InputError, assess, examples, methods, microdata, protect
from sdcwidgets.assessment.report import Report, write
from sdcwidgets.cli import main
from sdcwidgets.dashboards import explore
from sdcwidgets.dashboards import protect as page
from sdcwidgets.dashboards.page_heads import DASHBOARDS
from sdcwidgets.tables.io import sources
from sdcwidgets.widgets import Grid
from sdcwidgets.widgets.page_state.table_state import TableState

TABLE = FrequencyTable([[3, 0, 4], [4, 1, 9]])
FRAME = pd.DataFrame({"m": [3, 4], "f": [4, 1]})


def begins_with_a_table(page):
    state = "".join(part.title() for part in page.split("_")) + "State"
    return issubclass(getattr(import_module(f"sdcwidgets.dashboards.{page}.state"), state), TableState)


def words(of, *given, **settings):
    with pytest.raises(InputError) as refused:
        of(*given, **settings)
    return str(refused.value)


def test_what_is_no_table():
    said = words(assess, FRAME)
    assert said.startswith("The table is a DataFrame; use FrequencyTable.from_csv")
    for door in (protect, page.app, explore.app, Grid):
        assert words(door, FRAME, *["random-rounding"] * (door is protect)) == said
    app = page.app(TABLE)
    assert words(setattr, app, "table", FRAME) == said
    assert app.table == TABLE


@pytest.mark.parametrize("name", [one.name for one in DASHBOARDS if one.name != "index"])
def test_every_page_says_what_it_begins_with(name):
    app = import_module(f"sdcwidgets.dashboards.{name}.page").app
    for wrong in (FRAME, 3) if begins_with_a_table(name) else (FRAME, 3, TABLE):
        said = words(app, wrong)
        assert type(wrong).__name__ in said


def test_a_setting_that_is_not_there(capsys):
    said = "There is no setting 'bse'; the nearest one is base."
    rounding = methods.get("random-rounding")
    assert words(protect, TABLE, "random-rounding", bse=5) == words(rounding, bse=5) == said
    with pytest.raises(SystemExit):
        main(["protect", "example:religion", "--method", "random-rounding", "--bse", "5"])
    assert "no option --bse; the nearest one is --base" in capsys.readouterr().err
    said = words(explore.app().settings.__class__, nothing=1)
    assert words(setattr, explore.app(), "settings", {"nothing": 1}) == said
    with pytest.raises(TypeError, match="nothing"):
        FrequencyTable.from_csv("A,b\nx,3\n", nothing=1)


def test_a_method_that_is_none(capsys):
    said = words(protect, TABLE, "nothing")
    assert said == words(assess, TABLE, "nothing") == words(setattr, page.app(TABLE), "method", "nothing")
    assert main(["protect", "example:religion", "--method", "nothing"]) == 2
    assert capsys.readouterr().err.strip() == said
    for method in (3, None):
        assert words(protect, TABLE, method).startswith(f"The method is {method!r}; it must be one of ")
    assert words(assess, TABLE, 3) == words(setattr, page.app(TABLE), "method", 3) == words(protect, TABLE, 3)


READERS = (FrequencyTable.from_csv, FrequencyTable.from_excel, FrequencyTable.from_frame)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    "wrong",
    [3, None, TABLE, FRAME, "nothing.csv", Path("nothing.csv"), object()],
    ids=lambda wrong: type(wrong).__name__,
)
def test_what_no_table_can_be_read_from_is_said_in_a_sentence(reader, wrong):
    if reader != FrequencyTable.from_frame or not isinstance(wrong, pd.DataFrame):
        assert words(reader, wrong).count(".") <= 3


def test_a_folder_an_empty_file_and_none_at_all(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    Path("empty.csv").touch()
    for name, said in (("folder", "is a directory"), ("empty.csv", "is empty"), ("none.csv", "no such file")):
        in_python = words(FrequencyTable.from_csv, name)
        assert said in in_python
        assert main(["assess", name]) == 2
        assert capsys.readouterr().err.strip() == in_python


@pytest.mark.parametrize("seed", ["x", 1.5, -1])
def test_a_seed_that_is_none(seed, capsys):
    said = f"Seed is {seed}; it must be a whole number"
    # A text can be the secret, which an error message does not repeat.
    in_python = "Seed is a text; convert it" if isinstance(seed, str) else said
    assert words(protect, TABLE, "random-rounding", seed=seed) == stating(in_python, "least 0")
    assert words(methods.get("random-rounding")().release, TABLE, seed).startswith(in_python)
    assert words(methods.get("random-rounding")().apply, TABLE, seed).startswith(in_python)
    assert words(microdata.population, 1000, seed).startswith(in_python)
    in_assess = said.replace(str(seed), f'the text "{seed}"') if isinstance(seed, str) else said
    assert words(assess, TABLE, seed=seed) == f"{in_assess} from 0 to 2^53 - 1."
    assert main(["protect", "example:religion", "--method", "random-rounding", f"--seed={seed}"]) == 2
    assert capsys.readouterr().err.strip() == f"--seed: {said} from 0 to 2^128 - 1."


RELEASE = protect(TABLE, "random-rounding", seed=1)
WRITERS = {
    "to_csv": ".csv",
    "to_excel": ".xlsx",
    "to_px": ".px",
    "to_json_stat": ".json",
    "to_sdmx_csv": ".csv",
}


@pytest.mark.parametrize("name", WRITERS)
def test_what_cannot_be_written_is_said_in_the_words_of_the_command_line(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    other = ".xlsx" if name == "to_csv" else ".docx"
    assert f"ends in {other}" in words(getattr(RELEASE, name), f"table{other}")
    assert not Path(f"table{other}").exists()
    for place, why in (
        (f"none/table{WRITERS[name]}", "no such file or directory"),
        ("folder", "is a directory"),
    ):
        said = words(getattr(RELEASE, name), place)
        assert said == stating(f"{place}", f"{why}")
        if name == "to_csv":
            assert words(TABLE.to_csv, place) == said
        # The command line writes into a folder, so it is given a file whose name is a folder.
        place = place if place != "folder" else "out/religion.csv"
        Path("out/religion.csv").mkdir(parents=True, exist_ok=True)
        command = ["protect", "example:religion", "--method", "random-rounding", "-q"]
        assert main([*command, "-o", place if why.startswith("no such") else "out"]) == 2
        sentence = capsys.readouterr().err.splitlines()[-1]
        assert sentence == (said if why.startswith("no such") else f"{place} is a folder; name a file in it.")
    assert "none/report.html" in words(write, Report(RELEASE), "none/report.html")
    assert words(getattr(RELEASE, name), 3) == "The path is an int; pass a file name or a Path."


SUMS = "Table 1: Religion\nArea,Yes,No,All\nA,30,21,51\nB,12,17,29\nAll,42,38,80\n\nSource: us\n"


def cells(path):
    book = openpyxl.load_workbook(path)
    return {sheet.title: [[cell.value for cell in row] for row in sheet] for sheet in book}


@pytest.mark.parametrize("method", ["random-rounding", "cell-suppression", "cell-key"])
@pytest.mark.parametrize("source", ["example:religion", SUMS, TABLE.to_csv()], ids=["example", "sums", "own"])
@pytest.mark.parametrize("ending", ["csv", "xlsx", "px", "json", "sdmx.csv"])
def test_python_and_the_command_line_write_the_same_file(method, source, ending, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if not source.startswith("example:"):
        Path("table.csv").write_text(source, "utf-8")
        source = "table.csv"
    assert main(["protect", source, "--method", method, "--seed", "3", "-q", "-o", f"cli.{ending}"]) == 0
    reading = sources.named(source).read()
    release, totals = protect(reading.table, method, seed=3), reading.totals
    if ending == "csv":
        release.to_csv(f"py.{ending}", margins=totals, as_read=reading.as_read)
    elif ending == "xlsx":
        published = examples.get("religion") if source.startswith("example:") else None
        release.to_excel(
            "py.xlsx",
            title=published.title if published else "Row by Column",
            source=published.source if published else "",
            method=methods.get(method)(),
            as_read=reading.as_read,
        )
        assert cells("py.xlsx") == cells("cli.xlsx")
        return
    else:
        write = {"px": release.to_px, "json": release.to_json_stat, "sdmx.csv": release.to_sdmx_csv}[ending]
        write(f"py.{ending}", margins=totals or not release.plain)
    assert Path(f"py.{ending}").read_bytes() == Path(f"cli.{ending}").read_bytes()
