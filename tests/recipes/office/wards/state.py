"""The choices of a person on the page."""

from dataclasses import dataclass
from typing import Annotated

from sdcwidgets.parameters import Declared, Label, Range
from sdcwidgets.widgets.page_state.links import Linked


@dataclass(frozen=True)
class WardsState(Declared, Linked):
    """The number of wards."""

    wards: Annotated[int, Range(1, 20), Label("Wards")] = 4
