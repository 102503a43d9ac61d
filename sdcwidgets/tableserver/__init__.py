"""Flexible table generator: answer table requests with a release or a refusal.

The thesis describes the steps in section 5.3 but provides no software. `rules` checks a request before
protection, `noise` links perturbation to the people of a cell, `differencing` finds groups that two tables
single out together, and `server` runs the steps and keeps the log.
"""

from sdcwidgets.tableserver.rules import Refusal, Rules
from sdcwidgets.tableserver.server import Request, TableServer

__all__ = ["Refusal", "Request", "Rules", "TableServer"]
