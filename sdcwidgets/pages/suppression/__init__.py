"""Suppression and linked tables: hide numbers by hand, and see what they still give away."""
