"""A flexible table generator: a user asks for a table, and gets a release with its utility, or a refusal.

The thesis (section 5.3) describes the steps and leaves the tool itself out. `rules` decides before anything is
protected, `noise` ties what is added to the people of a cell, `differencing` knows what two tables single out
together, and `server` walks the steps and keeps the log.
"""

from sdcwidgets.tableserver.rules import Refusal, Rules
from sdcwidgets.tableserver.server import Request, TableServer

__all__ = ["Refusal", "Request", "Rules", "TableServer"]
