"""Everything that commands print and write, compared with a recorded file for each command.

Other tests say why the numbers are right; this one notices any other change. After an intended change, `pytest
--renew-snapshots tests/cli/test_recorded_output.py` writes the files anew, and their differences are read before a
commit.
"""

import re
from pathlib import Path

import openpyxl
import pytest
from recording import is_equal_text

from sdcwidgets.cli import main

FOLDER = Path(__file__).parent / "recorded"

PEOPLE = "".join(f"{k},{'ABC'[k % 3]},{'mf'[k % 2]},{20 + 10 * (k % 7)}\n" for k in range(97))

SKEWED = "".join(
    f"{k},{'AAAABBCD'[k % 8]},{'mmmf'[k * k % 11 % 4]},{20 + 10 * (k * k % 7)}\n" for k in range(97)
)

FILES = {
    "table.csv": "Area,m,f,Total\nA,12,3,15\nB,7,9,16\nC,0,21,21\n",
    "published.csv": "Area,m,f,Total\nA,12,3,15\nB,6,9,15\nC,0,21,21\n",
    "suppressed.csv": "Area,m,f,Total\nA,12,c,15\nB,7,9,16\nC,0,21,21\n",
    "people.csv": f"id,area,sex,age\n{PEOPLE}",
    "skewed.csv": f"id,area,sex,age\n{SKEWED}",
    "census.csv": "area,sex\n" + "A,m\nA,f\nB,m\nB,f\nB,m\n" * 250 + "C,m\nC,f\n" * 30,
    "firms.csv": (
        "Area,Kind,firm,turnover\na,x,1,90\na,x,2,9\na,y,3,80\na,y,4,70\nb,x,5,60\nb,x,6,50\nb,y,7,40\nb,y,8,30\n"
    ),
    "doubtful.csv": "Area;Sex;2019;2020\nA;m;3;4\nA;f;5;x\nB;m;2;7\nB;f;1;0\nTotal;m;5;11\n",
    "long.csv": "Area,Sex,People\n" + "".join(f"Area {k},{'mf'[k % 2]},{k % 5}\n" for k in range(40)),
    "stated.toml": (
        'version = 1\nfirst = 2\nheader = 1\ndelimiter = ";"\ntexts = { "x" = "zero" }\n'
        '[[headings]]\naxis = "Year"\nrow = 1\n'
        '[[columns]]\nnumber = 1\nrole = "label"\nheading = "Area"\nleft_out = ["Total"]\n'
        '[[columns]]\nnumber = 2\nrole = "label"\nheading = "Sex"\n'
        '[[columns]]\nnumber = 3\nrole = "count"\nheading = "2019"\n'
        '[[columns]]\nnumber = 4\nrole = "count"\nheading = "2020"\n'
    ),
}

COMMANDS = {
    "assess": "assess table.csv",
    "assess-religion": "assess example:religion --method random-rounding --base 5 --seed 7 --replications 20",
    "assess-all": "assess table.csv --method record-swapping --measure all --seed 7 --replications 20",
    "assess-protected": "assess table.csv --protected published.csv --rules minimum-frequency",
    "assess-quiet": "assess table.csv --quiet --rules minimum-frequency",
    "assess-people": "assess people.csv --by area,sex",
    "assess-doubtful": "assess doubtful.csv",
    "assess-layout": "assess doubtful.csv --layout stated.toml --json",
    "assess-show-layout": "assess doubtful.csv --show-layout",
    "assess-long": "assess long.csv --margins keep",
    "attack-json": "attack table.csv --method cell-key --attack averaging --seed 7 --json",
    "attack-people": "attack skewed.csv --by area,sex --method controlled-rounding --additive --seed 7",
    "attack-rounding": "attack table.csv --method random-rounding --seed 7",
    "attack-suppressed": "attack suppressed.csv --attack suppression",
    "compare": "compare table.csv --methods random-rounding,cell-key --defaults-only --replications 10 --seed 7",
    "compare-csv": "compare table.csv --methods random-rounding --set base=3,5 --replications 10 --seed 7 --format csv",
    "compare-json": (
        "compare skewed.csv --by area,sex --methods simple-random-sampling --replications 4 --seed 7 --json"
    ),
    "list-measures-json": "list measures --json",
    "list-methods-json": "list methods --json",
    "list-rules-toml": "list rules minimum-frequency --toml",
    "list-schemas": "list schemas",
    "list-methods": "list methods",
    "list-measures": "list measures",
    "list-attacks": "list attacks",
    "list-examples": "list examples",
    "list-rules": "list rules",
    "list-policy": "list policy",
    "microdata": "microdata people.csv --keys area,sex,age",
    "microdata-suppress": "microdata people.csv --keys area,sex,age --suppress --k 3 --seed 7 -o out.csv",
    "microdata-keys": "microdata keys people.csv --identity id --seed 7 -o out.csv",
    "microdata-pram": (
        "microdata skewed.csv --keys area,age --sensitive sex --recode age=quantiles:3 --pram area=0.8 "
        "--pram-within --seed 7 -o out.csv --script internal-out.py"
    ),
    "microdata-json": (
        "microdata skewed.csv --keys area,sex,age --suppress --keep order --blanks any --known 1 --seed "
        "7 -o out.csv --json"
    ),
    "microdata-model": "microdata skewed.csv --keys area,sex --model clogg-eliason --population people.csv",
    "microdata-swap-options": (
        "microdata swap skewed.csv --hierarchy area --risk sex,age --rate 0.2 --k 4 --seed 7 -o out.csv "
        "--internal-report internal.csv --keep area"
    ),
    "microdata-swap": "microdata swap people.csv --hierarchy area --risk sex,age --seed 7 -o out.csv",
    "protect-rounding": "protect table.csv --method random-rounding --seed 7 -o out.csv --report out.html",
    "protect-cell-key": "protect people.csv --by area,sex --method cell-key --seed 7 -o out.csv",
    "protect-suppression": "protect table.csv --method cell-suppression --seed 7 -o out.csv",
    "protect-threshold": "protect table.csv --method threshold-suppression -o out.csv",
    "protect-workbook": "protect table.csv --method random-rounding --seed 7 -o out.xlsx",
    "protect-additive": (
        "protect skewed.csv --by area,sex --method random-rounding --additive --seed 7 -o out.px "
        "--internal-report internal.html"
    ),
    "protect-costs": "protect table.csv --method cell-suppression --seed 7 -o out.csv --internal-status internal.csv",
    "protect-json": "protect table.csv --method cell-key --seed 7 -o out.json --json",
    "protect-keys": (
        "protect skewed.csv --by area,sex --method cell-key --identity id --seed 7 -o out.csv --write-p-table p.csv "
        "--p-table-format ptable"
    ),
    "protect-linked": (
        "protect skewed.csv --count rows --by area,sex,age --tables area,sex;area,age --method "
        "cell-suppression --seed 7 -o out"
    ),
    "protect-swapping": (
        "protect skewed.csv --by area,sex --method targeted-record-swapping --seed 7 -o out.csv --moves "
        "internal-moves.csv"
    ),
    "study-csv": "study sample-paper --samples 2 --populations 2 --format csv",
    "study-sample-paper": "study sample-paper --samples 2 --populations 2",
    "study-three-way": "study three-way --samples 2 --populations 2",
    "suppress": "suppress firms.csv --by Area,Kind --contributor firm --amount turnover --seed 7 -o out.csv",
    "suppress-dominance": (
        "suppress firms.csv --by Area,Kind --contributor firm --amount turnover --rule dominance --n 1 --k 80 "
        "--cost cell --choice optimal -o out.csv --internal-status internal.csv"
    ),
    "suppress-json": (
        "suppress firms.csv --by Area,Kind --contributor firm --amount turnover --rule pq --p 5 --q 50 --coalition 2 "
        "--seed 7 --json"
    ),
    "tables-before": "tables census.csv --by area,sex --stage before --seed 7 --json",
    "tables-log": (
        "tables init generator --source census.csv --seed 7 && tables generator --by area --stage before && "
        "tables log generator && tables users generator"
    ),
    "tables": "tables census.csv --by area,sex --seed 7",
    "tables-averaging": (
        "tables init generator --source census.csv --seed 7 && tables averaging generator --requests 4"
    ),
    "tables-hypercube": "tables hypercube --by Age,Citizenship --where Region=Region_1",
    "course-list": "course list",
    "course-handout": "course handout frequency-tables-and-entropy --solutions -o out.html",
    "course-show": "course check frequency-tables-and-entropy",
}

