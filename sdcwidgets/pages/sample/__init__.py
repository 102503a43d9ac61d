"""The sample lab: how sure can one be of the risk of a table when only a sample was seen."""
