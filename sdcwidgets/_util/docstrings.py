"""Docstrings and signatures generated from declared parameters."""

from __future__ import annotations

import inspect
import re
from typing import TypeVar, get_type_hints

from sdcwidgets._util.parameters import declared

T = TypeVar("T", bound=type)

#: First section heading after the text of a docstring.
_HEADING = re.compile(r"^(Attributes|Notes|References|Examples)\n-+$", re.MULTILINE)


def documented(cls: T) -> T:
    """Add the declared parameters to the docstring of a dataclass, and plain types to its signature.

    Use it as a decorator above `@dataclass`. A docstring with an Attributes section does not change.

    Examples
    --------
    >>> from sdcwidgets.methods import get
    >>> get("random-rounding").__doc__.split("Parameters")[1].splitlines()[2]
    'base : a whole number from 2 to 20, default 3'
    """
    hints, init = get_type_hints(cls), inspect.signature(vars(cls)["__init__"])
    typed = [arg.replace(annotation=hints.get(name, arg.annotation)) for name, arg in init.parameters.items()]
    vars(cls)["__init__"].__signature__ = init.replace(parameters=typed, return_annotation=init.empty)
    words = inspect.cleandoc(cls.__doc__ or "")
    heading = _HEADING.search(words)
    settings = [
        f"{item.name} : {item.expected}, default {item.default!r}\n    {item.label}. {item.help}".rstrip()
        for item in declared(cls)
    ]
    if settings and not (heading and heading[1] == "Attributes"):
        position = heading.start() if heading else len(words)
        section = "\n".join(["Parameters", "----------", *settings])
        cls.__doc__ = "\n\n".join(
            part.strip() for part in (words[:position], section, words[position:]) if part
        )
    return cls
