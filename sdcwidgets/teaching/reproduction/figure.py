"""One printed figure, what its formula gives, and the verdict."""

from __future__ import annotations

from dataclasses import dataclass

from numpy import nan

REPRODUCES = "reproduces"
WITHIN_ERROR = "reproduces within Monte Carlo error"
NEITHER = "neither printed formula gives it"
WRONG = "print is wrong"
DIFFERS = "differs, and nobody knows why"

VERDICTS = (REPRODUCES, WITHIN_ERROR, NEITHER, WRONG, DIFFERS)

#: A mean of random draws agrees if it is at most this many standard errors away.
ERRORS = 4


@dataclass(frozen=True)
class Figure:
    """A printed figure, and the same figure computed again.

    Attributes
    ----------
    source, location : str
        The publication, and the table or section.
    quantity, subject : str
        What is measured, and of what: "HD, rounded" of "travel, Area 3".
    printed, recomputed : float
    digits : int
        How many decimals are printed.
    error : float
        Monte Carlo standard error of the difference of the two; 0 where no chance is in them.
    other, other_error : float
        Where a second formula is in print for the same quantity, subject it gives; else nan.
    erratum : str
        Why print and formula differ, where somebody has found out.

    Examples
    --------
    >>> Figure("PSD 2014", "section 2.1", "H(X)", "(0, 2, 4)", 0.6365, 0.636514).verdict
    'reproduces'
    """

    source: str
    location: str
    quantity: str
    subject: str
    printed: float
    recomputed: float
    digits: int = 4
    error: float = 0.0
    other: float = nan
    other_error: float = 0.0
    erratum: str = ""

    @property
    def difference(self) -> float:
        """The print minus what is recomputed."""
        return self.printed - self.recomputed

    @property
    def verdict(self) -> str:
        """Whether the figure reproduces, in words."""
        if self._agrees(self.recomputed, self.error):
            return REPRODUCES if self.error == 0 else WITHIN_ERROR
        if self.erratum:
            return f"{WRONG}: {self.erratum}"
        # A comparison with nan is false, so a figure without a second formula ends in the last line.
        if self.other == self.other and not self._agrees(self.other, self.other_error):
            return NEITHER
        return DIFFERS

    def _agrees(self, recomputed: float, error: float) -> bool:
        """Whether the print is what was found, but for its last digit and for chance."""
        half_a_digit = 0.5 * 10.0**-self.digits
        return abs(self.printed - recomputed) <= ERRORS * error + half_a_digit + 1e-12
