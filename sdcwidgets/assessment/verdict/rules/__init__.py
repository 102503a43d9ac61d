"""Rules of a house that come with the project: worked examples of the file that an office writes once."""

from __future__ import annotations
