"""Files in unusual but readable formats of statistical offices, each with its true table."""

import csv
import gzip
import io
import json
import zipfile
from dataclasses import dataclass

from collection import write
from collection.producers import PRODUCERS
from collection.shapes import Draw, Truth, area_axis, area_sex, full, plain_axis, wide_rows

FILES = []


@dataclass(frozen=True)
class File:
    """One file: its shape, and the position of its office."""

    shape: object
    office: int

    def make(self):
        """Return the name, the bytes and the true tables."""
        number = [file.shape for file in FILES].index(self.shape)
        name, content, truth = self.shape(Draw(PRODUCERS[self.office % len(PRODUCERS)], 7_000 + number))
        content = content.encode() if isinstance(content, str) else content
        return name, content, [truth]

    def __str__(self):
        return self.shape.__name__


def shape(make):
    """Keep a shape of files."""
    FILES.append(File(make, len(FILES)))
    return make


def records(draw):
    """Return the names and one row per cell."""
    head = ["Code", draw.words.region, draw.words.sex, draw.words.age, "Value"]
    rows = [
        [draw.codes[i], draw.areas[i], draw.sexes[j], draw.ages[k], int(draw.people[i, j, k])]
        for i in range(len(draw.areas))
        for j in range(2)
        for k in range(len(draw.ages))
    ]
    return head, rows


def objects(draw, names=("area", "sex", "age", "value")):
    return [dict(zip(names, row[1:], strict=True)) for row in records(draw)[1]]


def by_sex(draw):
    """Return areas by sex."""
    counts = draw.people.sum(2).tolist()
    return [draw.words.region, *draw.sexes], [[a, *row] for a, row in zip(draw.areas, counts, strict=True)]


def archive(**files):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in files.items():
            made.writestr(name.replace("__", "."), content)
    return stream.getvalue()


def _dimensions(draw):
    codes = (draw.codes, ["M", "F"], ["A", "B", "C", "D"])
    labels = (draw.areas, draw.sexes, draw.ages)
    names = (("REGION", draw.words.region), ("SEX", draw.words.sex), ("AGE", draw.words.age))
    return [
        {
            "id": key,
            "name": name,
            "names": {"en": name},
            "keyPosition": position,
            "values": [{"id": c, "name": label} for c, label in zip(of, texts, strict=True)],
        }
        for position, ((key, name), of, texts) in enumerate(zip(names, codes, labels, strict=True))
    ]


_TIME = {
    "id": "TIME_PERIOD",
    "name": "Time period",
    "role": "time",
    "values": [{"id": "2021", "name": "2021"}],
}
_STATUS = {
    "id": "OBS_STATUS",
    "name": "Observation status",
    "values": [{"id": "A", "name": "Normal value"}],
}


def _series(draw):
    return {
        f"{i}:{j}:{k}": {"attributes": [], "observations": {"0": [int(draw.people[i, j, k]), 0]}}
        for i in range(4)
        for j in range(2)
        for k in range(4)
    }


@shape
def sdmx_json_1(draw):
    structure = {
        "name": "Population",
        "dimensions": {"dataSet": [], "series": _dimensions(draw), "observation": [_TIME]},
        "attributes": {"dataSet": [], "series": [], "observation": [_STATUS]},
    }
    data = {
        "header": {"id": "x", "test": False, "prepared": "2024-01-01T00:00:00Z", "sender": {"id": "ABS"}},
        "dataSets": [{"action": "Information", "series": _series(draw)}],
        "structure": structure,
    }
    return "data.json", json.dumps(data), full(draw)


@shape
def sdmx_json_1_flat(draw):
    values = {f"{key}:0": of["observations"]["0"][:1] for key, of in _series(draw).items()}
    structure = {
        "dimensions": {"observation": [*_dimensions(draw), _TIME]},
        "attributes": {"observation": []},
    }
    data = {
        "header": {},
        "dataSets": [{"action": "Information", "observations": values}],
        "structure": structure,
    }
    return "data.json", json.dumps(data), full(draw)


