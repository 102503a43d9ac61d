"""Numbers that trainees type: decimals, fractions, percentages, products, quotients and logarithms."""

from __future__ import annotations

import math
import re
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal, InvalidOperation

#: Maximum length of a typed number in characters.
MOST_TYPED = 80

_NUMBER = r"[\d.,]{1,40}(?:e[-+]?\d{1,3})?"
_FACTOR = re.compile(
    rf"([-−+]?)\s*(?:(?:log|ln)\s*\(\s*({_NUMBER})(?:\s*/\s*({_NUMBER}))?\s*\)|(log|ln)?\s*({_NUMBER}))\s*",
    re.I,
)
_OPERATOR = re.compile(r"([*×·/÷])\s*")
_THOUSANDS = re.compile(r"(?<![\d.,])[1-9]\d{0,2}(?:,\d{3})+(?![\d,])")


def number_in(typed: str) -> tuple[float, ...]:
    """Return the possible values of a typed number.

    A product or a quotient is computed from left to right, and `log` and `ln` are the natural logarithm. A number
    with a percent sign has two possible values, and invalid text has none. The comma of 5,352 can be a decimal comma
    or separate the thousands, so 5,352 has two possible values as well.

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
    >>> number_in("5,352"), number_in("0,352"), number_in("1,234,567")
    ((5.352, 5352.0), (0.352,), (1234567.0,))
    >>> number_in("3 × 0.5"), number_in("log 8 / ln(2)"), number_in("-log(1/4)")
    ((1.5,), (3.0,), (1.3862943611198906,))
    """
    values = (_value(text) for text in _with_decimal_points(typed))
    possible = [value for value in values if value is not None]
    if typed.rstrip().endswith("%"):
        possible = [number for value in possible for number in (value / 100, value)]
    return tuple(possible)


def _with_decimal_points(typed: str) -> tuple[str, ...]:
    """Return a typed text with decimal points instead of commas, once for each meaning of its commas."""
    if len(typed.strip()) > MOST_TYPED:
        return ()
    text = typed.strip().removesuffix("%").rstrip()
    thousands = _THOUSANDS.sub(lambda match: match[0].replace(",", ""), text)
    meanings = (text, thousands) if thousands != text else (text,)
    return tuple(meaning.replace(",", ".") for meaning in meanings)


def _value(text: str) -> float | None:
    """Return the value of a text with decimal points, or None if it is not a finite number."""
    try:
        value = _product(text)
    except (ValueError, ZeroDivisionError, OverflowError):
        return None
    return value if math.isfinite(value) else None


def written_decimals(typed: str) -> tuple[tuple[float, int], ...]:
    """Return the possible values of a typed decimal number, each with its number of decimal places.

    Examples
    --------
    >>> written_decimals("0,66"), written_decimals("66.5 %"), written_decimals("2/3")
    (((0.66, 2),), ((0.665, 3), (66.5, 1)), ())
    """
    decimals = []
    for text in _with_decimal_points(typed):
        value, places = _value(text), _decimal_places(text)
        if value is None or places is None:
            continue
        if typed.rstrip().endswith("%"):
            decimals.append((value / 100, places + 2))
        decimals.append((value, places))
    return tuple(decimals)


def _decimal_places(text: str) -> int | None:
    """Return the number of decimal places, or None if a text is not a decimal number without an exponent."""
    try:
        exponent = Decimal(text).as_tuple().exponent
    except InvalidOperation:
        return None
    return -exponent if isinstance(exponent, int) and exponent <= 0 else None


def is_shortened(answer: float, number: float, places: int) -> bool:
    """Return whether a number is an answer that was rounded or truncated to some decimal places.

    A whole number below 10 is not regarded as a shortened answer, because it is more likely a wrong answer.

    Examples
    --------
    >>> is_shortened(2 / 3, 0.66, 2), is_shortened(2 / 3, 0.7, 1), is_shortened(2 / 3, 1, 0)
    (True, True, False)
    """
    if places == 0 and abs(number) < 10:
        return False
    exact, step = Decimal(f"{answer:.9f}"), Decimal(1).scaleb(-places)
    return any(
        math.isclose(number, exact.quantize(step, how), abs_tol=1e-12) for how in (ROUND_DOWN, ROUND_HALF_UP)
    )


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
        value = math.log(float(above) / float(below or "1"))
    elif logarithm:
        value = math.log(float(number))
    else:
        value = float(number)
    return -value if sign in ("-", "−") else value
