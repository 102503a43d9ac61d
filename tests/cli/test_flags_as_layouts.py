"""Options that state how a file is read are short forms of keys of a layout, which `--show-layout` prints."""

import pytest

from sdcwidgets.cli import main
from sdcwidgets.cli._options import READING_HELP

TOTALS = "Area,Men,Women\nBath,31,40\nHull,59,61\nYork,20,25\nAll,110,125\n"
LONG = "Area,Sex,n\n" + "".join(f"A{i},m,{i + 3}\n" for i in range(9)) + "A1,f,5\nA2,f,7\n"
LEVELS = "Level,Area,n\n1,Kent,11\n2,Ash,5\n2,Deal,6\n1,Devon,30\n2,Exe,13\n2,Tor,17\n"
LARGEST = "Area,n\nA,3\nB,4\nCity,900\nD,9\n"
TIMES = "Area,Year,n\nA,2020,3\nB,2020,4\nA,2021,9\nB,2021,5\n"
NUMBERS = "1,2,3\n4,5,6\n7,8,9\n"
PERSONS = "Area,Sex,Age,w\nA,m,3,3.5\nA,,4,4\nB,m,3,3\nB,f,4,4.2\n"

CASES = [
    (TOTALS, "--margins drop"),
    (TOTALS.replace("125", "126"), "--margins keep"),
    ("Area,m,f\nA,3,\nB,4,7\n", "--empty zero"),
    ("Area,m,f\nA,3,-\nB,4,7\n", "--empty dashes"),
    (LONG, "--empty zero"),
    (LEVELS, "--level 2"),
    (LEVELS, "--level 1"),
    ("Area,m,f\nA,3.5,2.25\nB,4.125,7.5\n", "--decimals thousands"),
    ("Area,m,f\nA,3.5,2.25\nB,4.125,7.5\n", "--decimals round"),
    ("Area;m;f\nA;5,000;2,250\nB;4,125;7,500\n", "--marks thousands"),
    ("Area,m,f\nA,3 p,2\nB,4,7\n", "--flags off"),
    ("Area,m,f\nA,c,2\nB,4,7\nC,5,9\n", "--flags out"),
    (LARGEST, "--largest drop"),
    (LARGEST, "--largest keep"),
    (TIMES, "--only Year=2021"),
    (TIMES, "--only Year=*"),
    (NUMBERS, "--first-line labels"),
    (NUMBERS, "--first-line counts"),
    (PERSONS, "--by Area,Age --count rows"),
    (PERSONS, "--by Area,Age --count rows --weight w"),
    (PERSONS, "--by Area,Sex --count rows --missing unknown"),
    (TOTALS.replace("Bath", "Bäth"), "--encoding cp1252 --margins drop"),
]


@pytest.mark.parametrize(("text", "options"), CASES)
def test_a_layout_reads_what_the_option_reads(text, options, tmp_path, capsys):
    file, layout = tmp_path / "t.csv", tmp_path / "layout.toml"
    file.write_bytes(text.encode("cp1252"))
    assert main(["assess", str(file), *options.split()]) == 0
    assessed = capsys.readouterr().out
    assert main(["assess", str(file), *options.split(), "--show-layout"]) == 0
    layout.write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(["assess", str(file), "--layout", str(layout)]) == 0
    assert capsys.readouterr().out == assessed


def test_the_options_are_complete():
    tried = {word.removeprefix("--") for _, options in CASES for word in options.split() if word[:2] == "--"}
    assert tried == {name.replace("_", "-") for name in READING_HELP} - {"sheet"}


def test_counts_without_labels_have_no_layout(tmp_path, capsys):
    file = tmp_path / "t.csv"
    file.write_text(NUMBERS)
    assert main(["assess", str(file), "--first-line", "bare"]) == 0
    assert main(["assess", str(file), "--first-line", "bare", "--show-layout"]) == 2
    captured = capsys.readouterr()
    assert "--first-line bare" in captured.err
