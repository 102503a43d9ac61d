"""Report on a release as an HTML file: table, method, limits and possible conclusions of data users."""

from __future__ import annotations

from sdcwidgets.assessment.report.html import write
from sdcwidgets.assessment.report.report import Alternative, Report

__all__ = ["Alternative", "Report", "write"]
