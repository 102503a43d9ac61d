"""Tables by a database, how long and how large: `python benchmarks/tables.py [request|first|sql [N]|sparse|parquet]`.

Aims: a request on the study's hypercube, from the rules to the release, in 100 ms; 1.5 million records by three
variables in at most twice DuckDB's own SQL for the same; a table of 10^9 possible and 10^7 populated cells assessed
from these in 10 s and under 2 GB; 10^8 records from Parquet in under 4 GB (a file of about 1 GB in a temporary folder).

Measured on two cores with nothing else at work, 2026-11: requests, with the check of all released tables, 18 to 79 ms,
the first exact 53 ms. On busy ones: ratio to SQL 1.28, of processor 1.15 (with 10^7 records 1.01); sparse 4.1 s (0.9 s
of processor) and 0.62 GB; 10^8 records, 0.82 GB of Parquet, 44 s (13.8 s of processor) and 0.41 GB.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from sdcwidgets.tableserver import TableServer
from sdcwidgets.tableserver.hypercube import AXES, hypercube
from sdcwidgets.tableserver.tabulate import KEYS, Query, Tabulation, Tabulator

RECORDS, CHUNK = 10**8, 5 * 10**6

#: Requests of two and three variables; those that are released as they are need the check of all exact tables.
ASKED = (
    (["Age", "Occupation", "Education"], {"Region": ["Region 1"]}),
    (["Age", "Citizenship", "Sex"], {}),
    (["Education", "Sex"], {}),
    (["Employment", "Sex"], {}),
    (["Education", "Region"], {"Sex": ["Male"]}),
    (["Age", "Citizenship"], {"Region": ["Region 2"]}),
)


def timed(call, times=7):
    """Return the median wall clock and processor time of a call, in seconds."""
    walls, used = [], []
    for _ in range(times):
        wall, cpu = time.perf_counter(), time.process_time()
        call()
        walls.append(time.perf_counter() - wall)
        used.append(time.process_time() - cpu)
    return statistics.median(walls), statistics.median(used)


def largest():
    """Return the most memory that this process ever had, in GB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def request():
    data = Tabulator.open(hypercube(), count="Count", key="Key")
    warm = TableServer(data)  # imports, and the first plans of the database and the solver
    for by in (["Education", "Sex"], ["Employment", "Sex"], ["Age", "Citizenship", "Sex"]):
        warm.request(by)
    server = TableServer(data)
    for by, where in ASKED:
        wall, used = timed(lambda by=by, where=where: TableServer(data).request(by, where))
        print(f"{' x '.join(by)}: {wall * 1e3:.0f} ms ({used * 1e3:.0f} ms of processor)")
    found = []
    for by, where in ASKED:
        start, used = time.perf_counter(), time.process_time()
        server.request(by, where)
        found.append((time.perf_counter() - start, time.process_time() - used))
    wall, used = (max(part) * 1e3 for part in zip(*found, strict=True))
    print(f"with the log of those before: slowest {wall:.0f} ms ({used:.0f} ms of processor), aim 100 ms")


def first():
    # In a process of its own: what a server does when it is made, and what is left to its first exact release.
    data = Tabulator.open(hypercube(), count="Count", key="Key")
    start, used = time.perf_counter(), time.process_time()
    server = TableServer(data)
    for what, by in (("made", None), ("first release, exact", ["Education", "Sex"]), ("second", ["Sex"])):
        if by is not None:
            assert server.request(by)
        wall, cpu = time.perf_counter() - start, time.process_time() - used
        print(f"{what}: {wall * 1e3:.0f} ms ({cpu * 1e3:.0f} ms of processor)")
        start, used = time.perf_counter(), time.process_time()


def people(size, rng):
    """Return so many records of the hypercube's people."""
    cells = hypercube(seed=1)
    shares = cells["Count"].to_numpy() / cells["Count"].sum()
    lines = rng.choice(len(cells), size, p=shares)
    frame = cells[[axis.name for axis in AXES]].iloc[lines].reset_index(drop=True)
    return frame.assign(Key=rng.integers(KEYS, size=size))


def sql(records=1_500_000):
    import duckdb

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "people.parquet"
        people(records, np.random.default_rng(1)).astype({axis.name: str for axis in AXES}).to_parquet(path)
        data = Tabulator.open(path, key="Key")
        query = Query(("Age", "Education", "Occupation"))
        connection = duckdb.connect()
        text = (
            'SELECT Age, Education, Occupation, count(*), sum("Key") % 1000000000 '
            f"FROM read_parquet('{path}') GROUP BY ALL"
        )

        def ours():
            return data.tabulate(query).table

        def plain():
            connection.sql(text).to_arrow_table()

        ours(), plain()
        (mine, cpu), (theirs, base) = timed(ours), timed(plain)
        print(
            f"{records:,} records by three variables: {mine * 1e3:.0f} ms ({cpu * 1e3:.0f} ms of processor), "
            f"DuckDB's SQL {theirs * 1e3:.0f} ms ({base * 1e3:.0f}); "
            f"ratio {mine / theirs:.2f}, of processor {cpu / base:.2f}, aim 2"
        )


def sparse():
    from sdcwidgets.tables.axis import Axis

    rng = np.random.default_rng(1)
    axes = tuple(Axis(name, tuple(map(str, range(1000)))) for name in "abc")
    places = np.cumsum(rng.integers(1, 200, size=10**7))
    counts = rng.geometric(0.3, size=10**7)
    found = Tabulation(axes, places, counts, None)
    before = largest()
    start, used = time.perf_counter(), time.process_time()
    terms = found.terms()
    print(
        f"{found.cells:,} cells, {len(counts):,} of them populated: {time.perf_counter() - start:.2f} s "
        f"({time.process_time() - used:.2f} s of processor), aim 10 s; {largest():.2f} GB at most, {before:.2f} before,"
        f" aim 2 GB; terms {np.round(terms, 4).tolist()}"
    )


def parquet():
    import pyarrow as pa
    import pyarrow.parquet as pq

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "people.parquet"
        rng, writer = np.random.default_rng(1), None
        for _ in range(RECORDS // CHUNK):
            chunk = pa.Table.from_pandas(people(CHUNK, rng), preserve_index=False)
            writer = writer or pq.ParquetWriter(path, chunk.schema)
            writer.write_table(chunk)
        writer.close()
        size = path.stat().st_size / 2**30
        print(f"{RECORDS:,} records in {size:.2f} GB of Parquet", flush=True)
        # A process of its own, so that the memory is that of the table and not of the file that was made.
        subprocess.run([sys.executable, __file__, "of", os.fspath(path)], check=True)


def of(path):
    start, used = time.perf_counter(), time.process_time()
    data = Tabulator.open(path, key="Key")
    found = data.tabulate(Query(("Age", "Education", "Occupation"), {"Region": ("Region 1",)}))
    print(
        f"{found.people:,} people in {found.cells:,} cells with keys: {time.perf_counter() - start:.1f} s "
        f"({time.process_time() - used:.1f} s of processor), {largest():.2f} GB at most, aim 4 GB"
    )


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["of", path]:
            of(path)
        case ["sql", records]:
            sql(int(records))
        case [name] if name in ("request", "first", "sql", "sparse", "parquet"):
            globals()[name]()
        case _:
            for one in (request, sql, sparse):
                one()
