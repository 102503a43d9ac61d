"""Layouts that are proposed from the structure of a file that the reader does not read."""

import random

import pytest

from sdcwidgets.tables.io.formats.html import HtmlPage
from sdcwidgets.tables.io.layout_draft import first_layout
from sdcwidgets.tables.io.layout_reader import read
from sdcwidgets.tables.io.previews import FilePreview
from sdcwidgets.tables.io.proposals import propose_layout


def proposed(text):
    """Return the table that is read with the proposed layout."""
    return read(text, first_layout(text.encode())).table


def roles(text):
    return [(column.number, column.role) for column in first_layout(text.encode()).columns]


BLOCKS = (
    "Population,,\nArea,0-14,15+\nMales,,\nBath,3000,4120\nHull,5710,6130\nFemales,,\nBath,7310,8220\nHull,9050,1340\n"
    "Source: us,,\n"
)


def test_blocks_with_the_same_labels_are_an_axis():
    table = proposed(BLOCKS)
    assert [axis.labels for axis in table.axes] == [("Males", "Females"), ("Bath", "Hull"), ("0-14", "15+")]
    assert table.total == 44880


def test_a_block_that_is_the_sum_of_the_others_is_left_out():
    both = "Both,,\nBath,10310,12340\nHull,14760,7470\n"
    table = proposed(BLOCKS.replace("Males,,\n", both + "Males,,\n"))
    assert table.axes[0].labels == ("Males", "Females")
    assert table.total == 44880


def test_headings_that_occur_again_are_not_read():
    text = "Area,m,f\nBath,31,41\nHull,59,26\nArea,m,f\nYork,53,58\nKent,97,93\n"
    table = proposed(text)
    assert table.axes[0].labels == ("Bath", "Hull", "York", "Kent")


@pytest.mark.parametrize(
    ("heading", "cells"),
    [
        ("lat", "51.2 52.4 53.9 50.1 49.8"),
        ("Code", "0301 0302 0401 0402 0501"),
        ("No", "11 12 13 14 15"),
        ("p", "p  p p p"),
        ("in %", "20 30 10 25 15"),
        ("Opened", "1950 1971 1968 2003 1999"),
    ],
)
def test_columns_of_other_figures_are_not_read(heading, cells):
    counts = [(310, 295), (75, 82), (1204, 1190), (88, 60), (431, 570)]
    rows = "".join(
        f"A{i},{cell},{m},{f}\n"
        for i, (cell, (m, f)) in enumerate(zip(cells.split(" "), counts, strict=True))
    )
    layout = first_layout(f"Area,{heading},m,f\n{rows}".encode())
    assert [column.number for column in layout.of_role("count")] == [3, 4]
    assert [column.number for column in layout.of_role("label")] == [1]


def test_codes_levels_and_constant_columns_are_no_axes():
    text = "Code,Area,Region,Year,Sex,Value,Flag\n"
    for code, area, region in (("E1", "Bath", "West"), ("E2", "Hull", "North"), ("E3", "York", "North")):
        for sex, count in (("m", 31), ("f", 59)):
            text += f"{code},{area},{region},2021,{sex},{count * ord(area[0])},\n"
    assert [column.heading for column in first_layout(text.encode()).of_role("label")] == ["Area", "Sex"]


def test_single_ages_are_labels_where_nothing_else_tells_rows_apart():
    text = "Town,Age,Males,Females\n" + "".join(
        f"Aosta,{age},{1000 + 7 * age % 13},{900 + 5 * age % 11}\n" for age in range(9)
    )
    assert [column.heading for column in first_layout(text.encode()).of_role("label")] == ["Age"]


def test_a_blank_label_may_be_that_of_a_total():
    rows = [
        ("", "", 90),
        ("", "0-14", 30),
        ("", "15+", 60),
        ("m", "", 50),
        ("m", "0-14", 19),
        ("m", "15+", 31),
    ]
    rows += [("f", "", 40), ("f", "0-14", 11), ("f", "15+", 29)]
    text = "Sex,Age,Value\n" + "".join(f"{sex},{age},{1009 * count}\n" for sex, age, count in rows)
    table = proposed(text)
    assert [axis.labels for axis in table.axes] == [("m", "f"), ("0-14", "15+")]
    assert table.total == 90 * 1009


