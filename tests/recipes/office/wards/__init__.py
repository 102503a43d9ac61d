"""The dashboard of the office: a folder with what a person chooses, what is said of it, its picture and its page."""

from office.wards.page import app

__all__ = ["app"]
