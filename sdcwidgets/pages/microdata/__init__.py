"""Microdata risk: choose what an intruder may know, see who becomes unique, estimate, protect, and save."""
