"""The table generator: the data user asks for tables at one door, the agency watches and decides at the other."""
