"""Shapes of published tables. Each shape returns the bytes of a file and its true tables.

The shapes were written from the files of the offices, without a look at the reader of sdcwidgets.
"""

import csv
from dataclasses import dataclass

import numpy as np

from . import write


@dataclass(frozen=True)
class Truth:
    """The true table: per axis the accepted spellings of each label, and the counts.

    None as counts: no table of people may be read without a doubt.
    """

    axes: tuple[tuple[frozenset[str], ...], ...]
    counts: np.ndarray | None


NOTHING = Truth((), None)


class Draw:
    """The invented people of one file: areas, sexes and age groups of a producer."""

    def __init__(self, producer, seed):
        self.producer = producer
        self.words = producer.words
        self.random = np.random.default_rng(seed)
        self.areas = [name for _, name in producer.areas]
        self.codes = [code for code, _ in producer.areas]
        self.sexes = [self.words.male, self.words.female]
        self.ages = list(self.words.ages)
        scale = self.random.choice([12, 300, 4000])
        size = np.outer(self.random.uniform(0.4, 3, 4), [0.9, 0.7, 2.4, 1.1])
        self.people = self.random.poisson(scale * size[:, None, :] * np.array([0.95, 1.05])[None, :, None])
        if producer.none != "0":
            self.people[1, 0, 1] = 0

    def show(self, count):
        if count == 0:
            return self.producer.none
        text = f"{int(count):,}" if self.producer.thousands else str(int(count))
        return text.replace(",", self.producer.thousands) if self.producer.thousands else text

    def csv(self, rows, separator=None, **options):
        made = [
            [self.show(cell) if isinstance(cell, (int, np.integer)) else cell for cell in row] for row in rows
        ]
        return write.delimited(made, separator or self.producer.separator, self.producer.encoding, **options)

    def plain(self, rows, separator=None, **options):
        return write.delimited(rows, separator or self.producer.separator, self.producer.encoding, **options)


def spellings(*texts):
    return frozenset(text.strip().casefold() for text in texts)


def area_axis(draw):
    return tuple(
        spellings(code, name, f"{code} {name}", f"{code}: {name}", f"{name} {code}", f"{code} · {name}")
        for code, name in draw.producer.areas
    )


def plain_axis(labels, codes=None):
    codes = codes or labels
    return tuple(
        spellings(label, code, f"{code} {label}", f"{code}: {label}")
        for label, code in zip(labels, codes, strict=True)
    )


def area_age(draw):
    return Truth((area_axis(draw), plain_axis(draw.ages)), draw.people.sum(1))


def area_sex(draw):
    return Truth((area_axis(draw), plain_axis(draw.sexes)), draw.people.sum(2))


def full(draw, sexes=None, ages=None):
    return Truth(
        (area_axis(draw), plain_axis(draw.sexes, sexes), plain_axis(draw.ages, ages)),
        draw.people,
    )


SEX_CODES = ["M", "F"]
AGE_CODES = ["Y0T14", "Y15T24", "Y25T64", "Y_GE65"]


def wide_rows(draw, total=True, corner=None):
    """Areas by age with a total line and column."""
    words = draw.words
    counts = draw.people.sum(1)
    rows = [[corner if corner is not None else words.region, *draw.ages]]
    rows += [[name, *map(int, line)] for name, line in zip(draw.areas, counts, strict=True)]
    if total:
        rows[0].append(words.total)
        for row, line in zip(rows[1:], counts, strict=True):
            row.append(int(line.sum()))
        rows.append([draw.producer.country, *map(int, counts.sum(0)), int(counts.sum())])
    return rows


def titled(draw, rows):
    words = draw.words
    return [[words.title], [], *rows, [], [words.note], [words.source]]


# --- wide files ---------------------------------------------------------------


def wide_with_notes(draw):
    return "wide.csv", draw.csv(titled(draw, wide_rows(draw))), [area_age(draw)]


def wide_workbook(draw):
    return (
        "wide.xlsx",
        write.workbook(titled(draw, wide_rows(draw)), before=[[draw.words.title], ["Table 1"]]),
        [area_age(draw)],
    )


def wide_open_document(draw):
    return "wide.ods", write.open_document(titled(draw, wide_rows(draw))), [area_age(draw)]


def wide_page(draw):
    rows = [[draw.show(c) if isinstance(c, int) else c for c in row] for row in wide_rows(draw)]
    return (
        "wide.html",
        write.page(rows, caption=draw.words.title, foot=[draw.words.note, draw.words.source]),
        [area_age(draw)],
    )


def merged_headings(draw):
    """Sex above age in merged cells, with a total per sex."""
    words = draw.words
    first, second = [words.region], [""]
    for sex in draw.sexes:
        first += [sex, "", "", "", ""]
        second += [words.total, *draw.ages]
    rows = [first, second]
    for name, block in zip(draw.areas, draw.people, strict=True):
        row = [name]
        for line in block:
            row += [int(line.sum()), *map(int, line)]
        rows.append(row)
    total = [words.total]
    for line in draw.people.sum(0):
        total += [int(line.sum()), *map(int, line)]
    rows.insert(2, total)
    return rows


def merged_workbook(draw):
    rows = [[draw.words.title], [], *merged_headings(draw), [], [draw.words.source]]
    merged = ["A1:K1", "A3:A4", "B3:F3", "G3:K3"]
    return "merged.xlsx", write.workbook(rows, merged), [full(draw)]


def merged_page(draw):
    words = draw.words
    rows = merged_headings(draw)
    head = [(words.region, "rowspan='2'")] + [(sex, "colspan='5'") for sex in draw.sexes]
    shown = [[draw.show(c) if isinstance(c, int) else c for c in row] for row in rows[2:]]
    return "merged.html", write.page([head, rows[1][1:], *shown], heads=2, caption=words.title), [full(draw)]


def blank_headings_csv(draw):
    """Merged headings saved as CSV: the first label, then blanks."""
    return "headings.csv", draw.csv([[draw.words.title], [], *merged_headings(draw)]), [full(draw)]


def blank_total_label(draw):
    rows = wide_rows(draw)
    rows[-1][0] = ""
    return "blank_total.csv", draw.csv(rows), [area_age(draw)]


def blank_total_heading(draw):
    rows = wide_rows(draw)
    rows[0][-1] = ""
    rows[-1][0] = ""
    return "blank_both.xlsx", write.workbook(rows), [area_age(draw)]


def rounded_totals(draw):
    """Every number rounded to 5 on its own, as Statistics Canada and Stats NZ do."""
    rows = wide_rows(draw)
    rounded = [rows[0]] + [[row[0], *(5 * round(c / 5) for c in row[1:])] for row in rows[1:]]
    truth = area_age(draw)
    counts = np.array([row[1:-1] for row in rounded[1:-1]])
    return "rounded.csv", draw.csv(titled(draw, rounded)), [Truth(truth.axes, counts)]


def perturbed_totals(draw):
    """Every number with small noise of its own, as the ABS TableBuilder does."""
    rows = wide_rows(draw)
    for row in rows[1:]:
        for column in range(1, len(row)):
            row[column] = max(0, row[column] + int(draw.random.integers(-2, 3)))
    truth = area_age(draw)
    counts = np.array([row[1:-1] for row in rows[1:-1]])
    return "perturbed.xlsx", write.workbook(titled(draw, rows)), [Truth(truth.axes, counts)]


