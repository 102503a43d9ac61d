"""Files of other shapes than the reader expects: they are read right, or lead to a question whose answer is right."""

import json
import random

import pytest

from sdcwidgets import FrequencyTable, InputError
from sdcwidgets.cli import main
from sdcwidgets.tables.io.encodings import CHOICES, detected
from sdcwidgets.tables.io.layout_reader import read
from sdcwidgets.tables.io.options import Question, ReadOptions
from sdcwidgets.tables.io.plausibility import alarms
from sdcwidgets.tables.io.proposals import propose_layout
from sdcwidgets.tables.io.proposed_questions import ProposedReading
from sdcwidgets.tables.io.reading import read_csv

PAGES = """Hospital statistics - page 1 of 2;;;;
Chapter;under 15;15-64;65+;All
A00-B99;114;55;62;231
C00-D48;127;81;64;272
E00-E90;154;98;94;346
;;;;
Hospital statistics - page 2 of 2;;;;
Chapter;under 15;15-64;65+;All
F00-F99;122;59;60;241
G00-G99;173;94;79;346
;;;;
All;690;387;359;1436
"""

NAMES_BELOW = "Job;Clerks;Nurses;Cooks\nArea;;;\nA;31;44;57\nB;52;61;70\nC;78;35;29\n"


@pytest.mark.parametrize(("text", "total"), [(PAGES, 1436), (NAMES_BELOW, 457)])
def test_a_rejected_file_with_a_layout_that_reads_it_is_a_question(text, total):
    with pytest.raises(ProposedReading) as asked:
        FrequencyTable.from_csv(text)
    assert asked.value.proposal.reading.table.total == total
    assert read(text, asked.value.proposal.layout).table.total == total
    assert FrequencyTable.from_csv(text, doubts="accept").total == total


def test_the_command_line_shows_a_rejected_file_and_reads_it_with_yes(tmp_path, capsys):
    path = tmp_path / "pages.csv"
    path.write_text(PAGES)
    assert main(["assess", str(path)]) == 2
    error = capsys.readouterr().err
    assert "--yes" in error
    assert "--show-layout" in error
    assert "G00-G99" in error
    assert main(["assess", str(path), "--yes"]) == 0


@pytest.mark.parametrize(
    "text",
    [
        "No table\n",
        "Region;Name\nA;x\nB;y\nC;z\n",
    ],
)
def test_a_file_that_no_layout_reads_is_no_question_on_a_layout(text):
    with pytest.raises(InputError) as error:
        FrequencyTable.from_csv(text)
    assert not isinstance(error.value, ProposedReading)


def test_an_option_that_does_not_fit_the_file_is_not_answered_by_a_layout():
    with pytest.raises(InputError) as error:
        FrequencyTable.from_csv(PAGES, by="Nothing", count="rows")
    assert not isinstance(error.value, ProposedReading)


