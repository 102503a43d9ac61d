"""Invented files in the shapes in which statistical offices publish tables, each with its true table."""
