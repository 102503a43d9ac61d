"""What is published: values of cells and of margins, and what a reader may conclude from each about the truth."""

from __future__ import annotations

from sdcwidgets.release.base import CONFIDENTIAL, NOT_AVAILABLE, Intervals, Release
from sdcwidgets.release.printed import number

__all__ = ["CONFIDENTIAL", "NOT_AVAILABLE", "Intervals", "Release", "number"]
