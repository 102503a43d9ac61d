"""Small generators of files in the shapes of ten offices and of what spreadsheets make of them, from invented people.

Each function returns a content, and what must become of it: `right`, `asked` (and what an answer gives), or `refused`.
"""

from __future__ import annotations

import csv
import datetime
import io
import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import openpyxl

from sdcwidgets.tables.io.options import ReadOptions


class Invented:
    """People by area, sex and age, drawn anew for each seed; no marginal count is another one by chance."""

    areas = ("Noord", "Östergötland", "L'Aquila", "São Tomé")
    sexes = ("Male", "Female")
    ages = ("0-14", "15-64", "65+")

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.cube = rng.integers(3, 4000, (4, 2, 3))
        self.by_sex = self.cube.sum(axis=2)
        self.by_age = self.cube.sum(axis=1)
        self.by_area = self.cube.sum(axis=(1, 2))
        self.rng = rng


class Must(NamedTuple):
    """What must become of a file: counts at once, or what is said, and the counts after an answer."""

    counts: Any = None
    said: str = ""
    how: ReadOptions | None = None
    notes: str = ""


class OfficeFile(NamedTuple):
    """A file in the shape of an office."""

    office: str
    name: str
    make: Callable[[Invented], tuple[str | bytes, Must]]


FILES: list[OfficeFile] = []
Make = Callable[[Invented], tuple[str | bytes, Must]]


def of(office: str) -> Callable[[Make], Make]:
    """Keep a generator as one of an office's."""

    def keep(make: Make) -> Make:
        FILES.append(OfficeFile(office, make.__name__, make))
        return make

    return keep


def right(counts: Any, notes: str = "") -> Must:
    """These counts at once, and somewhere in the notes these words."""
    return Must(np.asarray(counts), notes=notes)


def asked(said: str, counts: Any = None, **how: Any) -> Must:
    """A question with these words; answered with `how`, these counts."""
    return Must(None if counts is None else np.asarray(counts), said, ReadOptions(**how))


def refused(said: str) -> Must:
    """A refusal with these words."""
    return Must(said=said)


def lines(*rows: Sequence[Any], mark: str = ",", quoted: bool = False) -> str:
    """Rows as text; a row of one text is a line as it is."""
    stream = io.StringIO()
    writer = csv.writer(
        stream, delimiter=mark, lineterminator="\n", quoting=csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL
    )
    for row in rows:
        if isinstance(row, str):
            stream.write(row + "\n")
        else:
            writer.writerow(row)
    return stream.getvalue()


def book(**sheets: Sequence[Sequence[Any]]) -> bytes:
    """A workbook with these sheets."""
    made = openpyxl.Workbook()
    made.remove(made.active)
    for title, rows in sheets.items():
        sheet = made.create_sheet(title.replace("_", " "))
        for row in rows:
            sheet.append(list(row))
    stream = io.BytesIO()
    made.save(stream)
    return stream.getvalue()


def grouped(number: int, mark: str) -> str:
    """A number with a mark between thousands."""
    return f"{int(number):,}".replace(",", mark)


# Statistics Netherlands


@of("Statistics Netherlands")
def statline_crosstab(p: Invented) -> tuple[str, Must]:
    body = [["Nederland", *map(int, p.by_sex.sum(axis=0)), int(p.by_sex.sum())]]
    body += [[a, *map(int, row), int(row.sum())] for a, row in zip(p.areas, p.by_sex, strict=True)]
    head = ["Regio's", "Mannen", "Vrouwen", "Totaal mannen en vrouwen"]
    return lines('"Bevolking; geslacht, regio"', head, *body, '"Bron: CBS."', mark=";", quoted=True), right(
        p.by_sex
    )


