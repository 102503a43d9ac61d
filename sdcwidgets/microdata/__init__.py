"""Records of people with names on everything: read them, sample them, see who is unique, and protect them.

The numbers are made in `sdcwidgets.core.microdata` and `sdcwidgets.core.risk.sample`, on arrays of codes.
"""

from __future__ import annotations

from sdcwidgets.microdata.data import Microdata, Variable
from sdcwidgets.microdata.roles import Roles
from sdcwidgets.microdata.sampling import sample
from sdcwidgets.microdata.synthetic import population

__all__ = ["Microdata", "Roles", "Variable", "population", "sample"]
