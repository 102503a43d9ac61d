"""Residual risk and information loss of a method, estimated from replicates of the protected table."""

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