@shape
def sdmx_json_2(draw):
    structure = {
        "name": "Population",
        "dimensions": {"dataSet": [], "series": _dimensions(draw), "observation": [_TIME]},
        "attributes": {"dataSet": [], "series": [], "observation": [_STATUS]},
        "dataSets": [0],
    }
    message = {
        "meta": {"schema": "https://json.sdmx.org/2.0.0/sdmx-json-data-schema.json", "id": "x"},
        "data": {"dataSets": [{"structure": 0, "action": "Information", "series": _series(draw)}]},
        "errors": [],
    }
    message["data"]["structures"] = [structure]
    return "abs.json", json.dumps(message), full(draw)


@shape
def geo_json(draw):
    features = [
        {
            "type": "Feature",
            "id": i,
            "properties": {"code": c, "name": a, draw.sexes[0]: m, draw.sexes[1]: f},
            "geometry": {
                "type": "Polygon",
                "coordinates": [[[1.5, 50 + i], [2.5, 50.5], [2, 51], [1.5, 50 + i]]],
            },
        }
        for i, (c, (a, m, f)) in enumerate(zip(draw.codes, by_sex(draw)[1], strict=True))
    ]
    crs = {"type": "name", "properties": {"name": "urn:ogc:def:crs:OGC:1.3:CRS84"}}
    content = {"type": "FeatureCollection", "name": "areas", "crs": crs, "features": features}
    return "areas.geojson", json.dumps(content), area_sex(draw)


@shape
def csv_gz(draw):
    head, rows = by_sex(draw)
    return "table.csv.gz", gzip.compress(write.delimited([head, *rows])), area_sex(draw)


@shape
def json_gz(draw):
    return "table.json.gz", gzip.compress(json.dumps(objects(draw)).encode()), full(draw)


@shape
def eurostat_tsv_gz(draw):
    lines = ["freq,unit,sex,age,geo\\TIME_PERIOD\t2021 "]
    for _, area, sex, age, value in records(draw)[1]:
        lines.append(f"A,NR,{sex.replace(',', '')},{age.replace(',', '')},{area.replace(',', '')}\t{value} p")
    return "demo.tsv.gz", gzip.compress("\n".join(lines).encode()), full(draw)


@shape
def eurostat_flags(draw):
    lines = ["freq,sex,age,geo\\TIME_PERIOD\t2021 "]
    for number, (_, area, sex, age, value) in enumerate(records(draw)[1]):
        flag = ("", "b", "p", "ep")[number % 4]
        lines.append(
            f"A,{sex.replace(',', '')},{age.replace(',', '')},{area.replace(',', '')}\t{value} {flag}"
        )
    return "demo.tsv", "\n".join(lines), full(draw)


def _statcan(draw):
    head = [
        "REF_DATE",
        "GEO",
        "DGUID",
        "Sex",
        "Age group",
        "UOM",
        "UOM_ID",
        "SCALAR_FACTOR",
        "SCALAR_ID",
        "VECTOR",
    ]
    head += ["COORDINATE", "VALUE", "STATUS", "SYMBOL", "TERMINATED", "DECIMALS"]
    rows = [
        [
            "2021",
            area,
            f"2016A{code}",
            sex,
            age,
            "Persons",
            249,
            "units",
            0,
            f"v{k}",
            f"1.{k}",
            value,
            "",
            "",
            "",
            0,
        ]
        for k, (code, area, sex, age, value) in enumerate(records(draw)[1])
    ]
    return write.delimited([head, *rows], encoding="utf-8-sig", quote=csv.QUOTE_ALL)


@shape
def statcan_zip(draw):
    lines = [
        '"Cube Title","Product Id"',
        '"Population estimates","17100005"',
        "",
        '"Dimension ID","Name"',
        '"1","GEO"',
    ]
    about = "\r\n".join(lines)
    return (
        "17100005-eng.zip",
        archive(**{"17100005__csv": _statcan(draw), "17100005_MetaData__csv": about}),
        full(draw),
    )