def test_merged_headings_above_totals_keep_their_labels():
    text = "Area,All,West,,,East,,\n,,all,m,f,all,m,f\nBath,101,43,20,23,58,31,27\nHull,950,411,207,204,539,271,268\n"
    table = proposed(text)
    assert [axis.labels for axis in table.axes] == [("Bath", "Hull"), ("West", "East"), ("m", "f")]
    assert table.total == 1051


def test_one_cell_that_is_no_count_does_not_make_a_column_of_labels():
    for cell in ("1.8", "few", "12%"):
        text = f"Area,m,f\nBath,31,{cell}\nHull,59,26\nYork,53,58\n"
        assert roles(text) == [(1, "label"), (2, "count"), (3, "count")]


def test_rows_that_are_persons_have_no_counts():
    text = "ID,Name,Group,Sex\n" + "".join(
        f"{100 + 13 * k},n{k},{'abc'[k % 3]},{'mf'[k % 2]}\n" for k in range(12)
    )
    layout = first_layout(text.encode())
    assert not layout.of_role("count")
    assert layout.repeated == "sum"


def test_a_rejected_file_in_thousands_is_read_with_its_unit():
    text = "Population\nUnit: thousands\nArea,m,f\nBath,310.5,295.1\nHull,75.3,82.0\n"
    proposal = propose_layout(text)
    assert proposal.layout.unit == 1000
    assert proposal.reading.table.total == read(text, proposal.layout).table.total == 762900
    assert proposal.doubts


def test_columns_that_are_aligned_by_blanks_are_read():
    text = "Population\n\nArea              Men     Women\n------------------------\nNew York        1 310     1 295\n"
    text += "Hull               75        82\nSt. Ives          204       190\n\nSource: us\n"
    table = proposed(text)
    assert [axis.labels for axis in table.axes] == [("New York", "Hull", "St. Ives"), ("Men", "Women")]
    assert table.total == 3156


def test_parts_with_the_same_headings_are_blocks_named_by_their_titles():
    part = "Sex :,{}\nDate :,2022\n\narea,code,0-14,15-64,65+\nBath,E1,{}\nHull,E2,{}\n\n"
    text = "Title\n\n" + part.format("All", "72,30,9", "85,160,8")
    text += part.format("Men", "31,12,5", "59,77,6") + part.format("Women", "41,18,4", "26,83,2")
    table = proposed(text)
    assert [axis.labels for axis in table.axes] == [
        ("Men", "Women"),
        ("Bath", "Hull"),
        ("0-14", "15-64", "65+"),
    ]
    assert table.total == 364


@pytest.mark.parametrize("percentages", ["43.1,56.9\nHull,69.4,30.6", "43%,57%\nHull,69%,31%"])
def test_rows_of_percentages_below_those_of_counts_are_not_read(percentages):
    table = proposed(f"Area,m,f\nBath,31,41\nHull,59,26\nin percent\nBath,{percentages}\n")
    assert table.counts.tolist() == [[31, 41], [59, 26]]


def test_a_row_that_numbers_the_columns_is_no_row_of_counts():
    table = proposed("Code,Area,m,f,x\n1,2,3,4,5\nE1,Bath,31,41,7\nE2,Hull,59,26,9\n")
    assert table.axes[0].labels == ("Bath", "Hull")


def test_of_coarse_and_fine_lines_with_the_same_sum_the_fine_ones_are_read():
    rows = {"All": (100, 200), "North": (60, 90), "South": (40, 110)}
    rows |= {"Bath": (35, 40), "Hull": (25, 50), "York": (11, 67), "Kent": (29, 43)}
    text = "Area,m,f\n" + "".join(f"{area},{m * 97},{f * 89}\n" for area, (m, f) in rows.items())
    assert proposed(text).axes[0].labels == ("Bath", "Hull", "York", "Kent")