@of("Statistics Netherlands")
def statline_two_topics(p: Invented) -> tuple[str, Must]:
    """Persons beside households and their average size, with units below the header."""
    head = [
        ["Regio's", "Bevolking", "Particuliere huishoudens", "Gemiddelde huishoudensgrootte"],
        ["", "aantal", "aantal", "aantal"],
    ]
    body = [[a, int(n), int(n) // 2, "2,1"] for a, n in zip(p.areas, p.by_area, strict=True)]
    return lines(*head, *body, "Bron: CBS", mark=";", quoted=True), asked(
        "units other than people", p.by_area, margins="drop"
    )


@of("Statistics Netherlands")
def statline_thousands(p: Invented) -> tuple[str, Must]:
    body = [
        [a, *(f"{n / 1000:.1f}".replace(".", ",") for n in row)]
        for a, row in zip(p.areas, p.by_sex, strict=True)
    ]
    return lines(["Regio's", "Mannen (x 1 000)", "Vrouwen (x 1 000)"], *body, mark=";"), refused("thousands")


@of("Statistics Netherlands")
def odata_typed(p: Invented) -> tuple[str, Must]:
    """Codes with blanks behind them, a running number, and one year."""
    head = ["ID", "Geslacht", "RegioS", "Perioden", "Bevolking_1"]
    body = [
        [k, sex, f"{area:<6}", "2023JJ00", int(p.by_sex[i, j])]
        for k, (i, area, j, sex) in enumerate(
            (i, f"GM{i:04d}", j, sex) for i in range(4) for j, sex in enumerate(("3000   ", "4000   "))
        )
    ]
    return lines(head, *body, mark=";", quoted=True), asked(
        "columns to count by", p.by_sex, by=("RegioS", "Geslacht"), count="Bevolking_1"
    )


@of("Statistics Netherlands")
def statline_confidential(p: Invented) -> tuple[str, Must]:
    body = [[a, *map(int, row)] for a, row in zip(p.areas, p.by_sex, strict=True)]
    body[1][2] = "."
    return lines(["Regio's", "Mannen", "Vrouwen"], *body, mark=";"), refused("unpublished")


@of("Statistics Netherlands")
def statline_years(p: Invented) -> tuple[str, Must]:
    body = [[a, *map(int, row)] for a, row in zip(p.areas, p.by_sex, strict=True)]
    return lines(["Perioden", "2021", "2022"], *body, mark=";"), asked(
        "first_line", p.by_sex[:, 1], first_line="labels", only=("Column=2022",)
    )


# ONS and NOMIS


@of("ONS")
def nomis_query(p: Invented) -> tuple[str, Must]:
    above = [
        "KS101EW - Usual resident population",
        "ONS Crown Copyright Reserved [from Nomis on 12 March 2024]",
        "",
    ]
    about = ['"population","All usual residents"', '"units      ","Persons"', ""]
    body = [[a, *map(int, row)] for a, row in zip(p.areas, p.by_sex, strict=True)]
    below = [
        "",
        '"In order to protect against disclosure of personal information, records have been swapped."',
    ]
    return lines(*above, *about, ["local authority", "Males", "Females"], *body, *below), right(p.by_sex)


@of("ONS")
def create_a_dataset(p: Invented) -> tuple[str, Must]:
    head = [
        "Lower tier local authorities Code",
        "Lower tier local authorities",
        "Sex (2 categories) Code",
        "Sex (2 categories)",
        "Observation",
    ]
    body = [
        [f"E0900000{i}", a, j + 1, s, int(p.by_sex[i, j])]
        for i, a in enumerate(p.areas)
        for j, s in enumerate(p.sexes)
    ]
    return lines(head, *body), right(p.by_sex)


@of("ONS")
def nomis_api(p: Invented) -> tuple[str, Must]:
    head = [
        "DATE",
        "DATE_NAME",
        "GEOGRAPHY_CODE",
        "GEOGRAPHY_NAME",
        "GENDER_NAME",
        "MEASURES_NAME",
        "OBS_VALUE",
        "OBS_STATUS",
    ]
    body = [
        [2021, 2021, f"E0900000{i}", a, s, "Value", int(p.by_sex[i, j]), "A"]
        for i, a in enumerate(p.areas)
        for j, s in enumerate(p.sexes)
    ]
    return lines(head, *body, quoted=True), right(p.by_sex)


@of("ONS")
def mid_year_estimates(p: Invented) -> tuple[str, Must]:
    head = ["ladcode21", "laname21", "sex", "age", "population_2020", "population_2021"]
    body = [
        [f"E0900000{i}", a, s[0], k, int(p.cube[i, j, k]), int(p.cube[i, j, k]) + 5]
        for i, a in enumerate(p.areas)
        for j, s in enumerate(p.sexes)
        for k in range(3)
    ]
    return lines(head, *body), asked(
        '"age" contains', p.by_sex, by=("laname21", "sex"), count="population_2020"
    )


@of("ONS")
def census_workbook(p: Invented) -> tuple[bytes, Must]:
    """A cover sheet, notes, and the table with its own title on another sheet."""
    cover = [["Census 2021"], ["This worksheet contains one table."]]
    rows = [
        ["Table P01: Usual residents"],
        ["Source: ONS"],
        ["Area code", "Area name", "All persons", "Females", "Males"],
    ]
    rows += [
        [f"E0900000{i}", a, int(n.sum()), int(n[1]), int(n[0])]
        for i, (a, n) in enumerate(zip(p.areas, p.by_sex, strict=True))
    ]
    return book(Cover=cover, Notes=[["Note 1", "Rounded"]], P01=rows), right(p.by_sex[:, ::-1])


@of("ONS")
def median_age(p: Invented) -> tuple[str, Must]:
    body = [[a, *map(int, row), 38 + i] for i, (a, row) in enumerate(zip(p.areas, p.by_sex, strict=True))]
    return lines(["Area", "Males", "Females", "Median age"], *body), asked(
        "figures other than counts", p.by_sex, margins="drop"
    )


@of("ONS")
def suppressed_with_c(p: Invented) -> tuple[str, Must]:
    body = [[a, *map(int, row)] for a, row in zip(p.areas, p.by_sex, strict=True)]
    body[2][1] = "[c]"
    return lines(["Area", "Males", "Females"], *body), refused("unpublished")


# Destatis


@of("Destatis")
def genesis_table(p: Invented) -> tuple[str, Must]:
    above = [
        "GENESIS-Tabelle: 12411-0018",
        "Bevölkerung: Bundesländer, Stichtag, Geschlecht;;;",
        "Fortschreibung des Bevölkerungsstandes;;;",
    ]
    body = [[a, *map(int, row), int(row.sum())] for a, row in zip(p.areas, p.by_sex, strict=True)]
    body.append(["Insgesamt", *map(int, p.by_sex.sum(axis=0)), int(p.by_sex.sum())])
    below = ["__________", "© Statistisches Bundesamt (Destatis), 2024 | Stand: 12.03.2024"]
    content = lines(
        *above,
        ["", "männlich", "weiblich", "Insgesamt"],
        ["", "Anzahl", "Anzahl", "Anzahl"],
        *body,
        *below,
        mark=";",
    )
    return content.encode("cp1252"), right(p.by_sex)


@of("Destatis")
def genesis_flat(p: Invented) -> tuple[str, Must]:
    head = [
        "Statistik_Code",
        "Statistik_Label",
        "Zeit_Label",
        "Zeit",
        "1_Merkmal_Label",
        "1_Auspraegung_Label",
        "2_Merkmal_Label",
        "2_Auspraegung_Label",
        "BEVSTD__Bevölkerungsstand__Anzahl",
    ]
    body = [
        [
            "12411",
            "Fortschreibung",
            "Stichtag",
            "31.12.2022",
            "Bundesländer",
            a,
            "Geschlecht",
            s,
            int(p.by_sex[i, j]),
        ]
        for i, a in enumerate(p.areas)
        for j, s in enumerate(("männlich", "weiblich"))
    ]
    return lines(head, *body, mark=";"), right(p.by_sex)


@of("Destatis")
def genesis_dates(p: Invented) -> tuple[str, Must]:
    body = [[a, *map(int, row)] for a, row in zip(p.areas, p.by_sex, strict=True)]
    return lines(["Bundesländer", "31.12.2021", "31.12.2022"], *body, mark=";"), asked("times")


@of("Destatis")
def genesis_nothing(p: Invented) -> tuple[str, Must]:
    """A hyphen is exactly nobody there, elsewhere a gap."""
    body = [[a, *map(int, row)] for a, row in zip(p.areas, p.by_sex, strict=True)]
    body[0][2] = "-"
    return lines(["Kreise", "männlich", "weiblich"], *body, mark=";"), refused("may mean zero")


@of("Destatis")
def microcensus(p: Invented) -> tuple[str, Must]:
    body = [[a, *(f"{n // 10}" for n in row)] for a, row in zip(p.areas, p.by_sex, strict=True)]
    body[3][1] = "/"
    return lines(["in 1 000"], ["Land", "Männer", "Frauen"], *body, mark=";"), asked("not single people")


@of("Destatis")
def microcensus_whole(p: Invented) -> tuple[str, Must]:
    """Thousands of people, said in a line over the table alone."""
    body = [[a, *(int(n) for n in row)] for a, row in zip(p.areas, p.by_sex, strict=True)]
    return lines("Erwerbstätige in 1 000;;", ["Land", "Männer", "Frauen"], *body, mark=";"), asked(
        "not single people", p.by_sex, margins="keep"
    )


@of("Destatis")
def points_for_thousands(p: Invented) -> tuple[str, Must]:
    counts = p.by_sex + 1000
    body = [[a, *(grouped(n, ".") for n in row)] for a, row in zip(p.areas, counts, strict=True)]
    return lines(["Land", "männlich", "weiblich"], *body, mark=";"), right(counts)


@of("Destatis")
def density(p: Invented) -> tuple[str, Must]:
    body = [[a, int(n), 100 + i, 7 + i] for i, (a, n) in enumerate(zip(p.areas, p.by_area, strict=True))]
    return lines(["Land", "Bevölkerung", "Fläche in km²", "Einwohner je km²"], *body, mark=";"), asked(
        "figures other than counts", p.by_area, margins="drop"
    )


# INSEE


@of("INSEE")
def base_long(p: Invented) -> tuple[str, Must]:
    head = ["NIVGEO", "CODGEO", "LIBGEO", "SEXE", "AGEPYR10", "NB"]
    body = [
        ["COM", f"0100{i}", a, j + 1, k, int(p.cube[i, j, k])]
        for i, a in enumerate(p.areas)
        for j in range(2)
        for k in range(3)
    ]
    return lines(head, *body, mark=";"), asked("count by", p.by_sex, by=("LIBGEO", "SEXE"), count="NB")


@of("INSEE")
def base_long_decimals(p: Invented) -> tuple[str, Must]:
    head = ["CODGEO", "LIBGEO", "SEXE", "NB"]
    body = [
        [f"0100{i}", a, j + 1, f"{p.by_sex[i, j] + 0.137:.6f}"]
        for i, a in enumerate(p.areas)
        for j in range(2)
    ]
    return lines(head, *body, mark=";"), refused("whole number|decimal|count")


@of("INSEE")
def base_wide(p: Invented) -> tuple[str, Must]:
    """A total, men, women, ages and households: columns that overlap."""
    head = [
        "CODGEO",
        "LIBGEO",
        "P19_POP",
        "P19_POPH",
        "P19_POPF",
        "P19_POP0014",
        "P19_POP1564",
        "P19_POP65P",
        "C19_MEN",
    ]
    body = [
        [f"0100{i}", a, int(n.sum()), *map(int, n), *map(int, p.by_age[i]), int(n.sum()) // 2]
        for i, (a, n) in enumerate(zip(p.areas, p.by_sex, strict=True))
    ]
    return lines(head, *body, mark=";"), asked("not included")


@of("INSEE")
def melodi(p: Invented) -> tuple[str, Must]:
    head = ["GEO", "SEX", "AGE", "TIME_PERIOD", "OBS_VALUE"]
    ages = ("Y_LT15", "Y15T64", "Y_GE65")
    cube = [
        [f"2024-COM-0{i}", s, g, y, int(p.cube[i, j, k]) + y - 2020]
        for i in range(4)
        for j, s in enumerate("MF")
        for k, g in enumerate(ages)
        for y in (2020, 2021)
    ]
    return lines(head, *cube, mark=";"), asked("times", p.cube, only=("TIME_PERIOD=2020",))


@of("INSEE")
def narrow_spaces(p: Invented) -> tuple[str, Must]:
    counts = p.by_sex + 1000
    body = [[a, *(grouped(n, "\u202f") for n in row)] for a, row in zip(p.areas, counts, strict=True)]
    body.append(["Ensemble", *(grouped(n, "\u202f") for n in counts.sum(axis=0))])
    return lines(["Région", "Hommes", "Femmes"], *body, "Lecture : au 1er janvier 2021.", mark=";"), right(
        counts
    )


@of("INSEE")
def average_income(p: Invented) -> tuple[str, Must]:
    body = [
        [a, *map(int, row), 21000 + 7 * i] for i, (a, row) in enumerate(zip(p.areas, p.by_sex, strict=True))
    ]
    return lines(["Commune", "Hommes", "Femmes", "Revenu médian"], *body, mark=";"), asked(
        "figures other than counts", p.by_sex, margins="drop"
    )


# ISTAT


@of("ISTAT")
def i_stat(p: Invented) -> tuple[str, Must]:
    """Codes beside labels, totals inside, one kind of figure, one year."""
    head = [
        "ITTER107",
        "Territorio",
        "TIPO_DATO15",
        "Tipo di indicatore demografico",
        "SEXISTAT1",
        "Sesso",
        "TIME",
        "Seleziona periodo",
        "Value",
        "Flag Codes",
        "Flags",
    ]
    body = []
    for i, a in enumerate(p.areas):
        for j, s in enumerate(("maschi", "femmine", "totale")):
            n = p.by_sex[i].sum() if j == 2 else p.by_sex[i, j]
            body.append(
                [
                    f"ITC{i}",
                    a,
                    "JAN",
                    "popolazione al 1º gennaio",
                    j + 1 if j < 2 else 9,
                    s,
                    2023,
                    2023,
                    int(n),
                    "",
                    "",
                ]
            )
    return lines(head, *body, mark="|", quoted=True), right(p.by_sex)


@of("ISTAT")
def demo_istat(p: Invented) -> tuple[str, Must]:
    above = ["Popolazione residente al 1° gennaio 2023 - Provincia: Torino"]
    body = [[g, *map(int, n), int(n.sum())] for g, n in zip(p.ages, p.cube.sum(axis=0).T, strict=True)]
    body.append(["Totale", *map(int, p.by_sex.sum(axis=0)), int(p.by_sex.sum())])
    return lines(*above, ["Età", "Totale maschi", "Totale femmine", "Totale"], *body, mark=";"), right(
        p.cube.sum(axis=0).T
    )


@of("ISTAT")
def mean_age_of_row(p: Invented) -> tuple[str, Must]:
    """A row of averages below rows of people."""
    body = [[g, *map(int, n)] for g, n in zip(p.ages, p.cube.sum(axis=0).T, strict=True)]
    body.append(["Età media", 44, 47])
    return lines(["Età", "maschi", "femmine"], *body, mark=";"), asked(
        "figures other than counts", p.cube.sum(axis=0).T, margins="drop"
    )


@of("ISTAT")
def families(p: Invented) -> tuple[str, Must]:
    body = [[a, int(n), int(n) // 3, "2,31"] for a, n in zip(p.areas, p.by_area, strict=True)]
    return lines(
        ["Provincia", "Popolazione", "Famiglie", "Numero medio di componenti"], *body, mark=";"
    ), asked("units other than people", p.by_area, margins="drop")


@of("ISTAT")
def two_kinds_of_figures(p: Invented) -> tuple[str, Must]:
    """Long rows of which some are of one kind of figure and some of another."""
    head = ["Territorio", "Tipo dato", "Sesso", "Value"]
    body = [
        [a, kind, s, int(p.by_sex[i, j]) if kind[0] == "p" else 9 + i + j]
        for kind in ("popolazione", "tasso per 1000")
        for i, a in enumerate(p.areas)
        for j, s in enumerate(("maschi", "femmine"))
    ]
    return lines(head, *body, mark=";"), asked("kinds of figures", p.by_sex, only=("Tipo dato=popolazione",))


# INE (Spain, Portugal)


@of("INE")
def ine_long(p: Invented) -> tuple[str, Must]:
    counts = p.by_sex + 1000
    body = [
        [a, s, "1 de enero de 2022", grouped(n, ".")]
        for i, a in enumerate(("Total", *p.areas))
        for s, n in zip(
            ("Total", "Hombres", "Mujeres"),
            (lambda row: (row.sum(), *row))(counts.sum(axis=0) if i == 0 else counts[i - 1]),
            strict=True,
        )
    ]
    return lines(["Provincias", "Sexo", "Periodo", "Total"], *body, mark=";"), right(counts)


@of("INE")
def ine_long_years(p: Invented) -> tuple[str, Must]:
    body = [
        [a, s, y, int(p.by_sex[i, j]) + y - 2021]
        for i, a in enumerate(p.areas)
        for j, s in enumerate(("Hombres", "Mujeres"))
        for y in (2021, 2022)
    ]
    return lines(["Provincias", "Sexo", "Periodo", "Total"], *body, mark="\t"), asked(
        "times", p.by_sex, only=("Periodo=2021",)
    )


@of("INE")
def ine_workbook(p: Invented) -> tuple[bytes, Must]:
    rows = [["Censo de Población"], ["Unidades: Personas"], [], ["", "Hombres", "Mujeres"]]
    rows += [[a, *map(int, row)] for a, row in zip(p.areas, p.by_sex, strict=True)]
    rows += [[], ["Fuente:"], ["Instituto Nacional de Estadística"]]
    return book(tabla_0=rows), right(p.by_sex)


@of("INE")
def ine_portugal(p: Invented) -> tuple[str, Must]:
    body = [
        [a, *map(int, row), int(row.sum()), f"{i}3.1"]
        for i, (a, row) in enumerate(zip(p.areas, p.by_sex, strict=True), 1)
    ]
    return lines(["Localização geográfica", "H", "M", "HM", "Proporção (%)"], *body, mark=";"), right(
        p.by_sex, "percentages"
    )


@of("INE")
def ine_px(p: Invented) -> tuple[bytes, Must]:
    areas, data = '","'.join(p.areas), "\n".join(" ".join(map(str, row)) for row in p.by_sex)
    text = (
        'AXIS-VERSION="2006";\nTITLE="Población";\nUNITS="Personas";\nSTUB="Provincias";\nHEADING="Sexo";\n'
        f'VALUES("Provincias")="{areas}";\nVALUES("Sexo")="Hombres","Mujeres";\nDATA=\n{data};\n'
    )
    return text.encode("cp1252"), right(p.by_sex)


@of("INE")
def ine_px_keys(p: Invented) -> tuple[bytes, Must]:
    """Rows with their keys before them, and those of zeros not there."""
    codes = '","'.join(f"0{i}" for i in range(4))
    areas, left = '","'.join(p.areas), [0, 2, 3]
    data = "\n".join(f'"0{i}", {" ".join(map(str, p.by_sex[i]))}' for i in left)
    text = (
        'AXIS-VERSION="2010";\nTITLE="Población";\nSTUB="Provincias";\nHEADING="Sexo";\n'
        f'VALUES("Provincias")="{areas}";\nCODES("Provincias")="{codes}";\nVALUES("Sexo")="Hombres","Mujeres";\n'
        f'KEYS("Provincias")=CODES;\nDATA=\n{data};\n'
    )
    counts = p.by_sex.copy()
    counts[1] = 0
    return text.encode("cp1252"), right(counts)


# Eurostat


@of("Eurostat")
def eurostat_tsv(p: Invented) -> tuple[str, Must]:
    body = [
        f"A,NR,{s},{g}\t{p.by_sex[i, j]} \t{p.by_sex[i, j] + 3} p"
        for i, g in enumerate(("AT", "BE", "CY", "DE"))
        for j, s in enumerate("MF")
    ]
    return "\n".join(["freq,unit,sex,geo\\TIME_PERIOD\t2021 \t2022 ", *body]), asked(
        "times", p.by_sex.T, only=("TIME_PERIOD=2021",)
    )


@of("Eurostat")
def eurostat_thousands(p: Invented) -> tuple[str, Must]:
    body = [
        f"A,THS_PER,{s},{g}\t{p.by_sex[i, j]} "
        for i, g in enumerate(("AT", "BE", "CY", "DE"))
        for j, s in enumerate("MF")
    ]
    return "\n".join(["freq,unit,sex,geo\\TIME_PERIOD\t2021 ", *body]), asked(
        "not single people", p.by_sex.T, margins="keep"
    )


@of("Eurostat")
def sdmx_thousands(p: Invented) -> tuple[str, Must]:
    head = ["DATAFLOW", "LAST UPDATE", "freq", "unit", "sex", "geo", "TIME_PERIOD", "OBS_VALUE", "OBS_FLAG"]
    body = [
        ["ESTAT:LFSQ(1.0)", "01/01/24 23:00:00", "A", "THS_PER", s, g, 2022, int(p.by_sex[i, j]), ""]
        for i, g in enumerate(("AT", "BE", "CY", "DE"))
        for j, s in enumerate("MF")
    ]
    return lines(head, *body), asked("not single people", p.by_sex.T, margins="keep")


@of("Eurostat")
def sdmx_multiplied(p: Invented) -> tuple[str, Must]:
    """A power of ten in an attribute: values are thousands."""
    head = ["DATAFLOW", "SEX", "GEO", "TIME_PERIOD", "OBS_VALUE", "UNIT_MULT"]
    body = [
        ["X:Y(1.0)", s, g, 2022, int(p.by_sex[i, j]), 3]
        for i, g in enumerate(("AT", "BE", "CY", "DE"))
        for j, s in enumerate("MF")
    ]
    return lines(head, *body), asked("not single people", p.by_sex.T, margins="keep")


@of("Eurostat")
def sdmx_units(p: Invented) -> tuple[str, Must]:
    """Numbers and percentages of the same people, by a unit."""
    head = ["DATAFLOW", "UNIT", "SEX", "GEO", "TIME_PERIOD", "OBS_VALUE"]
    body = [
        ["X:Y(1.0)", u, s, g, 2022, int(p.by_sex[i, j]) if u == "NR" else 20 + i]
        for u in ("NR", "PC")
        for i, g in enumerate(("AT", "BE", "CY", "DE"))
        for j, s in enumerate("MF")
    ]
    return lines(head, *body), asked("kinds of figures", p.by_sex.T, only=("UNIT=NR",))


@of("Eurostat")
def data_browser(p: Invented) -> tuple[bytes, Must]:
    """Flags in a column of their own beside each, ":" for what is not there."""
    rows = [
        ["Data extracted on 12/03/2024"],
        ["Dataset:", "Population [demo]"],
        [],
        ["SEX", "Males", "", "Females", ""],
        ["GEO (Labels)", "", "", "", ""],
    ]
    rows += [
        [a, int(n[0]), "p" if i == 1 else None, int(n[1]), None]
        for i, (a, n) in enumerate(zip(p.areas, p.by_sex, strict=True))
    ]
    rows += [[], ["Special value"], [":", "not available"], ["Observation flags:"], ["p", "provisional"]]
    return book(Summary=[["Contents"], ["Sheet 1", "Population"]], Sheet_1=rows), right(p.by_sex)


@of("Eurostat")
def flags_beside(p: Invented) -> tuple[str, Must]:
    body = [[a, f"{n[0]} p", f"{n[1]} b"] for a, n in zip(p.areas, p.by_sex, strict=True)]
    return lines(["GEO", "M", "F"], *body), asked("flag", p.by_sex, flags="off")


@of("Eurostat")
def colon_for_gaps(p: Invented) -> tuple[str, Must]:
    body = [[a, *map(int, n)] for a, n in zip(p.areas, p.by_sex, strict=True)]
    body[1][1] = ":"
    return lines(["GEO", "M", "F"], *body), asked("unpublished|flags", p.by_sex[[0, 2, 3]], flags="out")


@of("Eurostat")
def json_stat(p: Invented) -> tuple[bytes, Must]:
    def category(labels: Sequence[str]) -> dict[str, Any]:
        return {"category": {"index": {x: i for i, x in enumerate(labels)}, "label": {x: x for x in labels}}}

    made = {
        "version": "2.0",
        "class": "dataset",
        "id": ["freq", "unit", "geo", "sex", "time"],
        "size": [1, 1, 4, 2, 1],
        "dimension": {
            "freq": category(["A"]),
            "unit": category(["NR"]),
            "geo": category(p.areas),
            "sex": category(p.sexes),
            "time": category(["2022"]),
        },
        "value": {str(k): int(n) for k, n in enumerate(p.by_sex.ravel())},
    }
    return json.dumps(made).encode(), right(p.by_sex)


# US Census Bureau


@of("US Census")
def acs_estimates(p: Invented) -> tuple[str, Must]:
    head = [
        "Label (Grouping)",
        *(f"{a}, Texas!!{w}" for a in p.areas for w in ("Estimate", "Margin of Error")),
    ]
    body = [
        [label, *(cell for n in p.by_sex[:, j] for cell in (grouped(n, ","), f"±{int(n) // 20}"))]
        for j, label in enumerate(("\xa0\xa0Male:", "\xa0\xa0Female:"))
    ]
    total = ["Total:", *(cell for n in p.by_area for cell in (grouped(n, ","), f"±{int(n) // 20}"))]
    return lines(head, total, *body, quoted=True), asked("Margin of Error", p.by_sex.T, margins="drop")


@of("US Census")
def acs_api(p: Invented) -> tuple[str, Must]:
    """Codes in the header, labels in the line below, errors beside estimates."""
    head = [
        ["GEO_ID", "NAME", "B01001_002E", "B01001_002M", "B01001_026E", "B01001_026M"],
        [
            "Geography",
            "Geographic Area Name",
            "Estimate!!Total:!!Male:",
            "Margin of Error!!Total:!!Male:",
            "Estimate!!Total:!!Female:",
            "Margin of Error!!Total:!!Female:",
        ],
    ]
    body = [
        [f"0500000US4800{i}", a, int(n[0]), 11 + i, int(n[1]), 12 + i]
        for i, (a, n) in enumerate(zip(p.areas, p.by_sex, strict=True))
    ]
    return lines(*head, *body, quoted=True), asked("Margin of Error", p.by_sex, margins="drop")


@of("US Census")
def population_estimates(p: Invented) -> tuple[str, Must]:
    """Estimates of several years, births, changes and rates in one file."""
    head = [
        "SUMLEV",
        "STATE",
        "NAME",
        "POPESTIMATE2021",
        "POPESTIMATE2022",
        "NPOPCHG_2022",
        "BIRTHS2022",
        "RNETMIG2022",
    ]
    body = [
        ["040", f"0{i}", a, int(n), int(n) + 9, 9, 7 + i, f"{i}.25"]
        for i, (a, n) in enumerate(zip(p.areas, p.by_area, strict=True))
    ]
    return lines(head, *body), refused("decimal numbers")


@of("US Census")
def sexes_by_code(p: Invented) -> tuple[str, Must]:
    """Sex 0 is the sum of 1 and 2."""
    head = ["NAME", "SEX", "AGE", "POPESTIMATE2022"]
    body = [
        [a, j, k, int(p.cube[i, :, k].sum() if j == 0 else p.cube[i, j - 1, k])]
        for i, a in enumerate(p.areas)
        for j in range(3)
        for k in range(3)
    ]
    return lines(head, *body), right(p.cube, "sums of other lines")


@of("US Census")
def decennial(p: Invented) -> tuple[str, Must]:
    head = ["", "Total", *(f"!!Total:!!{s}" for s in p.sexes)]
    body = [[a, int(n.sum()), *map(int, n)] for a, n in zip(p.areas, p.by_sex, strict=True)]
    return lines(head, *body, quoted=True), right(p.by_sex)


@of("US Census")
def years_with_a_letter(p: Invented) -> tuple[str, Must]:
    body = [[a, *map(int, n)] for a, n in zip(p.areas, p.by_sex, strict=True)]
    return lines(["Area", "Y2021", "Y2022"], *body), asked("times", p.by_sex[:, 0], only=("Column=Y2021",))


@of("US Census")
def cps_in_thousands(p: Invented) -> tuple[bytes, Must]:
    """Thousands, said in a title alone."""
    rows = [
        ["Table 1. Population by Sex: 2022"],
        ["(Numbers in thousands. Civilian noninstitutionalized population.)"],
        ["Area", "Male", "Female"],
    ]
    rows += [[a, *map(int, n)] for a, n in zip(p.areas, p.by_sex, strict=True)]
    return book(Table_1=rows), asked("not single people", p.by_sex, margins="keep")


# IPUMS


def _people(p: Invented) -> list[list[int]]:
    return [
        [1 + int(x), int(y)] for x, y in zip(p.rng.integers(0, 2, 40), p.rng.integers(0, 95, 40), strict=True)
    ]


@of("IPUMS")
def ipums_usa(p: Invented) -> tuple[str, Must]:
    people = _people(p)
    body = [[2021, 202101, 1 + k // 2, 100, 1 + k % 2, 10 + k % 7, *one] for k, one in enumerate(people)]
    head = ["YEAR", "SAMPLE", "SERIAL", "HHWT", "PERNUM", "PERWT", "SEX", "AGE"]
    many = [sum(one[0] == s for one in people) for s in (1, 2)]
    return lines(head, *body), asked("a file of records", many, by=("SEX",), count="rows")


@of("IPUMS")
def ipums_few_columns(p: Invented) -> tuple[str, Must]:
    """An extract of codes alone: nothing in it is a count."""
    body = [[101, *one, 1 + k % 4] for k, one in enumerate(_people(p))]
    return lines(["STATEFIP", "SEX", "AGE", "MARST"], *body), asked("record|count by|person")


@of("IPUMS")
def nhgis(p: Invented) -> tuple[str, Must]:
    head = ["GISJOIN", "YEAR", "STATE", "COUNTY", "AODOE001", "AODOE002", "AODOE003"]
    body = [
        [f"G48000{i}", "2018-2022", "Texas", a, int(n.sum()), *map(int, n)]
        for i, (a, n) in enumerate(zip(p.areas, p.by_sex, strict=True))
    ]
    return lines(head, *body), refused('"YEAR" contains')


@of("IPUMS")
def labelled_people(p: Invented) -> tuple[str, Must]:
    people = [["male" if s == 1 else "female", "young" if a < 40 else "old"] for s, a in _people(p)]
    return lines(["sex", "age"], *people), asked("count by", None)


# Statistics Canada


@of("Statistics Canada")
def full_table(p: Invented) -> tuple[str, Must]:
    head = [
        "REF_DATE",
        "GEO",
        "DGUID",
        "Sex",
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
    body = [
        [
            2021,
            a,
            f"2021A00{i}",
            s,
            "Persons",
            249,
            "units",
            0,
            f"v{i}{j}",
            f"{i}.{j}",
            int(p.by_sex[i, j]),
            "",
            "",
            "",
            0,
        ]
        for i, a in enumerate(p.areas)
        for j, s in enumerate(("Males", "Females"))
    ]
    return "\ufeff" + lines(head, *body, quoted=True), right(p.by_sex)


@of("Statistics Canada")
def full_table_thousands(p: Invented) -> tuple[str, Must]:
    head = ["REF_DATE", "GEO", "Sex", "UOM", "SCALAR_FACTOR", "SCALAR_ID", "VALUE", "STATUS"]
    body = [
        [2021, a, s, "Persons", "thousands", 3, int(p.by_sex[i, j]), ""]
        for i, a in enumerate(p.areas)
        for j, s in enumerate(("Males", "Females"))
    ]
    return lines(head, *body, quoted=True), asked("not single people", p.by_sex, margins="keep")


@of("Statistics Canada")
def quarters(p: Invented) -> tuple[str, Must]:
    body = [[a, *map(int, n)] for a, n in zip(p.areas, p.by_sex, strict=True)]
    return lines(["Geography", "2023Q1", "2023Q2"], *body), asked(
        "times", p.by_sex[:, 0], only=("Column=2023Q1",)
    )


@of("Statistics Canada")
def quarters_in_words(p: Invented) -> tuple[str, Must]:
    body = [[a, *map(int, n)] for a, n in zip(p.areas, p.by_sex, strict=True)]
    return lines(["Geography", "Q1 2023", "Q2 2023"], *body), asked(
        "times", p.by_sex[:, 0], only=("Column=Q1 2023",)
    )


@of("Statistics Canada")
def census_profile(p: Invented) -> tuple[str, Must]:
    """Counts of all, men and women beside rates of them."""
    head = [
        "GEO_NAME",
        "C1_COUNT_TOTAL",
        "C2_COUNT_MEN+",
        "C3_COUNT_WOMEN+",
        "C10_RATE_TOTAL",
        "C11_RATE_MEN+",
    ]
    body = [
        [a, int(n.sum()), *map(int, n), "100.0", f"{100 * n[0] / n.sum():.1f}"]
        for a, n in zip(p.areas, p.by_sex, strict=True)
    ]
    return lines(head, *body), asked("figures other than counts", p.by_sex, margins="drop")


@of("Statistics Canada")
def suppressed_with_x(p: Invented) -> tuple[str, Must]:
    body = [[a, *map(int, n)] for a, n in zip(p.areas, p.by_sex, strict=True)]
    body[0][2] = "x"
    return lines(["Geography", "Men+", "Women+"], *body), refused("unpublished")


# What spreadsheets and other programs make of any of them


@of("spreadsheets")
def ages_as_dates(p: Invented) -> tuple[bytes, Must]:
    rows = [
        ["Age", "m", "f"],
        *(
            [g, *map(int, n)]
            for g, n in zip(
                (datetime.datetime(2024, 1, 4), "5-9", datetime.datetime(2024, 10, 14)),
                p.cube[0].T,
                strict=True,
            )
        ),
    ]
    return book(a=rows), right(p.cube[0].T, "takes ages")


@of("spreadsheets")
def ages_as_text_dates(p: Invented) -> tuple[str, Must]:
    rows = [[g, *map(int, n)] for g, n in zip(("4-Jan", "5-9", "14-Oct"), p.cube[0].T, strict=True)]
    return lines(["Age", "m", "f"], *rows), right(p.cube[0].T, "takes ages")


@of("spreadsheets")
def ages_as_dates_across(p: Invented) -> tuple[bytes, Must]:
    rows = [["Area", datetime.datetime(2024, 1, 4), "5-9", datetime.datetime(2024, 10, 14)]]
    rows += [[a, *map(int, n)] for a, n in zip(p.areas, p.by_age, strict=True)]
    return book(a=rows), right(p.by_age, "takes ages")


@of("spreadsheets")
def digits_lost(p: Invented) -> tuple[str, Must]:
    return lines(["Area", "m", "f"], ["A", "1.2E+05", 3], ["B", 4, 5]), refused("rounded")


@of("spreadsheets")
def compact_pivot(p: Invented) -> tuple[str, Must]:
    rows: list[list[Any]] = [["Row Labels", "Sum of n"]]
    for a, n in zip(p.areas, p.by_sex, strict=True):
        rows += [[a, int(n.sum())], ["m", int(n[0])], ["f", int(n[1])]]
    return lines(*rows, ["Grand Total", int(p.by_sex.sum())]), refused("labels of several fields")


@of("spreadsheets")
def compact_pivot_of_one(p: Invented) -> tuple[str, Must]:
    """One area opened, the others closed: no label is there twice."""
    rows: list[list[Any]] = [["Row Labels", "Sum of n"]]
    for k, (a, n) in enumerate(zip(p.areas, p.by_sex, strict=True)):
        rows.append([a, int(n.sum())])
        if k == 0:
            rows += [["m", int(n[0])], ["f", int(n[1])]]
    return lines(*rows, ["Grand Total", int(p.by_sex.sum())]), right([*p.by_sex[0], *p.by_area[1:]])


@of("spreadsheets")
def written_by_r(p: Invented) -> tuple[str, Must]:
    """`write.table`: one name less than there are cells, blanks between, texts quoted."""
    rows = [f'"{a}" {n[0]} {n[1]}' for a, n in zip(p.areas, p.by_sex, strict=True)]
    return "\n".join(['"m" "f"', *rows]) + "\n", right(p.by_sex)


@of("spreadsheets")
def written_by_r_long(p: Invented) -> tuple[str, Must]:
    """A frame of R with numbers of its rows."""
    rows = [
        f'"{1 + 2 * i + j}" "{a}" "{s}" {p.by_sex[i, j]}'
        for i, a in enumerate(p.areas)
        for j, s in enumerate(p.sexes)
    ]
    return "\n".join(['"area" "sex" "Freq"', *rows]) + "\n", right(p.by_sex)


@of("spreadsheets")
def saved_page(p: Invented) -> tuple[bytes, Must]:
    body = "".join(f"<tr><td>{a}<td>{n[0]}<td>{n[1]}</tr>" for a, n in zip(p.areas, p.by_sex, strict=True))
    page = f'<html><meta charset="utf-8"><table><tr><th>Area<th>m<th>f</tr>{body}</table></html>'
    return page.encode(), right(p.by_sex)


@of("spreadsheets")
def numbers_as_text(p: Invented) -> tuple[bytes, Must]:
    rows = [["Area", "m", "f"], *([a, *map(str, n)] for a, n in zip(p.areas, p.by_sex, strict=True))]
    return book(a=rows), right(p.by_sex)


@of("spreadsheets")
def ranks(p: Invented) -> tuple[str, Must]:
    body = [[a, int(n), k] for k, (a, n) in enumerate(zip(p.areas, p.by_area, strict=True), 1)]
    return lines(["Area", "Persons", "Rank"], *body), asked(
        "figures other than counts", p.by_area, margins="drop"
    )


@of("spreadsheets")
def rate_per_1000(p: Invented) -> tuple[str, Must]:
    body = [[a, int(n), 10 + k] for k, (a, n) in enumerate(zip(p.areas, p.by_area, strict=True), 1)]
    return lines(["Area", "Deaths", "Rate per 1000"], *body), asked("in thousands", p.by_area, margins="drop")


@of("spreadsheets")
def an_interval(p: Invented) -> tuple[str, Must]:
    body = [[a, int(n), int(n) - 2, int(n) + 2] for a, n in zip(p.areas, p.by_area, strict=True)]
    return lines(["Area", "Estimate", "Lower", "Upper"], *body), asked("intervals", p.by_area, margins="drop")
