"""Published figures as data, and their recomputation.

`load` returns the published figures of a publication. `check` recomputes them and reports for each whether it
can be reproduced.

Examples
--------
>>> load("h_functions")["rows"][0]
{'F': [1, 1], 'epsilon': 0.1, 'h1': 0.933, 'h2': 0.9977, 'h3': 1.0}
"""

from sdcwidgets.tables.examples.figures import load
from sdcwidgets.teaching.reproduction.check import as_table, check, figures, summary
from sdcwidgets.teaching.reproduction.figure import Figure

__all__ = ["Figure", "as_table", "check", "figures", "load", "summary"]
