"""Protect and compare: the table before and after, the risk left, the information lost, the map of alternatives."""
