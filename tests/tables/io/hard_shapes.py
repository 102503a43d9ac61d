"""Small files in shapes that were dead ends of the import, each in three variants with its true table.

A shape is a function of the number of the variant and a random generator. It returns the name and the content of the
file, the axes of its true table, and the counts; no axes if the file has no counts.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import openpyxl

#: Labels of the variants: areas, sexes, age groups, and the word for a total.
AREAS = (
    ("North", "South", "East", "Isles"),
    ("Bretagne", "Corse", "Normandie", "Occitanie"),
    ("Burgenland", "Kärnten", "Salzburg", "Tirol"),
)
SEXES = (("Male", "Female"), ("Hommes", "Femmes"), ("Männer", "Frauen"))
AGES = (
    ("0-14", "15-64", "65 and over"),
    ("moins de 15 ans", "15 à 64 ans", "65 ans ou plus"),
    ("unter 15", "15 bis 64", "65 und mehr"),
)
TOTALS = ("Total", "Ensemble", "Insgesamt")
NAMES = (("Area", "Sex", "Age"), ("Région", "Sexe", "Âge"), ("Land", "Geschlecht", "Alter"))


@dataclass(frozen=True)
class HardFile:
    """A file, its description for `corrected.truths`, and its shape."""

    shape: str
    variant: int
    name: str
    content: bytes
    description: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.shape}-{self.variant}"


Made = tuple[str, bytes, list[tuple[str, ...]], Any]
Shape = Callable[[int, np.random.Generator], Made]
SHAPES: dict[str, Shape] = {}


def shape(make: Shape) -> Shape:
    SHAPES[make.__name__] = make
    return make


def files() -> Iterator[HardFile]:
    """Yield the three files of each shape."""
    for k, (name, make) in enumerate(SHAPES.items()):
        for variant in range(3):
            file, content, axes, counts = make(variant, np.random.default_rng(1000 * k + variant))
            description: dict[str, Any] = {"kind": "counts" if axes else "not counts", "axes": None}
            if axes:
                description["axes"] = [
                    {
                        "labels": [label.split("|")[0] for label in labels],
                        "accepted": [label.split("|") for label in labels],
                    }
                    for labels in axes
                ]
                description["counts"] = [
                    None if count is None else float(count) for count in np.array(counts, object).ravel()
                ]
            yield HardFile(name, variant, file, content, description)


def csv_of(rows: list[list[Any]], mark: str = ",", encoding: str = "utf-8") -> bytes:
    lines = []
    for row in rows:
        cells = [str(cell) for cell in row]
        lines.append(mark.join(f'"{cell}"' if mark in cell else cell for cell in cells))
    return ("\n".join(lines) + "\n").encode(encoding)


def workbook_of(rows: list[list[Any]], merged: list[str] | None = None) -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    for row in rows:
        sheet.append([None if cell == "" else cell for cell in row])
    for cells in merged or []:
        sheet.merge_cells(cells)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def draw(random: np.random.Generator, *size: int, low: int = 40, high: int = 900) -> np.ndarray:
    return random.integers(low, high, size)


@shape
def blocks_named_in_a_corner(v, random):
    counts = draw(random, 2, 3, 4)
    rows = []
    for sex, block in zip(SEXES[v], counts, strict=True):
        rows.append([sex, *AREAS[v]])
        rows += [[age, *line] for age, line in zip(AGES[v], block, strict=True)]
        rows += [[""] * 5] if v != 1 else []
    return "corner.csv", csv_of(rows, ",;;"[v]), [SEXES[v], AGES[v], AREAS[v]], counts


@shape
def blocks_below_a_line(v, random):
    counts = draw(random, 2, 4, 3)
    rows = [[f"Table 3. {NAMES[v][1]}", "", "", ""], [""] * 4]
    for sex, block in zip(SEXES[v], counts, strict=True):
        rows += [[f"{sex}" + ("", ":", "")[v], "", "", ""], [NAMES[v][0], *AGES[v]]]
        rows += [[area, *line] for area, line in zip(AREAS[v], block, strict=True)]
        rows.append([TOTALS[v], *block.sum(axis=0)])
        rows.append([""] * 4)
    return "lines.csv", csv_of(rows, ";;,"[v]), [SEXES[v], AREAS[v], AGES[v]], counts


@shape
def three_merged_header_rows(v, random):
    counts = draw(random, 4, 2, 2, 3)
    kinds = (("Urban", "Rural"), ("Urbain", "Rural"), ("Stadt", "Land"))[v]
    head = [[NAMES[v][0]], [""], [""]]
    for kind in kinds:
        head[0] += [kind, *[""] * 5]
        for sex in SEXES[v]:
            head[1] += [sex, "", ""]
            head[2] += AGES[v]
    rows = [["T 1", *[""] * 12], *head]
    rows += [[area, *map(int, line.ravel())] for area, line in zip(AREAS[v], counts, strict=True)]
    axes = [AREAS[v], kinds, SEXES[v], AGES[v]]
    if v == 1:
        return "merged.csv", csv_of(rows, ";"), axes, counts
    return "merged.xlsx", workbook_of(rows, ["A2:A4", "B2:G2", "H2:M2", "B3:D3", "E3:G3"]), axes, counts


@shape
def counts_with_percentages(v, random):
    counts = draw(random, 4, 3)
    form = ("{} ({}%)", "{} ({} %)", "{} ({},0 %)")[v]
    rows = [[NAMES[v][0], *AGES[v]]]
    for area, line in zip(AREAS[v], counts, strict=True):
        rows.append([area, *(form.format(n, round(100 * n / line.sum())) for n in line)])
    return "percent.csv", csv_of(rows, ";"), [AREAS[v], AGES[v]], counts


@shape
def rows_of_percentages(v, random):
    counts = draw(random, 4, 3)
    rows = [[NAMES[v][0], "", *AGES[v], TOTALS[v]]]
    number = ("n", "Effectif", "Anzahl")[v]
    for area, line in zip(AREAS[v], counts, strict=True):
        shares = [f"{100 * n / line.sum():.1f}".replace(".", ".,,"[v]) for n in line]
        rows.append([area, number, *line, line.sum()])
        rows.append([("", "", area)[v], "%", *shares, ("100.0", "100,0", "100")[v]])
    return "rows.csv", csv_of(rows, ";"), [AREAS[v], AGES[v]], counts


@shape
def columns_of_percentages(v, random):
    counts = draw(random, 4, 3)
    number = ("Number", "Effectif", "Anzahl")[v]
    rows = [[NAMES[v][0]], [""]]
    for age in AGES[v]:
        rows[0] += [age, ""]
        rows[1] += [number, "%"]
    for area, line in zip(AREAS[v], counts, strict=True):
        shares = [f"{100 * n / line.sum():.1f}".replace(".", ".,,"[v]) for n in line]
        rows.append([area, *(cell for pair in zip(line, shares, strict=True) for cell in pair)])
    return "columns.csv", csv_of(rows, ";"), [AREAS[v], AGES[v]], counts


@shape
def thousands_with_decimals(v, random):
    counts = draw(random, 4, 3, low=40_000, high=2_500_000) // 100 * 100
    title = ("Population, in thousands", "Population (en milliers)", "Bevölkerung in 1 000")[v]
    rows = [[title, "", "", ""], [NAMES[v][0], *AGES[v]]]
    for area, line in zip(AREAS[v], counts, strict=True):
        texts = [f"{n / 1000:,.1f}" for n in line]
        if v:
            texts = [text.replace(",", " ").replace(".", ",") for text in texts]
        rows.append([area, *texts])
    return "thousands.csv", csv_of(rows, ";"), [AREAS[v], AGES[v]], counts


@shape
def decimals_without_a_unit(v, random):
    counts = draw(random, 4, 3, low=40_000, high=2_500_000) // 100 * 100
    rows = [[NAMES[v][0], *AGES[v]]]
    for area, line in zip(AREAS[v], counts, strict=True):
        texts = [f"{n / 1000:,.1f}" for n in line]
        if v:
            texts = [text.replace(",", " ").replace(".", ",") for text in texts]
        rows.append([area, *texts])
    return "decimals.csv", csv_of(rows, ";"), [AREAS[v], AGES[v]], counts


def _levels(v, random):
    """Return two regions of two areas each with codes, and the counts by sex."""
    regions = (("Highland", "Lowland"), ("Ouest", "Midi"), ("Ostregion", "Westregion"))[v]
    return regions, AREAS[v], draw(random, 4, 2)


@shape
def area_levels_in_pairs_of_columns(v, random):
    regions, areas, counts = _levels(v, random)
    rows = [["RegCode", "Region", "DistCode", "District", *SEXES[v]]]
    for k, (area, line) in enumerate(zip(areas, counts, strict=True)):
        region = regions[k // 2]
        rows.append([f"R{k // 2 + 1}", region, f"R{k // 2 + 1}0{k + 1}", area, *line])
    return "pairs.csv", csv_of(rows, ",;,"[v]), [areas, SEXES[v]], counts


@shape
def area_levels_with_sums_in_pairs_of_columns(v, random):
    regions, areas, counts = _levels(v, random)
    rows = [["RegCode", "Region", "DistCode", "District", *SEXES[v]]]
    for k, region in enumerate(regions):
        part = slice(2 * k, 2 * k + 2)
        rows.append([f"R{k + 1}", region, "", "", *counts[part].sum(axis=0)])
        for i in range(2 * k, 2 * k + 2):
            rows.append([f"R{k + 1}", region, f"R{k + 1}0{i + 1}", areas[i], *counts[i]])
    return "pairs.csv", csv_of(rows, ",;,"[v]), [areas, SEXES[v]], counts


@shape
def area_levels_in_one_column(v, random):
    regions, areas, counts = _levels(v, random)
    country = ("Freeland", "Francie", "Freiland")[v]
    level = ("level", "niveau", "Ebene")[v]
    rows = [[level, "code", NAMES[v][0], *SEXES[v]], ["1", "F", country, *counts.sum(axis=0)]]
    for k, region in enumerate(regions):
        part = slice(2 * k, 2 * k + 2)
        rows.append(["2", f"F{k + 1}", region, *counts[part].sum(axis=0)])
        for i in range(2 * k, 2 * k + 2):
            rows.append(["3", f"F{k + 1}{i + 1}", areas[i], *counts[i]])
    return "level.csv", csv_of(rows, ",;;"[v]), [areas, SEXES[v]], counts


@shape
def area_levels_that_are_rounded(v, random):
    regions, areas, _ = _levels(v, random)
    counts = draw(random, 4, 3, low=600, high=9000)
    noise = random.integers(-9, 10, (3, 3))
    country = ("Freeland", "Francie", "Freiland")[v]
    rows = [["level", NAMES[v][0], *AGES[v]], ["1", country, *(counts.sum(axis=0) + 2 * noise[0])]]
    for k, region in enumerate(regions):
        part = slice(2 * k, 2 * k + 2)
        rows.append(["2", region, *(counts[part].sum(axis=0) + noise[k + 1])])
        rows += [["3", areas[i], *counts[i]] for i in range(2 * k, 2 * k + 2)]
    return "level.csv", csv_of(rows, ",;;"[v]), [areas, AGES[v]], counts


@shape
def pivot_table_with_sub_totals(v, random):
    counts = draw(random, 2, 3, 2).astype(object)
    counts[0][1][1] = 0
    word = (f"Total {AREAS[v][0]}", f"Total {AREAS[v][0]}", f"{AREAS[v][0]} Ergebnis")[v]
    second = word.replace(AREAS[v][0], AREAS[v][1])
    rows = [[NAMES[v][0], NAMES[v][2], *SEXES[v], ("Grand Total", "Total général", "Gesamtergebnis")[v]]]
    for area, block, subtotal in zip(AREAS[v][:2], counts, (word, second), strict=True):
        for k, (age, line) in enumerate(zip(AGES[v], block, strict=True)):
            shown = ["--" if n == 0 else n for n in line]
            rows.append([area if k == 0 else "", age, *shown, sum(line)])
        rows.append([subtotal, "", *block.sum(axis=0), block.sum()])
    rows.append(
        [("Grand Total", "Total général", "Gesamtergebnis")[v], "", *counts.sum(axis=(0, 1)), counts.sum()]
    )
    return "pivot.csv", csv_of(rows, ",;;"[v]), [AREAS[v][:2], AGES[v], SEXES[v]], counts


@shape
def hxl_header_rows(v, random):
    counts = draw(random, 4, 2)
    kind = ("#population", "#affected", "#inneed")[v]
    rows = [[NAMES[v][0], "Pcode", *SEXES[v]], ["#adm1+name", "#adm1+code", f"{kind}+m", f"{kind}+f"]]
    rows += [
        [area, f"X{k:02}", *line] for k, (area, line) in enumerate(zip(AREAS[v], counts, strict=True), 1)
    ]
    return "hxl.csv", csv_of(rows), [AREAS[v], SEXES[v]], counts


@shape
def labels_in_three_languages(v, random):
    counts = draw(random, 3, 2)
    three = [
        ("Einzelhaushalt", "Ménage d'une personne", "Economia di una persona"),
        ("Paar ohne Kinder", "Couple sans enfants", "Coppia senza figli"),
        ("Paar mit Kindern", "Couple avec enfants", "Coppia con figli"),
    ]
    sexes = SEXES[v]
    if v == 0:
        rows = [["Deutsch", "Français", "Italiano", *sexes]]
        rows += [[*labels, *line] for labels, line in zip(three, counts, strict=True)]
    elif v == 1:
        rows = [["Typ", *sexes, "Type", "Tipo"]]
        rows += [[labels[0], *line, *labels[1:]] for labels, line in zip(three, counts, strict=True)]
    else:
        rows = [["Typ", *sexes, "Type"]]
        rows += [[labels[0], *line, labels[1]] for labels, line in zip(three, counts, strict=True)]
    return "languages.csv", csv_of(rows, ";"), [tuple(map("|".join, three)), sexes], counts


@shape
def pairs_of_all_and_of_which_women(v, random):
    women, men = draw(random, 4, 3), draw(random, 4, 3)
    both = women + men
    words = (("Total", "of which women"), ("Ensemble", "dont femmes"), ("zus.", "dar. weiblich"))[v]
    rows = [[NAMES[v][0]], [""]]
    for age in AGES[v]:
        rows[0] += [age, ""]
        rows[1] += words
    for k, area in enumerate(AREAS[v]):
        rows.append([area, *np.stack([both[k], women[k]], axis=-1).ravel()])
    return "women.csv", csv_of(rows, ";"), [AREAS[v], AGES[v]], both


@shape
def ftable_of_r(v, random):
    counts = draw(random, 2, 2, 3)
    areas = AREAS[v][:2]
    ages = [age.split()[0] if v else age.replace(" and over", "+") for age in AGES[v]]
    ages = [("0-14", "15-64", "65+"), ("0-14", "15-64", "65+"), ("unter15", "15bis64", "ab65")][v]
    names = NAMES[v]
    wide = max(map(len, (*areas, names[0]))) + 1
    other = max(map(len, (*SEXES[v], names[1]))) + 1
    lines = [" " * (wide + other) + names[2] + "  " + " ".join(f"{age:>8}" for age in ages)]
    lines.append(f"{names[0]:<{wide}}{names[1]:<{other}}")
    margin = " " * (len(names[2]) + 2)
    for area, block in zip(areas, counts, strict=True):
        for k, (sex, line) in enumerate(zip(SEXES[v], block, strict=True)):
            start = f"{area if k == 0 else '':<{wide}}{sex:<{other}}"
            lines.append(start + margin + " ".join(f"{n:>8}" for n in line))
    return "ftable.txt", ("\n".join(lines) + "\n").encode(), [areas, SEXES[v], ages], counts


@shape
def xtabs_of_r(v, random):
    counts = draw(random, 2, 3, 2)
    areas = AREAS[v][:2]
    names = NAMES[v]
    lines = []
    for area, block in zip(areas, counts, strict=True):
        lines += [f", , {names[0]} = {area}", ""]
        ages = ("0-14", "15-64", "65+")
        wide = max(map(len, (*ages, names[2]))) + 1
        lines.append(" " * wide + names[1])
        lines.append(f"{names[2]:<{wide}}" + "".join(f"{sex:>9}" for sex in SEXES[v]))
        lines += [
            f"{age:<{wide}}" + "".join(f"{n:>9}" for n in line) for age, line in zip(ages, block, strict=True)
        ]
        lines.append("")
    return (
        "xtabs.txt",
        ("\n".join(lines) + "\n").encode(),
        [areas, ("0-14", "15-64", "65+"), SEXES[v]],
        counts,
    )


@shape
def tibble_of_r(v, random):
    counts = draw(random, 3, 2)
    areas = AREAS[v][:3]
    names = (("area", "sex", "n"), ("region", "sexe", "effectif"), ("land", "geschlecht", "n"))[v]
    rows = [(area, sex, counts[i, j]) for i, area in enumerate(areas) for j, sex in enumerate(SEXES[v])]
    lines = [f"# A tibble: {len(rows)} × 3", f"  {names[0]:<12}{names[1]:<12}{names[2]:>9}"]
    lines.append(f"  {'<chr>':<12}{'<chr>':<12}{'<int>':>9}")
    lines += [f"{k} {area:<12}{sex:<12}{n:>9}" for k, (area, sex, n) in enumerate(rows, 1)]
    return "tibble.txt", ("\n".join(lines) + "\n").encode(), [areas, SEXES[v]], counts


@shape
def tabulate_of_stata(v, random):
    counts = draw(random, 4, 2)
    command = (". tabulate area sex", ". tab region sexe", ". tab land geschlecht, nofreq")[v]
    name, other = NAMES[v][0].lower(), NAMES[v][1].lower()
    lines = [
        command,
        "",
        f"           |{other:^22}",
        f"{name:>10} |{SEXES[v][0]:>11}{SEXES[v][1]:>10} |{'Total':>10}",
    ]
    rule = "-" * 11 + "+" + "-" * 22 + "+" + "-" * 10
    lines.append(rule)
    for area, line in zip(AREAS[v], counts, strict=True):
        lines.append(f"{area:>10} |{line[0]:>11,}{line[1]:>10,} |{line.sum():>10,} ")
    every = counts.sum(axis=0)
    lines += [rule, f"{'Total':>10} |{every[0]:>11,}{every[1]:>10,} |{every.sum():>10,} "]
    return "log.txt", ("\n".join(lines) + "\n").encode(), [AREAS[v], SEXES[v]], counts


@shape
def table_drawn_with_boxes(v, random):
    counts = draw(random, 4, 2)
    bar, cross, line = ("│┼─", "║╬═", "│┼─")[v]
    name = NAMES[v][0]
    wide = 12
    top = {"─": ("┌", "┬", "┐", "├", "┤", "└", "┴", "┘"), "═": ("╔", "╦", "╗", "╠", "╣", "╚", "╩", "╝")}[line]
    rule = line * wide
    lines = [top[0] + top[1].join([rule] * 3) + top[2]]
    lines.append(bar + bar.join(f" {cell:<{wide - 1}}" for cell in (name, *SEXES[v])) + bar)
    lines.append(top[3] + cross.join([rule] * 3) + top[4])
    for area, numbers in zip(AREAS[v], counts, strict=True):
        cells = [f" {area:<{wide - 1}}", *(f"{n:>{wide - 1}} " for n in numbers)]
        lines.append(bar + bar.join(cells) + bar)
    lines.append(top[5] + top[6].join([rule] * 3) + top[7])
    encoding = ("utf-8", "cp437", "cp850")[v]
    return "boxes.txt", ("\r\n".join(lines) + "\r\n").encode(encoding), [AREAS[v], SEXES[v]], counts


@shape
def marks_behind_numbers(v, random):
    counts = draw(random, 4, 3)
    mark = (" p", "*", " ┴")[v]
    rows = [[NAMES[v][0], *AGES[v]]]
    for k, (area, line) in enumerate(zip(AREAS[v], counts, strict=True)):
        rows.append([area, *(f"{n}{mark}" if (k + j) % 4 == 0 else n for j, n in enumerate(line))])
    return "marks.csv", csv_of(rows, ";"), [AREAS[v], AGES[v]], counts


@shape
def country_beside_few_areas(v, random):
    counts = draw(random, 4, 3)
    country = ("Freeland", "Francie", "Freiland")[v]
    all_ages = (counts.sum(axis=0) * random.uniform(2.2, 2.7, 3)).astype(int)
    rows = [[NAMES[v][0], *AGES[v]]]
    labels = ("Avon", "Devon", "Essex", "Kent") if v == 0 else AREAS[v]
    areas = [[area, *line] for area, line in zip(labels, counts, strict=True)]
    rows += [[country, *all_ages], *areas] if v != 1 else [*areas, [country, *all_ages]]
    return "country.csv", csv_of(rows, ";"), [labels, AGES[v]], counts


@shape
def wages_by_sector(v, random):
    wages = random.integers(1_800, 6_900, (4, 2))
    sectors = (
        ("Trade", "Mining", "Education", "Transport"),
        ("Commerce", "Mines", "Éducation", "Transports"),
        ("Handel", "Bergbau", "Bildung", "Verkehr"),
    )[v]
    title = ("Median monthly earnings", "Salaire net mensuel moyen", "Durchschnittlicher Bruttoverdienst")[v]
    rows = [[title, "", ""], [("Sector", "Secteur", "Branche")[v], *SEXES[v]]]
    rows += [[sector, *line] for sector, line in zip(sectors, wages, strict=True)]
    return "wages.csv", csv_of(rows, ";"), [], []


@shape
def archive_with_several_tables(v, random):
    counts = [draw(random, 4, 2), draw(random, 4, 2)]
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, table in zip(("2021.csv", "2022.csv"), counts, strict=True):
            rows = [[NAMES[v][0], *SEXES[v]], *([a, *line] for a, line in zip(AREAS[v], table, strict=True))]
            archive.writestr(name, csv_of(rows, ";"))
        if v == 1:
            archive.writestr("readme.txt", "Source: the office.\n")
    return "tables.zip", content.getvalue(), [AREAS[v], SEXES[v]], counts[v % 2]


@shape
def columns_of_fixed_width(v, random):
    counts = draw(random, 4, 2)
    areas = (
        ("Žilina", "Košice", "Trnava", "Prešov"),
        ("Kärnten", "Österreich-Süd", "Südtirol", "Wien"),
        ("Łódź", "Gdańsk", "Kraków", "Śląsk"),
    )[v]
    sexes = (("muži", "ženy"), ("männlich", "weiblich"), ("mężczyźni", "kobiety"))[v]
    lines = [f"{'':<18}{sexes[0]:>10}{sexes[1]:>10}"]
    lines += [f"{area:<18}{line[0]:>10}{line[1]:>10}" for area, line in zip(areas, counts, strict=True)]
    encoding = ("cp1250", "cp850", "cp852")[v]
    return "fixed.txt", ("\r\n".join(lines) + "\r\n").encode(encoding), [areas, sexes], counts


@shape
def one_group_larger_than_all_others(v, random):
    groups = (
        ("White", "Asian", "Black", "Mixed", "Other", "Not stated"),
        ("Français", "Portugais", "Italiens", "Marocains", "Belges", "Autres"),
        ("deutsch", "türkisch", "polnisch", "syrisch", "rumänisch", "andere"),
    )[v]
    counts = draw(random, 6, 4)
    counts[0] = random.integers(6_000, 9_000, 4)
    rows = [[("Ethnic group", "Nationalité", "Staatsangehörigkeit")[v], *AREAS[v]]]
    rows += [[group, *line] for group, line in zip(groups, counts, strict=True)]
    return "groups.csv", csv_of(rows, ";"), [groups, AREAS[v]], counts


@shape
def shares_in_brackets(v, random):
    counts = draw(random, 4, 3)
    form = ("{} ({:.1f})", "{} [{:.1f}%]", "{} ({:.1f})")[v]
    rows = [[NAMES[v][0], *AGES[v]]]
    for area, line in zip(AREAS[v], counts, strict=True):
        rows.append([area, *(form.format(n, 100 * n / line.sum()) for n in line)])
    return "shares.csv", csv_of(rows, ";"), [AREAS[v], AGES[v]], counts


@shape
def three_area_levels_with_sums(v, random):
    counts = draw(random, 8, 2)
    towns = ("Alba", "Brod", "Cres", "Dole", "Enns", "Fano", "Gent", "Horn")
    rows = [["rc", "Region", "dc", "District", "mc", "Municipality", *SEXES[v]]]
    for r, region in enumerate(("Upper", "Lower")):
        rows.append([r + 1, region, "", "", "", "", *counts[4 * r : 4 * r + 4].sum(axis=0)])
        for d in (2 * r, 2 * r + 1):
            codes = [r + 1, region, f"{r + 1}{d + 1}", AREAS[v][d]]
            rows.append([*codes, "", "", *counts[2 * d : 2 * d + 2].sum(axis=0)])
            rows += [[*codes, f"{r + 1}{d + 1}{m}", towns[m], *counts[m]] for m in (2 * d, 2 * d + 1)]
    return "three.csv", csv_of(rows, ",;;"[v]), [towns, SEXES[v]], counts


@shape
def level_column_with_missing_areas(v, random):
    regions, areas, counts = _levels(v, random)
    others = draw(random, 2, 2)
    sums = np.array([counts[:2].sum(axis=0), counts[2:].sum(axis=0)]) + others
    country = ("Freeland", "Francie", "Freiland")[v]
    rows = [["level", NAMES[v][0], *SEXES[v]], ["0", country, *sums.sum(axis=0)]]
    for k, region in enumerate(regions):
        rows.append(["1", region, *sums[k]])
        rows += [["2", areas[i], *counts[i]] for i in (2 * k, 2 * k + 1)]
    return "levels.csv", csv_of(rows, ",;;"[v]), [areas, SEXES[v]], counts


@shape
def total_and_women_without_men(v, random):
    women, men = draw(random, 4, 3), draw(random, 4, 3)
    words = (("total", "women"), ("ens.", "femmes"), ("insg.", "weibl."))[v]
    rows = [[NAMES[v][0]], [""]]
    for age in AGES[v]:
        rows[0] += [age, ""]
        rows[1] += words
    for k, area in enumerate(AREAS[v]):
        rows.append([area, *np.stack([women[k] + men[k], women[k]], axis=-1).ravel()])
    return "total.csv", csv_of(rows, ";"), [AREAS[v], AGES[v]], women + men


@shape
def log_of_stata_with_percentages(v, random):
    counts = draw(random, 3, 2)
    rule = "-----------+----------------------+----------"
    lines = ["      name:  <unnamed>", "  opened on:  12 Mar 2023, 10:11:12", "", ". tab region sex, row", ""]
    lines += ["+----------------+", "| Key            |", "|----------------|", "|   frequency    |"]
    lines += ["| row percentage |", "+----------------+", "", "           |          sex"]
    lines += [f"    region |    {SEXES[v][0]:>8}   {SEXES[v][1]:>8} |     Total", rule]
    named = [*zip(AREAS[v], counts, strict=False), ("Total", counts.sum(axis=0))]
    for area, line in named:
        shares = 100 * line / line.sum()
        lines.append(f"{area:>10} |  {line[0]:>9}  {line[1]:>8} | {line.sum():>9} ")
        lines.append(f"{'':>10} |  {shares[0]:>9.2f}  {shares[1]:>8.2f} |    100.00 ")
        lines += [rule] if area != "Total" else ["", ". log close"]
    return "a.log", "\n".join(lines).encode(), [AREAS[v][:3], SEXES[v]], counts


@shape
def hxl_tags_of_a_long_table(v, random):
    counts = draw(random, 4, 2)
    rows = [["Admin 1", NAMES[v][1], "Count"], ["#adm1+name", "#sex", "#population"]]
    rows += [[area, sex, counts[i, j]] for i, area in enumerate(AREAS[v]) for j, sex in enumerate(SEXES[v])]
    return "long.csv", csv_of(rows), [AREAS[v], SEXES[v]], counts


@shape
def suppressed_counts(v, random):
    counts = draw(random, 5, 3).astype(object)
    areas = (*AREAS[v], "Zell")
    rows = [[NAMES[v][0], *AGES[v]], *([area, *line] for area, line in zip(areas, counts, strict=True))]
    rows[3][2] = ("<5", "..", "x")[v]
    published = [0, 1, 3, 4]
    labels = tuple(areas[k] for k in published)
    return "suppressed.csv", csv_of(rows, ";"), [labels, AGES[v]], counts[published]
