"""Formulas of docstrings as MathML, which a browser draws without a script."""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension, Object
from latex2mathml.converter import convert

__all__ = ["Formulas", "mathml"]

_INLINE = re.compile(r":math:`([^`]+)`")
_BLOCK = re.compile(r"^( *)\.\. math:: *((?:(?!\n\s*\n).)+)", re.DOTALL | re.MULTILINE)


def mathml(text: str) -> str:
    """Return Markdown with its formulas as MathML."""
    text = _BLOCK.sub(lambda found: found[1] + _drawn(found[2], "block"), text)
    return _INLINE.sub(lambda found: _drawn(found[1], "inline"), text)


def _drawn(formula: str, display: str) -> str:
    # Markdown would interpret backslashes, asterisks and underscores.
    drawn: str = convert(" ".join(formula.split()), display=display)
    if display == "block":  # it may have to be scrolled
        drawn = drawn.replace("<math", '<math tabindex="0"', 1)
    return re.sub(r"[\\*_]", lambda found: f"&#{ord(found[0])};", drawn)


class Formulas(Extension):
    """Extension of griffe that converts the formulas of docstrings to MathML."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Convert the formulas of one docstring."""
        if obj.docstring is not None:
            obj.docstring.value = mathml(obj.docstring.value)
