"""The literature gallery: the measures of others, each a short card with an example to change."""
