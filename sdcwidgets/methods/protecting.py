"""Protection of a table by one call, with the name of a method."""

from __future__ import annotations

import secrets
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, overload

import numpy as np

from sdcwidgets._util.errors import InputError, described, nearest_names, unknown_name
from sdcwidgets._util.parameters import declared, secret_of
from sdcwidgets._util.seeds import reject_pattern, seed_caution
from sdcwidgets.methods.base import Method, available, get
from sdcwidgets.methods.cellkey.files import PTable
from sdcwidgets.methods.cellkey.lookup import NO_RECORDS
from sdcwidgets.methods.cellkey.method import CellKey
from sdcwidgets.methods.linking import released_pattern, suppressed_by
from sdcwidgets.tables.linked_release import LinkedRelease
from sdcwidgets.tables.nesting import PossibleHierarchy
from sdcwidgets.tables.release import Release, completed
from sdcwidgets.tables.table import FrequencyTable, table_of

if TYPE_CHECKING:
    from os import PathLike

    from sdcwidgets.methods.linking import Entries, Hierarchies


def method_of(method: Method | type[Method] | str, **settings: object) -> Method:
    """Return a method, built from its name or class and settings if a name or class is given.

    Examples
    --------
    >>> from sdcwidgets.methods import get
    >>> method_of("random-rounding", base=5) == method_of(get("random-rounding")(base=5))
    True
    """
    if isinstance(method, str):
        method = get(method)
    if isinstance(method, type) and issubclass(method, Method):
        return method(**_with_paths(method, settings))
    if isinstance(method, Release):
        raise InputError("The method is a release; to assess a release, pass it to the function judge.")
    if not isinstance(method, Method):
        raise InputError(f"The method is {described(method)}; it must be one of {', '.join(available())}.")
    if settings:
        raise InputError(
            f"{method.name} already has settings. Pass the name of the method, or omit {', '.join(settings)}."
        )
    return method


def _with_paths(cls: type[Method], settings: Mapping[str, object]) -> dict[str, object]:
    """Return the settings, with a path for the text of a p-table file.

    The class itself rejects such a text, because links to pages of a server contain texts and must not open files.
    """
    files = {item.name for item in declared(cls) if isinstance(item.kind, PTable)}
    return {
        name: Path(value) if name in files and isinstance(value, str) else value
        for name, value in settings.items()
    }


@overload
def protect(
    table: FrequencyTable,
    method: Method | str,
    *,
    seed: int | np.random.Generator | None = None,
    hierarchies: None = None,
    tables: None = None,
    frozen: Entries | None = None,
    costs: Entries | None = None,
    apriori: str | PathLike[str] | None = None,
    **settings: object,
) -> Release: ...


@overload
def protect(
    table: FrequencyTable,
    method: Method | str,
    *,
    hierarchies: Hierarchies,
    tables: Sequence[Sequence[str] | str] | None = None,
    seed: int | np.random.Generator | None = None,
    frozen: Entries | None = None,
    costs: Entries | None = None,
    apriori: str | PathLike[str] | None = None,
    **settings: object,
) -> LinkedRelease: ...


@overload
def protect(
    table: FrequencyTable,
    method: Method | str,
    *,
    tables: Sequence[Sequence[str] | str],
    hierarchies: Hierarchies | None = None,
    seed: int | np.random.Generator | None = None,
    frozen: Entries | None = None,
    costs: Entries | None = None,
    apriori: str | PathLike[str] | None = None,
    **settings: object,
) -> LinkedRelease: ...


