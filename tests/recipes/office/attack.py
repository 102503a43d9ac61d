"""An attack."""

from sdcwidgets.attacks.base import Finding, register
from sdcwidgets.attacks.knowledge import as_releases


@register("reading")
def reading(releases, knowledge=None):
    """Return the bounds that each number of the first release alone implies."""
    release = as_releases(releases)[0]
    bounds = release.bounds(*(axis.name for axis in release.axes))
    return Finding.of("reading", release.axes, bounds, bounds)
