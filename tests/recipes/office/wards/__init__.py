"""A page of the office: `state`, `result`, `texts`, `charts` and `page`, as every page of sdcwidgets."""

from office.wards.page import app

__all__ = ["app"]
