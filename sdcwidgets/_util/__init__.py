"""Helpers without knowledge of disclosure control: registry, parameters, errors, labels, arrays and files."""
