"""The third term: when is a table small? Three functions, their properties, and their printed values."""
