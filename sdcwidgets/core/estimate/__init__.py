"""The population behind a sample: log-linear models, drawn populations, frequencies of frequencies."""

from .loglinear import LogLinearFit, fit_loglinear

__all__ = ["LogLinearFit", "fit_loglinear"]