def test_more_than_twenty_sums_are_compared():
    draw = random.Random(4)
    lines = ["School,Boys,Girls"]
    for number in range(30):
        counts = [(draw.randrange(2, 9), draw.randrange(2, 9)) for _ in range(2)]
        lines += [f"S{number}{'ab'[k]},{boys},{girls}" for k, (boys, girls) in enumerate(counts)]
        lines.append(f"S{number}c,{sum(boys for boys, _ in counts)},{sum(girls for _, girls in counts)}")
    people = sum(int(count) for line in lines[1:] for count in line.split(",")[1:])
    assert read_csv("\n".join(lines)).table.total in (people, people // 2)


@pytest.mark.parametrize(
    ("years", "newest"),
    [
        (["People 2021", "People 2022", "People 2023"], "People 2023"),
        (["People 2023", "People 2022", "People 2021"], "People 2023"),
        (["1 July 2023", "1 January 2023", "1 July 2022"], "1 July 2023"),
    ],
)
def test_the_newest_time_is_suggested(years, newest):
    text = ";".join(["Area", *years]) + "\nA;31;35;41\nB;59;55;38\nC;27;22;45\n"
    with pytest.raises(Question) as asked:
        read_csv(text)
    assert asked.value.doubt.facts["last"] == newest


def test_a_rate_is_not_multiplied():
    text = "Mortality per 100 000;;\nRegion;Male;Female\nNorth;1129.2;820.4\nSouth;1282.7;876\nEast;1175.3;749.7\n"
    with pytest.raises(InputError) as error:
        read_csv(text)
    assert "unit" not in getattr(error.value.doubt, "facts", {})
    proposal = propose_layout(text)
    assert proposal.reading is None
    assert proposal.layout is None or proposal.layout.unit == 1


def test_a_chinese_numeral_in_brackets_is_a_unit():
    text = "指标：年末常住人口(万人);;\n地区;男;女\n北京;1117;1072\n天津;709;678\n"
    with pytest.raises(Question) as asked:
        read_csv(text)
    assert asked.value.doubt.facts["unit"] == 10_000
    proposal = propose_layout(text)
    assert proposal.layout.unit == 10_000
    assert proposal.reading.table.total == 35_760_000


def test_a_number_of_four_digits_before_its_mark_shows_that_the_mark_separates_decimals():
    text = "Area,Men,Women\nA,9668.000,707.000\nB,3012.000,858.000\n"
    assert read_csv(text).table.total == 9668 + 707 + 3012 + 858


def test_two_meanings_of_a_mark_in_a_long_table_are_a_question_with_the_right_proposal():
    long = "Area,Sex,n\nA,m,9668.000\nA,f,707.000\nB,m,3012.000\nB,f,858.000\n"
    with pytest.raises(Question) as asked:
        read_csv(long)
    assert [(choice.name, choice.chosen) for choice in asked.value.choices] == [("marks", ("decimals",))]
    assert propose_layout(long).reading.table.total == 9668 + 707 + 3012 + 858


JAPANESE = "区,男,女\n北区,61,72\n都島区,50,54\n福島区,37,41\n此花区,31,33\n中央区,51,55\n"


def test_euc_jp_is_detected_or_a_doubt():
    content = JAPANESE.encode("euc_jp")
    detection = detected(content)
    assert "euc_jp" in (detection.encoding, *detection.others)
    assert read_csv(content, how=ReadOptions(encoding="euc_jp")).table.axes[0].labels[0] == "北区"


def test_greek_encodings_can_be_chosen():
    assert {"cp1253", "iso8859_7"} <= set(CHOICES)
    text = "Περιφέρεια;Άρρενες;Θήλεις\nΑττική;17;18\nΚρήτη;31;29\nΉπειρος;15;16\n"
    detection = detected(text.encode("iso8859_7"))
    assert "iso8859_7" in (detection.encoding, *detection.others)
    for encoding in ("cp1253", "iso8859_7"):
        table = read_csv(text.encode(encoding), how=ReadOptions(encoding=encoding)).table
        assert table.axes[1].labels == ("Άρρενες", "Θήλεις")


def test_a_row_of_counts_is_no_heading_of_a_block():
    text = (
        "Group;City;Country\nmen employed;67;63\nunemployed;145;133\ninactive;84;68\n"
        "women employed;83;74\nunemployed;171;163\ninactive;78;86\n"
    )
    layout = propose_layout(text).layout
    assert layout is None or not [row for row in layout.rows if row.role == "block"]


def test_a_total_in_a_part_of_combined_labels_is_a_doubt_that_is_not_accepted():
    heads = [f"{place};{sex}" for place in ("All", "urban", "rural") for sex in ("men", "women")]
    rows = [[902, 751, 613, 402], [655, 814, 377, 590], [488, 361, 295, 240], [1205, 978, 840, 733]]
    counts = [[men + others, women + rest, men, women, others, rest] for men, women, others, rest in rows]
    table = FrequencyTable(counts, {"Area": list("ABCD"), "Column": heads})
    doubts = {doubt.question: doubt for doubt in alarms(table)}
    assert doubts["combined sum"].facts["named"] == '"All"'
    assert [(choice.name, list(choice.options)) for choice in doubts["combined sum"].choices] == [
        ("margins", ["keep"])
    ]
    without = FrequencyTable([line[2:] for line in counts], {"Area": list("ABCD"), "Column": heads[2:]})
    assert "combined sum" not in [doubt.question for doubt in alarms(without)]


def test_the_older_json_of_pxweb_is_read():
    columns = [{"code": "Region", "text": "region", "type": "d"}, {"code": "Kon", "text": "sex", "type": "d"}]
    columns.append({"code": "N", "text": "People", "type": "c"})
    cells = {("0180", "1"): 203, ("0180", "2"): 247, ("1280", "1"): 149, ("1280", "2"): 123}
    data = [{"key": key, "values": [str(count)]} for key, count in cells.items()]
    table = FrequencyTable.from_csv(json.dumps({"columns": columns, "comments": [], "data": data}).encode())
    assert [axis.name for axis in table.axes] == ["region", "sex"]
    assert table.counts.tolist() == [[203, 247], [149, 123]]


STATA = """. tab health region, row

           |        Region
    Health |        NE          S |     Total
-----------+----------------------+----------
      Poor |       216      1,200 |     1,416
           |     15.25      84.75 |    100.00
-----------+----------------------+----------
      Fair |       236        257 |       493
           |     47.87      52.13 |    100.00
-----------+----------------------+----------
     Total |       452      1,457 |     1,909
           |     23.68      76.32 |    100.00
"""

SAS = """                 Table of TREAT by RESP

                 Frequency|
                 Percent  |
                 Row Pct  |No      |Yes     |  Total
                 ---------+--------+--------+
                 Active   |     77 |  1,208 |  1,285
                          |   5.19 |  81.43 |  86.62
                          |   5.99 |  94.01 |
                 ---------+--------+--------+
                 Placebo  |     53 |    145 |    198
                          |   3.57 |   9.77 |  13.35
                          |  26.77 |  73.23 |
                 ---------+--------+--------+
                 Total         130    1,353   1,483
"""

FIXED = """Table 9. Employed persons by occupation, 2025

Occupation                      Total       Men     Women

Total, 16 years and over...   172,187    57,680   114,507
  Management, professional...  27,764    10,311    17,453
  Service...................   70,423    30,369    40,054
  Production................   70,423    15,369    55,054
  Farming...................    3,577     1,631     1,946
"""


@pytest.mark.parametrize(("text", "total"), [(STATA, 1909), (SAS, 1483), (FIXED, 172187)])
def test_printed_listings_have_a_layout_that_reads_their_counts(text, total):
    reading = propose_layout(text).reading
    assert reading.table.total == total
    assert reading.table.shape[1] == 2


def test_a_listing_of_one_column_with_percentages_is_read():
    text = (
        "marital_status   count  percent\nMarried             97    39.3%\nNever married       53    21.4%\n"
    )
    text += "Divorced            97    39.3%\nTotal              247   100.0%\n"
    assert propose_layout(text).reading.table.total == 247