@shape
def world_bank_zip(draw):
    head = ["Country Name", "Country Code", "Indicator Name", "Indicator Code", "2020", "2021"]
    rows = [
        [a, f"C{c}", "Population, total", "SP.POP.TOTL", "", int(n)]
        for a, c, n in zip(draw.areas, draw.codes, draw.people.sum((1, 2)), strict=True)
    ]
    top = [["Data Source", "World Development Indicators"], [], ["Last Updated Date", "2024-05-30"], []]
    countries = [["Country Code", "Region", "IncomeGroup", "SpecialNotes", "TableName"]]
    countries += [
        [f"C{c}", "Europe", "High income", "", a] for a, c in zip(draw.areas, draw.codes, strict=True)
    ]
    indicators = [
        ["INDICATOR_CODE", "INDICATOR_NAME", "SOURCE_NOTE"],
        ["SP.POP.TOTL", "Population, total", "Note"],
    ]
    files = {
        "API_SP.POP.TOTL_DS2__csv": write.delimited([*top, head, *rows], quote=csv.QUOTE_ALL),
        "Metadata_Country_API_SP.POP.TOTL_DS2__csv": write.delimited(countries, quote=csv.QUOTE_ALL),
        "Metadata_Indicator_API_SP.POP.TOTL_DS2__csv": write.delimited(indicators, quote=csv.QUOTE_ALL),
    }
    return "API_SP.POP.TOTL.zip", archive(**files), Truth((area_axis(draw),), draw.people.sum((1, 2)))


@shape
def zip_with_texts(draw):
    head, rows = by_sex(draw)
    files = {
        "data/table__csv": write.delimited([head, *rows]),
        "README__md": "# Table\n\nPopulation.\n",
        "LICENSE__txt": "CC BY 4.0",
        "metadata__json": json.dumps({"title": "Population", "columns": ["a", "b"]}),
        "manual__pdf": b"%PDF-1.4",
    }
    return "table.zip", archive(**files), area_sex(draw)


@shape
def csvw_zip(draw):
    head, rows = by_sex(draw)
    schema = {"columns": [{"name": f"c{k}", "titles": name} for k, name in enumerate(head)]}
    about = {"@context": "http://www.w3.org/ns/csvw", "url": "table.csv", "tableSchema": schema}
    files = {"table__csv": write.delimited([head, *rows]), "table.csv-metadata__json": json.dumps(about)}
    return "table.zip", archive(**files), area_sex(draw)


@shape
def csvw_json(draw):
    """The standard mode of CSV on the web."""
    rows = [
        {"url": f"t.csv#row={n + 2}", "rownum": n + 1, "describes": [record]}
        for n, record in enumerate(objects(draw))
    ]
    return "t.json", json.dumps({"tables": [{"url": "t.csv", "row": rows}]}), full(draw)


@shape
def latex(draw):
    head, rows = by_sex(draw)
    lines = ["\\begin{table}", "\\caption{Population}", "\\begin{tabular}{lrr}", "\\hline"]
    lines += [" & ".join(head) + " \\\\", "\\hline"]
    lines += [" & ".join([a.replace("&", "\\&"), f"{m:,}", f"{f:,}"]) + " \\\\" for a, m, f in rows]
    return "table.tex", "\n".join([*lines, "\\hline", "\\end{tabular}", "\\end{table}", ""]), area_sex(draw)


@shape
def latex_booktabs(draw):
    head, rows = by_sex(draw)
    head = [head[0], *(f"\\textbf{{{name}}}" for name in head[1:])]
    lines = ["\\begin{tabular}{@{}lrr@{}}", "\\toprule"]
    lines += [f" & \\multicolumn{{2}}{{c}}{{{draw.words.sex}}} \\\\ \\cmidrule(lr){{2-3}}"]
    lines += [" & ".join(head) + "\\\\ \\midrule"]
    lines += [f"{a} & {m} & {f}\\\\" for a, m, f in rows]
    return "table.tex", "\n".join([*lines, "\\bottomrule", "\\end{tabular}", ""]), area_sex(draw)


def _quoted(texts):
    return ",".join(f'"{text}"' for text in texts)


def _px(draw, stub, heading, values, data, more=()):
    lines = ['CHARSET="ANSI";', 'AXIS-VERSION="2013";', 'CODEPAGE="utf-8";', 'LANGUAGE="en";', 'MATRIX="A";']
    lines += ['SUBJECT-AREA="Population";', "DECIMALS=0;", 'TITLE="Population";', 'UNITS="persons";', *more]
    lines += stub + heading
    lines += [f'VALUES("{name}")={_quoted(texts)};' for name, texts in values.items()]
    return "\n".join([*lines, "DATA=", *data, ";", ""])


def _px_values(draw):
    return {draw.words.region: draw.areas, draw.words.sex: draw.sexes, draw.words.age: draw.ages}


def _px_rows(draw):
    return [" ".join(map(str, row)) for row in draw.people.reshape(8, 4).tolist()]


