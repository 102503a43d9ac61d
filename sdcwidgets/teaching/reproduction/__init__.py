"""Printed figures as data, and what the formulas give for them.

`load` gives the figures of a publication as they are printed; `check` recomputes all that can be recomputed
and says of each whether it reproduces.

>>> load("h_functions")["rows"][0]
{'F': [1, 1], 'epsilon': 0.1, 'h1': 0.933, 'h2': 0.9977, 'h3': 1.0}
"""

from sdcwidgets.tables.examples.figures import load
from sdcwidgets.teaching.reproduction.check import as_table, check, figures, summary
from sdcwidgets.teaching.reproduction.figure import Figure

__all__ = ["Figure", "as_table", "check", "figures", "load", "summary"]
