"""A table and a protection method in; what is left of the risk, and what is lost, over many draws out."""

from __future__ import annotations

from sdcwidgets.assessment.replications.result import Replications, SlicesAfter, WholeTableAfter
from sdcwidgets.assessment.replications.run import STORED_REPLICATES, Run, replicate
from sdcwidgets.assessment.replications.sums import Estimate, NumberEstimate

__all__ = [
    "STORED_REPLICATES",
    "Estimate",
    "NumberEstimate",
    "Replications",
    "Run",
    "SlicesAfter",
    "WholeTableAfter",
    "replicate",
]
