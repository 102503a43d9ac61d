"""Protection of a table by one call, with the name of a method."""

from __future__ import annotations

import secrets
import warnings

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.parameters import generator
from sdcwidgets.methods.base import Method, available, get
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable, table_of


def method_of(method: Method | str, **settings: object) -> Method:
    """Return a method, built from its name and settings if a name is given.

    >>> from sdcwidgets.methods import get
    >>> method_of("random-rounding", base=5) == method_of(get("random-rounding")(base=5))
    True
    """
    if isinstance(method, str):
        return get(method)(**settings)
    if not isinstance(method, Method):
        raise InputError(f"The method is {method!r}; it must be one of {', '.join(available())}.")
    if settings:
        raise InputError(
            f"{method.name} already has settings. Pass the name of the method, or omit {', '.join(settings)}."
        )
    return method


def protect(
    table: FrequencyTable,
    method: Method | str,
    *,
    seed: int | np.random.Generator | None = None,
    **settings: object,
) -> Release:
    """Protect a table and return its release.

    Parameters
    ----------
    table : FrequencyTable
        The original table.
    method : Method or str
        A method with its settings, or the name of a method from `available`.
    seed : int or Generator, optional
        Seed of the random numbers. Anyone who knows it can undo the protection. Default: a new secret, which is
        not stored. Methods that select one result by the secret then issue a warning, because two results
        disclose counts.
    **settings
        Settings of the method, if it is given by name.

    Returns
    -------
    Release
        Cells, margins, suppressed values and bounds; `cautions` contains warnings to consider before
        publication.

    Raises
    ------
    InputError
        If the method is unknown, or a setting is out of range.

    Examples
    --------
    >>> from sdcwidgets.tables import examples
    >>> from sdcwidgets.methods import protect
    >>> release = protect(examples.load("religion"), "random-rounding", base=5)
    >>> set(release.cells.ravel() % 5)
    {np.float64(0.0)}
    """
    table, protection = table_of(table), method_of(method, **settings)
    if seed is None and protection.seeded and protection.deterministic:
        warnings.warn(
            f"{protection.title}: the secret that selected this result is not stored. Two different results for one "
            "table disclose counts by their difference. Pass a secret seed of 128 bits and keep it.",
            UserWarning,
            stacklevel=2,
        )
    return protection.release(table, generator(secrets.randbits(128) if seed is None else seed))
