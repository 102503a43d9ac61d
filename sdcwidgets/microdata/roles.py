"""Roles of variables: weight, household, strata, sensitive variables, and variables excluded from saved files.

Names and values suggest roles; the data provider confirms or changes them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import quoted
from sdcwidgets.core.microdata.keys import MISSING
from sdcwidgets.tables.weight_names import is_weight_name

if TYPE_CHECKING:
    from sdcwidgets.microdata.data import Variable

#: Titles of the roles in the interface; a variable without a role can be a key variable.
NO_ROLE = "none"
ROLE_TITLES = {
    NO_ROLE: "no role",
    "weight": "sampling weight",
    "household": "household number",
    "strata": "stratum",
    "sensitive": "sensitive",
    "left_out": "not included in the saved file",
}

# Names in EU-SILC, LFS, DHS and national files, in lower case and without spaces and punctuation.
_HOUSEHOLD = re.compile(
    r"(hh?|household|home|dwelling|haushalts?|menage|hogar)(id|nr|no|num|number|nummer)?|db030|rx030|px030|hb030|hhnum|qhhnum"
    r"|serial|serialno"
)
_STRATUM = re.compile(r"strat(um|a)|strat(um|a)?(id|no|var)?|db050|h?v02[23]|schicht|estrato|strate")
_DESIGN = re.compile(
    r"psu|ssu|cluster|clusterid|db06[02]|h?v0(01|02|04|21)|ea|enumerationarea|segment|interviewer(id)?"
)
_PERSON = re.compile(
    r"(case|person|personal|record|respondent|ind|individual|p|r|resp)?(id|nr|no|number|idno)|caseid|[rp]b030|h?vidx|v003|pid"
    r"|name|firstname|lastname|surname|address|street|email|phone|telephone|ssn|birthdate|dateofbirth|dob"
)
_SENSITIVE = re.compile(
    r".*(income|earning|wage|salar|netinc|incdecil|incmon|incgross|revenue|wealth|debt|benefit|expenditure).*|p?y0[1-9]\d[gn]?"
    r"|h[yx]0[1-9]\d[gn]?|ph0[1-7]0|.*(disease|health|illness|diagnos|hiv|disab|religio|belief|ethnic|sexual|drug|crim|violence).*"
)

# Maximum median number of records per household number.
_LARGEST = 12

# Integers with at least this share of distinct values, in files with at least this many records, identify
# people.
_DIFFERENT, _MANY = 0.9, 50


@dataclass(frozen=True)
class Roles:
    """Roles of variables other than key variables.

    Attributes
    ----------
    weight, household : str or None
    strata, sensitive, left_out : tuple of str
    """

    weight: str | None = None
    household: str | None = None
    strata: tuple[str, ...] = ()
    sensitive: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

    def of(self, name: str) -> str:
        """Return the role of a variable."""
        for role in ("weight", "household"):
            if getattr(self, role) == name:
                return role
        return next(
            (role for role in ("left_out", "strata", "sensitive") if name in getattr(self, role)), NO_ROLE
        )

    def having(self, role: str) -> tuple[str, ...]:
        """Return the variables with this role."""
        names: str | tuple[str, ...] | None = getattr(self, role)
        if isinstance(names, tuple):
            return names
        return (names,) if names else ()

    def with_role(self, name: str, role: str) -> Roles:
        """Return the roles after assigning one variable; a previous weight or household variable loses that role.

        Examples
        --------
        >>> Roles(weight="w").with_role("v", "weight")
        Roles(weight='v', household=None, strata=(), sensitive=(), left_out=())
        """
        if role not in ROLE_TITLES:
            raise InputError(f"There is no role {quoted(role)}; the roles are {', '.join(ROLE_TITLES)}.")
        lists = {
            group: tuple(variable for variable in getattr(self, group) if variable != name)
            for group in ("strata", "sensitive", "left_out")
        }
        if role in lists:
            lists[role] = (*lists[role], name)
        weight, household = (
            None if current == name else current for current in (self.weight, self.household)
        )
        if role == "weight":
            weight = name
        elif role == "household":
            household = name
        return Roles(weight, household, **lists)


def guessed(variables: Mapping[str, Variable]) -> Roles:
    """Return the roles suggested by the names and values of the variables, to be confirmed by the data provider.

    Examples
    --------
    >>> import pandas as pd
    >>> from sdcwidgets.microdata import Microdata
    >>> frame = pd.DataFrame({"hhid": [1, 1], "wgt": [80, 90], "age": [3, 40], "netIncome": [0, 9]})
    >>> guessed(Microdata.from_frame(frame).variables)
    Roles(weight='wgt', household='hhid', strata=(), sensitive=('netIncome',), left_out=())
    """
    plain = {name: re.sub(r"[^a-z0-9]", "", name.lower()) for name in variables}

    def like(pattern: re.Pattern[str]) -> list[str]:
        return [name for name, text in plain.items() if pattern.fullmatch(text)]

    weights = [
        name for name, var in variables.items() if is_weight_name(name, with_ambiguous=True) and _weighs(var)
    ]
    weight = next(iter(weights), None)
    homes = [name for name in like(_HOUSEHOLD) if name != weight]
    household = next((name for name in homes if _shared(variables[name])), None)
    sensitive = [name for name in like(_SENSITIVE) if not variables[name].identifies]
    taken = {weight, household, *sensitive}
    dropped = [*like(_DESIGN), *like(_PERSON), *(name for name, var in variables.items() if tells_apart(var))]
    dropped += weights
    dropped = [name for name in dict.fromkeys(dropped) if name not in taken]
    strata = [name for name in like(_STRATUM) if name not in taken and name not in dropped]
    return Roles(weight, household, tuple(strata), tuple(sensitive), tuple(dropped))


def in_millionths(name: str, weights: NDArray[np.float64]) -> bool:
    """Return whether a weight variable has a DHS name and a mean of about 1,000,000, the DHS scale factor.

    Examples
    --------
    >>> in_millionths("HV005", np.array([600_000.0, 1_400_000.0])), in_millionths("HV005", np.array([60.0, 140.0]))
    (True, False)
    """
    return bool(re.fullmatch(r"[hm]?v005", name.lower()) and 1e5 < weights.mean() < 1e7)


def weights_below(variables: Mapping[str, Variable]) -> list[str]:
    """Return numeric variables named like a sampling weight whose values cannot be weights."""
    return [
        name
        for name, var in variables.items()
        if var.numeric and is_weight_name(name, with_ambiguous=True) and not _weighs(var)
    ]


def _weighs(variable: Variable) -> bool:
    """Return whether all values are numbers of at least 1."""
    if not variable.numeric or variable.missing:
        return False
    values = variable.categories.astype(np.float64)
    return bool(np.isfinite(values).all() and (values >= 1).all())


def _shared(variable: Variable) -> bool:
    """Return whether the values can be household numbers: the median number of records per value is small."""
    known = variable.codes[variable.codes != MISSING]
    return bool(len(known) and np.median(np.bincount(known)) <= _LARGEST)


def tells_apart(variable: Variable) -> bool:
    """Return whether nearly all records have different values, as integers or text."""
    records = len(variable.codes)
    if variable.identifies:
        return True
    whole = variable.categories.dtype.kind in "iu"
    return whole and records >= _MANY and len(variable.categories) >= _DIFFERENT * records
