"""What a person chooses."""

from dataclasses import dataclass
from typing import Annotated

from sdcwidgets._util.parameters import Declared, Label, Range
from sdcwidgets.widgets.studies.links import Linked


@dataclass(frozen=True)
class Wards(Declared, Linked):
    """How many wards there are."""

    wards: Annotated[int, Range(1, 20), Label("Wards")] = 4