def test_weighted_counts_are_counts_beside_codes():
    text = "GEO,SEX,VALUE\n39,M,72951.624\n39,F,9968.655\n70,M,29049.383\n70,F,35803.42\n"
    assert roles(text) == [(1, "label"), (2, "label"), (3, "count")]


def test_rows_above_the_first_block_are_totals():
    text = "Label,Bath,Hull\nAll,72,85\nMale,31,59\n0-4,11,29\n5+,20,30\nFemale,41,26\n0-4,19,7\n5+,22,19\n"
    table = proposed(text)
    assert [axis.labels for axis in table.axes] == [("Male", "Female"), ("0-4", "5+"), ("Bath", "Hull")]
    assert table.total == 157


def test_numbers_in_eastern_arabic_digits_are_counts():
    table = proposed("المحافظة,ذكور,إناث\nالقاهرة,٦٨٢٬٨٥٧,١٨٬٩١٤\nأسوان,٣٣٥٬١٦١,١٠٢٬٣٩٨\n")
    assert table.total == 1139330


def test_aligned_columns_may_have_bars_and_headings_with_one_blank_between_them():
    text = "              Child Adult Old\nClass |          |     |\n"
    text += "1st   |           3    41  17 \n2nd   |          59    26  53\n"
    table = read(text, first_layout(text.encode(), delimiter="  ")).table
    assert [axis.labels for axis in table.axes] == [("1st", "2nd"), ("Child", "Adult", "Old")]
    assert table.total == 199


def test_commas_inside_numbers_are_no_delimiter():
    text = "County      Male    Female\n" + "01 Mombasa  357,071  216,314\n02 Kwale  615,884  666,662\n"
    assert proposed(text).total == 1855931


def test_a_raised_footnote_mark_of_a_page_is_no_digit_of_a_count():
    page = "<table><tr><th>Area</th><th>m<sup>1</sup></th><th>f</th></tr><tr><td>Bath</td><td>31<sup>2</sup></td>"
    page += "<td>41</td></tr><tr><td>Hull</td><td>59</td><td>26</td></tr></table>"
    table = read(page.encode(), first_layout(page.encode())).table
    assert table.axes[1].labels == ("m¹", "f")
    assert table.total == 157


def test_digits_of_headings_are_raised_in_footnote_marks_only():
    page = (
        "<table><tr><th>Age<sup>a</sup></th><th>15<sup>1</th><th>2019</th></tr><tr><td>0-14</td><td>31</td>"
    )
    page += "<td>41</td></tr><tr><th>15+</th><td>59</td><td>26</td></tr></table>"
    rows = HtmlPage.opened(page.encode(), "ages.html", None).sheet("").rows
    assert rows[0][1:] == ["15¹", "2019"]
    assert [row[0] for row in rows[1:]] == ["0-14", "15+"]


def test_tables_side_by_side_are_an_axis():
    text = "Males,,,,Females\nArea,0-14,15+,,Area,0-14,15+\nBath,31,41,,Bath,59,26\nHull,53,58,,Hull,97,93\n"
    table = proposed(text)
    assert [axis.labels for axis in table.axes] == [("Bath", "Hull"), ("Males", "Females"), ("0-14", "15+")]
    assert table.total == 458


@pytest.mark.parametrize("text", ["<5", "1-4", "k.A."])
def test_the_meaning_of_a_text_in_place_of_a_count_is_chosen(text):
    made = FilePreview(f"Area,m,f\nBath,31,{text}\nHull,59,26\nYork,53,58\n".encode())
    assert (made.reading, made.problem != "") == (None, True)
    made.change({"name": f"meaning:{text}", "value": "zero"})
    assert made.reading.table.total == 227


def test_a_table_with_a_gap_in_each_line_has_a_layout():
    text = "Country,Refugees,Asylum-seekers,Others\nChad,394019,398515,-\nMali,367450,-,22667\nOman,-,136534,515\n"
    assert roles(text) == [(1, "label"), (2, "count"), (3, "count"), (4, "count")]


