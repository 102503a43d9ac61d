"""A file of each format that holds a table of two axes; `FILES` is told of a new format by `test_format_laws.py`."""

import io
import json
import struct
import zipfile
from collections.abc import Callable
from xml.sax.saxutils import quoteattr

import xlwt

from sdcwidgets import FrequencyTable
from sdcwidgets.tables.io.writers.exchange import json_stat, px, sdmx_csv
from sdcwidgets.tables.io.writers.workbook import workbook
from sdcwidgets.tables.release import Release


def ods(rows: str) -> bytes:
    """Return an .ods workbook with these rows of XML."""
    space = "urn:oasis:names:tc:opendocument:xmlns:"
    xml = (
        f'<o:document-content xmlns:o="{space}office:1.0" xmlns:t="{space}table:1.0" xmlns:x="{space}text:1.0">'
        f'<o:body><o:spreadsheet><t:table t:name="one">{rows}</t:table></o:spreadsheet></o:body></o:document-content>'
    )
    return ods_archive(xml)


def ods_archive(content: str) -> bytes:
    """Return an .ods workbook with this XML of its content."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet", zipfile.ZIP_STORED)
        archive.writestr("content.xml", content)
    return stream.getvalue()


def ods_row(*cells: object) -> str:
    """Return a row, as a workbook has it, with blanks to its end."""
    return (
        "<t:table-row>"
        + "".join(
            f'<t:table-cell o:value-type="float" o:value="{cell}"><x:p>{cell}</x:p></t:table-cell>'
            if isinstance(cell, int)
            else f'<t:table-cell o:value-type="string"><x:p>{cell}</x:p></t:table-cell>'
            for cell in cells
        )
        + '<t:table-cell t:number-columns-repeated="16000"/></t:table-row>'
    )


def _ods(table: FrequencyTable) -> bytes:
    rows, columns = table.axes
    head = ods_row(rows.name, *columns.labels)
    lines = zip(rows.labels, table.counts.tolist(), strict=True)
    return ods(head + "".join(ods_row(label, *counts) for label, counts in lines))


def _eurostat(table: FrequencyTable) -> bytes:
    """A time there is always; the table is of one."""
    rows, columns = table.axes
    lines = [f"freq,{rows.name},{columns.name}\\TIME_PERIOD\t2021 "]
    for label, counts in zip(rows.labels, table.counts.tolist(), strict=True):
        lines += [f"A,{label},{other}\t{count} " for other, count in zip(columns.labels, counts, strict=True)]
    return "\n".join(lines).encode()


def _parquet(table: FrequencyTable) -> bytes:
    stream = io.BytesIO()
    table.to_frame().rename_axis(columns=None).reset_index().to_parquet(stream, index=False)
    return stream.getvalue()


def _stata(table: FrequencyTable) -> bytes:
    stream = io.BytesIO()
    table.to_frame().rename_axis(columns=None).reset_index().to_stata(stream, write_index=False)
    return stream.getvalue()


_SDMX = "http://www.sdmx.org/resources/sdmxml/schemas/v{version}"
_HEADER = (
    "<m:Header><m:ID>x</m:ID><m:Test>false</m:Test><m:Prepared>2026-01-01T00:00:00</m:Prepared>"
    '<m:Sender id="OFFICE"/><m:Structure structureID="S" dimensionAtObservation="{at}">{structure}</m:Structure>'
    "</m:Header>"
)
_REFERENCE = '<c:Structure><Ref agencyID="OFFICE" id="X" version="1.0"/></c:Structure>'
_URN = "<c:Structure>urn:sdmx:org.sdmx.infomodel.datastructure.DataStructure=OFFICE:X(1.0)</c:Structure>"


def sdmx_ml(
    values: str, *, kind: str = "Generic", version: str = "2_1", at: str = "AllDimensions", data: str = ""
) -> bytes:
    """Return a message of SDMX-ML with these values of XML, and more data sets."""
    space = _SDMX.format(version=version)
    header = _HEADER.format(at=at, structure=_REFERENCE if version == "2_1" else _URN)
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<m:{kind}Data xmlns:m="{space}/message" '
        f'xmlns:g="{space}/data/generic" xmlns:c="{space}/common" xmlns:s="{space}/data/structurespecific">'
        f'{header}<m:DataSet {"s:" * (kind != "Generic")}structureRef="S">{values}</m:DataSet>{data}</m:{kind}Data>'
    ).encode()


def sdmx_value(value: object, attributes: str = "", **key: str) -> str:
    """Return a value of generic data, with its key."""
    names = "".join(
        f"<g:Value id={quoteattr(name)} value={quoteattr(label)}/>" for name, label in key.items()
    )
    return (
        f'<g:Obs><g:ObsKey>{names}</g:ObsKey><g:ObsValue value="{value}"/>'
        f"{attributes and f'<g:Attributes>{attributes}</g:Attributes>'}</g:Obs>"
    )


def _xls(table: FrequencyTable) -> bytes:
    rows, columns = table.axes
    book = xlwt.Workbook()
    sheet = book.add_sheet("table")
    lines = [[rows.name, *columns.labels]]
    lines += [[label, *counts] for label, counts in zip(rows.labels, table.counts.tolist(), strict=True)]
    for i, line in enumerate(lines):
        for j, cell in enumerate(line):
            sheet.write(i, j, cell)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def _sdmx_ml(table: FrequencyTable) -> bytes:
    rows, columns = table.axes
    return sdmx_ml(
        "".join(
            sdmx_value(count, **{rows.name: row, columns.name: column})
            for row, counts in zip(rows.labels, table.counts.tolist(), strict=True)
            for column, count in zip(columns.labels, counts, strict=True)
        )
    )


def _pxweb(table: FrequencyTable) -> bytes:
    rows, columns = table.axes
    dimensions = [{"code": axis.name, "text": axis.name, "type": "d"} for axis in (rows, columns)]
    cells = [
        {"key": [row, column], "values": [str(count)]}
        for row, counts in zip(rows.labels, table.counts.tolist(), strict=True)
        for column, count in zip(columns.labels, counts, strict=True)
    ]
    content = {"code": "N", "text": "Count", "type": "c"}
    return json.dumps({"columns": [*dimensions, content], "comments": [], "data": cells}).encode()


def _json_records(table: FrequencyTable) -> bytes:
    rows, columns = table.axes
    records = [
        {rows.name: row, columns.name: column, "Count": count}
        for row, counts in zip(rows.labels, table.counts.tolist(), strict=True)
        for column, count in zip(columns.labels, counts, strict=True)
    ]
    return json.dumps(records).encode()


def _sdmx_json(table: FrequencyTable) -> bytes:
    dimensions = [
        {
            "id": axis.name,
            "name": axis.name,
            "values": [{"id": label, "name": label} for label in axis.labels],
        }
        for axis in table.axes
    ]
    values = {f"{i}:{j}": [n] for i, row in enumerate(table.counts.tolist()) for j, n in enumerate(row)}
    structure = {"dimensions": {"observation": dimensions}, "attributes": {"observation": []}}
    return json.dumps({"data": {"dataSets": [{"observations": values}], "structures": [structure]}}).encode()


def _e_stat(table: FrequencyTable) -> bytes:
    keys = ("area", "cat01")
    classes = [
        {"@id": key, "@name": axis.name, "CLASS": [{"@code": label, "@name": label} for label in axis.labels]}
        for key, axis in zip(keys, table.axes, strict=True)
    ]
    rows, columns = table.axes
    values = [
        {"@area": row, "@cat01": column, "$": str(count)}
        for row, counts in zip(rows.labels, table.counts.tolist(), strict=True)
        for column, count in zip(columns.labels, counts, strict=True)
    ]
    data = {"CLASS_INF": {"CLASS_OBJ": classes}, "DATA_INF": {"VALUE": values}}
    return json.dumps({"GET_STATS_DATA": {"STATISTICAL_DATA": data}}).encode()


def _latex(table: FrequencyTable) -> bytes:
    rows, columns = table.axes
    lines = [" & ".join([rows.name, *columns.labels])]
    lines += [
        " & ".join([label, *map(str, counts)])
        for label, counts in zip(rows.labels, table.counts.tolist(), strict=True)
    ]
    body = "".join(f"{line} \\\\\n" for line in lines)
    return f"\\begin{{tabular}}{{lrr}}\n\\hline\n{body}\\end{{tabular}}\n".encode()


def xml_workbook(rows: str) -> bytes:
    """Return a workbook in the XML of Excel 2003 with these rows of XML."""
    space = "urn:schemas-microsoft-com:office:spreadsheet"
    return (
        f'<?xml version="1.0"?>\n<Workbook xmlns="{space}" xmlns:s="{space}"><Worksheet s:Name="one">'
        f"<Table>{rows}</Table></Worksheet></Workbook>"
    ).encode()


def _xml_workbook(table: FrequencyTable) -> bytes:
    rows, columns = table.axes
    lines = [[rows.name, *columns.labels]]
    lines += [[label, *counts] for label, counts in zip(rows.labels, table.counts.tolist(), strict=True)]
    kinds = {int: "Number", str: "String"}
    cells = (
        "".join(f'<Cell><Data s:Type="{kinds[type(cell)]}">{cell}</Data></Cell>' for cell in line)
        for line in lines
    )
    return xml_workbook("".join(f"<Row>{row}</Row>" for row in cells))


def dbase(rows: list[list[object]], language: int = 0xC9, encoding: str = "cp1251") -> bytes:
    """Return a dBase file with the names of the fields in the first row; the third field is a number."""
    names, *records = rows
    kinds = ["N" if all(isinstance(row[j], int) for row in records) else "C" for j in range(len(names))]
    sizes = [max(len(str(row[j]).encode(encoding)) for row in records) for j in range(len(names))]
    fields = b"".join(
        str(name).encode(encoding)[:10].ljust(11, b"\0")
        + kind.encode()
        + bytes(4)
        + bytes([size])
        + bytes(15)
        for name, kind, size in zip(names, kinds, sizes, strict=True)
    )
    start = 32 + len(fields) + 1
    about = struct.pack("<4BIHH", 3, 107, 9, 11, len(records), start, 1 + sum(sizes))
    lines = [
        b" " + b"".join(str(cell).encode(encoding).ljust(size) for cell, size in zip(row, sizes, strict=True))
        for row in records
    ]
    return about + bytes(17) + bytes([language]) + bytes(2) + fields + b"\r" + b"".join(lines) + b"\x1a"


def _dbase(table: FrequencyTable) -> bytes:
    rows, columns = table.axes
    records = [
        [row, column, table.counts[i, j].item()]
        for i, row in enumerate(rows)
        for j, column in enumerate(columns)
    ]
    return dbase([[rows.name, columns.name, "COUNT"], *records])


def word(rows: list[list[object]]) -> bytes:
    """Return a Word document with a table between two paragraphs."""
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    line = "<w:p><w:r><w:t>{}</w:t></w:r></w:p>".format
    cells = ["".join(f"<w:tc>{line(cell)}</w:tc>" for cell in row) for row in rows]
    table = "".join(f"<w:tr>{row}</w:tr>" for row in cells)
    body = f"{line('Table 1')}<w:tbl>{table}</w:tbl>{line('Source: office')}"
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "word/document.xml", f'<w:document xmlns:w="{space}"><w:body>{body}</w:body></w:document>'
        )
    return stream.getvalue()


def _word(table: FrequencyTable) -> bytes:
    rows, columns = table.axes
    lines = zip(rows.labels, table.counts.tolist(), strict=True)
    return word([[rows.name, *columns.labels], *([label, *counts] for label, counts in lines)])


#: What writes a table in each format.
FILES: dict[str, Callable[[FrequencyTable], bytes]] = {
    "csv": lambda table: table.to_csv().encode(),
    "xlsx": lambda table: workbook({"table": table.to_frame()}),
    "xls": _xls,
    "px": lambda table: px(Release.of(table), margins=False).encode(),
    "json-stat": lambda table: json_stat(Release.of(table), margins=False).encode(),
    "pxweb": _pxweb,
    "json-records": _json_records,
    "sdmx-json": _sdmx_json,
    "e-stat": _e_stat,
    "latex": _latex,
    "xml-workbook": _xml_workbook,
    "sdmx-csv": lambda table: sdmx_csv(Release.of(table), margins=False).encode(),
    "sdmx-ml": _sdmx_ml,
    "ods": _ods,
    "html": lambda table: (
        table.to_frame().rename_axis(columns=None).reset_index().to_html(index=False).encode()
    ),
    "eurostat-tsv": _eurostat,
    "parquet": _parquet,
    "statistical": _stata,
    "dbase": _dbase,
    "docx": _word,
}
