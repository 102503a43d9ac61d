"""What is wrong is told in the same words by every door."""

from importlib import import_module
from pathlib import Path

import pandas as pd
import pytest

from sdcwidgets import FrequencyTable, InputError, assess, examples, methods, protect
from sdcwidgets.cli import main
from sdcwidgets.dashboards import DASHBOARDS, explore
from sdcwidgets.dashboards import protect as page
from sdcwidgets.widgets import Grid

TABLE = FrequencyTable([[3, 0, 4], [4, 1, 9]])
FRAME = pd.DataFrame({"m": [3, 4], "f": [4, 1]})
#: Pages that begin with something else than a table.
OTHERS = ("divergences", "literature", "microdata", "tables", "third_term", "who")


def words(of, *given, **settings):
    with pytest.raises(InputError) as refused:
        of(*given, **settings)
    return str(refused.value)


def test_what_is_no_table():
    said = words(assess, FRAME)
    assert said.startswith(
        "The table is a DataFrame; make a FrequencyTable of it, with FrequencyTable.from_csv"
    )
    for door in (protect, page.app, explore.app, Grid):
        assert words(door, FRAME, *["random-rounding"] * (door is protect)) == said
    app = page.app(TABLE)
    assert words(setattr, app, "table", FRAME) == said
    assert app.table == TABLE


@pytest.mark.parametrize("name", [one.name for one in DASHBOARDS if one.name != "index"])
def test_every_page_says_what_it_begins_with(name):
    app = import_module(f"sdcwidgets.pages.{name}.page").app
    for wrong in (FRAME, 3, *[TABLE] * (name in OTHERS)):
        said = words(app, wrong)
        assert type(wrong).__name__ in said


def test_a_setting_that_is_not_there(capsys):
    said = "There is no setting 'bse'; there are base, margins."
    rounding = methods.get("random-rounding")
    assert words(protect, TABLE, "random-rounding", bse=5) == words(rounding, bse=5) == said
    with pytest.raises(SystemExit):
        main(["protect", "example:religion", "--method", "random-rounding", "--bse", "5"])
    assert "--bse 5; `sdcwidgets protect --help` lists" in capsys.readouterr().err
    said = words(explore.app().settings.__class__, nothing=1)
    assert words(setattr, explore.app(), "settings", {"nothing": 1}) == said
    assert "there are sheet, by, count" in words(FrequencyTable.from_csv, "A,b\nx,3\n", nothing=1)


def test_a_method_that_is_none(capsys):
    said = words(protect, TABLE, "nothing")
    assert said == words(assess, TABLE, "nothing") == words(setattr, page.app(TABLE), "method", "nothing")
    assert main(["protect", "example:religion", "--method", "nothing"]) == 2
    assert capsys.readouterr().err.strip() == said
    for method in (3, None):
        assert words(protect, TABLE, method).startswith(
            f"The method is {method!r}; name one of cell-suppression"
        )
    assert words(assess, TABLE, 3) == words(setattr, page.app(TABLE), "method", 3) == words(protect, TABLE, 3)


@pytest.mark.parametrize("method", ["random-rounding", "cell-suppression"])
def test_python_and_the_command_line_write_the_same_file(method, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    release = protect(examples.load("religion"), method, seed=3)
    writers = {"csv": release.to_csv, "px": release.to_px, "json": release.to_json_stat}
    for ending, write in (writers | {"sdmx.csv": release.to_sdmx_csv}).items():
        write(f"py.{ending}", margins=not release.plain)
        words = ["protect", "example:religion", "--method", method, "--seed", "3", "-q", "-o"]
        assert main([*words, f"cli.{ending}"]) == 0
        assert Path(f"py.{ending}").read_bytes() == Path(f"cli.{ending}").read_bytes()
