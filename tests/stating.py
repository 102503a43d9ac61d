"""Compare a sentence with the facts that it must state, not with its words."""

import re


def _whole(fact: str) -> str:
    before = r"(?<!\d)(?<!\d[.,])" if fact[:1].isdigit() else ""
    after = r"(?!\d)(?![.,]\d)" if fact[-1:].isdigit() else ""
    return before + re.escape(fact) + after


class stating:
    """A text that contains all facts, in their order; it is compared with `==`.

    A number is found only as a whole: "1" is not stated by "11", "0.1" or "1,000".

    Examples
    --------
    >>> "Row 2 sums to 199, but its total is 198." == stating("Row 2", "199", "198")
    True
    >>> ["Row 2 sums to 198, but its total is 199."] == [stating("Row 2", "199", "198")]
    False
    """

    def __init__(self, *facts: str) -> None:
        self.facts = facts

    def __eq__(self, text: object) -> bool:
        if not isinstance(text, str):
            return NotImplemented
        return re.search(".*".join(map(_whole, self.facts)), text, re.DOTALL) is not None

    __hash__ = None

    def __repr__(self) -> str:
        return f"stating({', '.join(map(repr, self.facts))})"
