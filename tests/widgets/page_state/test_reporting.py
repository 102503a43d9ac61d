"""The report of a page repeats how its file was read."""

from pathlib import Path

from sdcwidgets import methods
from sdcwidgets.tables.io.sources import File
from sdcwidgets.widgets.page_state.reporting import report_on
from sdcwidgets.widgets.page_state.table_state import TableState

CONTENT = b"Area,Sex,Persons\nA,f,5\nA,m,6\nB,f,7\nB,m,2\n"


def test_the_code_of_the_report_reads_the_file_of_the_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("long.csv").write_bytes(CONTENT)
    source = File.from_input(CONTENT, "long.csv").choose(by=("Area", "Sex"), count="Persons")
    reading = source.read()
    method = methods.get("random-rounding")(base=3)
    release = method.release(reading.table, 7)
    state = TableState(reading.table, source.light(reading))
    names = {}
    exec(report_on(state, release, method, seed=7).code.replace("seed = None", "seed = 7"), names)
    assert names["release"].cells.tolist() == release.cells.tolist()
