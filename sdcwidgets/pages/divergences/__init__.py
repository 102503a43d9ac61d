"""Divergences: how far apart two distributions are, and the inequalities that tie the distances together."""
