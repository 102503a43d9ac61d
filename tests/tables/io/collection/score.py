"""Comparison of the reader with the true tables of the collection."""

import itertools
from dataclasses import replace

import numpy as np

from sdcwidgets import InputError
from sdcwidgets.tables.io.layout_reader import read
from sdcwidgets.tables.io.options import ReadOptions
from sdcwidgets.tables.io.proposals import propose_layout
from sdcwidgets.tables.io.reading import read_bytes

#: Outcomes, from best to worst.
OUTCOMES = ("right", "right after a doubt", "refused rightly", "refused", "silently wrong", "crash")

#: Maximum number of readings per file to follow the doubts of the reader.
MOST_READINGS = 40


def outcome(file):
    """Return an outcome of `OUTCOMES`, with what was read or refused."""
    name, content, truths = file.make()
    try:
        table = read_bytes(name, content).table
    except InputError as error:
        if truths[0].counts is None:
            return "refused rightly", str(error)
        right = any(equals(table, truth) for table in after_doubts(name, content, error) for truth in truths)
        right = right or any(equals(table, truth) for table in proposed(content) for truth in truths)
        return ("right after a doubt" if right else "refused"), str(error)
    except Exception as error:
        return "crash", repr(error)
    if any(equals(table, truth) for truth in truths):
        return "right", ""
    return "silently wrong", describe(table)


def proposed(content):
    """Yield the tables of the proposed layout, with each meaning of texts in place of counts."""
    try:
        proposal = propose_layout(content)
    except InputError:
        return
    if proposal.layout is None:
        return
    for meaning in ("zero", "leave out"):
        texts = dict.fromkeys(proposal.texts, meaning)
        try:
            yield read(content, replace(proposal.layout, texts=texts)).table
        except InputError:
            continue


def after_doubts(name, content, error):
    """Yield the tables that the choices of the doubts lead to, for up to three doubts."""
    waiting = [(ReadOptions(), error)]
    readings = 0
    while waiting and readings < MOST_READINGS:
        how, asked = waiting.pop(0)
        for option in answers(asked):
            values = how.changed() | option
            if values == how.changed() or readings >= MOST_READINGS:
                continue
            readings += 1
            try:
                chosen = ReadOptions(**values)
                yield read_bytes(name, content, how=chosen).table
            except InputError as following:
                if len(values) <= 3:
                    waiting.append((chosen, following))


def answers(error):
    """Return the answers that a refusal offers; of columns, those it proposes."""
    made = []
    by = {}
    for choice in getattr(error, "choices", ()):
        if choice.several or choice.name == "count":
            if choice.chosen:
                by[choice.name] = tuple(choice.chosen) if choice.several else choice.chosen[0]
        else:
            for value in choice.options:
                made.append({choice.name: (value,) if choice.name == "only" else value})
    if by.get("by"):
        made.insert(0, by)
    return made


def equals(table, truth):
    """Return whether a table has the counts and labels of the truth, in any order of the axes."""
    if truth.counts is None:
        return False
    axes = [(k, axis) for k, axis in enumerate(table.axes) if len(axis) > 1]
    counts = table.counts.reshape([len(axis) for _, axis in axes])
    if counts.ndim != truth.counts.ndim:
        return False
    for order in itertools.permutations(range(len(axes))):
        places = [positions(axes[k][1].labels, truth.axes[place]) for place, k in enumerate(order)]
        if all(place is not None for place in places):
            moved = counts.transpose(order)[np.ix_(*places)]
            return bool(np.array_equal(moved, truth.counts))
    return False


def positions(labels, spellings):
    """Return the place of each true label among labels; None if they differ."""
    if len(labels) != len(spellings):
        return None
    shown = [str(label).strip().casefold() for label in labels]
    places = []
    for accepted in spellings:
        held = [k for k, label in enumerate(shown) if label in accepted]
        if len(held) != 1:
            return None
        places += held
    return places


def describe(table):
    return (
        "; ".join(f"{axis.name}: {', '.join(map(str, axis.labels))}" for axis in table.axes)
        + f" = {table.total}"
    )
