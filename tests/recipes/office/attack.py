"""An attack."""

from collections.abc import Sequence

from sdcwidgets import Release
from sdcwidgets.attacks.base import Finding, register
from sdcwidgets.attacks.knowledge import Knowledge, as_releases


@register("reading")
def reading(releases: Release | Sequence[Release], knowledge: Knowledge | None = None) -> Finding:
    """Return the bounds that each number of the first release alone implies."""
    release = as_releases(releases)[0]
    bounds = release.bounds(*(axis.name for axis in release.axes))
    return Finding.of("reading", release.axes, bounds, bounds)
