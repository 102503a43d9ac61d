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
from pathlib import Path

import ibis.backends.duckdb  # noqa: F401
import openpyxl  # noqa: F401
import pandas as pd
import pyreadstat

from sdcwidgets.sources import read_bytes
from sdcwidgets.sources.microdata import read_microdata_bytes
from sdcwidgets.tabulate import Tabulator
from sdcwidgets.writing import workbook

#: What nobody else calls a person, and how many of them there are.
NAME, RECORDS = "Zwiebelkuchenhausen", 3_000

KILLS = 20


def works(folder: Path) -> dict[str, Callable[[], object]]:
    """What a session does with a file that is brought, or that it gives, by name."""
    people = pd.DataFrame(
        {
            "name": [f"{NAME} {number}" for number in range(RECORDS)],
            "area": [float(number % 7) for number in range(RECORDS)],
        }
    )
    table = pd.crosstab(people["name"].head(500), people["area"].map("Area {:.0f}".format))
    files = {}
    for name in ("records.dta", "records.sav", "records.zsav"):
        pyreadstat_write = pyreadstat.write_dta if name.endswith("dta") else pyreadstat.write_sav
        more = {"compress": True} if name.endswith("zsav") else {}
        pyreadstat_write(people, folder / name, **more)
        files[name] = (folder / name).read_bytes()
        (folder / name).unlink()
    files["records.csv"] = people.to_csv(index=False).encode()
    parquet = io.BytesIO()
    people.to_parquet(parquet)
    files["records.parquet"] = parquet.getvalue()
    tables = {"table.csv": table.to_csv().encode(), "table.xlsx": workbook({"table": table})}

    def reads(read: Callable[[str, bytes], object], name: str, content: bytes) -> Callable[[], object]:
        return lambda: read(name, content)

    return {
        **{name: reads(read_microdata_bytes, name, content) for name, content in files.items()},
        **{name: reads(read_bytes, name, content) for name, content in tables.items()},
        "a workbook that is saved": lambda: workbook({"table": table}),
        "records that are counted": lambda: Tabulator.open(people).with_keys(1),
    }


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