#: What differs between runs: dates, versions and computing times.
VARYING = re.compile(
    r"\d{4}-\d\d-\d\d(?: \d\d:\d\d(?::\d\d)?)?|(?:sdcwidgets |numpy |version\W{4})\d[\w.+]*|\d+(?:\.\d+)? s\b"
)

#: Decimals after the ninth, which differ between machines.
LAST_DECIMALS = re.compile(r"(?<=\.\d{9})\d+(?!\d*[eE])")


def text_of(path):
    """Return the text of a file, or the cells of a workbook."""
    if path.suffix != ".xlsx":
        return path.read_text("utf-8")
    sheets = openpyxl.load_workbook(path).worksheets
    rows = [[sheet.title, *row] for sheet in sheets for row in sheet.iter_rows(values_only=True)]
    return "\n".join(" | ".join("" if cell is None else str(cell) for cell in row) for row in rows)


def output_of(command, folder, capsys):
    """Return the exit status, what a command prints, and the files that it writes."""
    for name, text in FILES.items():
        (folder / name).write_text(text, "utf-8")
    for part in command.split(" && "):
        status = main([word.replace("_", " ") if "=" in word else word for word in part.split()])
    printed = capsys.readouterr()
    parts = [
        f"$ sdcwidgets {command}",
        printed.out,
        "--- standard error",
        printed.err,
        f"--- status {status}",
    ]
    for path in sorted(folder.iterdir()):
        if path.is_file() and path.name not in FILES:
            parts += [f"--- {path.name}", text_of(path)]
    text = "\n".join(part.rstrip("\n") for part in parts) + "\n"
    return LAST_DECIMALS.sub("", VARYING.sub("…", text.replace(str(folder), "folder")))


@pytest.mark.parametrize(
    ("known", "found", "equal"),
    [
        ("risk 0.2142", "risk 0.2143", True),
        ("risk 0.2142", "risk 0.2144", False),
        ("risk 0.2142", "Risk 0.2142", False),
        ("1 of 3", "2 of 3", False),
        ("9.99 %", "10.00 %", False),
    ],
)
def test_texts_are_equal_but_for_rounding(known, found, equal):
    assert is_equal_text(known, found) is equal


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_prints_and_writes_what_is_recorded(name, tmp_path, monkeypatch, capsys, pytestconfig):
    monkeypatch.chdir(tmp_path)
    found = output_of(COMMANDS[name], tmp_path, capsys)
    file = FOLDER / f"{name}.txt"
    if pytestconfig.getoption("--renew-snapshots"):
        FOLDER.mkdir(exist_ok=True)
        file.write_text(found, "utf-8")
        return
    known = file.read_text("utf-8").splitlines()
    assert len(known) == len(found.splitlines())
    assert [pair for pair in zip(known, found.splitlines(), strict=True) if not is_equal_text(*pair)] == []
