"""Settings of methods that follow from the minimum count of the limits."""

from __future__ import annotations

from sdcwidgets._util.parameters import declared
from sdcwidgets.methods import Method


def with_minimum_count(method: Method, least: int) -> Method:
    """Return suppression with the minimum published count as its threshold; other methods are returned unchanged.

    Parameters
    ----------
    method : Method
    least : int
        Minimum published count; at most 1 for no limit.

    Examples
    --------
    >>> from sdcwidgets import methods
    >>> with_minimum_count(methods.get("cell-suppression")(), 5).threshold
    5
    >>> with_minimum_count(methods.get("threshold-suppression")(), 1000).threshold
    3
    """
    if not method.suppresses or not is_possible(method, "threshold", least):
        return method
    return method.changed("threshold", least)


def with_threshold_of_minimum(method: Method, least: int) -> Method:
    """Return suppression with a threshold that is not below the minimum published count.

    Examples
    --------
    >>> from sdcwidgets import methods
    >>> suppression = methods.get("cell-suppression")
    >>> [with_threshold_of_minimum(suppression(threshold=threshold), 4).threshold for threshold in (2, 4, 9)]
    [4, 4, 9]
    """
    return with_minimum_count(method, least) if has_threshold_below(method, least) else method


def has_threshold_below(method: Method, least: int) -> bool:
    """Return whether a method suppresses counts below a threshold that is lower than the minimum published count.

    Examples
    --------
    >>> from sdcwidgets import methods
    >>> [has_threshold_below(methods.get("cell-suppression")(threshold=2), least) for least in (2, 3)]
    [False, True]
    """
    return method.suppresses and getattr(method, "threshold", least) < least


def is_possible(method: Method, name: str, value: int) -> bool:
    """Return whether a setting of a method can have this value.

    Examples
    --------
    >>> from sdcwidgets import methods
    >>> suppression = methods.get("cell-suppression")()
    >>> is_possible(suppression, "threshold", 5), is_possible(suppression, "threshold", 1000)
    (True, False)
    """
    ranges = [setting.range for setting in declared(type(method)) if setting.name == name]
    return any(limits is not None and limits.low <= value <= limits.high for limits in ranges)
