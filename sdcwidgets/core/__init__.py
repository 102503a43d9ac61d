"""Pure numpy and scipy: arrays in, numbers out. It knows no labels, no widgets and no charts."""
