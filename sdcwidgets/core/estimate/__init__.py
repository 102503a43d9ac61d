"""The population behind a sample."""
