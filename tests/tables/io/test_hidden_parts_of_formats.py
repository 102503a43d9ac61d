"""Hidden rows, columns and sheets of ODS, XML and XLS workbooks lead to the same questions as those of .xlsx files."""

import io

import pytest
import xlwt
from format_files import ods_archive

from sdcwidgets.tables.io.options import Question, ReadOptions
from sdcwidgets.tables.io.previews import FilePreview
from sdcwidgets.tables.io.reading import read_bytes

ROWS = [["Area", "Men", "Women"], ["Bath", 31, 45], ["Hull", 27, 38], ["York", 44, 52]]
NOTES = [["Source: register"]]
OLD = [["Area", "Men", "Women"], ["Bath", 30, 44], ["Hull", 26, 37], ["York", 43, 51]]


def ods(sheets, rows=(), columns=(), hidden=(), state="collapse", groups=False):
    """Return an .ods workbook with hidden rows and columns in its first sheet, and hidden sheets."""
    space = "urn:oasis:names:tc:opendocument:xmlns:"
    tables = []
    for k, (name, lines) in enumerate(sheets.items()):
        style = "gone" if name in hidden else "shown"
        xml = f'<t:table t:name="{name}" t:style-name="{style}">'
        for number in range(1, 4):
            is_hidden = not k and number in columns
            xml += f'<t:table-column t:visibility="{state}"/>' if is_hidden else "<t:table-column/>"
        xml += '<t:table-column t:number-columns-repeated="16381"/>'
        for number, line in enumerate(lines, start=1):
            is_hidden = not k and number in rows
            attribute = f' t:visibility="{state}"' if is_hidden and not groups else ""
            xml += '<t:table-row-group t:display="false">' if is_hidden and groups else ""
            xml += f"<t:table-row{attribute}>"
            for cell in line:
                number_of = f'o:value-type="float" o:value="{cell}"' if isinstance(cell, int) else ""
                xml += f"<t:table-cell {number_of}><x:p>{cell}</x:p></t:table-cell>"
            xml += "</t:table-row>"
            xml += "</t:table-row-group>" if is_hidden and groups else ""
        tables.append(f'{xml}<t:table-row t:number-rows-repeated="1048000"/></t:table>')
    styles = "".join(
        f'<s:style s:name="{name}" s:family="table"><s:table-properties t:display="{display}"/></s:style>'
        for name, display in (("shown", "true"), ("gone", "false"))
    )
    content = (
        f'<o:document-content xmlns:o="{space}office:1.0" xmlns:t="{space}table:1.0" xmlns:x="{space}text:1.0" '
        f'xmlns:s="{space}style:1.0"><o:automatic-styles>{styles}</o:automatic-styles><o:body><o:spreadsheet>'
        f"{''.join(tables)}</o:spreadsheet></o:body></o:document-content>"
    )
    return ods_archive(content)


def xml(sheets, rows=(), columns=(), hidden=()):
    """Return a workbook in the XML of Excel 2003."""
    space, office = "urn:schemas-microsoft-com:office:spreadsheet", "urn:schemas-microsoft-com:office:excel"
    made = f'<?xml version="1.0"?>\n<Workbook xmlns="{space}" xmlns:s="{space}">'
    for k, (name, lines) in enumerate(sheets.items()):
        made += f'<Worksheet s:Name="{name}"><Table>'
        for number in columns if not k else ():
            made += f'<Column s:Index="{number}" s:Hidden="1"/>'
        for number, line in enumerate(lines, start=1):
            made += '<Row s:Hidden="1">' if not k and number in rows else "<Row>"
            for cell in line:
                kind = "Number" if isinstance(cell, int) else "String"
                made += f'<Cell><Data s:Type="{kind}">{cell}</Data></Cell>'
            made += "</Row>"
        state = "<Visible>SheetHidden</Visible>" if name in hidden else ""
        made += f'</Table><WorksheetOptions xmlns="{office}">{state}</WorksheetOptions></Worksheet>'
    return f"{made}</Workbook>".encode()


def xls(sheets, rows=(), columns=(), hidden=()):
    """Return a workbook of Excel 97 to 2003."""
    book = xlwt.Workbook()
    for k, (name, lines) in enumerate(sheets.items()):
        sheet = book.add_sheet(name)
        sheet.visibility = int(name in hidden)
        for i, line in enumerate(lines):
            for j, value in enumerate(line):
                sheet.write(i, j, value)
        for number in rows if not k else ():
            sheet.row(number - 1).hidden = True
        for number in columns if not k else ():
            sheet.col(number - 1).hidden = True
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


MAKERS = {"ods": ods, "xml": xml, "xls": xls}


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize(
    ("sheets", "hidden", "question", "place"),
    [
        ({"Counts": ROWS}, {"rows": [3]}, "hidden rows", ("row", 3)),
        ({"Counts": ROWS}, {"columns": [3]}, "hidden columns", ("column", 3)),
        ({"Counts": ROWS, "Notes": NOTES}, {"hidden": ["Counts"]}, "hidden sheet", ("file", 0)),
        ({"Counts": ROWS, "Old": OLD}, {"hidden": ["Old"]}, "hidden sheets", ("file", 0)),
    ],
)
def test_hidden_parts_lead_to_a_question(kind, sheets, hidden, question, place):
    content = MAKERS[kind](sheets, **hidden)
    with pytest.raises(Question) as asked:
        read_bytes(f"t.{kind}", content)
    assert asked.value.doubt.question == question
    accepted = read_bytes(f"t.{kind}", content, how=ReadOptions(doubts="accept"))
    assert accepted.table.total == 237
    assert any("hidden" in note for note in accepted.notes)
    (decision,) = [decision for decision in FilePreview(content).decisions() if decision.is_open]
    assert decision.place == place


@pytest.mark.parametrize("options", [{"state": "filter"}, {"groups": True}])
def test_rows_of_ods_that_a_filter_or_an_outline_hides_lead_to_a_question(options):
    with pytest.raises(Question) as asked:
        read_bytes("t.ods", ods({"Counts": ROWS}, rows=[3], **options))
    assert asked.value.doubt.question == "hidden rows"


@pytest.mark.parametrize("kind", MAKERS)
def test_hidden_parts_outside_of_the_table_are_no_question(kind):
    made = MAKERS[kind]
    assert read_bytes("t", made({"Counts": ROWS})).table.total == 237
    assert read_bytes("t", made({"Counts": [*ROWS, *NOTES]}, rows=[5])).table.total == 237
    assert read_bytes("t", made({"Counts": ROWS, "Notes": NOTES}, hidden=["Notes"])).table.total == 237