@shape
def px_empty_heading(draw):
    values = _px_values(draw)
    data = [str(n) for n in draw.people.ravel().tolist()]
    return "a.px", _px(draw, [f"STUB={_quoted(values)};"], ["HEADING=;"], values, data), full(draw)


@shape
def px_empty_heading_text(draw):
    values = _px_values(draw)
    data = [str(n) for n in draw.people.ravel().tolist()]
    return "a.px", _px(draw, [f"STUB={_quoted(values)};"], ['HEADING="";'], values, data), full(draw)


@shape
def px_empty_stub(draw):
    values = _px_values(draw)
    data = [" ".join(map(str, draw.people.ravel().tolist()))]
    return "a.px", _px(draw, ["STUB=;"], [f"HEADING={_quoted(values)};"], values, data), full(draw)


@shape
def px_languages(draw):
    values = _px_values(draw)
    names = list(values)
    more = ['LANGUAGES="en","fr-CH";', 'TITLE[fr-CH]="Population";', 'UNITS[fr-CH]="personnes";']
    more += [
        'SUBJECT-AREA[fr-CH]="Population";',
        f"STUB[fr-CH]={_quoted(['Région', 'Sexe'])};",
        'HEADING[fr-CH]="Âge";',
    ]
    more += [
        f'VALUES[fr-CH]("Région")={_quoted(f"r{k}" for k in range(4))};',
        'VALUES[fr-CH]("Sexe")="H","F";',
    ]
    more += [
        f'VALUES[fr-CH]("Âge")={_quoted(f"a{k}" for k in range(4))};',
        'NOTEX[fr-CH]="Une note; avec = et (";',
    ]
    stub, heading = f"STUB={_quoted(names[:2])};", f'HEADING="{names[2]}";'
    return "a.px", _px(draw, [stub], [heading], values, _px_rows(draw), more), full(draw)


@shape
def px_swiss_units(draw):
    values = {**_px_values(draw), "Masseinheit": ["Personen"]}
    names = list(values)
    more = [
        'CONTVARIABLE="Masseinheit";',
        'UNITS("Personen")="Anzahl";',
        'LAST-UPDATED("Personen")="20240101 08:30";',
    ]
    more += ['CONTACT="BFS#x@bfs.ch";', f'DOMAIN("{names[0]}")="Kantone";', f'MAP("{names[0]}")="ch";']
    stub, heading = f"STUB={_quoted(names[:2])};", f"HEADING={_quoted(names[2:])};"
    return "a.px", _px(draw, [stub], [heading], values, _px_rows(draw), more), full(draw)


def _cube(draw, stat_1=False):
    dims = _dimensions(draw)
    about = {
        d["id"]: {
            "label": d["name"],
            "category": {
                "index": {v["id"]: n for n, v in enumerate(d["values"])},
                "label": {v["id"]: v["name"] for v in d["values"]},
            },
        }
        for d in dims
    }
    values = draw.people.ravel().tolist()
    ids, size = [d["id"] for d in dims], [4, 2, 4]
    if stat_1:
        return {"label": "Population", "dimension": {**about, "id": ids, "size": size}, "value": values}
    return {
        "class": "dataset",
        "label": "Population",
        "id": ids,
        "size": size,
        "dimension": about,
        "value": values,
    }


@shape
def json_stat_1_bundle(draw):
    return "a.json", json.dumps({"population": _cube(draw, stat_1=True)}), full(draw)


@shape
def json_stat_collection(draw):
    content = {"version": "2.0", "class": "collection", "label": "All", "link": {"item": [_cube(draw)]}}
    return "a.json", json.dumps(content), full(draw)


@shape
def json_stat_collection_mapping(draw):
    content = {
        "version": "2.0",
        "class": "collection",
        "href": "https://x.org",
        "link": {"item": [_cube(draw)]},
    }
    content["link"]["item"][0]["extension"] = {"px": {"tableid": "1"}}
    return "a.json", json.dumps(content), full(draw)


@shape
def un_data(draw):
    head = ["Country or Area", "Sex", "Age", "Value", "Value Footnotes"]
    rows = [[a, s, g, v, "1" if n % 3 == 0 else ""] for n, (_, a, s, g, v) in enumerate(records(draw)[1])]
    foot = [["footnoteSeqID", "Footnote"], ["1", "Data refer to usual residents."]]
    content = (
        write.delimited([head, *rows], quote=csv.QUOTE_ALL)
        + b"\r\n"
        + write.delimited(foot, quote=csv.QUOTE_ALL)
    )
    return "UNdata.csv", content, full(draw)


