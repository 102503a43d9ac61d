"""A published figure, its recomputed value and the verdict."""

from __future__ import annotations

from dataclasses import dataclass

from numpy import nan

REPRODUCES = "reproduces"
WITHIN_ERROR = "reproduces within Monte Carlo error"
NEITHER = "neither printed formula gives it"
WRONG = "print is wrong"
DIFFERS = "differs, and nobody knows why"

VERDICTS = (REPRODUCES, WITHIN_ERROR, NEITHER, WRONG, DIFFERS)

#: Maximum difference of a Monte Carlo mean, in standard errors.
ERRORS = 4


@dataclass(frozen=True)
class Figure:
    """A published figure and its recomputed value.

    Attributes
    ----------
    source, location : str
        Publication, and table or section.
    quantity, subject : str
        Quantity and subject, such as "HD, rounded" of "travel, Area 3".
    printed, recomputed : float
        Published and recomputed value.
    digits : int
        Number of published decimals.
    error : float
        Monte Carlo standard error of the difference; 0 for deterministic figures.
    other, other_error : float
        Value of a second published formula and its standard error; nan if there is none.
    erratum : str
        Known reason of a difference.
    input_rounding : float
        Maximum error of the recomputed value if it is computed from rounded published figures.

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
    input_rounding: float = 0.0

    @property
    def difference(self) -> float:
        """Published minus recomputed value."""
        return self.printed - self.recomputed

    @property
    def verdict(self) -> str:
        """Verdict in words: whether the figure is reproduced."""
        if self._agrees(self.recomputed, self.error):
            return REPRODUCES if self.error == 0 else WITHIN_ERROR
        if self.erratum:
            return f"{WRONG}: {self.erratum}"
        # A comparison with nan is false, so a figure without a second formula gets the last verdict.
        if self.other == self.other and not self._agrees(self.other, self.other_error):
            return NEITHER
        return DIFFERS

    def _agrees(self, recomputed: float, error: float) -> bool:
        """Return whether the published value agrees up to rounding and Monte Carlo error."""
        rounding = 0.5 * 10.0**-self.digits + self.input_rounding
        return abs(self.printed - recomputed) <= ERRORS * error + rounding + 1e-12
