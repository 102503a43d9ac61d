"""A format."""

from dataclasses import dataclass
from typing import ClassVar, Self

from sdcwidgets.tables.io.formats import base


@base.register
@dataclass(frozen=True)
class WikiTable(base.Format):
    """A table as a wiki writes it: rows after `|-`, cells after `|` or `!`."""

    content: bytes
    name: ClassVar[str] = "wiki"
    title: ClassVar[str] = "a table of a wiki"
    suffixes: ClassVar[tuple[str, ...]] = (".wiki",)

    @classmethod
    def knows(cls, content: bytes) -> bool:
        """Return whether a table begins."""
        return content.lstrip().startswith(b"{|")

    @classmethod
    def opened(cls, content: bytes, name: str, limit: int | None) -> Self:
        """Return the table in these bytes."""
        return cls(content)

    def sheet(self, name: str) -> base.SheetCells:
        """Return its rows; what they mean is found out as for every format."""
        rows = self.content.decode("utf-8", "replace").partition("|}")[0].split("|-")[1:]
        cells = (row.replace("!", "|").split("|")[1:] for row in rows)
        return base.SheetCells([cell.strip() for cell in row] for row in cells)
