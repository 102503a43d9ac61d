"""The population behind a sample: log-linear models, drawn populations, frequencies of frequencies."""

from .loglinear import LogLinearFit, fit_loglinear
from .populations import expected_zeros, sample_multinomial, sample_poisson, sample_urn, urn_balls, urn_theta

__all__ = [
    "LogLinearFit",
    "expected_zeros",
    "fit_loglinear",
    "sample_multinomial",
    "sample_poisson",
    "sample_urn",
    "urn_balls",
    "urn_theta",
]
