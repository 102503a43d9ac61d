"""Dashboards: one folder per page, each with `app()`, and modules that all pages share.

A folder has the name of its notebook. `state` holds the settings, `result` the computed values, `texts` and `charts`
show them, and `page` connects widgets to one study in `app()`. Pages do not import each other.

Examples
--------
>>> from sdcwidgets.dashboards import explore
>>> explore.app.__module__
'sdcwidgets.dashboards.explore.page'
"""

import lazy_loader as lazy

__getattr__, _, __all__ = lazy.attach_stub(__name__, __file__)


def __dir__() -> list[str]:
    """Return the names of the pages, which completion offers."""
    return [name for name in __all__ if name not in ("DASHBOARDS", "YOURS", "page_for")]
