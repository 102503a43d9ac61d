"""The risk explorer: see and edit a frequency table and its disclosure risk, live."""
