"""Supplied release rules, which are also examples of the file format."""

from __future__ import annotations
