"""The risk of a file of records: which keys an intruder may know, what they make unique, and what protects it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.arrays import Floats, Whole
from sdcwidgets._util.errors import InputError
from sdcwidgets.core.microdata.hiding import hiding
from sdcwidgets.core.microdata.keys import MISSING, distinct, frequencies, matches
from sdcwidgets.core.microdata.sampling import Households, draw
from sdcwidgets.core.microdata.suda import special_uniques
from sdcwidgets.core.risk.choice import ModelFit, forward_search, model_fit
from sdcwidgets.core.risk.individual import household_risk, individual_risk
from sdcwidgets.core.risk.sample import MODELS, SCALINGS, ModelledTau, modelled_taus
from sdcwidgets.dashboards.microdata.risk import MOST_SUDA, FileRisk, KeyStep
from sdcwidgets.dashboards.microdata.state import KINDS, PEOPLE, FileState
from sdcwidgets.microdata import Microdata, population, sample
from sdcwidgets.microdata.protecting import chance_kept, post_randomised, suppressed
from sdcwidgets.microdata.sampling import frame

#: The variables that the terms of a model tie together may have so many cells; more would stop the page.
MOST_TIED = 150_000


@lru_cache(maxsize=2)
def _people(persons: int) -> tuple[Microdata, Households]:
    file = population(persons)
    return file, frame(file)


@lru_cache(maxsize=4)
def _sample(design: str, households: int, seed: int) -> Microdata:
    file, homes = _people(PEOPLE)
    return sample(file, design, households, seed=seed, drawn_from=homes)


def assess_file(state: FileState) -> FileRisk:
    """Return what one can see at once; `improve` brings what takes longer.

    Raises
    ------
    InputError
        If no key is chosen, one can't be a key, or a recoding does not fit its variable.
    """
    settings = state.settings
    known = state.own is None
    original = (
        _sample(settings.design, settings.households, settings.seed) if state.own is None else state.own
    )
    file = recoded = _recoded(original, state)
    people = _recoded(_people(PEOPLE)[0], state) if known else None
    codes = file.codes(state.keys)
    cells = distinct(codes)
    steps = _steps(codes[cells[0]], cells[2], people, state)
    file, kept = _randomised(file, state)
    changed = np.zeros(file.records, dtype=bool)
    if state.pram:
        before, codes = codes, file.codes(state.keys)
        changed = (codes != before).any(axis=1)
        cells = distinct(codes)
    lost = suppressed(file, state.keys, settings.k, **state.suppression) if state.suppress else None
    if lost is not None:
        file = lost.file
        codes = file.codes(state.keys)
    hidden = hiding(codes, weights=file.weights) if lost is None else lost.after
    own, member, exact = distinct(codes) if state.suppress else cells
    whole = (codes[own] != MISSING).all(axis=1)[member]
    truth = None
    if people is not None:
        everybody = people.codes(state.keys)
        first, _, count = distinct(everybody)
        truth = matches(codes[own], everybody[first], count)[member]
    f, F = hidden.alike, np.maximum(hidden.weighted, hidden.alike)
    # Records of one key, before and after, have one risk, and there are far fewer keys than records.
    some, same, _ = (own, member, exact) if lost is None else distinct(np.column_stack([cells[1], member]))
    risk = individual_risk(f[some], F[some])[same] * kept
    homes = file.households
    together = None if homes is None else household_risk(risk, homes)
    found = FileRisk(
        state,
        original,
        file,
        f,
        F,
        hidden,
        whole & (exact == 1)[member],
        truth,
        changed,
        kept,
        steps,
        risk,
        together,
        {},
        int((~whole).sum()),
        "",
        lost,
        recoded,
    )
    taus, problem = _modelled(found, (settings.model,))
    return replace(found, taus=taus, problem=problem)


def improve(state: FileState, first: FileRisk) -> Iterator[FileRisk]:
    """Yield the special uniques, and then the other models."""
    result = first
    if not first.problem:
        with suppress(ValueError):  # too large a crossing, or a census: then it isn't told
            result = replace(result, fit=model_fit(first.crossing, (), state.margins))
        yield result
    if len(state.keys) <= MOST_SUDA:
        result = replace(result, special=special_uniques(first.file.codes(state.keys)))
        yield result
    for model in MODELS:
        if model != state.settings.model and not first.problem:
            result = replace(result, taus={**result.taus, **_modelled(first, (model,))[0]})
            yield result
    yield replace(result, complete=True)


def search_pairs(result: FileRisk) -> Iterator[ModelFit]:
    """Yield the models of a forward search by Skinner and Shlomo's statistic, the last is the one found.

    Raises
    ------
    InputError
        If no model can be fitted.
    """
    if result.problem:
        raise InputError(result.problem)
    try:
        yield from forward_search(result.crossing)
    except ValueError as error:
        raise InputError(str(error)) from None


def as_it_came(state: FileState) -> FileRisk:
    """Return the numbers of the file before anything was done to it, with the same keys."""
    return assess_file(replace(state, recodes=(), pram=(), suppress=False))


def draws(state: FileState, number: int) -> Iterator[tuple[float, ...]]:
    """Return for sample after sample of the known population τ1, τ2 and their estimates by both scalings.

    Raises
    ------
    InputError
        If the population is not known, or was changed by more than recoding.
    """
    if state.own is not None:
        raise InputError(
            "The population of a file of one's own is not known; choose the sample of a known population."
        )
    if state.suppress or state.pram:
        raise InputError(
            "PRAM and suppression change one file and not the population; switch them off to draw samples."
        )
    return _draws(state, number)


def _draws(state: FileState, number: int) -> Iterator[tuple[float, ...]]:
    known, homes = _people(PEOPLE)
    everybody = _recoded(known, state).codes(state.keys)
    count = frequencies(everybody)
    settings = state.settings
    for run in range(number):
        rng = np.random.default_rng([settings.seed, run])
        drawn = draw(homes, settings.households, settings.design, rng)
        codes = everybody[drawn.records]
        F = count[drawn.records][frequencies(codes) == 1]
        found = modelled_taus(
            codes, drawn.weights, state.margins, models=(settings.model,), scalings=SCALINGS
        )
        ours, theirs = (found[settings.model, scaling] for scaling in SCALINGS)
        yield (float((F == 1).sum()), float((1 / F).sum()), ours.tau1, ours.tau2, theirs.tau1, theirs.tau2)


def _recoded(file: Microdata, state: FileState) -> Microdata:
    """Return the file with its recodings."""
    for name, recode in state.recodes:
        file = file.put(KINDS[recode.how].recode(file[name], recode.argument))
    return file


def _randomised(file: Microdata, state: FileState) -> tuple[Microdata, Floats]:
    """Return the file after PRAM, and for each record the probability that its key is still its own."""
    kept = np.ones(file.records)
    rng = np.random.default_rng(state.secret)
    for name, share in state.pram:
        variable = file[name]
        redrawn, matrix = (share, None) if isinstance(share, float) else (0.0, share)
        within = [file[one] for one in file.strata if one != name] if state.settings.pram_within else []
        after = post_randomised(variable, redrawn, rng, matrix=matrix, strata=within)
        file = file.put(after)
        if name in state.keys:
            kept *= chance_kept(variable, after, redrawn, matrix=matrix, strata=within)
    return file, kept


def _steps(
    keys: NDArray[np.signedinteger], count: Whole, people: Microdata | None, state: FileState
) -> tuple[KeyStep, ...]:
    """Return what is unique as one key after the other is known, of the keys that occur and their records."""
    steps = []
    whole = None if people is None else people.codes(state.keys)
    for number, key in enumerate(state.keys, 1):
        # Records that miss a key have none of these keys: they are told apart.
        known = (keys[:, :number] != MISSING).all(axis=1)
        some = keys[known, :number]
        first, member, _ = distinct(some) if len(some) else (np.zeros(0, dtype=np.int64),) * 3
        exact = np.bincount(member, count[known]).astype(np.int64)
        alone, below = int((exact == 1).sum()), int(exact[exact < state.settings.k].sum())
        inside = both = None
        if whole is not None:
            at, _, people_of = distinct(whole[:, :number])
            lonely = some[first[exact == 1]]
            inside = int((people_of == 1).sum())
            both = int((matches(lonely, whole[at][:, :number], people_of) == 1).sum()) if len(lonely) else 0
        steps.append(KeyStep(key, len(exact), alone, below, inside, both))
    return tuple(steps)


def _modelled(result: FileRisk, models: tuple[str, ...]) -> tuple[dict[tuple[str, str], ModelledTau], str]:
    """Return the estimates of some models, and why there are none."""
    state = result.state
    if state.suppress:
        return {}, (
            "Values are blanked where keys are rare, so no model of the rest holds. What an intruder still finds is"
            " told with the suppression."
        )
    if result.left_out == result.file.records:
        return {}, "Each record has a missing value, so no model can be fitted."
    tied = {place for pair in state.margins for place in pair}
    cells = math.prod(result.crossing.shape[place] for place in tied)
    if cells > MOST_TIED:
        return {}, (
            f"The terms of the model tie {cells:,} cells together, more than the {MOST_TIED:,} that this page fits;"
            " recode a variable, or take main effects or fewer pairs."
        )
    try:
        return modelled_taus(result.crossing, (), state.margins, models=models, scalings=SCALINGS), ""
    except ValueError as error:
        return {}, str(error)
