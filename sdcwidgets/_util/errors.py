"""The one error that a person's input can cause."""

from __future__ import annotations

import re

#: What was typed or came by a link may be of any length; a sentence shows its beginning and its end.
_LONG = re.compile(r"(\S{57})\S{41,}(\S{3})")


class InputError(ValueError):
    """Bad input, told in one sentence: what is wrong, where, and what would be right.

    The message is shown to people as it is, on a dashboard, by the command line and in a notebook. What has more than
    100 characters without a space is shortened.

    Examples
    --------
    >>> print(InputError("There is no example " + 1000 * "x" + "; take another one."))
    There is no example xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...xx; take another one.
    """

    # Tracebacks show the public name.
    __module__ = "sdcwidgets"

    def __init__(self, sentence: str = "") -> None:
        super().__init__(_LONG.sub(r"\1...\2", sentence))