@shape
def ine_spain_json(draw):
    """A list of series, each with its values in a list inside."""
    data = [
        {
            "COD": f"ECP{n}",
            "Nombre": f"{a}. {s}. {g}. Población. Número.".replace("\u00a0", " "),
            "FK_Unidad": 3,
            "FK_Escala": 1,
            "Data": [{"Fecha": 1609455600000, "FK_TipoDato": 1, "Anyo": 2021, "Valor": v, "Secreto": False}],
        }
        for n, (_, a, s, g, v) in enumerate(records(draw)[1])
    ]
    return "31304.json", json.dumps(data), full(draw)


@shape
def cbs_odata(draw):
    names = ("ID", "RegioS", "Geslacht", "Leeftijd", "Bevolking_1")
    data = [{"ID": n, **dict(zip(names[1:], row[1:], strict=True))} for n, row in enumerate(records(draw)[1])]
    content = {"odata.metadata": "https://opendata.cbs.nl/ODataApi/odata/03759ned/$metadata#x", "value": data}
    return "TypedDataSet.json", json.dumps(content), full(draw)


@shape
def cbs_csv(draw):
    head = ["ID", "RegioS", "Geslacht", "Leeftijd", "Bevolking_1"]
    rows = [
        [n, area, f"{sex}  ", age, f"{v:>8}"] for n, (_, area, sex, age, v) in enumerate(records(draw)[1])
    ]
    return (
        "03759ned_UntypedDataSet.csv",
        write.delimited([head, *rows], ";", quote=csv.QUOTE_NONNUMERIC),
        full(draw),
    )


@shape
def statbank(draw):
    head = ["OMRÅDE", "KØN", "ALDER", "INDHOLD"]
    rows = [row[1:] for row in records(draw)[1]]
    return "FOLK1A.csv", write.delimited([head, *rows], ";", encoding="utf-8-sig"), full(draw)


@shape
def genesis_flat(draw):
    head = ["statistics_code", "statistics_label", "time_code", "time_label", "time"]
    head += [
        f"{n}_variable_{part}"
        for n in (1, 2)
        for part in ("code", "label", "attribute_code", "attribute_label")
    ]
    head += ["value", "value_unit", "value_variable_code", "value_variable_label"]
    rows = [
        [
            *("12411", "Fortschreibung des Bevölkerungsstandes", "STAG", "Stichtag", "2021-12-31"),
            *("DLAND", "Bundesländer", c, a, "GES", "Geschlecht", ("GESM", "GESW")[j], draw.sexes[j]),
            *(int(draw.people[i, j].sum()), "Anzahl", "BEVSTD", "Bevölkerungsstand"),
        ]
        for i, (c, a) in enumerate(zip(draw.codes, draw.areas, strict=True))
        for j in (0, 1)
    ]
    return "12411-0011_de_flat.csv", write.delimited([head, *rows], ";", encoding="utf-8-sig"), area_sex(draw)


@shape
def destatis_head(draw):
    lines = [
        "Bevölkerung: Bundesländer, Stichtag,;;;",
        "Geschlecht;;;",
        "Fortschreibung des Bevölkerungsstandes;;;",
    ]
    lines += ["Deutschland;;;", ";31.12.2021;31.12.2021;31.12.2021", f";{';'.join(draw.sexes)};Insgesamt"]
    lines += [f"{a};{m};{f};{m + f}" for a, m, f in by_sex(draw)[1]]
    lines += [
        "__________",
        "(C)opyright Statistisches Bundesamt (Destatis), 2024",
        "Stand: 01.02.2024 / 10:11:12",
    ]
    return "12411-0021.csv", "\r\n".join(lines).encode("cp1252", "replace"), area_sex(draw)


@shape
def ons_v4(draw):
    head = [
        "v4_0",
        "mid-year-pop-time",
        "time",
        "administrative-geography",
        "geography",
        "mid-year-pop-sex",
        "sex",
    ]
    head += ["mid-year-pop-age", "age"]
    rows = [
        [v, "2021", "2021", c, a, "male" if s == draw.sexes[0] else "female", s, f"g{draw.ages.index(g)}", g]
        for c, a, s, g, v in records(draw)[1]
    ]
    return "mid-year-pop-est.csv", write.delimited([head, *rows]), full(draw)


