"""Population models of a sample: log-linear models, simulated populations, frequencies of frequencies."""

from .draws import simple_random_samples, stratified_samples
from .estimated_risk import SampleRisk, draw_populations, sample_risk
from .loglinear import LogLinearFit, fit_loglinear
from .populations import expected_zeros, sample_multinomial, sample_poisson, sample_urn, urn_balls, urn_theta

__all__ = [
    "LogLinearFit",
    "SampleRisk",
    "draw_populations",
    "expected_zeros",
    "fit_loglinear",
    "sample_multinomial",
    "sample_poisson",
    "sample_risk",
    "sample_urn",
    "simple_random_samples",
    "stratified_samples",
    "urn_balls",
    "urn_theta",
]
