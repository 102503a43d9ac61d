"""May this table be released? One answer for the page, the command line and Python."""

from __future__ import annotations

from sdcwidgets.verdict.house import Rule, available, load
from sdcwidgets.verdict.judge import Verdict, judge
from sdcwidgets.verdict.limits import KINDS, ReleaseLimits
from sdcwidgets.verdict.stops import GUESSED, Stop

__all__ = ["GUESSED", "KINDS", "ReleaseLimits", "Rule", "Stop", "Verdict", "available", "judge", "load"]
