"""A file of each format that holds a table of two axes; `FILES` is told of a new format by `test_format_laws.py`."""

import io
import zipfile
from collections.abc import Callable

from sdcwidgets import FrequencyTable
from sdcwidgets.release import Release
from sdcwidgets.release.exchange import json_stat, px, sdmx_csv
from sdcwidgets.writing import workbook


def ods(rows: str) -> bytes:
    """Return an .ods workbook with these rows of XML."""
    space = "urn:oasis:names:tc:opendocument:xmlns:"
    xml = (
        f'<o:document-content xmlns:o="{space}office:1.0" xmlns:t="{space}table:1.0" xmlns:x="{space}text:1.0">'
        f'<o:body><o:spreadsheet><t:table t:name="one">{rows}</t:table></o:spreadsheet></o:body></o:document-content>'
    )
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet", zipfile.ZIP_STORED)
        archive.writestr("content.xml", xml)
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


#: What writes a table in each format.
FILES: dict[str, Callable[[FrequencyTable], bytes]] = {
    "csv": lambda table: table.to_csv().encode(),
    "xlsx": lambda table: workbook({"table": table.to_frame()}),
    "px": lambda table: px(Release.of(table), margins=False).encode(),
    "json-stat": lambda table: json_stat(Release.of(table), margins=False).encode(),
    "sdmx-csv": lambda table: sdmx_csv(Release.of(table), margins=False).encode(),
    "ods": _ods,
    "html": lambda table: (
        table.to_frame().rename_axis(columns=None).reset_index().to_html(index=False).encode()
    ),
    "eurostat-tsv": _eurostat,
    "parquet": _parquet,
}