def headings_of(text, role):
    """Return the headings of the columns of a role in the layout of the structure."""
    return [column.heading for column in first_layout(text.encode()).of_role(role)]


def test_provisional_years_are_headings():
    text = "Marriages by region\nRegion;2020;2021 (p);2022 (p)\nBath;352;368;362\nHull;382;391;387\nYork;191;197;192\n"
    assert headings_of(text, "count") == ["2020", "2021 (p)", "2022 (p)"]


def test_keys_of_series_are_no_axis_in_place_of_names():
    text = "Area,Kind,Sex,Series,Value\n"
    for k, (area, kind) in enumerate(
        (a, b) for a in ("Bath", "Hull", "York") for b in ("full time", "part time")
    ):
        for sex, count in (("m", 31), ("f", 59)):
            text += f"{area},{kind},{sex},v{2400 + k},{count * (k + 7) % 97}\n"
    assert headings_of(text, "label") == ["Area", "Kind", "Sex"]


def test_numbers_of_rows_are_neither_labels_nor_counts():
    codes = [(sex, age) for sex in (3000, 4000) for age in (10680, 53105, 53500)]
    text = "ID,Sex,Age,People\n" + "".join(
        f"{k},{sex},{age},{500 + 97 * k * k % 331}\n" for k, (sex, age) in enumerate(codes)
    )
    assert headings_of(text, "label") == ["Sex", "Age"]
    text = "id,value,sex,area\n" + "".join(
        f"{7340000 + 10 * (k // 2) + k % 2},{500 + 97 * k * k % 331},{'mf'[k % 2]},{'ABC'[k // 2]}\n"
        for k in range(6)
    )
    assert headings_of(text, "count") == ["value"]


def test_codes_of_a_column_of_labels_are_no_second_axis():
    text = "Code,Area,Sex,Age,n\n"
    for code, area in (("01004", "Bath"), ("01033", "Hull"), ("01053", "York")):
        text += "".join(
            f"{code},{area},{sex},{age:03},{17 * (sex + age) * ord(area[1]) % 89 + 3}\n"
            for sex in (1, 2)
            for age in range(0, 60, 10)
        )
    assert headings_of(text, "label") == ["Area", "Sex", "Age"]


def test_totals_of_combined_headings_are_left_out():
    names = [(place, sex) for place in ("all", "town", "rural") for sex in ("all", "m", "f")]
    cells = {("town", "m"): 312, ("town", "f"): 207, ("rural", "m"): 281, ("rural", "f"): 259}
    rng = random.Random(3)
    text = "Area,Code," + ",".join(" ".join(name) for name in names) + "\n"
    for area in ("Bath", "Hull", "York", "Ely"):
        own = {key: count + rng.randrange(90) for key, count in cells.items()}
        counts = [
            sum(n for key, n in own.items() if all(a in ("all", b) for a, b in zip(name, key, strict=True)))
            for name in names
        ]
        text += f"{area},E{counts[0]}," + ",".join(map(str, counts)) + "\n"
    assert headings_of(text, "count") == ["town m", "town f", "rural m", "rural f"]


def test_a_row_whose_only_count_is_a_gap_is_no_note():
    text = "Area,Sex,Value\n" + "".join(
        f"{area},{sex},{count}\n"
        for area, counts in (
            ("Bath", (90, 41, 49)),
            ("Hull", (70, "..", 29)),
            ("York", (88, 38, 50)),
            ("Ely", (61, 30, 31)),
        )
        for sex, count in zip(("all", "m", "f"), counts, strict=True)
    )
    layout = first_layout(text.encode())
    assert not layout.rows
    assert [column.left_out for column in layout.of_role("label")] == [(), ("all",)]


def test_footnotes_with_numbers_are_no_rows_of_counts():
    text = '"Sex","Age","2024","2025"\n"","","Persons"\n"All","All","90","99"\n"","0-14","41","43"\n'
    text += '"","15-64","29","35"\n'
    text += '"","65+","20","21"\n\n"Notes:"\n"1","Estimates."\n"2","Revised."\n'
    layout = first_layout(text.encode())
    assert headings_of(text, "count") == ["2024", "2025"]
    assert layout.headings[0].row == layout.header
    assert [row.role for row in layout.rows if row.number > 7] == ["other"] * 3