@shape
def census_api(draw):
    rows = [[a, str(m), str(f), "01", c] for c, (a, m, f) in zip(draw.codes, by_sex(draw)[1], strict=True)]
    return "acs5.json", json.dumps([["NAME", *draw.sexes, "state", "county"], *rows]), area_sex(draw)


@shape
def bls_tab(draw):
    lines = ["series_id                     \tyear\tperiod\t       value\tfootnote_codes"]
    names = [f"LAU{c:>09}{k:04}" for k, c in enumerate(draw.codes)]
    for name, row in zip(names, draw.people.sum(1).tolist(), strict=True):
        lines += [f"{name:<30}\t2021\tM{k:02}\t{v:>12}\t" for k, v in enumerate(row, 1)]
    months = plain_axis(["M01", "M02", "M03", "M04"])
    return "la.data.1.CurrentS", "\n".join(lines), Truth((plain_axis(names), months), draw.people.sum(1))


@shape
def kosis_json(draw):
    data = [
        {
            "ORG_ID": "101",
            "TBL_ID": "DT_1B04005N",
            "TBL_NM": "행정구역별 인구",
            "PRD_SE": "Y",
            "PRD_DE": "2021",
        }
        | {
            "C1": c,
            "C1_NM": a,
            "C1_OBJ_NM": "행정구역",
            "C2": f"{draw.ages.index(g)}",
            "C2_NM": g,
            "C2_OBJ_NM": "연령",
        }
        | {"ITM_ID": f"T{draw.sexes.index(s)}", "ITM_NM": s, "UNIT_NM": "명", "DT": str(v)}
        for c, a, s, g, v in records(draw)[1]
    ]
    return "statisticsData.json", json.dumps(data, ensure_ascii=False), full(draw)


def _estat_classes(draw):
    return [
        {
            "@id": key,
            "@name": d["name"],
            "CLASS": [{"@code": v["id"], "@name": v["name"]} for v in d["values"]],
        }
        for key, d in zip(("area", "cat01", "cat02"), _dimensions(draw), strict=True)
    ]


@shape
def estat_json(draw):
    dims = _dimensions(draw)
    values = [
        {"@tab": "020", "@cat01": dims[1]["values"][j]["id"], "@cat02": dims[2]["values"][k]["id"]}
        | {"@area": draw.codes[i], "@time": "2020000000", "@unit": "人", "$": str(draw.people[i, j, k])}
        for i in range(4)
        for j in range(2)
        for k in range(4)
    ]
    tab = {"@id": "tab", "@name": "表章項目", "CLASS": {"@code": "020", "@name": "人口", "@unit": "人"}}
    time = {"@id": "time", "@name": "時間軸", "CLASS": {"@code": "2020000000", "@name": "2020年"}}
    data = {
        "RESULT_INF": {"TOTAL_NUMBER": 32},
        "CLASS_INF": {"CLASS_OBJ": [tab, *_estat_classes(draw), time]},
    }
    data["DATA_INF"] = {"NOTE": {"@char": "***", "$": "x"}, "VALUE": values}
    content = {
        "GET_STATS_DATA": {"RESULT": {"STATUS": 0}, "PARAMETER": {"LANG": "J"}, "STATISTICAL_DATA": data}
    }
    return "getStatsData.json", json.dumps(content, ensure_ascii=False), full(draw)


@shape
def estat_csv(draw):
    head = [
        "area_code",
        "地域",
        "cat01_code",
        "男女",
        "cat02_code",
        "年齢",
        "time_code",
        "時間軸",
        "unit",
        "value",
    ]
    rows = [
        [c, a, draw.sexes.index(s), s, draw.ages.index(g), g, "2020000000", "2020年", "人", v]
        for c, a, s, g, v in records(draw)[1]
    ]
    return (
        "FEH_00200521.csv",
        write.delimited([head, *rows], quote=csv.QUOTE_ALL, encoding="utf-8-sig"),
        full(draw),
    )


@shape
def columns_json(draw):
    columns = {"area": [], "sex": [], "age": [], "value": []}
    for record in objects(draw):
        for name, value in record.items():
            columns[name].append(value)
    return "a.json", json.dumps(columns), full(draw)


