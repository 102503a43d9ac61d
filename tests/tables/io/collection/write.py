"""Grids, cubes and records as files of the formats that offices publish."""

import csv
import io
import json
import zipfile
from html import escape

import openpyxl


def delimited(rows, separator=",", encoding="utf-8", quote=csv.QUOTE_MINIMAL, end="\r\n"):
    text = io.StringIO()
    csv.writer(text, delimiter=separator, quoting=quote, lineterminator=end).writerows(rows)
    return text.getvalue().encode(encoding)


def workbook(rows, merged=(), title="Table 1", before=None, hidden=()):
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = title
    if before:
        cover = book.create_sheet("Contents", 0)
        for row in before:
            cover.append(row)
    for row in rows:
        sheet.append([None if cell == "" else cell for cell in row])
    for area in merged:
        sheet.merge_cells(area)
    for name, cells in hidden:
        extra = book.create_sheet(name)
        extra.sheet_state = "hidden"
        for row in cells:
            extra.append(row)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def page(rows, heads=1, caption="", foot=()):
    """An HTML page; a cell may be a pair of text and attributes."""
    parts = ["<html><head><meta charset='utf-8'></head><body><table>"]
    if caption:
        parts.append(f"<caption>{escape(caption)}</caption>")
    parts.append("<thead>")
    for number, row in enumerate(rows):
        if number == heads:
            parts.append("</thead><tbody>")
        cells = []
        for column, cell in enumerate(row):
            text, attributes = cell if isinstance(cell, tuple) else (cell, "")
            kind = "th" if number < heads or column == 0 else "td"
            cells.append(f"<{kind} {attributes}>{escape(str(text))}</{kind}>")
        parts.append("<tr>" + "".join(cells) + "</tr>")
    parts.append("</tbody>")
    if foot:
        width = len(rows[-1])
        lines = "".join(f"<tr><td colspan='{width}'>{escape(line)}</td></tr>" for line in foot)
        parts.append(f"<tfoot>{lines}</tfoot>")
    parts.append("</table></body></html>")
    return "".join(parts).encode()


def open_document(rows):
    cells = []
    for row in rows:
        cells.append("<table:table-row>")
        for cell in row:
            if cell == "":
                cells.append("<table:table-cell/>")
            elif isinstance(cell, str):
                cells.append(
                    f'<table:table-cell office:value-type="string"><text:p>{escape(cell)}</text:p></table:table-cell>'
                )
            else:
                cells.append(
                    f'<table:table-cell office:value-type="float" office:value="{cell}">'
                    f"<text:p>{cell}</text:p></table:table-cell>"
                )
        cells.append("</table:table-row>")
    names = "urn:oasis:names:tc:opendocument:xmlns:"
    body = (
        '<?xml version="1.0" encoding="UTF-8"?><office:document-content '
        f'xmlns:office="{names}office:1.0" xmlns:table="{names}table:1.0" '
        f'xmlns:text="{names}text:1.0" office:version="1.2">'
        '<office:body><office:spreadsheet><table:table table:name="Table1">'
        + "".join(cells)
        + "</table:table></office:spreadsheet></office:body></office:document-content>"
    )
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", body)
        archive.writestr(
            "META-INF/manifest.xml",
            '<?xml version="1.0"?><manifest:manifest xmlns:manifest="' + names + 'manifest:1.0">'
            '<manifest:file-entry manifest:full-path="/" '
            'manifest:media-type="application/vnd.oasis.opendocument.spreadsheet"/>'
            "</manifest:manifest>",
        )
    return content.getvalue()


def px(title, axes, cells, units, stub, heading, encoding="cp1252", extra=()):
    """A PX file; axes are pairs of a name and pairs of code and label."""

    def texts(values):
        return ",".join(f'"{value}"' for value in values)

    lines = [
        'CHARSET="ANSI";',
        'AXIS-VERSION="2013";',
        'MATRIX="T01";',
        'SUBJECT-AREA="Population";',
        'SUBJECT-CODE="BE";',
    ]
    lines += [f'TITLE="{title}";', f'CONTENTS="{title}";', f'UNITS="{units}";', "DECIMALS=0;"]
    lines += [f"STUB={texts(stub)};", f"HEADING={texts(heading)};"]
    for name, labels in axes:
        lines.append(f'VALUES("{name}")={texts(label for _, label in labels)};')
        lines.append(f'CODES("{name}")={texts(code for code, _ in labels)};')
    lines += extra
    lines.append("DATA=")
    lines += [" ".join(str(cell) for cell in row) for row in cells]
    return ("\r\n".join(lines) + ";\r\n").encode(encoding)


def json_stat(title, axes, values, status=None, roles=None, version="2.0"):
    dimension = {}
    for name, labels in axes:
        dimension[name] = {
            "label": name,
            "category": {
                "index": [code for code, _ in labels],
                "label": {code: label for code, label in labels},
            },
        }
    made = {
        "version": version,
        "class": "dataset",
        "label": title,
        "id": [name for name, _ in axes],
        "size": [len(labels) for _, labels in axes],
        "dimension": dimension,
        "value": values,
    }
    if status:
        made["status"] = status
    if roles:
        made["role"] = roles
    return json.dumps(made, ensure_ascii=False).encode()
