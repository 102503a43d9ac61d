"""Read and write files of names without end, in processes that are killed: what they leave on the disk.

Run as a script by `test_killed_reading.py` in a folder of its own; it prints what it killed, and how often.
"""

from __future__ import annotations

import io
import json
import os
import random
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import ibis.backends.duckdb  # noqa: F401
import numpy as np
import openpyxl  # noqa: F401
import pandas as pd
import pyreadstat

sys.path.insert(0, str(Path(__file__).parents[2]))
import format_files

from sdcwidgets import FrequencyTable
from sdcwidgets.assessment.report import Report
from sdcwidgets.assessment.report.html import html
from sdcwidgets.microdata.reading import read_microdata_bytes
from sdcwidgets.tables.io import formats
from sdcwidgets.tables.io.options import ReadOptions
from sdcwidgets.tables.io.reading import read_bytes
from sdcwidgets.tables.io.writers.exchange import json_stat, px, sdmx_csv
from sdcwidgets.tables.io.writers.workbook import workbook
from sdcwidgets.tables.release import Release
from sdcwidgets.tableserver.protecting import keyed
from sdcwidgets.tableserver.tabulate import Tabulator

#: What nobody else calls a person, and how many of them there are in a file of records and in a table.
NAME, RECORDS, TABLE = "Zwiebelkuchenhausen", 1_000, 100

#: What writes a file of a statistics package, its name, and what else it is told.
WRITERS = (
    ("write_dta", "records.dta"),
    ("write_sav", "records.sav"),
    ("write_sav", "records.zsav", ("compress", True)),
    ("write_xport", "records.xpt"),
)

KILLS = 10


def works(folder: Path) -> dict[str, Callable[[], object]]:
    """What a session does with a file that is brought, or that it gives, by name."""
    people = pd.DataFrame(
        {
            "name": [f"{NAME} {number}" for number in range(RECORDS)],
            "area": [float(number % 7) for number in range(RECORDS)],
        }
    )
    records = {}
    for write, name, *more in WRITERS:
        getattr(pyreadstat, write)(people, folder / name, **dict(more))
        records[name] = (folder / name).read_bytes()
        (folder / name).unlink()
    parquet = io.BytesIO()
    people.to_parquet(parquet)
    records |= {
        "records.csv": people.to_csv(index=False).encode(),
        "records.parquet": parquet.getvalue(),
        "records.xlsx": workbook({"people": people.set_index("name")}),
    }
    named = [f"{NAME} {number}" for number in range(TABLE)]
    table = FrequencyTable(np.arange(TABLE * 7).reshape(TABLE, 7), {"name": named, "area": list("ABCDEFG")})
    # A format that is new is here too: what writes a file of it is asked for by the tests of formats.
    tables = {name: format_files.FILES[name](table) for name in formats.available()}
    release = Release.of(table)
    report = Report(release, title=NAME, table=table, internal=True)

    def reads(read: Callable[[str, bytes], object], name: str, content: bytes) -> Callable[[], object]:
        return lambda: read(name, content)

    return {
        **{name: reads(read_microdata_bytes, name, content) for name, content in records.items()},
        **{f"a table as {name}": reads(_read, name, content) for name, content in tables.items()},
        "a report": lambda: html(report),
        "a report as a workbook": report.workbook,
        "a workbook that is saved": lambda: workbook({"table": table.to_frame()}),
        **{write.__name__: partial(write, release) for write in (json_stat, px, sdmx_csv)},
        "records that are counted": lambda: keyed(Tabulator.open(people), 1),
    }


def _read(name: str, content: bytes) -> FrequencyTable:
    """Read a table; one of a time, of that time."""
    how = ReadOptions(only="TIME_PERIOD=2021") if name == "eurostat-tsv" else ReadOptions()
    return read_bytes(name, content, how=how).table


def apart(work: Callable[[], object], seconds: float | None = None) -> float:
    """Let a process do this, and return how long it took; or kill it so many seconds after it has begun."""
    (begun, begins), start = os.pipe(), time.perf_counter()
    child = os.fork()
    if child == 0:
        os.write(begins, b"!")
        work()
        while seconds is not None:
            work()
        os._exit(0)
    os.read(begun, 1)
    if seconds is not None:
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
    assert os.waitpid(child, 0)[1] == (0 if seconds is None else signal.SIGKILL)
    os.close(begun)
    os.close(begins)
    return time.perf_counter() - start


def main() -> None:
    """Kill every kind of work at random moments of it."""
    draw = random.Random(20261122)
    for name, work in works(Path(sys.argv[1])).items():
        # None of it is done in this process: threads that a library has begun are not there after a fork.
        took = apart(work)
        for _ in range(KILLS):
            apart(work, draw.uniform(0, took))
        print(json.dumps([name, KILLS]), flush=True)


if __name__ == "__main__":
    main()
