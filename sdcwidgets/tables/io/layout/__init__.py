"""Recognise the table in the rows of a sheet: stages that find labels and counts, and doubts about them."""
