"""Attacks: what an intruder does with published tables and what they know. None of them sees the true counts."""

from __future__ import annotations

from sdcwidgets._util.registry import import_room
from sdcwidgets.attacks.averaging import averaging
from sdcwidgets.attacks.base import Combination, Finding, Score, Step, available, get
from sdcwidgets.attacks.knowledge import Knowledge, Placed
from sdcwidgets.attacks.linking import differencing, linking, suppressed, unpicking
from sdcwidgets.attacks.means import means
from sdcwidgets.attacks.number import Number

__all__ = [
    "Combination",
    "Finding",
    "Knowledge",
    "Number",
    "Placed",
    "Score",
    "Step",
    "available",
    "averaging",
    "differencing",
    "get",
    "linking",
    "means",
    "suppressed",
    "unpicking",
]

import_room(__name__)
