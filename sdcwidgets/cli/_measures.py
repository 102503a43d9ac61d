"""Measures that `--measure` names, and what each measure needs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from sdcwidgets.cli._options import suggest_name

if TYPE_CHECKING:
    from sdcwidgets.measures import Measure
    from sdcwidgets.methods import Method

#: Value of `--measure` for all measures that the table and the method have the data for.
ALL = "all"

#: What a measure needs in addition to the original counts.
NEEDS_METHOD = "a method"
NEEDS_RECORDS = "a method that changes individual records"
NEEDS_SAMPLE = "a sampling method"


def need_of(cls: type[Measure]) -> str:
    """Return the counts that a measure needs in addition to the original counts; "" if it needs nothing more."""
    if "sample" in cls.needs:
        return NEEDS_SAMPLE
    if "followed" in cls.needs:
        return NEEDS_RECORDS
    return NEEDS_METHOD if "after" in cls.needs else ""


def names_in(options: argparse.Namespace) -> list[str]:
    """Return the names in `--measure`, after a check of their spelling."""
    from sdcwidgets import measures

    names = [name.strip() for text in options.measure or () for name in text.split(",")]
    for name in names:
        if name != ALL:
            suggest_name("measure", name, measures.available())
    return names


def needs_met_by(method: Method | None) -> set[str]:
    """Return the needs of measures that a method meets; without a method, only the original counts are there."""
    met = {""}
    if method is not None:
        met.add(NEEDS_METHOD)
        if method.follows:
            met.add(NEEDS_RECORDS)
        if method.samples:
            met.add(NEEDS_SAMPLE)
    return met


def possible_measures(met: Collection[str]) -> list[str]:
    """Return the names of the measures whose need is met."""
    from sdcwidgets import measures

    return [name for name in measures.available() if need_of(measures.get(name)) in met]


def print_omitted(computed: Collection[str], reasons: Mapping[str, str] | None = None) -> None:
    """Print one line on stderr with the measures that `--measure all` omits, and the reasons.

    Parameters
    ----------
    computed : collection of str
        Names of the measures that are computed.
    reasons : mapping of str to str, optional
        Reason for a need if it is not the need.
    """
    from sdcwidgets import measures

    omitted: dict[str, list[str]] = {}
    for name in measures.available():
        if name not in computed:
            need = need_of(measures.get(name))
            reason = (reasons or {}).get(need, f"{need} is needed")
            omitted.setdefault(reason, []).append(name)
    parts = [f"{', '.join(names)} ({reason})" for reason, names in omitted.items()]
    if parts:
        print(f"Omitted measures: {'; '.join(parts)}.", file=sys.stderr)
