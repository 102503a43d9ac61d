"""Release decision for a table, shared by the interface, the command line and Python."""

from __future__ import annotations

from sdcwidgets.assessment.verdict.judge import Verdict, judge
from sdcwidgets.assessment.verdict.limits import KINDS, ReleaseLimits
from sdcwidgets.assessment.verdict.rule_file import Rule, available, load
from sdcwidgets.assessment.verdict.violations import Stop

__all__ = ["KINDS", "ReleaseLimits", "Rule", "Stop", "Verdict", "available", "judge", "load"]
