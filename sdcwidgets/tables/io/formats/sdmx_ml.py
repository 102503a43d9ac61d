"""Read generic and structure-specific data of SDMX-ML, the XML format of SDMX 2.1 and 3.0, with `sdmx1`."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import Any, ClassVar, Self
from xml.etree import ElementTree

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.extras import need
from sdcwidgets._util.labels import listed
from sdcwidgets.tables.io.formats.base import RIGHT, Format, SheetCells, most_cells, register
from sdcwidgets.tables.io.formats.cube import readable
from sdcwidgets.tables.io.formats.sdmx import observations

#: Maximum number of values of a file. Reading one value takes about 3 KB and 0.1 ms.
MOST_OBSERVATIONS = 300_000

#: Beginnings of the names of SDMX attributes. A file without its structure does not distinguish them from dimensions.
_ATTRIBUTES = re.compile(
    "(OBS|CONF|TITLE|DECIMALS|COLL|COMPILATION|SOURCE|PUBL|COMMENT|NOTE|EMBARGO|PRE_BREAK|BREAKS|DOM_SER|"
    "AVAILABILITY|TIME_FORMAT|UNIT_MULT|UNIT_INDEX|LAST_UPDATE|DATA_COMP|NAT_TITLE)"
)

_BEGINS = re.compile(
    rb"(\xef\xbb\xbf)?\s*<(\?xml|!--|\w+:\w+).{0,3000}?sdmx\.org/resources/sdmxml/", re.DOTALL | re.IGNORECASE
)
_OBSERVATION = re.compile(rb"<(?:\w+:)?Obs[\s>/]")


@register
@dataclass(frozen=True)
class SdmxMl(Format):
    """The data sets of an SDMX-ML message; each data set is a sheet."""

    datasets: tuple[Any, ...]
    name: ClassVar[str] = "sdmx-ml"
    title: ClassVar[str] = "SDMX-ML"
    suffixes: ClassVar[tuple[str, ...]] = (".xml",)

    @classmethod
    def knows(cls, content: bytes) -> bool:
        """Return whether the content is XML that names the schemas of SDMX-ML."""
        return _BEGINS.match(content[:6000]) is not None

    @classmethod
    def opened(cls, content: bytes, name: str, limit: int | None) -> Self:
        """Return the message in these bytes."""
        need("sdmx", subject=f"The SDMX-ML file {name}", alternative="load the data as SDMX-CSV")
        if b"<!" in content.replace(b"<!--", b"").replace(b"<![CDATA[", b""):
            raise InputError(f"{name} declares XML entities, which are not supported; {RIGHT}.")
        number, most = len(_OBSERVATION.findall(content)), min(MOST_OBSERVATIONS, most_cells(limit))
        if number > most:
            raise InputError(
                f"{name} has {number:,} values; an SDMX-ML file can have at most {int(most):,}. "
                "Load the data as SDMX-CSV."
            )
        plain = [] if _states_structure(content) else _plain(content)
        if plain:
            return cls((plain,))
        try:
            return cls(cls._datasets(content, name))
        except InputError:
            plain = _plain(content)
            if plain:
                return cls((plain,))
            raise

    @classmethod
    def _datasets(cls, content: bytes, name: str) -> tuple[Any, ...]:
        """Return the data sets that the package `sdmx1` reads."""
        with readable(cls.title, name):
            import sdmx
            import sdmx.reader.xml.v30  # which can no longer be imported once some files of 2.1 were read

            # A note on the sheet reports a missing structure, so the message of the package is not needed.
            logging.getLogger("sdmx.reader.xml.v21").setLevel(logging.ERROR)
            # The package prints a message that it cannot read.
            with redirect_stdout(io.StringIO()):
                message = sdmx.read_sdmx(io.BytesIO(content))
            datasets = tuple(data for data in getattr(message, "data", ()) if data.obs)
        if not datasets:
            raise InputError(f"{name} is SDMX-ML without values, such as a structure; load the data.")
        return datasets

    def names(self) -> tuple[str, ...]:
        """Return names such as "Data set 1" for the data sets."""
        number = len(self.datasets)
        return ("",) if number == 1 else tuple(f"Data set {k}" for k in range(1, number + 1))

    def sheet(self, name: str) -> SheetCells:
        """Return a row for each value."""
        if name not in self.names():
            raise InputError(f"The file has no {name!r}; it has Data set 1 to {len(self.datasets)}.")
        dataset = self.datasets[self.names().index(name)]
        if isinstance(dataset, list):
            return _of_attributes(dataset)
        with readable(self.title, "The file"):
            # Without its structure, only generic data distinguish dimensions from attributes.
            guessed = "Specific" in type(dataset).__name__
            first = dataset.obs[0].key
            names = [axis for axis in first.values if not (guessed and _ATTRIBUTES.match(axis))]
            if not names:
                raise ValueError("a value without a key")
            head = [*names, "OBS_VALUE", "OBS_STATUS", "UNIT_MULT"]
            if not any(_text(dataset, cell, "UNIT_MULT") for cell in dataset.obs):
                head.pop()
            note = f"The SDMX file does not declare its dimensions, so {listed(names)} are used."
            return observations(head, self._rows(dataset, head, names), (note,) * guessed)

    def _rows(self, dataset: Any, head: list[str], names: list[str]) -> Iterator[list[str]]:
        for cell in dataset.obs:
            key = cell.key.values
            status = _text(dataset, cell, "OBS_STATUS") or _text(dataset, cell, "OBS_FLAG")
            line = [
                *(str(key[name].value) if name in key else "" for name in names),
                "" if cell.value is None else str(cell.value),
                status,
                _text(dataset, cell, "UNIT_MULT"),
            ]
            yield line[: len(head)]


def _states_structure(content: bytes) -> bool:
    """Return whether the header of structure-specific data has an element with the structure."""
    return b":Structure " in content or b"<Structure " in content


def _plain(content: bytes) -> list[dict[str, str]]:
    """Return the attributes of each value of structure-specific data whose structure is not in the file.

    The package `sdmx1` needs the structure. Without a structure, the attributes of a series and of its values contain
    the dimensions.
    """
    if b"StructureSpecific" not in content[:6000]:
        return []
    rows, series = list[dict[str, str]](), dict[str, str]()
    try:
        for _, element in ElementTree.iterparse(io.BytesIO(content), events=("start",)):
            kind = element.tag.rpartition("}")[2]
            own = {name.rpartition("}")[2]: value for name, value in element.attrib.items()}
            if kind == "Series":
                series = own
            elif kind == "Obs" and "OBS_VALUE" in own:
                rows.append(series | own)
    except ElementTree.ParseError:
        return []
    return rows


def _of_attributes(rows: Sequence[Mapping[str, str]]) -> SheetCells:
    """Return a row for each value, from its attributes."""
    known = dict.fromkeys(name for row in rows for name in row if name != "OBS_VALUE")
    names = [name for name in known if not _ATTRIBUTES.match(name)]
    head = [*names, "OBS_VALUE", "OBS_STATUS", "UNIT_MULT"]
    blank = dict.fromkeys(head, "")
    lines = ({**blank, "OBS_STATUS": row.get("OBS_FLAG", ""), **row} for row in rows)
    note = f"The SDMX file does not declare its dimensions, so {listed(names)} are used."
    return observations(head, ([line[name] for name in head] for line in lines), (note,))


def _text(dataset: object, cell: Any, name: str) -> str:
    """Return an attribute of a value, of its series or of the data set; "" if there is no such attribute."""
    for held in (cell.attrib, cell.key.values, getattr(dataset, "attrib", {})):
        if name in held:
            return str(held[name].value)
    return ""
