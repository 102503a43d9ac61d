"""A report on a release: one HTML file that says what was done, by whose limits, and what a reader may conclude."""

from __future__ import annotations

from sdcwidgets.assessment.report.html import write
from sdcwidgets.assessment.report.report import Alternative, Report

__all__ = ["Alternative", "Report", "write"]
