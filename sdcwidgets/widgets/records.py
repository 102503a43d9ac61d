"""A file of records that a person opens."""

from __future__ import annotations

from collections.abc import Callable

import traitlets

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import whole
from sdcwidgets.microdata.reading import MicrodataReading, read_microdata_bytes
from sdcwidgets.widgets.base import STATIC, Widget

#: Maximum size of a file, in bytes; the server must accept messages of this size.
LARGEST_FILE = 20 * 2**20


class RecordsButton(Widget):
    """A button that opens CSV, Parquet, Stata or SPSS files; errors are shown in one sentence.

    Parameters
    ----------
    take : callable
        Called with the reading and the name of the file; the widget shows an InputError that it raises.
    """

    _esm = STATIC / "records.js"
    _css = STATIC / "source.css"

    limit = traitlets.Int(LARGEST_FILE).tag(sync=True)
    problem = traitlets.Unicode("").tag(sync=True)
    notes = traitlets.Unicode("").tag(sync=True)
    turn = traitlets.Int(0).tag(sync=True)

    def __init__(self, take: Callable[[MicrodataReading, str], None]) -> None:
        super().__init__()
        self._take = take
        self.hear("file", lambda message, buffers: self._file(whole(str(message.get("name"))), buffers))

    def _file(self, name: str, buffers: list[memoryview]) -> None:
        with self.hold_sync():
            self.problem = self.notes = ""
            self.turn += 1
            try:
                if len(buffers) != 1:
                    raise InputError("No file was received. Choose one file.")
                if len(buffers[0]) > LARGEST_FILE:
                    raise InputError(
                        f"{name} is larger than {LARGEST_FILE // 2**20} MB. Choose a smaller file."
                    )
                reading = read_microdata_bytes(name, bytes(buffers[0]))
                self._take(reading, name)
                self.notes = " ".join(reading.notes)
            except InputError as error:
                self.problem = str(error)
