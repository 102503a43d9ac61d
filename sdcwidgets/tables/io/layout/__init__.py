"""How cells are a table: stages from a sheet's rows to axes and counts, and what is asked on the way."""
