"""Teach with the package: exercises of the lessons, courses, and the reproduction of published figures."""
