"""Numbers that trainees type: decimals, fractions, percentages, products, quotients and logarithms."""

from __future__ import annotations

import math
import re

#: Maximum length of a typed number in characters.
MOST_TYPED = 80

_NUMBER = r"[\d.,]{1,40}(?:e[-+]?\d{1,3})?"
_FACTOR = re.compile(
    rf"([-−+]?)\s*(?:(?:log|ln)\s*\(\s*({_NUMBER})(?:\s*/\s*({_NUMBER}))?\s*\)|(log|ln)?\s*({_NUMBER}))\s*",
    re.I,
)
_OPERATOR = re.compile(r"([*×·/÷])\s*")


def number_in(typed: str) -> tuple[float, ...]:
    """Return the possible values of a typed number.

    A product or a quotient is computed from left to right, and `log` and `ln` are the natural logarithm. A number
    with a percent sign has two possible values, and invalid text has none.

    Parameters
    ----------
    typed : str
        Typed text, such as "0,25", "1/4", "25 %", "3 × 0.6931" or "log 8".

    Returns
    -------
    tuple of float

    Examples
    --------
    >>> number_in("1/4"), number_in("25 %"), number_in("1e999"), number_in("x")
    ((0.25,), (0.25, 25.0), (), ())
    >>> number_in("3 × 0.5"), number_in("log 8 / ln(2)"), number_in("-log(1/4)")
    ((1.5,), (3.0,), (1.3862943611198906,))
    """
    text = typed.strip()
    if len(text) > MOST_TYPED:
        return ()
    percent = text.endswith("%")
    try:
        value = _product(text.removesuffix("%").rstrip())
    except (ValueError, ZeroDivisionError, OverflowError):
        return ()
    if not math.isfinite(value):
        return ()
    return (value / 100, value) if percent else (value,)


def _product(text: str) -> float:
    """Return the value of factors with operators between them; raise ValueError for other text."""
    value, operator, position = 1.0, "*", 0
    while True:
        match = _FACTOR.match(text, position)
        if match is None:
            raise ValueError(text)
        factor = _factor(match)
        value = value / factor if operator in "/÷" else value * factor
        if match.end() == len(text):
            return value
        following = _OPERATOR.match(text, match.end())
        if following is None:
            raise ValueError(text)
        operator, position = following[1], following.end()


def _factor(match: re.Match[str]) -> float:
    """Return the value of a number or of a logarithm with its sign."""
    sign, above, below, logarithm, number = match.groups()
    if above is not None:
        value = math.log(_decimal(above) / _decimal(below or "1"))
    elif logarithm:
        value = math.log(_decimal(number))
    else:
        value = _decimal(number)
    return -value if sign in ("-", "−") else value


def _decimal(text: str) -> float:
    return float(text.replace(",", "."))
