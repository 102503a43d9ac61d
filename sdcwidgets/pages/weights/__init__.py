"""Weights: how three terms become one risk, and why the best weights are the terms themselves."""
