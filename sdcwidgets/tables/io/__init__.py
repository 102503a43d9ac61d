"""Read tables from files, text, data frames, databases and records: formats, layout of cells, and sources."""
