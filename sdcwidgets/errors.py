"""The one error that a person's input can cause."""

from __future__ import annotations


class InputError(ValueError):
    """Bad input, told in one sentence: what is wrong, where, and what would be right.

    The message is shown to people as it is, on a dashboard, by the command line and in a notebook.
    """
