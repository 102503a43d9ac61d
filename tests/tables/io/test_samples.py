"""A layout of a large text is proposed from a sample of its lines, and all lines are checked when they are read."""

import csv
import io

import pytest

from sdcwidgets._util.errors import InputError
from sdcwidgets.cli import main
from sdcwidgets.tables.io import previews, samples
from sdcwidgets.tables.io.formats.delimited import DelimitedText
from sdcwidgets.tables.io.layout_reader import read
from sdcwidgets.tables.io.previews import FilePreview
from sdcwidgets.tables.io.proposals import propose_layout
from sdcwidgets.tables.io.samples import sample_of


@pytest.fixture(autouse=True)
def small_samples(monkeypatch):
    monkeypatch.setattr(samples, "LARGEST_WHOLE", 8_000)


def table(areas=200, end="", changed=()):
    """Return a long table with 12 rows per area, with some rows replaced, by their number in the file."""
    rows = [
        f"Area {a:04d},{sex},{age},{(a * 7 + len(sex) * 5 + k * 11) % 83 + 1}"
        for a in range(areas)
        for sex in ("male", "female")
        for k, age in enumerate(("0-14", "15-24", "25-44", "45-64", "65-79", "80+"))
    ]
    rows = ["area,sex,age,count", *rows]
    for number, row in dict(changed).items():
        rows[number - 1] = row
    return "\n".join([*rows, end]).encode()


@pytest.fixture
def parsed(monkeypatch):
    """Return a list with the number of rows of each text that was parsed."""
    rows, original = list[int](), DelimitedText._parsed

    def counted(text, mark):
        rows.append(0)
        for row in original(text, mark):
            rows[-1] += 1
            yield row

    monkeypatch.setattr(DelimitedText, "_parsed", counted)
    return rows


def test_the_work_of_a_preview_does_not_grow_with_the_text(parsed):
    FilePreview(table(300))
    few = sum(parsed)
    parsed.clear()
    FilePreview(table(3_000))
    assert sum(parsed) < 1.1 * few


def test_all_rows_are_parsed_once_for_a_proposed_table(parsed):
    content = table(1_000)
    proposal = propose_layout(content)
    assert proposal.reading.table.shape == (1_000, 2, 6)
    assert sum(rows > 5_000 for rows in parsed) == 1


def test_notes_below_a_large_table_are_not_read():
    content = table(end="Source: register\nRevised in May")
    proposal = propose_layout(content)
    assert proposal.reading.table.shape == (200, 2, 6)
    assert [row.number for row in proposal.layout.rows if row.role == "other"] == [2_402, 2_403]


@pytest.mark.parametrize("text", ["..", "x"])
def test_a_text_that_the_sample_does_not_show_is_an_error_of_its_row(text):
    content = table(changed={1_100: f"Area 0091,female,15-24,{text}"})
    preview = FilePreview(content)
    assert (preview.is_of_sample, preview.problem) == (True, "")
    with pytest.raises(InputError, match=r"row 1,100, column 4"):
        read(content, preview.layout())
    preview.read_all()
    assert "row 1,100, column 4" in preview.problem
    assert f"meaning:{text}" in [setting["name"] for setting in preview.shown()["settings"]]


def test_a_row_that_repeats_a_combination_is_an_error_in_the_whole_text():
    content = table(changed={1_100: "Area 0001,female,15-24,7"})
    with pytest.raises(InputError, match=r"twice"):
        read(content, FilePreview(content).layout())


def test_a_total_that_the_sample_does_not_show_is_an_unseen_doubt():
    numbers = [(k * 37) % 91 + 1 for k in range(2_000)]
    rows = [f"Area {k},{n},{n % 7 + 2}" for k, n in enumerate(numbers)]
    rows[1_000:1_000] = [f"North,{sum(numbers)},{sum(n % 7 + 2 for n in numbers)}"]
    content = "\n".join(["area,men,women", *rows]).encode()
    preview = FilePreview(content)
    assert preview.open_questions == ()
    assert [doubt.question for doubt in preview.unseen_doubts(read(content, preview.layout()))] == [
        "near sum"
    ]


def test_letters_that_the_sample_does_not_show_determine_the_encoding():
    content = table(changed={1_100: "Area 0091,female,Łódź,5"}).replace(
        "Łódź".encode(), "Łódź".encode("cp1250")
    )
    assert propose_layout(content).layout.encoding == "cp1250"


def test_rows_are_numbered_by_line_ends_outside_quotes():
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["area", "men", "women"])
    writer.writerows([[f"Area\n{k}", k % 71 + 1, k % 43 + 2] for k in range(3_000)])
    sample = sample_of(stream.getvalue().encode())
    assert sample.total == 3_001
    assert len(list(csv.reader(io.StringIO(sample.content.decode())))) == 3_001 - sample.omitted


def test_a_quote_without_its_counterpart_ends_no_sample():
    lines = [f'Screen {k}",{k % 71 + 1}' for k in range(3_001)]
    assert sample_of("\n".join(["size,n", *lines]).encode()).total == 3_002


def test_the_command_line_names_the_lines_of_a_proposed_layout(tmp_path, capsys):
    path = tmp_path / "large.csv"
    path.write_bytes(table())
    assert main(["assess", str(path), "--show-layout"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("# The layout was proposed from the first")
    assert "of 2,401 lines" in err
    layout = tmp_path / "table.toml"
    layout.write_text(out)
    assert main(["assess", str(path), "--layout", str(layout)]) == 0


def test_a_change_reads_the_texts_and_labels_of_all_lines_once(monkeypatch):
    lines = [f"Area {a:04d},{sex},{a % 50}" for a in range(500) for sex in "mf"]
    lines[500] = f"{lines[500].rpartition(',')[0]},.."
    preview = FilePreview("\n".join(["Area,Sex,Count", *lines, ""]).encode())
    assert preview.is_of_sample
    passes = []
    for name in ("cells_of_counts", "labels_of_columns"):
        function = getattr(previews, name)
        monkeypatch.setattr(
            previews,
            name,
            lambda *arguments, function=function, name=name: passes.append(name) or function(*arguments),
        )
    preview.read_all()
    assert '".."' in preview.problem
    preview.shown()
    for role in ("other", "label", "other", "label"):
        preview.change({"column": 2, "role": role})
        preview.shown()
    assert sorted(passes) == ["cells_of_counts", "labels_of_columns"]