@pytest.mark.parametrize(("unit", "factor"), [("PER_100000_LIVE_BIRTHS", 1), ("Thousands", 1000)])
def test_a_layout_multiplies_thousands_and_no_rates(unit, factor):
    text = f"Goal,Country,Year,Value,Units\n3.1.1,Chad,2023,748,{unit}\n3.1.1,Mali,2023,367,{unit}\n"
    assert first_layout(text.encode()).unit == factor


def test_numbers_that_differ_behind_codes_are_the_counts():
    """As in files of INSEE: sex and age are codes, and the heading of the counts is no known word."""
    lines, draw = ["LEVEL;CODE;NAME;SEX;AGE;NB"], random.Random(1)
    for i, name in enumerate(["Betton", "Bruz", "Cesson", "Chartres", "Rennes"]):
        for sex in (1, 2):
            for age in ("000", "015", "025", "055", "080"):
                lines.append(f"COM;{35024 + 9 * i};{name};{sex};{age};{draw.randrange(100, 5000)}")
    text = "\n".join(lines)
    assert roles(text) == [
        (3, "label"),
        (4, "label"),
        (5, "label"),
        (1, "other"),
        (2, "other"),
        (6, "count"),
    ]
    assert proposed(text).total == sum(int(line.split(";")[-1]) for line in lines[1:])


def test_cases_beside_their_population_and_rate_are_the_counts():
    """CDC WONDER writes deaths, of which some are suppressed, the population and the rate per 100,000 people."""
    text = "State\tGender\tDeaths\tPopulation\tCrude Rate\n"
    deaths = {"Maine": (48, 130), "Ohio": (27, 65), "Utah": (83, 141)}
    for state, numbers in deaths.items():
        for gender, number in zip(("Female", "Male"), numbers, strict=True):
            text += f"{state}\t{gender}\t{number}\t{number * 1500}\t66.7\n"
    text += "Iowa\tFemale\tSuppressed\t51321\tSuppressed\nIowa\tMale\t12\t18000\t66.7 (Unreliable)\n"
    layout = propose_layout(text).layout
    assert {column.heading: column.role for column in layout.columns} == {
        "State": "label",
        "Gender": "label",
        "Deaths": "count",
        "Population": "other",
        "Crude Rate": "other",
    }


def test_coordinates_of_an_area_are_not_counts():
    rows = [(month, area) for month in ("2023-01", "2023-02", "2023-03") for area in "ABC"]
    places = {"A": "39.9631,-75.0589", "B": "40.0432,-75.0169", "C": "40.0741,-75.1426"}
    lines = [
        f"{month},{area},{places[area]},{kind},{5 + 3 * number % 7}"
        for number, (month, area) in enumerate(rows)
        for kind in ("Theft", "Arson")
    ]
    text = "month,area,lat,lon,offence,incident_count\n" + "\n".join(lines) + "\n"
    assert [number for number, role in roles(text) if role == "count"] == [6]


@pytest.mark.parametrize(
    "text",
    [
        # As I.Stat exports: the corner names the axis of the headings, and the line below names those of the labels.
        "Status,,single,married,all\nArea,Sex,,,\nPiedmont,men,4,7,11\n,women,5,9,14\nMolise,men,2,6,8\n,women,3,1,4\n",
        # Names of all axes above blank corners, as in a merged heading.
        "Area,Sex,Status,,\n,,single,married,all\nPiedmont,men,4,7,11\n,women,5,9,14\nMolise,men,2,6,8\n,women,3,1,4\n",
    ],
)
def test_a_line_of_names_names_the_axes(text):
    layout = first_layout(text.encode())
    assert [column.axis for column in layout.of_role("label")] == ["Area", "Sex"]
    assert [heading.axis for heading in layout.headings] == ["Status"]
    assert [axis.name for axis in read(text, layout).table.axes] == ["Area", "Sex", "Status"]