def total_first_no_word(draw):
    """The country first, above its parts, with its own name."""
    rows = wide_rows(draw)
    rows.insert(1, rows.pop())
    return "country_first.csv", draw.csv(titled(draw, rows)), [area_age(draw)]


def thousands_stated(draw):
    """Numbers in thousands; the unit is in a line above the table."""
    words = draw.words
    rows = wide_rows(draw)
    people = draw.people.sum(1) * 100
    body = [[name, *(f"{c / 1000:.1f}" for c in line)] for name, line in zip(draw.areas, people, strict=True)]
    rows = [
        [words.title],
        [f"{words.unit}: {words.thousand}"],
        [],
        [*rows[0][:-1]],
        *body,
        [],
        [words.source],
    ]
    truth = area_age(draw)
    return "thousands.csv", draw.plain(rows, separator=";"), [Truth(truth.axes, people)]


def thousands_whole(draw):
    """Whole thousands, with the unit in a column."""
    words = draw.words
    rows = wide_rows(draw, total=False)
    rows[0].insert(1, words.unit)
    for row in rows[1:]:
        row.insert(1, words.thousand)
    truth = area_age(draw)
    return "unit_column.csv", draw.csv(rows), [Truth(truth.axes, draw.people.sum(1) * 1000)]


def unit_column(draw):
    """A column that says persons in every line."""
    words = draw.words
    rows = wide_rows(draw)
    rows[0].insert(1, words.unit)
    for row in rows[1:]:
        row.insert(1, words.persons)
    return "persons.csv", draw.csv(rows), [area_age(draw)]


def per_cent_block(draw):
    """Counts, then the same as a share."""
    words = draw.words
    counts = draw.people.sum(1)
    shares = 100 * counts / counts.sum(1, keepdims=True)
    rows = [
        [words.title],
        [words.region, words.persons, "", "", "", words.share, "", "", ""],
        ["", *draw.ages, *draw.ages],
    ]
    rows += [
        [name, *map(int, c), *(round(float(s), 1) for s in p)]
        for name, c, p in zip(draw.areas, counts, shares, strict=True)
    ]
    return "shares.xlsx", write.workbook(rows, ["B2:E2", "F2:I2"]), [area_age(draw)]


def per_cent_column(draw):
    words = draw.words
    rows = wide_rows(draw)
    whole = rows[-1][-1]
    rows[0].append("%")
    shown = [[*map(str, row), f"{100 * row[-1] / whole:.1f}"] for row in rows[1:]]
    return "per_cent.csv", write.delimited([[words.title], rows[0], *shown], ";", "utf-8"), [area_age(draw)]


def of_which(draw):
    """A line 'of which: born abroad' below the total."""
    words = draw.words
    rows = wide_rows(draw)
    part = [int(c * 0.2) for c in rows[-1][1:-1]]
    rows.append([f"{words.which}: {words.foreign}", *part, sum(part)])
    return "of_which.csv", draw.csv(titled(draw, rows)), [area_age(draw)]


def of_which_column(draw):
    words = draw.words
    rows = wide_rows(draw)
    rows[0].append(f"{words.which} {words.foreign}")
    for row in rows[1:]:
        row.append(int(row[-1] * 0.17))
    return "of_which.xlsx", write.workbook(titled(draw, rows)), [area_age(draw)]


def other_unit_column(draw):
    """Households beside people."""
    words = draw.words
    rows = wide_rows(draw)
    rows[0].append(words.households)
    for row in rows[1:]:
        row.append(int(row[-1] * 0.43) + 1)
    return "households.csv", draw.csv(titled(draw, rows)), [area_age(draw)]


def other_unit_line(draw):
    """A footer line of the table counts households."""
    rows = wide_rows(draw)
    rows.append([draw.words.households, *(int(c * 0.4) + 1 for c in rows[-1][1:])])
    return "households.xlsx", write.workbook(titled(draw, rows)), [area_age(draw)]


def overlapping_ages(draw):
    words = draw.words
    rows = wide_rows(draw)
    rows[0].insert(-1, words.adults)
    for row in rows[1:]:
        row.insert(-1, row[4] + row[3] + int(row[2] * 0.7))
    return "adults.csv", draw.csv(titled(draw, rows)), [area_age(draw)]


def years_as_columns(draw):
    """Stocks of three years: the same people are in each column."""
    words = draw.words
    counts = draw.people.sum((1, 2))
    years = np.stack([counts, (counts * 1.01).astype(int), (counts * 1.03).astype(int)], 1)
    rows = [[words.region, "2019", "2020", "2021"]]
    rows += [[name, *map(int, line)] for name, line in zip(draw.areas, years, strict=True)]
    rows.append([draw.producer.country, *map(int, years.sum(0))])
    one = [Truth((area_axis(draw),), years[:, k]) for k in range(3)]
    return (
        "years.csv",
        draw.csv(titled(draw, rows)),
        [Truth((area_axis(draw), plain_axis(["2019", "2020", "2021"])), years), *one],
    )


def year_column(draw):
    """A column of the year in every line, of one year."""
    rows = wide_rows(draw, total=False)
    rows[0].insert(0, draw.words.year)
    for row in rows[1:]:
        row.insert(0, "2021")
    return "one_year.csv", draw.csv(rows), [area_age(draw)]


def coordinates(draw):
    rows = wide_rows(draw, total=False)
    rows[0][1:1] = ["lat", "lon"]
    for number, row in enumerate(rows[1:]):
        row[1:1] = [f"{51.2 + number / 7:.4f}", f"{7.1 + number / 9:.4f}"]
    return "coordinates.csv", write.delimited(rows, ",", "utf-8"), [area_age(draw)]


def post_codes(draw):
    """ZIP codes are the labels of the lines."""
    rows = wide_rows(draw, total=False, corner="ZIP")
    codes = ["36003", "36006", "36008", "36022"]
    for row, code in zip(rows[1:], codes, strict=True):
        row[0] = code
    return "zip.csv", draw.csv(rows), [Truth((plain_axis(codes), plain_axis(draw.ages)), draw.people.sum(1))]


def area_in_square_kilometres(draw):
    rows = wide_rows(draw, total=False)
    rows[0].append("km²")
    for row in rows[1:]:
        row.append(int(draw.random.integers(80, 3000)))
    return "surface.xlsx", write.workbook(rows), [area_age(draw)]


def codes_beside_labels(draw):
    rows = wide_rows(draw)
    rows[0].insert(0, "Code")
    for row, code in zip(rows[1:], [*draw.codes, ""], strict=True):
        row.insert(0, code)
    return "codes.csv", draw.csv(titled(draw, rows)), [area_age(draw)]


def numeric_codes(draw):
    """Codes that a workbook stores as numbers."""
    rows = wide_rows(draw, total=False)
    rows[0].insert(1, "Code")
    for number, row in enumerate(rows[1:]):
        row.insert(1, 1001 + 2 * number)
    return "number_codes.xlsx", write.workbook(titled(draw, rows)), [area_age(draw)]


