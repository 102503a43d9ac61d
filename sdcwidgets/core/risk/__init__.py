"""Disclosure risk measures, one module a family."""
