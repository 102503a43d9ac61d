"""What is published: values of cells and of margins, and what a reader may conclude from each about the truth."""

from __future__ import annotations

from sdcwidgets.tables.release.base import Release
from sdcwidgets.tables.release.printed import number
from sdcwidgets.tables.release.published import CONFIDENTIAL, NOT_AVAILABLE, Intervals

__all__ = ["CONFIDENTIAL", "NOT_AVAILABLE", "Intervals", "Release", "number"]
