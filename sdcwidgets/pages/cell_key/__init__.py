"""The cell key lab: make a p-table, and see where the noise of every count comes from."""
