"""Error that the package raises for invalid input."""

from __future__ import annotations

import re

#: Input of more than 100 characters without a space; the message shows its beginning and its end.
_LONG = re.compile(r"(\S{57})\S{41,}(\S{3})")


class InputError(ValueError):
    """Invalid input, described in one sentence: the problem, its place, and a valid alternative.

    Dashboards, the command line and notebooks show the message unchanged. Words of more than 100 characters are
    shortened.

    Examples
    --------
    >>> print(InputError("There is no example " + 1000 * "x" + "; take another one."))
    There is no example xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...xx; take another one.
    """

    # Tracebacks show the public name.
    __module__ = "sdcwidgets"

    def __init__(self, sentence: str = "") -> None:
        super().__init__(_LONG.sub(r"\1...\2", sentence))