def protect(
    table: FrequencyTable,
    method: Method | str,
    *,
    seed: int | np.random.Generator | None = None,
    hierarchies: Hierarchies | None = None,
    tables: Sequence[Sequence[str] | str] | None = None,
    frozen: Entries | None = None,
    costs: Entries | None = None,
    apriori: str | PathLike[str] | None = None,
    **settings: object,
) -> Release | LinkedRelease:
    """Protect a table by a method, and return the release.

    Pass the method in one of two forms. With a name, the settings of the method are further arguments:
    ``protect(table, "random-rounding", base=5)``. Or make the method first, and pass it alone:
    ``protect(table, methods.get("random-rounding")(base=5))``. Settings that are not passed have their defaults.
    ``methods.available()`` lists the names, and ``help(methods.get("random-rounding"))`` the settings of a method with
    their ranges and defaults.

    Parameters
    ----------
    table : FrequencyTable
        The original counts.
    method : Method or str
        A method with its settings, or the name of a method.
    seed : int or Generator, optional
        The secret seed of the random numbers. Anyone who knows the seed can undo the protection. By default, 128 new
        secret bits are used and not kept. Methods that choose one result by the secret then warn, because two
        different results for one table disclose counts. A seed below 2^48 can be found by trying and adds a caution
        to `cautions`, and release rules block the release; a larger seed with a pattern, such as 2^64, is rejected.
    hierarchies : mapping of str to mapping, DataFrame, path or "detected", optional
        Sub-totals of cell suppression: for an axis, the parent of each label, such as ``{"a": "north"}``, or the labels
        of each parent, such as ``{"north": ["a", "b"]}``. A DataFrame or file has a label and its parent in each row; a
        file can also be .hrc. "detected" confirms the sums that the counts show.
    tables : sequence of sequence of str, optional
        Linked tables of cell suppression, each by its axes; default: one table of all axes.
    frozen : path, DataFrame or list of mappings, optional
        Cells that cell suppression must publish: one label per axis, "Total" for a total.
    costs : path, DataFrame, Series or list of mappings, optional
        Costs of suppressing single cells: one label per axis, and a number above 0 in the column "cost".
    apriori : path, optional
        A priori file of τ-ARGUS (.hst) for cell suppression: cells that are set by hand as unsafe, safe or protected,
        and costs.
    **settings
        The settings of the method, if `method` is a name.

    Returns
    -------
    Release or LinkedRelease
        The published cells and margins, and the bounds that a data user can conclude. `cautions` lists
        what to check before publication. With `hierarchies` or `tables`, the result is a `LinkedRelease` of all cells,
        sub-totals and totals.

    Raises
    ------
    InputError
        If there is no such method or setting, a setting is out of its range, the seed has a pattern, or
        hierarchies, linked tables, frozen cells or costs do not fit the table or the method.

    Examples
    --------
    >>> from sdcwidgets import examples, protect
    >>> release = protect(examples.load("religion"), "random-rounding", base=5)
    >>> set(release.cells.ravel() % 5)
    {np.float64(0.0)}

    Areas with sub-totals, of which one total must be published:

    >>> from sdcwidgets import FrequencyTable
    >>> table = FrequencyTable([[1, 9, 8], [7, 20, 5], [6, 5, 30], [9, 8, 7]], {"Area": "abcd", "Age": "xyz"})
    >>> sides = {"a": "north", "b": "north", "c": "south", "d": "south"}
    >>> publish = [{"Area": "north", "Age": "Total"}]
    >>> protect(table, "cell-suppression", hierarchies={"Area": sides}, frozen=publish, seed=3**60)
    LinkedRelease(Area: 7, Age: 4; 28 cells and totals, 4 suppressed)
    """
    _check_spelling(method, settings)
    table, protection = table_of(table), method_of(method, **settings)
    secret = secrets.randbits(128) if seed is None else seed
    caution = _seed_caution(protection, None if seed is None else secret_of(secret))
    # Without a seed, the caution is about a secret that is not stored.
    has_guessable_seed = seed is not None and bool(caution)
    rng = protection.random_numbers(table, secret)
    if caution and seed is None:
        warnings.warn(caution, UserWarning, stacklevel=2)
    try:
        if hierarchies is None and tables is None and frozen is None and costs is None and apriori is None:
            release = protection.release(table, rng)
        else:
            result = suppressed_by(
                protection,
                table,
                hierarchies=hierarchies,
                tables=tables,
                frozen=frozen,
                costs=costs,
                apriori=apriori,
                seed=rng,
            )
            if hierarchies is not None or tables is not None:
                linked = replace(result.release(), method=protection)
                return replace(linked, cautions=(caution, *linked.cautions)) if caution else linked
            release = released_pattern(protection, table, result).made_by(protection)
    except PossibleHierarchy as error:
        raise error.with_arguments() from None
    cautions = [caution] if caution else []
    if isinstance(protection, CellKey):
        cautions.append(NO_RECORDS)
    if caution and release.exact:  # nothing is suppressed or changed, so the seed discloses nothing
        cautions.remove(caution)
        has_guessable_seed = False
    if cautions:
        release = replace(release, internal_cautions=tuple(cautions), has_guessable_seed=has_guessable_seed)
    return completed(release, table)


def _check_spelling(method: Method | str, settings: Mapping[str, object]) -> None:
    """Raise InputError for a setting that is a misspelt argument of `protect`."""
    own = ["seed", "hierarchies", "tables", "frozen", "costs", "apriori"]
    known = [item.name for item in declared(get(method))] if isinstance(method, str) else []
    for name in settings:
        near = nearest_names(name, [*own, *known], 1)
        if name not in known and near and near[0] in own:
            raise unknown_name("setting", name, [*own, *known])


def _seed_caution(method: Method, secret: int | None) -> str:
    """Return the caution about a guessable seed, or about a secret that is not stored (None)."""
    if not method.seeded:
        return ""
    if secret is not None:
        reject_pattern(secret, "The seed")
        return seed_caution(secret)
    if not method.deterministic:
        return ""
    return (
        f"{method.title}: the secret that selected this result is not stored. If two different results for "
        f"one table are published, their difference discloses counts. Pass a secret seed of 128 bits, and "
        f"keep this seed."
    )
