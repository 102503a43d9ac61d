"""What is asked of a pattern on the page *Suppress*, and what a press does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from sdcwidgets.methods.cell_suppression import Together
from sdcwidgets.pages.suppression.sheet import READERS
from sdcwidgets.parameters import Choices, Declared, Help, Label, Range


@dataclass(frozen=True)
class SuppressionSettings(Declared):
    """What is asked of a pattern."""

    width: Annotated[
        int,
        Range(2, 1000),
        Label("Values asked, at least"),
        Help("How many values each suppressed count must keep."),
    ] = 256
    cost: Annotated[
        str, Choices({"value": "What is hidden", "cell": "Number of gaps"}), Label("The optimiser saves")
    ] = "value"
    press: Annotated[
        str,
        Choices(
            {
                "hide": "Suppresses it",
                "mark": "Marks it as sensitive",
                "keep": "Keeps it in print",
                "look": "Shows its sums",
            }
        ),
        Label("Pressing a number"),
        Help(
            "It becomes a gap, or free again; is marked, and the optimiser protects it; stays in print, whatever the "
            "optimiser hides; or is only looked at."
        ),
    ] = "hide"
    group: Annotated[
        int,
        Range(1, 6),
        Label("Rows under one sub-total"),
        Help("A hierarchy: so many neighbouring rows have a sub-total in print; 1 is none."),
    ] = 1
    reader: Annotated[
        str,
        Choices(READERS),
        Label("A reader knows"),
        Help(
            "The rule of small counts: ones and twos are gaps, and zeros are printed. Then a gap is 1 or more, and "
            "1 or 2 where nothing else is a gap."
        ),
    ] = "sums"
    coalition: Together = 1
