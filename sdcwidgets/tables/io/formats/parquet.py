"""Parquet files: the names of their columns, and a row for each record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.extras import need
from sdcwidgets.tables.io.formats.base import RIGHT, Format, Row, SheetCells, most_cells, register
from sdcwidgets.tables.io.formats.cube import readable


@register
@dataclass(frozen=True)
class Parquet(Format):
    """The columns of a Parquet file; values other than numbers and texts, such as dates, are converted to text."""

    content: bytes
    called: str
    limit: int | None = None
    name: ClassVar[str] = "parquet"
    title: ClassVar[str] = "a Parquet file"
    suffixes: ClassVar[tuple[str, ...]] = (".parquet",)

    @classmethod
    def knows(cls, content: bytes) -> bool:
        """Return whether the content begins with the four bytes of Parquet files."""
        return content.startswith(b"PAR1")

    @classmethod
    def opened(cls, content: bytes, name: str, limit: int | None) -> Self:
        """Return the file in these bytes."""
        need("microdata", "pyarrow", subject=f"The Parquet file {name}", alternative=RIGHT)
        return cls(content, name, limit)

    def sheet(self, name: str = "") -> SheetCells:
        """Return the cells."""
        return SheetCells(self._rows(), typed=True)

    def _rows(self) -> Iterator[Row]:
        from pyarrow import BufferReader, parquet

        with readable(self.title, self.called):
            file = parquet.ParquetFile(BufferReader(self.content))
            names, most = file.schema_arrow.names, most_cells(self.limit)
            if file.metadata.num_rows * len(names) > most:
                raise InputError(f"The file has more than {int(most):,} cells; choose one with fewer.")
        yield [str(name) for name in names]
        # Threads of Arrow that still run when Python ends abort the process (apache/arrow#34314).
        batches = file.iter_batches(use_threads=False)
        while True:
            with readable(self.title, self.called):
                batch = next(batches, None)
                columns = () if batch is None else [column.to_pylist() for column in batch.columns]
            if not columns:
                return
            for row in zip(*columns, strict=True):
                yield [
                    cell if isinstance(cell, str | int | float) or cell is None else str(cell) for cell in row
                ]
