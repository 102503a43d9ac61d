"""Explore states that a file lacks counts, since its risk is then not that of the original table."""

from screens import inside
from sdcwidgets import dashboards
from sdcwidgets.tables.io.layouts import FileLayout, LayoutColumn
from sdcwidgets.tables.io.sources import File
from sdcwidgets.widgets.leading import Lead
from sdcwidgets.widgets.page import Page

FILE = b"Area,Sex,People\nA,m,12\nA,f,31\nB,m,x\nB,f,25\n"
COLUMNS = (
    LayoutColumn(1, "label", "Area"),
    LayoutColumn(2, "label", "Sex"),
    LayoutColumn(3, "count", "People"),
)


def test_the_reason_names_counts_that_are_read_as_zeros():
    layout = FileLayout(COLUMNS, first=2, header=1, texts={"x": "unknown"})
    source = File.from_input(FILE, "areas.csv").with_layout(layout)
    reading = source.read()
    screen = dashboards.explore.app()
    (page,) = inside(screen, Page)
    (lead,) = inside(screen, Lead)
    assert "not in the file" not in lead.why
    study = page._study
    study.load(study.state.with_table(reading.table, source.light(reading)))
    assert "1 count is not in the file" in lead.why