@shape
def pandas_columns(draw):
    columns = {"area": {}, "sex": {}, "age": {}, "value": {}}
    for number, record in enumerate(objects(draw)):
        for name, value in record.items():
            columns[name][str(number)] = value
    return "a.json", json.dumps(columns), full(draw)


@shape
def pandas_index(draw):
    return "a.json", json.dumps({str(n): record for n, record in enumerate(objects(draw))}), full(draw)


@shape
def pandas_split(draw):
    data = [list(record.values()) for record in objects(draw)]
    content = {"columns": ["area", "sex", "age", "value"], "index": list(range(len(data))), "data": data}
    return "a.json", json.dumps(content), full(draw)


@shape
def pandas_table(draw):
    fields = [{"name": name, "type": "string"} for name in ("area", "sex", "age", "value")]
    return "a.json", json.dumps({"schema": {"fields": fields}, "data": objects(draw)}), full(draw)


@shape
def area_mapping(draw):
    """Areas as keys, sexes as keys inside."""
    content = {a: dict(zip(draw.sexes, (m, f), strict=True)) for a, m, f in by_sex(draw)[1]}
    return "a.json", json.dumps(content), area_sex(draw)


@shape
def ckan(draw):
    fields = [{"id": name, "type": "text"} for name in ("area", "sex", "age", "value")]
    result = {"resource_id": "x", "fields": fields, "records": objects(draw), "total": 32}
    return "datastore_search.json", json.dumps({"help": "x", "success": True, "result": result}), full(draw)


@shape
def socrata(draw):
    columns = [
        {"id": n, "name": name, "dataTypeName": "text"}
        for n, name in enumerate(("area", "sex", "age", "value"))
    ]
    data = [list(record.values()) for record in objects(draw)]
    return (
        "rows.json",
        json.dumps({"meta": {"view": {"name": "x", "columns": columns}}, "data": data}),
        full(draw),
    )


@shape
def nested_once(draw):
    content = {"status": "ok", "response": {"count": 32, "rows": objects(draw)}}
    return "a.json", json.dumps(content), full(draw)


@shape
def world_bank_api(draw):
    values = [
        {
            "indicator": {"id": "SP.POP.TOTL", "value": "Population, total"},
            "country": {"id": f"C{c}", "value": a},
        }
        | {
            "countryiso3code": f"XC{c}",
            "date": "2021",
            "value": int(n),
            "unit": "",
            "obs_status": "",
            "decimal": 0,
        }
        for a, c, n in zip(draw.areas, draw.codes, draw.people.sum((1, 2)), strict=True)
    ]
    about = {"page": 1, "pages": 1, "per_page": "50", "total": 4, "sourceid": "2"}
    return "a.json", json.dumps([about, values]), Truth((area_axis(draw),), draw.people.sum((1, 2)))


@shape
def markdown(draw):
    head, rows = by_sex(draw)
    lines = ["# Population", "", f"| {' | '.join(head)} |", "|:---|---:|---:|"]
    return (
        "a.md",
        "\n".join([*lines, *(f"| {a} | {m} | {f} |" for a, m, f in rows), "", "Source: census", ""]),
        area_sex(draw),
    )


def _widths(head, rows):
    return [max(len(str(row[k])) for row in [head, *rows]) for k in range(len(head))]


@shape
def rst_grid(draw):
    head, rows = by_sex(draw)
    widths = _widths(head, rows)
    rule = "+" + "+".join("-" * (w + 2) for w in widths) + "+"
    lines = [rule]
    for number, row in enumerate([head, *rows]):
        cells = [
            str(c).ljust(w) if k == 0 else str(c).rjust(w)
            for k, (c, w) in enumerate(zip(row, widths, strict=True))
        ]
        lines += [f"| {' | '.join(cells)} |", rule.replace("-", "=") if number == 0 else rule]
    return "a.rst", "\n".join([*lines, ""]), area_sex(draw)


