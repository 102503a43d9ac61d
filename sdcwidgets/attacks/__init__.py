"""Attacks on released tables: inference from published values and prior knowledge, without the true counts."""

from __future__ import annotations

from sdcwidgets._util.registry import import_modules
from sdcwidgets.attacks.averaging import averaging
from sdcwidgets.attacks.base import Combination, Finding, Score, Step, available, get
from sdcwidgets.attacks.knowledge import Knowledge, TablePlacement
from sdcwidgets.attacks.linking import differencing, linking, suppression, unpicking
from sdcwidgets.attacks.means import means
from sdcwidgets.attacks.number import Number

__all__ = [
    "Combination",
    "Finding",
    "Knowledge",
    "Number",
    "Score",
    "Step",
    "TablePlacement",
    "available",
    "averaging",
    "differencing",
    "get",
    "linking",
    "means",
    "suppression",
    "unpicking",
]

import_modules(__name__)


def __dir__() -> list[str]:
    """Return the public names; the modules of single attacks are not part of the interface."""
    return __all__