def nuts_columns(draw):
    """NUTS 1 and 2 names beside each area."""
    rows = wide_rows(draw, total=False)
    rows[0][0:1] = ["NUTS1", "NUTS2", draw.words.region]
    for number, row in enumerate(rows[1:]):
        row[0:0] = [draw.codes[0][:2] + "N1", draw.codes[0][:2] + ("N11", "N12")[number // 2]]
    return "nuts.csv", draw.csv(rows), [area_age(draw)]


def level_column(draw):
    """Level 0 is the country, level 1 the halves, level 2 the areas."""
    counts = draw.people.sum(1)
    words = draw.words
    rows = [["Level", words.region, *draw.ages], ["0", draw.producer.country, *map(int, counts.sum(0))]]
    for half, name in ((0, "I"), (2, "II")):
        rows.append(["1", f"{draw.producer.country} {name}", *map(int, counts[half : half + 2].sum(0))])
        for k in (half, half + 1):
            rows.append(["2", draw.areas[k], *map(int, counts[k])])
    return "levels.csv", draw.csv(rows), [area_age(draw)]


def indented_areas(draw):
    """Halves of the country in lines above their areas; areas are indented."""
    counts = draw.people.sum(1)
    words = draw.words
    rows = [[words.region, *draw.ages], [draw.producer.country, *map(int, counts.sum(0))]]
    for half, name in ((0, "I"), (2, "II")):
        rows.append([f"  {words.region} {name}", *map(int, counts[half : half + 2].sum(0))])
        for k in (half, half + 1):
            rows.append([f"    {draw.areas[k]}", *map(int, counts[k])])
    return "indented.xlsx", write.workbook(titled(draw, rows)), [area_age(draw)]


def subtotal_lines(draw):
    """Two groups of areas, each followed by its sub-total, then the total."""
    counts = draw.people.sum(1)
    words = draw.words
    rows = [[words.region, *draw.ages]]
    for half, name in ((0, "I"), (2, "II")):
        for k in (half, half + 1):
            rows.append([draw.areas[k], *map(int, counts[k])])
        rows.append([f"{words.total} {name}", *map(int, counts[half : half + 2].sum(0))])
    rows.append([words.total, *map(int, counts.sum(0))])
    return "subtotals.csv", draw.csv(titled(draw, rows)), [area_age(draw)]


def subtotal_columns(draw):
    """A working-age sub-total between the age columns."""
    rows = wide_rows(draw)
    rows[0].insert(4, "15-64")
    for row in rows[1:]:
        row.insert(4, row[2] + row[3])
    return "working_age.xlsx", write.workbook(titled(draw, rows)), [area_age(draw)]


def flag_columns(draw):
    """A column of flags right of each number."""
    rows = wide_rows(draw, total=False)
    made = [[rows[0][0]]]
    for label in rows[0][1:]:
        made[0] += [label, "" if draw.producer.office != "INE" else "Flag"]
    for number, row in enumerate(rows[1:]):
        line = [row[0]]
        for column, count in enumerate(row[1:]):
            line += [count, "p" if (number + column) % 3 == 0 else ""]
        made.append(line)
    return "flags.xlsx", write.workbook(titled(draw, made)), [area_age(draw)]


def marks(draw):
    """Confidential cells are 'c', 'x', '..' or ':': they are no zeros."""
    rows = wide_rows(draw)
    mark = {
        "CBS": ".",
        "SSB": ":",
        "INSEE": "s",
        "Destatis": ".",
        "Eurostat": ":",
        "Statistics Canada": "x",
        "Stats NZ": "..C",
    }
    rows[2][2] = mark.get(draw.producer.office, "..")
    rows[2][-1] = rows[2][-1]
    rows[3][3] = mark.get(draw.producer.office, "..")
    return "marks.csv", draw.csv(titled(draw, rows)), [NOTHING]


def stacked_blocks(draw):
    """A block per sex, each below a line with the sex."""
    rows = [[draw.words.region, *draw.ages, draw.words.total]]
    for sex, block in zip(draw.sexes, np.moveaxis(draw.people, 1, 0), strict=True):
        rows.append([sex, "", "", "", "", ""])
        rows += [
            [name, *map(int, line), int(line.sum())] for name, line in zip(draw.areas, block, strict=True)
        ]
    return "blocks.csv", draw.csv(titled(draw, rows)), [full(draw)]


def stacked_with_both(draw):
    """Blocks for both sexes, men and women: the first is the sum of the others."""
    rows = [[draw.words.region, *draw.ages]]
    blocks = [draw.people.sum(1), draw.people[:, 0], draw.people[:, 1]]
    for sex, block in zip([draw.words.both, *draw.sexes], blocks, strict=True):
        rows.append([sex, "", "", "", ""])
        rows += [[name, *map(int, line)] for name, line in zip(draw.areas, block, strict=True)]
    return "three_blocks.xlsx", write.workbook(titled(draw, rows)), [full(draw)]


def repeated_headers(draw):
    """The header returns on each printed page."""
    rows = wide_rows(draw, total=False)
    return (
        "pages.csv",
        draw.csv([[draw.words.title], [], *rows[:3], [], rows[0], *rows[3:]]),
        [area_age(draw)],
    )


def one_line(draw):
    """A table of one column: people per area, with the country."""
    counts = draw.people.sum((1, 2))
    rows = [[draw.words.region, draw.words.persons]]
    rows += [[name, int(c)] for name, c in zip(draw.areas, counts, strict=True)]
    rows.append([draw.producer.country, int(counts.sum())])
    return "one_way.csv", draw.csv(titled(draw, rows)), [Truth((area_axis(draw),), counts)]


def transposed(draw):
    rows = [list(row) for row in zip(*wide_rows(draw), strict=True)]
    rows[0][0] = draw.words.age
    return "transposed.xlsx", write.workbook(titled(draw, rows)), [area_age(draw)]


def hidden_sheet(draw):
    other = wide_rows(draw)
    return (
        "hidden.xlsx",
        write.workbook(titled(draw, wide_rows(draw)), hidden=[("Old", other)]),
        [area_age(draw)],
    )


def merged_first_column(draw):
    """Area in the first of its lines only, sex in the second column."""
    words = draw.words
    rows = [[words.region, words.sex, *draw.ages]]
    for name, block in zip(draw.areas, draw.people, strict=True):
        for sex, line in zip(draw.sexes, block, strict=True):
            rows.append([name if sex == draw.sexes[0] else "", sex, *map(int, line)])
    return "first_column.xlsx", write.workbook([[words.title], [], *rows, [], [words.source]]), [full(draw)]


def average_age(draw):
    """A column of the mean age beside the counts."""
    rows = wide_rows(draw)
    rows[0].append("Mean age" if draw.words.language == "en" else "Ø")
    for row in rows[1:]:
        row.append(round(float(draw.random.uniform(38, 46)), 1))
    return "mean_age.xlsx", write.workbook(titled(draw, rows)), [area_age(draw)]


def per_thousand(draw):
    """Only rates per 1,000: there are no counts in the file."""
    rows = wide_rows(draw, total=False)
    shown = [[row[0], *(f"{draw.random.uniform(1, 30):.1f}" for _ in row[1:])] for row in rows[1:]]
    return (
        "rates.csv",
        write.delimited([[f"{draw.words.title}, per 1,000"], [], rows[0], *shown], ";", "utf-8"),
        [NOTHING],
    )


# --- long files ---------------------------------------------------------------


def records(draw):
    for a, area in enumerate(draw.areas):
        for s, sex in enumerate(draw.sexes):
            for g, age in enumerate(draw.ages):
                yield a, s, g, area, sex, age, int(draw.people[a, s, g])


def long_file(draw):
    words = draw.words
    rows = [[words.region, words.sex, words.age, words.persons]]
    rows += [[area, sex, age, count] for *_, area, sex, age, count in records(draw)]
    return "long.csv", draw.csv(rows), [full(draw)]


def long_with_codes(draw):
    words = draw.words
    rows = [
        [
            f"{words.region} code",
            words.region,
            f"{words.sex} code",
            words.sex,
            f"{words.age} code",
            words.age,
            "VALUE",
        ]
    ]
    rows += [
        [draw.codes[a], area, str(s + 1), sex, str(g + 1).zfill(2), age, n]
        for a, s, g, area, sex, age, n in records(draw)
    ]
    return "long_codes.csv", draw.csv(rows), [full(draw)]


def with_totals(draw):
    """Records of all combinations, with the totals of each axis."""
    a = np.concatenate([draw.people, draw.people.sum(0, keepdims=True)])
    a = np.concatenate([a, a.sum(1, keepdims=True)], 1)
    return np.concatenate([a, a.sum(2, keepdims=True)], 2)


def long_with_totals(draw):
    words = draw.words
    cube = with_totals(draw)
    rows = [[words.year, words.region, words.sex, words.age, words.unit, words.persons]]
    for a, area in enumerate([*draw.areas, draw.producer.country]):
        for s, sex in enumerate([*draw.sexes, words.both]):
            for g, age in enumerate([*draw.ages, words.total]):
                rows.append(["2021", area, sex, age, words.persons, int(cube[a, s, g])])
    return "long_totals.csv", draw.csv(rows), [full(draw)]


def long_levels(draw):
    """A column of geographic levels; upper levels repeat the people."""
    words = draw.words
    rows = [["Level", words.region, words.sex, words.persons]]
    counts = draw.people.sum(2)
    rows += [
        ["Country", draw.producer.country, sex, int(n)]
        for sex, n in zip(draw.sexes, counts.sum(0), strict=True)
    ]
    for a, area in enumerate(draw.areas):
        rows += [["Area", area, sex, int(n)] for sex, n in zip(draw.sexes, counts[a], strict=True)]
    return "long_levels.csv", draw.csv(rows), [area_sex(draw)]


def long_status(draw):
    """A status and a decimals column beside the value."""
    words = draw.words
    rows = [[words.region, words.sex, words.age, "Value", "Status", "Decimals"]]
    rows += [[area, sex, age, n, "A" if n % 4 else "p", 0] for *_, area, sex, age, n in records(draw)]
    return "long_status.csv", draw.plain(rows), [full(draw)]


def long_secret(draw):
    rows = [[draw.words.region, draw.words.sex, draw.words.age, "OBS_VALUE", "CONF_STATUS"]]
    for number, (*_, area, sex, age, n) in enumerate(records(draw)):
        rows.append([area, sex, age, "" if number % 7 == 3 else n, "C" if number % 7 == 3 else "F"])
    return "long_secret.csv", draw.plain(rows), [NOTHING]


def long_measures(draw):
    """Persons and households as values of one column."""
    words = draw.words
    rows = [[words.region, words.age, words.unit, "Value"]]
    counts = draw.people.sum(1)
    for a, area in enumerate(draw.areas):
        for g, age in enumerate(draw.ages):
            rows.append([area, age, words.persons, int(counts[a, g])])
            rows.append([area, age, words.households, int(counts[a, g] * 0.4) + 1])
    return "long_measures.csv", draw.csv(rows), [area_age(draw)]


def long_years(draw):
    words = draw.words
    rows = [[words.year, words.region, words.sex, words.persons]]
    counts = draw.people.sum(2)
    both = []
    for year, factor in (("2020", 1.0), ("2021", 1.02)):
        made = (counts * factor).astype(int)
        both.append(made)
        for a, area in enumerate(draw.areas):
            rows += [[year, area, sex, int(n)] for sex, n in zip(draw.sexes, made[a], strict=True)]
    axes = area_sex(draw).axes
    truths = [
        Truth((plain_axis(["2020", "2021"]), *axes), np.stack(both)),
        *(Truth(axes, made) for made in both),
    ]
    return "long_years.csv", draw.csv(rows), truths


def long_thousands(draw):
    """SCALAR_FACTOR says thousands."""
    words = draw.words
    rows = [["REF_DATE", "GEO", words.sex, words.age, "UOM", "SCALAR_FACTOR", "VALUE", "STATUS"]]
    rows += [
        ["2021-07", area, sex, age, "Persons", "thousands", n, ""] for *_, area, sex, age, n in records(draw)
    ]
    truth = full(draw)
    return "long_thousands.csv", draw.plain(rows), [Truth(truth.axes, draw.people * 1000)]


# --- cubes --------------------------------------------------------------------


def cube_axes(draw, total=False):
    words = draw.words
    areas = list(zip(draw.codes, draw.areas, strict=True))
    sexes = list(zip(["1", "2"], draw.sexes, strict=True))
    ages = list(zip(AGE_CODES, draw.ages, strict=True))
    if total:
        areas.append(("00", draw.producer.country))
        sexes.append(("1+2", words.both))
        ages.append(("TOT", words.total))
    return [(words.region, areas), (words.sex, sexes), (words.age, ages)]


def px_file(draw):
    words = draw.words
    cells = draw.people.reshape(8, 4).tolist()
    extra = [f'NOTE="{words.note}";', f'SOURCE="{words.source}";', 'LANGUAGE="' + words.language + '";']
    encoding = "utf-8" if words.language in ("ja", "pl", "et") else "cp1252"
    if encoding == "utf-8":
        extra.append('CODEPAGE="utf-8";')
    content = write.px(
        words.title,
        cube_axes(draw),
        cells,
        words.persons,
        [words.region, words.sex],
        [words.age],
        encoding,
        extra,
    )
    return "cube.px", content, [full(draw, ["1", "2"], AGE_CODES)]


def px_totals(draw):
    words = draw.words
    cells = with_totals(draw).reshape(15, 5).tolist()
    encoding = "utf-8" if words.language in ("ja", "pl", "et") else "cp1252"
    extra = ['CODEPAGE="utf-8";'] if encoding == "utf-8" else []
    content = write.px(
        words.title,
        cube_axes(draw, True),
        cells,
        words.persons,
        [words.region, words.sex],
        [words.age],
        encoding,
        extra,
    )
    return "totals.px", content, [full(draw, ["1", "2"], AGE_CODES)]


def px_marks(draw):
    words = draw.words
    cells = draw.people.reshape(8, 4).tolist()
    cells[1][2] = '".."'
    cells[4][0] = '"."'
    content = write.px(
        words.title,
        cube_axes(draw),
        cells,
        words.persons,
        [words.region, words.sex],
        [words.age],
        "utf-8",
        ['CODEPAGE="utf-8";'],
    )
    return "marks.px", content, [NOTHING]


def px_thousands(draw):
    words = draw.words
    cells = draw.people.reshape(8, 4).tolist()
    content = write.px(
        words.title,
        cube_axes(draw),
        cells,
        words.thousand,
        [words.region, words.sex],
        [words.age],
        "utf-8",
        ['CODEPAGE="utf-8";'],
    )
    truth = full(draw, ["1", "2"], AGE_CODES)
    return "thousands.px", content, [Truth(truth.axes, draw.people * 1000)]


def json_cube(draw):
    axes = cube_axes(draw)
    return (
        "cube.json",
        write.json_stat(draw.words.title, axes, draw.people.ravel().tolist()),
        [full(draw, ["1", "2"], AGE_CODES)],
    )


def json_totals(draw):
    axes = [("time", [("2021", "2021")]), *cube_axes(draw, True)]
    roles = {"time": ["time"], "geo": [axes[1][0]]}
    content = write.json_stat(draw.words.title, axes, with_totals(draw).ravel().tolist(), roles=roles)
    return "totals.json", content, [full(draw, ["1", "2"], AGE_CODES)]


def json_secret(draw):
    values = draw.people.ravel().tolist()
    values[5] = None
    return "secret.json", write.json_stat(draw.words.title, cube_axes(draw), values, {"5": "c"}), [NOTHING]


def json_unit(draw):
    """An axis of contents with persons and a share."""
    axes = [("contents", [("n", draw.words.persons), ("p", draw.words.share)]), *cube_axes(draw)]
    shares = 100 * draw.people / draw.people.sum(2, keepdims=True)
    values = draw.people.ravel().tolist() + shares.round(1).ravel().tolist()
    content = write.json_stat(draw.words.title, axes, values, roles={"metric": ["contents"]})
    return "contents.json", content, [full(draw, ["1", "2"], AGE_CODES)]


def sdmx_csv(draw):
    rows = [["DATAFLOW", "FREQ", "UNIT", "SEX", "AGE", "GEO", "TIME_PERIOD", "OBS_VALUE", "OBS_FLAG"]]
    for a, s, g, *_, n in records(draw):
        rows.append(["ESTAT:DEMO(1.0)", "A", "NR", SEX_CODES[s], AGE_CODES[g], draw.codes[a], "2021", n, ""])
    return "sdmx.csv", write.delimited(rows), [full(draw, SEX_CODES, AGE_CODES)]


def sdmx_totals(draw):
    cube = with_totals(draw)
    rows = [
        [
            "STRUCTURE",
            "STRUCTURE_ID",
            "FREQ",
            "SEX",
            "AGE",
            "GEO",
            "TIME_PERIOD",
            "OBS_VALUE",
            "OBS_STATUS",
            "CONF_STATUS",
        ]
    ]
    for a, area in enumerate(
        [*draw.codes, draw.codes[0][:2] if draw.producer.office == "Eurostat" else "_T"]
    ):
        for s, sex in enumerate([*SEX_CODES, "T"]):
            for g, age in enumerate([*AGE_CODES, "TOTAL"]):
                rows.append(
                    ["dataflow", "ESTAT:DEMO(1.0)", "A", sex, age, area, "2021", int(cube[a, s, g]), "A", "F"]
                )
    return "sdmx_totals.csv", write.delimited(rows), [full(draw, SEX_CODES, AGE_CODES)]


def sdmx_labels(draw):
    """Codes and labels in columns side by side."""
    rows = [
        [
            "STRUCTURE",
            "STRUCTURE_ID",
            "SEX",
            "Sex",
            "AGE",
            "Age",
            "GEO",
            "Geo",
            "TIME_PERIOD",
            "Time",
            "OBS_VALUE",
            "Observation value",
        ]
    ]
    for a, s, g, area, sex, age, n in records(draw):
        rows.append(
            [
                "dataflow",
                "X:Y(1.0)",
                SEX_CODES[s],
                sex,
                AGE_CODES[g],
                age,
                draw.codes[a],
                area,
                "2021",
                "2021",
                n,
                "",
            ]
        )
    return "sdmx_labels.csv", write.delimited(rows), [full(draw, SEX_CODES, AGE_CODES)]


def sdmx_both(draw):
    """Code and label in one cell."""
    rows = [["DATAFLOW", "SEX: Sex", "AGE: Age", "GEO: Geo", "TIME_PERIOD: Time", "OBS_VALUE: Value"]]
    for a, s, g, area, sex, age, n in records(draw):
        rows.append(
            [
                "X:Y(1.0): Z",
                f"{SEX_CODES[s]}: {sex}",
                f"{AGE_CODES[g]}: {age}",
                f"{draw.codes[a]}: {area}",
                "2021: 2021",
                n,
            ]
        )
    return "sdmx_both.csv", write.delimited(rows), [full(draw, SEX_CODES, AGE_CODES)]


def sdmx_multiplier(draw):
    rows = [["DATAFLOW", "SEX", "AGE", "GEO", "TIME_PERIOD", "OBS_VALUE", "UNIT_MEASURE", "UNIT_MULT"]]
    for a, s, g, *_, n in records(draw):
        rows.append(["X:Y(1.0)", SEX_CODES[s], AGE_CODES[g], draw.codes[a], "2021", n, "PS", "3"])
    truth = full(draw, SEX_CODES, AGE_CODES)
    return "sdmx_mult.csv", write.delimited(rows), [Truth(truth.axes, draw.people * 1000)]


# --- shapes of one office -----------------------------------------------------


def eurostat_tsv(draw):
    rows = ["freq,unit,sex,age,geo\\TIME_PERIOD\t2021 "]
    for a, s, g, *_, n in records(draw):
        rows.append(f"A,NR,{SEX_CODES[s]},{AGE_CODES[g]},{draw.codes[a]}\t{n} ")
    return "demo.tsv", ("\n".join(rows) + "\n").encode(), [full(draw, SEX_CODES, AGE_CODES)]


def eurostat_tsv_flags(draw):
    rows = ["freq,unit,sex,age,geo\\TIME_PERIOD\t2021 "]
    for number, (a, s, g, *_, n) in enumerate(records(draw)):
        rows.append(
            f"A,NR,{SEX_CODES[s]},{AGE_CODES[g]},{draw.codes[a]}\t{n} {'bp' if number % 5 == 0 else ''}"
        )
    return "flags.tsv", ("\n".join(rows) + "\n").encode(), [full(draw, SEX_CODES, AGE_CODES)]


def eurostat_sheet(draw):
    """The browser export: metadata, codes, labels and flag columns."""
    counts = draw.people.sum(1)
    rows = [
        ["Data extracted on 02/03/2024 from [ESTAT]"],
        ["Dataset: ", "Population on 1 January [demo]"],
        ["Last updated: ", "01/03/2024"],
        [],
        ["Time frequency", "Annual"],
        ["Unit of measure", "Number"],
        ["Time", "2021"],
        [],
        ["AGE (Codes)", "", *[x for code in AGE_CODES for x in (code, "")]],
        ["GEO (Codes)", "GEO (Labels)", *[x for age in draw.ages for x in (age, "")]],
    ]
    for code, name, line in zip(draw.codes, draw.areas, counts, strict=True):
        rows.append([code, name, *[x for n in line for x in (int(n), "p" if n % 3 == 0 else "")]])
    rows += [[], ["Special value"], [":", "not available"], ["Available flags:"], ["p", "provisional"]]
    truth = area_age(draw)
    return (
        "estat.xlsx",
        write.workbook(rows),
        [Truth((truth.axes[0], plain_axis(draw.ages, AGE_CODES)), truth.counts)],
    )


def nomis(draw):
    rows = [
        ["QS104 - Sex"],
        ["ONS Crown Copyright Reserved [from Nomis on 2 March 2024]"],
        [],
        ["Population", "All usual residents"],
        ["Units", "Persons"],
        ["Date", "2021"],
        [],
        ["2021 local authority", "mnemonic", *draw.ages],
    ]
    rows += [
        [n, c, *map(int, line)] for n, c, line in zip(draw.areas, draw.codes, draw.people.sum(1), strict=True)
    ]
    rows += [
        [],
        [],
        ["In order to protect against disclosure of personal information, records have been swapped."],
    ]
    return "nomis.csv", draw.csv(rows, quote=csv.QUOTE_NONNUMERIC), [area_age(draw)]


def ons_custom(draw):
    rows = [
        [
            "Lower tier local authorities Code",
            "Lower tier local authorities",
            "Sex (2 categories) Code",
            "Sex (2 categories)",
            "Age (4 categories) Code",
            "Age (4 categories)",
            "Observation",
        ]
    ]
    rows += [[draw.codes[a], area, s + 1, sex, g + 1, age, n] for a, s, g, area, sex, age, n in records(draw)]
    return "custom.csv", draw.plain(rows), [full(draw)]


def table_builder(draw):
    rows = [
        ["Australian Bureau of Statistics"],
        [],
        ["2021 Census - counting persons, place of usual residence"],
        ["STATE by SEXP and AGE10P"],
        ["Counting: Persons, Place of Usual Residence"],
        [],
        ["Filters:"],
        ["Default Summation", "Persons, Place of Usual Residence"],
        [],
        ["", "SEXP Sex", "Male", "Female", "Total"],
        ["STATE"],
    ]
    counts = draw.people.sum(2)
    rows += [
        [name, "", *map(int, line), int(line.sum()) + 1]
        for name, line in zip(draw.areas, counts, strict=True)
    ]
    rows += [
        ["Total", "", *map(int, counts.sum(0) + 2), int(counts.sum()) - 1],
        [],
        ["Data Source: Census of Population and Housing, 2021"],
        [
            "INFO",
            "Cells in this table have been randomly adjusted.",
        ],
        ["Copyright Commonwealth of Australia"],
    ]
    truth = area_sex(draw)
    return "builder.csv", draw.plain(rows), [Truth((truth.axes[0], plain_axis(["Male", "Female"])), counts)]


def table_builder_long(draw):
    rows = [["Counting", "STATE", "SEXP Sex", "AGE10P", "Count", "RSE"]]
    rows += [
        ["Persons Place of Usual Residence", area, sex, age, n, ""] for *_, area, sex, age, n in records(draw)
    ]
    return "builder_long.csv", draw.plain(rows), [full(draw)]


def census_labels(draw):
    """data.census.gov: geographies over estimates, with no-break spaces before labels."""
    counts = draw.people
    rows = [["Label (Grouping)"]]
    for name in draw.areas:
        rows[0] += [f"{name}, Alabama!!Estimate", f"{name}, Alabama!!Margin of Error"]

    def line(label, numbers):
        return [label, *[x for n in numbers for x in (f"{int(n):,}", "±" + str(int(n**0.5) + 3))]]

    rows.append(line("Total:", counts.sum((1, 2))))
    for s, sex in enumerate(("Male:", "Female:")):
        rows.append(line("\u00a0\u00a0\u00a0\u00a0" + sex, counts[:, s].sum(1)))
        for g, age in enumerate(draw.ages):
            rows.append(line("\u00a0" * 8 + age, counts[:, s, g]))
    axes = tuple(spellings(name, f"{name}, Alabama", f"{name}, Alabama!!Estimate") for name in draw.areas)
    sexes = tuple(spellings(sex, sex + ":") for sex in ("Male", "Female"))
    pairs = tuple(spellings(f"{sex}: {age}") for sex in ("Male", "Female") for age in draw.ages)
    truths = [Truth((axes, sexes, plain_axis(draw.ages)), counts), Truth((axes, pairs), counts.reshape(4, 8))]
    return "acs.csv", write.delimited(rows), truths


def census_codes(draw):
    counts = draw.people.sum(2)
    rows = [
        ["GEO_ID", "NAME", "P12_001N", "P12_002N", "P12_026N"],
        ["Geography", "Geographic Area Name", " !!Total:", " !!Total:!!Male:", " !!Total:!!Female:"],
    ]
    for code, name, line in zip(draw.codes, draw.areas, counts, strict=True):
        rows.append([f"0500000US{code}", f"{name}, Alabama", int(line.sum()), *map(int, line)])
    areas = tuple(
        spellings(f"0500000US{code}", f"{name}, Alabama", f"0500000US{code} {name}, Alabama")
        for code, name in draw.producer.areas
    )
    sexes = (
        spellings("P12_002N", "Male", "Male:", "!!Total:!!Male:", "P12_002N !!Total:!!Male:"),
        spellings("P12_026N", "Female", "Female:", "!!Total:!!Female:", "P12_026N !!Total:!!Female:"),
    )
    return "dec.csv", write.delimited(rows), [Truth((areas, sexes), counts)]


def statcan(draw):
    rows = [
        [
            "REF_DATE",
            "GEO",
            "DGUID",
            "Gender",
            "Age group",
            "UOM",
            "UOM_ID",
            "SCALAR_FACTOR",
            "SCALAR_ID",
            "VECTOR",
            "COORDINATE",
            "VALUE",
            "STATUS",
            "SYMBOL",
            "TERMINATED",
            "DECIMALS",
        ]
    ]
    cube = with_totals(draw)
    for a, area in enumerate([*draw.areas, "Canada"]):
        for s, sex in enumerate([*draw.sexes, "Total - gender"]):
            for g, age in enumerate([*draw.ages, "All ages"]):
                number = (a * 3 + s) * 5 + g
                rows.append(
                    [
                        "2021",
                        area,
                        f"2021A0002{a + 10}",
                        sex,
                        age,
                        "Persons",
                        "249",
                        "units",
                        "0",
                        f"v{466670 + number}",
                        f"{a + 1}.{s + 1}.{g + 1}",
                        int(cube[a, s, g]),
                        "",
                        "",
                        "",
                        "0",
                    ]
                )
    return "17100005.csv", write.delimited(rows, ",", "utf-8-sig", csv.QUOTE_ALL), [full(draw)]


def stats_nz(draw):
    rows = [["Year", "Age", "Ethnic", "Sex", "Area", "count"]]
    for a, s, g, *_, n in records(draw):
        rows.append(["2018", str(g + 1).zfill(3), "9999", str(s + 1), draw.codes[a], 3 * round(n / 3)])
    truth = full(draw, ["1", "2"], ["001", "002", "003", "004"])
    rounded = np.array([3 * round(int(n) / 3) for n in draw.people.ravel()]).reshape(draw.people.shape)
    return "Data8277.csv", draw.plain(rows), [Truth(truth.axes, rounded)]


def cso(draw):
    rows = [
        [
            "STATISTIC",
            "Statistic Label",
            "TLIST(A1)",
            "CensusYear",
            "C02076V02508",
            "Age Group",
            "C02199V02655",
            "Sex",
            "C03789V04537",
            "County and City",
            "UNIT",
            "VALUE",
        ]
    ]
    cube = with_totals(draw)
    for a, area in enumerate([*draw.areas, "State"]):
        for s, sex in enumerate(["Male", "Female", "Both sexes"]):
            for g, age in enumerate([*draw.ages, "All ages"]):
                code = [*draw.codes, "IE0"][a]
                rows.append(
                    [
                        "FY006AC01",
                        "Population",
                        "2022",
                        "2022",
                        ["205", "230", "475", "570", "-"][g],
                        age,
                        ["1", "2", "-"][s],
                        sex,
                        code,
                        area,
                        "Number",
                        int(cube[a, s, g]),
                    ]
                )
    truth = full(draw)
    axes = (
        truth.axes[0],
        plain_axis(["Male", "Female"], ["1", "2"]),
        plain_axis(draw.ages, ["205", "230", "475", "570"]),
    )
    return "FY006A.csv", write.delimited(rows, ",", "utf-8-sig", csv.QUOTE_ALL), [Truth(axes, draw.people)]


def genesis_flat(draw):
    rows = [
        [
            "Statistik_Code",
            "Statistik_Label",
            "Zeit_Code",
            "Zeit_Label",
            "Zeit",
            "1_Merkmal_Code",
            "1_Merkmal_Label",
            "1_Auspraegung_Code",
            "1_Auspraegung_Label",
            "2_Merkmal_Code",
            "2_Merkmal_Label",
            "2_Auspraegung_Code",
            "2_Auspraegung_Label",
            "BEVSTD__Bevoelkerungsstand__Anzahl",
        ]
    ]
    counts = draw.people.sum(2)
    for a, (code, name) in enumerate(draw.producer.areas):
        for s, sex in enumerate(draw.sexes):
            rows.append(
                [
                    "12411",
                    "Fortschreibung des Bevölkerungsstandes",
                    "STAG",
                    "Stichtag",
                    "31.12.2021",
                    "KREISE",
                    "Kreise und kreisfreie Städte",
                    code,
                    name,
                    "GES",
                    "Geschlecht",
                    ["GESM", "GESW"][s],
                    sex,
                    int(counts[a, s]),
                ]
            )
    truth = area_sex(draw)
    return (
        "12411_flat.csv",
        draw.plain(rows),
        [Truth((truth.axes[0], plain_axis(draw.sexes, ["GESM", "GESW"])), counts)],
    )


def genesis_table(draw):
    counts = draw.people.sum(2)
    rows = [
        ["Tabelle: 12411-0015"],
        ["Bevölkerung: Kreise, Stichtag, Geschlecht"],
        ["Fortschreibung des Bevölkerungsstandes"],
        ["Bevölkerungsstand (Anzahl)"],
        ["", "", "31.12.2021", "31.12.2021", "31.12.2021"],
        ["", "", *draw.sexes, "Insgesamt"],
    ]
    rows += [
        [code, name, *map(int, line), int(line.sum())]
        for (code, name), line in zip(draw.producer.areas, counts, strict=True)
    ]
    rows += [["__________"], ["© Statistisches Bundesamt (Destatis), 2024"], ["Stand: 02.03.2024 / 10:12:31"]]
    return "12411.csv", draw.csv(rows), [area_sex(draw)]


def statline(draw):
    rows = [["ID", "Geslacht", "Leeftijd", "RegioS", "Perioden", "BevolkingOp1Januari_1"]]
    for number, (a, s, g, *_, n) in enumerate(records(draw)):
        rows.append(
            [
                number,
                ["3000   ", "4000   "][s],
                ["70100", "70400", "53105", "22000"][g],
                draw.codes[a] + "  ",
                "2021JJ00",
                n,
            ]
        )
    truth = full(draw)
    axes = (
        truth.axes[0],
        plain_axis(draw.sexes, ["3000", "4000"]),
        plain_axis(draw.ages, ["70100", "70400", "53105", "22000"]),
    )
    return "70072.csv", draw.plain(rows, quote=csv.QUOTE_NONNUMERIC), [Truth(axes, draw.people)]


def statline_table(draw):
    counts = draw.people.sum(1)
    rows = [
        ["Bevolking; leeftijd, regio"],
        ["", "Onderwerp", *["Bevolking op 1 januari"] * 4],
        ["", "Leeftijd", *draw.ages],
        ["Regio's", "Perioden", *["aantal"] * 4],
    ]
    rows += [[name, "2021", *map(int, line)] for name, line in zip(draw.areas, counts, strict=True)]
    rows += [["Bron: CBS"]]
    return "statline.csv", draw.csv(rows, quote=csv.QUOTE_ALL), [area_age(draw)]


def insee_long(draw):
    rows = [["CODGEO", "LIBGEO", "SEXE", "AGED4", "NB"]]
    rows += [
        [draw.codes[a], area, s + 1, ["00", "15", "25", "65"][g], n]
        for a, s, g, area, _, _, n in records(draw)
    ]
    truth = full(draw, ["1", "2"], ["00", "15", "25", "65"])
    return "BTT_TD_POP1B.csv", draw.plain(rows), [truth]


def insee_sheet(draw):
    counts = draw.people
    names = [f"SEXE{s + 1}_AGE{g}" for s in range(2) for g in ("00", "15", "25", "65")]
    rows = [
        ["POP1B - Population par sexe et âge"],
        ["France métropolitaine"],
        ["Mise en ligne le 27/06/2024"],
        [],
        ["Code département", "Libellé", *names],
    ]
    rows += [
        [code, name, *map(int, block.ravel())]
        for (code, name), block in zip(draw.producer.areas, counts, strict=True)
    ]
    return (
        "TD_POP1B.xlsx",
        write.workbook(rows, title="COM"),
        [Truth((area_axis(draw), plain_axis(names)), counts.reshape(4, 8))],
    )


def ine_long(draw):
    rows = [["Provincias", "Sexo", "Edad", "Periodo", "Total"]]
    cube = with_totals(draw)
    codes = [*draw.codes, ""]
    for a, area in enumerate([*draw.areas, "Total Nacional"]):
        for s, sex in enumerate([*draw.sexes, "Total"]):
            for g, age in enumerate([*draw.ages, "Todas las edades"]):
                rows.append(
                    [f"{codes[a]} {area}".strip(), sex, age, "1 de enero de 2021", int(cube[a, s, g])]
                )
    return "31304.csv", draw.csv(rows, separator="\t" if draw.people[0, 0, 0] % 2 else ";"), [full(draw)]


def inegi(draw):
    rows = [["ENTIDAD", "NOM_ENT", "MUN", "NOM_MUN", "POBTOT", "POBFEM", "POBMAS"]]
    counts = draw.people.sum(2)
    rows.append(
        [
            "01",
            "Aguascalientes",
            "000",
            "Total de la entidad",
            int(counts.sum()),
            int(counts[:, 1].sum()),
            int(counts[:, 0].sum()),
        ]
    )
    for code, name, line in zip(draw.codes, draw.areas, counts, strict=True):
        rows.append(["01", "Aguascalientes", code, name, int(line.sum()), int(line[1]), int(line[0])])
    axes = (area_axis(draw), plain_axis(["POBMAS", "POBFEM"]))
    return "ITER_01.csv", draw.plain(rows), [Truth(axes, counts)]


def istat_long(draw):
    rows = [
        [
            "ITTER107",
            "Territorio",
            "TIPO_DATO15",
            "Tipo dato",
            "SEXISTAT1",
            "Sesso",
            "ETA1",
            "Classe di età",
            "TIME",
            "Seleziona periodo",
            "Value",
            "Flag Codes",
            "Flags",
        ]
    ]
    cube = with_totals(draw)
    for a, (code, area) in enumerate(draw.producer.areas):
        for s, sex in enumerate([*draw.sexes, "totale"]):
            for g, age in enumerate([*draw.ages, "totale"]):
                rows.append(
                    [
                        code,
                        area,
                        "JAN",
                        "popolazione al 1º gennaio",
                        ["1", "2", "9"][s],
                        sex,
                        [*AGE_CODES, "TOTAL"][g],
                        age,
                        "2021",
                        "2021",
                        int(cube[a, s, g]),
                        "",
                        "",
                    ]
                )
    return (
        "DCIS_POPRES1.csv",
        write.delimited(rows, ",", "utf-8-sig", csv.QUOTE_ALL),
        [full(draw, ["1", "2"], AGE_CODES)],
    )


def gus(draw):
    counts = draw.people
    rows = [
        [
            "Kod",
            "Nazwa",
            *[f"{sex};{age};2021;[osoba]".replace(";", " - ") for sex in draw.sexes for age in draw.ages],
        ]
    ]
    rows += [
        [code, name, *map(int, block.ravel())]
        for (code, name), block in zip(draw.producer.areas, counts, strict=True)
    ]
    names = [f"{sex} - {age} - 2021 - [osoba]" for sex in draw.sexes for age in draw.ages]
    whole = Truth((area_axis(draw), plain_axis(names)), counts.reshape(4, 8))
    return "LUDN_2137.csv", draw.csv(rows), [whole, full(draw)]


def gus_headers(draw):
    """Four header lines: sex, age, year, unit in brackets."""
    counts = draw.people
    rows = [
        ["Kod", "Nazwa", *[sex for sex in draw.sexes for _ in draw.ages]],
        ["", "", *draw.ages * 2],
        ["", "", *["2021"] * 8],
        ["", "", *["[osoba]"] * 8],
    ]
    rows.append(["0000000", "POLSKA", *map(int, counts.sum(0).ravel())])
    rows += [
        [code, name, *map(int, block.ravel())]
        for (code, name), block in zip(draw.producer.areas, counts, strict=True)
    ]
    return "LUDN.xlsx", write.workbook(rows, title="TABLICA"), [full(draw)]


def sidra(draw):
    counts = draw.people
    rows = [
        ["Tabela 200 - População residente, por sexo e grupos de idade"],
        ["Variável - População residente (Pessoas)"],
        ["Município", "Ano x Sexo x Grupo de idade", *[""] * 7],
        ["", "2021", *[""] * 7],
        ["", "Homens", "", "", "", "Mulheres", "", "", ""],
        ["", *draw.ages * 2],
    ]
    rows += [[name, *map(int, block.ravel())] for name, block in zip(draw.areas, counts, strict=True)]
    rows += [["Fonte: IBGE - Censo Demográfico"], ["Notas"], ["1 - Dados da amostra"]]
    return "tabela200.csv", draw.csv(rows), [full(draw)]


def sidra_long(draw):
    rows = [
        [
            "Nível Territorial (Código)",
            "Nível Territorial",
            "Unidade de Medida (Código)",
            "Unidade de Medida",
            "Valor",
            "Município (Código)",
            "Município",
            "Ano (Código)",
            "Ano",
            "Sexo (Código)",
            "Sexo",
        ]
    ]
    counts = draw.people.sum(2)
    for a, (code, name) in enumerate(draw.producer.areas):
        for s, sex in enumerate(draw.sexes):
            rows.append(
                [
                    "6",
                    "Município",
                    "45",
                    "Pessoas",
                    int(counts[a, s]),
                    code,
                    name,
                    "2021",
                    "2021",
                    ["4", "5"][s],
                    sex,
                ]
            )
    truth = area_sex(draw)
    return "sidra.csv", draw.plain(rows), [Truth((truth.axes[0], plain_axis(draw.sexes, ["4", "5"])), counts)]


def estat_file(draw):
    rows = [
        ["統計名:", "国勢調査 令和3年"],
        ["表番号:", "00101"],
        ["表題:", "男女,年齢別人口"],
        ["実施年月:", "2021年", "-", "-"],
        ["注釈:", "***", "当該数値がないもの"],
        [],
        [
            "表章項目 コード",
            "表章項目",
            "男女 コード",
            "男女",
            "年齢 コード",
            "年齢",
            "全国,都道府県 コード",
            "全国,都道府県",
            "時間軸(年次) コード",
            "時間軸(年次)",
            "unit",
            "value",
        ],
    ]
    for a, s, g, area, sex, age, n in records(draw):
        rows.append(
            [
                "020",
                "人口",
                str(s + 1).zfill(3),
                sex,
                str(g + 1).zfill(3),
                age,
                draw.codes[a],
                area,
                "2021000000",
                "2021年",
                "人",
                f"{n:,}",
            ]
        )
    return (
        "FEH_00200521.csv",
        draw.plain(rows, quote=csv.QUOTE_ALL),
        [full(draw, ["001", "002"], ["001", "002", "003", "004"])],
    )


def estat_sheet(draw):
    """A printed table: two columns of codes, blocks of men and women side by side."""
    rows = [
        ["第1表", "年齢(4区分),男女別人口-都道府県"],
        ["", "", "", "(単位:人)"],
        [],
        ["地域コード", "地域", "男", "", "", "", "女", "", "", ""],
        ["", "", *draw.ages * 2],
    ]
    rows += [
        [code, name, *map(int, block.ravel())]
        for (code, name), block in zip(draw.producer.areas, draw.people, strict=True)
    ]
    return "a001.xlsx", write.workbook(rows, ["C4:F4", "G4:J4"]), [full(draw)]


def pxweb_csv(draw):
    """The PxWeb export with title, stub columns and a heading per column."""
    words = draw.words
    rows = [[words.region, words.sex, *[f"{age} 2021" for age in draw.ages]]]
    for area, block in zip(draw.areas, draw.people, strict=True):
        rows += [[area, sex, *map(int, line)] for sex, line in zip(draw.sexes, block, strict=True)]
    ages = tuple(spellings(age, f"{age} 2021") for age in draw.ages)
    truth = full(draw)
    return "000001.csv", draw.plain([[words.title], [], *rows]), [Truth((*truth.axes[:2], ages), draw.people)]


def pxweb_sheet(draw):
    """The PxWeb workbook: labels of the stub only where they change, notes below."""
    words = draw.words
    rows = [[words.title], [], ["", "", "2021", "", "", ""], ["", "", *draw.ages]]
    for area, block in zip(draw.areas, draw.people, strict=True):
        rows += [
            [area if k == 0 else "", sex, *map(int, line)]
            for k, (sex, line) in enumerate(zip(draw.sexes, block, strict=True))
        ]
    rows += [
        [],
        [words.note],
        [],
        ["Latest update:"],
        ["20240302 08:00"],
        [words.source],
        [words.unit + ":"],
        [words.persons],
    ]
    return "pxweb.xlsx", write.workbook(rows, title="BE0101"), [full(draw)]


def pxweb_both(draw):
    """Men, women and both as columns, with the year in each line."""
    words = draw.words
    rows = [[words.year, words.region, words.both, *draw.sexes]]
    for area, line in zip(draw.areas, draw.people.sum(2), strict=True):
        rows.append(["2021", area, int(line.sum()), *map(int, line)])
    return "RV0240.csv", draw.csv(rows), [area_sex(draw)]
