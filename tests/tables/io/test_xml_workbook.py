"""A workbook in the XML of Excel 2003, with cells that are left out or span others."""

from format_files import xml_workbook

from sdcwidgets import FrequencyTable
from sdcwidgets.tables.io.reading import read_bytes


def _cell(value, **attributes):
    kind = "Number" if isinstance(value, int) else "String"
    words = "".join(f' s:{name}="{text}"' for name, text in attributes.items())
    return f'<Cell{words}><Data s:Type="{kind}">{value}</Data></Cell>'


def test_an_index_leaves_blank_cells_before_a_cell():
    head = _cell("women", Index=2) + _cell("men")
    rows = [head, _cell("A") + _cell(3) + _cell(1), _cell("B") + _cell(0) + _cell(5, Index=3)]
    content = xml_workbook("".join(f"<Row>{row}</Row>" for row in rows))
    table = read_bytes("t.xml", content).table
    assert table.axes[1].labels == ("women", "men")
    assert table.counts.tolist() == [[3, 1], [0, 5]]


def test_a_heading_spans_columns():
    head = _cell("Area") + _cell("North", MergeAcross=1) + _cell("South", MergeAcross=1)
    below = "".join(_cell(sex, Index=2 + k) for k, sex in enumerate(["women", "men"] * 2))
    counts = [_cell("A") + "".join(map(_cell, (3, 1, 4, 2))), _cell("B") + "".join(map(_cell, (5, 9, 2, 6)))]
    content = xml_workbook("".join(f"<Row>{row}</Row>" for row in (head, below, *counts)))
    table = read_bytes("t.xml", content).table
    assert table == FrequencyTable(
        [[[3, 1], [4, 2]], [[5, 9], [2, 6]]],
        {
            table.axes[0].name: "AB",
            table.axes[1].name: ["North", "South"],
            table.axes[2].name: ["women", "men"],
        },
    )
