"""Names of variables and columns with sampling weights, in EU-SILC, LFS, DHS and national files."""

from __future__ import annotations

import re

#: Names in lower case, without spaces and punctuation.
_WEIGHT = re.compile(
    r"w|wt|wgt|weights?|(sample|sampling|survey|final|person|personal|household|hh|h|p|cross|base|design)(wt|wgt|weights?)"
    r"|(wt|wgt|weights?)(final|person|hh|ind|cal|final\d)?|rb05[0-9]|db0[89]0|pb0[46]0|rl070|h?v005|mv005|coeffy?|coefhh"
    r"|perwt|hhwt|wtfinl|pwgtp|expfactor|expansionfactor|gewicht|hochrechnung|poids|pond(era)?"
)

#: Names that other variables have, too.
_AMBIGUOUS = frozenset({"factor", "coef"})


def is_weight_name(name: str, *, with_ambiguous: bool = False) -> bool:
    """Return whether a variable or a column is named like a sampling weight.

    Parameters
    ----------
    name : str
    with_ambiguous : bool
        Whether names such as "factor", which other variables have, too, are names of weights. Callers that examine the
        values need them.

    Examples
    --------
    >>> is_weight_name("Sampling weight:"), is_weight_name("RB050"), is_weight_name("Body weight")
    (True, True, False)
    >>> is_weight_name("factor"), is_weight_name("factor", with_ambiguous=True)
    (False, True)
    """
    plain = re.sub(r"[^a-z0-9]", "", name.lower())
    return _WEIGHT.fullmatch(plain) is not None or (with_ambiguous and plain in _AMBIGUOUS)