@shape
def rst_simple(draw):
    head, rows = by_sex(draw)
    widths = _widths(head, rows)
    rule = "  ".join("=" * w for w in widths)
    lines = [
        "  ".join(str(c).ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in [head, *rows]
    ]
    return "a.txt", "\n".join([rule, lines[0], rule, *lines[1:], rule, ""]), area_sex(draw)


@shape
def psql(draw):
    head, rows = by_sex(draw)
    widths = _widths(head, rows)
    lines = [" " + " | ".join(str(c).center(w) for c, w in zip(head, widths, strict=True))]
    lines += ["-" + "-+-".join("-" * w for w in widths) + "-"]
    for a, m, f in rows:
        lines.append(f" {a.ljust(widths[0])} | {str(m).rjust(widths[1])} | {str(f).rjust(widths[2])}")
    return "a.txt", "\n".join([*lines, f"({len(rows)} rows)", "", ""]), area_sex(draw)


@shape
def r_table(draw):
    """The printed result of `table(area, sex)` of R."""
    head, rows = by_sex(draw)
    names = [f"  {a}" for a, *_ in rows]
    wide = max(map(len, [head[0], *names]))
    columns = [max(len(h), *(len(str(row[k])) for row in rows)) for k, h in enumerate(head[1:], 1)]
    lines = [" " * wide + " " + draw.words.sex]
    lines += [head[0].ljust(wide) + "".join(" " + h.rjust(w) for h, w in zip(head[1:], columns, strict=True))]
    for a, *counts in rows:
        cells = "".join(" " + str(c).rjust(w) for c, w in zip(counts, columns, strict=True))
        lines.append(f"  {a}".ljust(wide) + cells)
    return "a.txt", "\n".join([*lines, ""]), area_sex(draw)


@shape
def r_frame(draw):
    """The printed result of a data frame of R."""
    head, rows = by_sex(draw)
    head = [name.replace(" ", ".") for name in head]
    widths = _widths(head, rows)
    lines = [" " * len(str(len(rows)))] + [str(n) for n in range(1, len(rows) + 1)]
    wide = len(lines[-1])
    lines = [
        first.ljust(wide) + "".join(" " + str(c).rjust(w) for c, w in zip(row, widths, strict=True))
        for first, row in zip(lines, [head, *rows], strict=True)
    ]
    return "a.txt", "\n".join([*lines, ""]), area_sex(draw)


@shape
def stata_table(draw):
    head, rows = by_sex(draw)
    wide = max(len(str(a)) for a, *_ in [head, *rows])
    total = [sum(row[k] for row in rows) for k in (1, 2)]
    lines = [" " * wide + " |" + draw.words.sex.center(22)]
    lines += [
        f"{head[0]:>{wide}} |{head[1]:>10} {head[2]:>10} |{'Total':>10}",
        "-" * (wide + 1) + "+" + "-" * 22 + "+" + "-" * 10,
    ]
    lines += [f"{a:>{wide}} |{m:>10,} {f:>10,} |{m + f:>10,} " for a, m, f in rows]
    lines += ["-" * (wide + 1) + "+" + "-" * 22 + "+" + "-" * 10]
    lines += [f"{'Total':>{wide}} |{total[0]:>10,} {total[1]:>10,} |{sum(total):>10,} "]
    return "a.log", "\n".join([*lines, ""]), area_sex(draw)


@shape
def fixed_width(draw):
    head, rows = records(draw)
    widths = [w + 3 for w in _widths(head, rows)]
    lines = [
        "".join(str(c).ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in [head, *rows]
    ]
    return "extract.dat", "\n".join([*lines, ""]), full(draw)


@shape
def tab_name(draw):
    head, rows = by_sex(draw)
    return "a.tab", "\n".join("\t".join(map(str, row)) for row in [head, *rows]), area_sex(draw)


@shape
def tsv_of_census(draw):
    rows = wide_rows(draw)
    return (
        "a.tsv",
        "\n".join("\t".join(map(str, row)) for row in rows),
        Truth((area_axis(draw), plain_axis(draw.ages)), draw.people.sum(1)),
    )


@shape
def spreadsheet_2003(draw):
    head, rows = by_sex(draw)
    space = "urn:schemas-microsoft-com:office:spreadsheet"
    lines = [
        "<Row>"
        + "".join(
            f'<Cell><Data ss:Type="{"Number" if isinstance(c, int) else "String"}">{c}</Data></Cell>'
            for c in row
        )
        + "</Row>"
        for row in [head, *rows]
    ]
    text = '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n'
    text += f'<Workbook xmlns="{space}" xmlns:ss="{space}">'
    return (
        "a.xls",
        f'{text}<Worksheet ss:Name="T"><Table>{"".join(lines)}</Table></Worksheet></Workbook>',
        area_sex(draw),
    )
