"""Result of the page Microdata: frequencies of keys, individual risk, estimates, and the protected file."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.arrays import Flags, Floats, Whole
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.parameters import generator
from sdcwidgets.core.microdata.class_sizes import Hiding, hiding
from sdcwidgets.core.microdata.keys import MISSING, Codes, cell_size_histogram, distinct, frequencies, matches
from sdcwidgets.core.microdata.sampling import Households, draw
from sdcwidgets.core.microdata.suda import SpecialUniques, dis_scores, special_uniques
from sdcwidgets.core.risk.individual import household_risk, individual_risk
from sdcwidgets.core.risk.model_choice import ModelFit, forward_search, model_fit
from sdcwidgets.core.risk.sample import MODELS, SCALINGS, Crossing, ModelledTau, modelled_taus
from sdcwidgets.dashboards.microdata.state import KINDS, PEOPLE, MicrodataState
from sdcwidgets.microdata import Microdata, population, sample
from sdcwidgets.microdata.attributes import MOST_VALUES, AttributeRisk
from sdcwidgets.microdata.data import Variable
from sdcwidgets.microdata.inferred_values import given_back
from sdcwidgets.microdata.loss import TableLoss, VariableChange, table_losses, variable_changes
from sdcwidgets.microdata.protecting import (
    SuppressedFile,
    chance_kept,
    for_release,
    post_randomised,
    random_numbers,
    suppressed,
)
from sdcwidgets.microdata.sampling import frame

#: Maximum number of records of a file whose suppression is computed before the user applies it.
MOST_PLANNED = 5_000

#: Maximum number of key variables for special uniques; the number of sets grows exponentially.
MOST_SUDA = 10


@dataclass(frozen=True)
class KeyStep:
    """Unique records by the first key variables.

    Attributes
    ----------
    key : str
        Last of these key variables.
    cells, uniques, below : int
        Keys in the file, unique records, and records with a class size below k.
    population : int or None
        Unique people of the population, None if it is unknown.
    both : int or None
        Sample uniques that are population uniques: τ1.
    """

    key: str
    cells: int
    uniques: int
    below: int
    population: int | None
    both: int | None


@dataclass(frozen=True)
class MicrodataResult:
    """All numbers about one state; it is immutable.

    Attributes
    ----------
    state : MicrodataState
    original, file : Microdata
        The original file, and the file to be released.
    f, F : ndarray, shape (n,)
        Class size of each record and its weighted size. A suppressed value is weighted by the share of each value
        it may stand for; without suppression these are the records with the same key.
    hidden : Hiding
        Probability of a correct match for each record.
    unique : ndarray of bool, shape (n,)
        Mask of records with complete keys that match no other record with a complete key.
    truth : ndarray, shape (n,), or None
        Number of people of the population that match the record; 0 for a key that exists only because of PRAM.
    population_sizes : ndarray of int, or None
        Number of people with each key of the population; None if the population is unknown.
    changed : ndarray of bool, shape (n,)
        Mask of records whose key was changed by PRAM, so that a match is wrong.
    own_key_probability : ndarray, shape (n,)
        Probability that PRAM left the key unchanged, given the published key.
    steps : tuple of KeyStep
    risk, together : ndarray, shape (n,)
        Individual risk, which includes PRAM, and household risk; `together` is None if the file has no households.
    taus : dict of (str, str) to ModelledTau
        Estimates by model and scaling, as far as they are computed.
    left_out : int
        Records with a missing key value, which no model includes.
    suppressed_file : SuppressedFile or None
    special : SpecialUniques or None
    complete : bool
        Whether all values are computed.
    """

    state: MicrodataState
    original: Microdata
    file: Microdata
    f: Floats
    F: Floats
    hidden: Hiding
    unique: Flags
    truth: Floats | None
    population_sizes: Whole | None
    changed: Flags
    own_key_probability: Floats
    steps: tuple[KeyStep, ...]
    risk: Floats
    together: Floats | None
    taus: Mapping[tuple[str, str], ModelledTau]
    left_out: int
    problem: str
    suppressed_file: SuppressedFile | None
    recoded: Microdata
    special: SpecialUniques | None = None
    fit: ModelFit | None = None
    complete: bool = False

    @cached_property
    def crossing(self) -> Crossing:
        """Frequencies of the complete keys, which the models use."""
        codes = self.file.codes(self.state.keys)
        whole = (codes != MISSING).all(axis=1)
        return Crossing.of(codes[whole], self.file.weights[whole])

    @cached_property
    def cell_sizes(self) -> list[tuple[str, int, int | None]]:
        """Number of records, and how many complete keys of the file and of the population have this number."""
        codes = self.file.codes(self.state.keys)
        whole = codes[(codes != MISSING).all(axis=1)]
        in_file = dict(cell_size_histogram(distinct(whole)[2] if len(whole) else []))
        if self.population_sizes is None:
            return [(size, keys, None) for size, keys in in_file.items()]
        in_population = dict(cell_size_histogram(self.population_sizes))
        sizes = max(in_file, in_population, key=len)
        return [(size, in_file.get(size, 0), in_population.get(size, 0)) for size in sizes]

    @cached_property
    def attributes(self) -> list[AttributeRisk]:
        """Disclosure of each sensitive variable by the keys, for variables that are not key variables."""
        file, keys = self.file, self.state.keys
        codes = file.codes(keys)
        able = [
            name
            for name in file.sensitive
            if name not in keys
            and len(file[name].categories) <= MOST_VALUES
            and file[name].missing < file.records
        ]
        return [AttributeRisk.of(name, codes, file) for name in able]

    @cached_property
    def cost(self) -> tuple[list[VariableChange], list[TableLoss]]:
        """Effect of the protection on each key variable, and on each table of one or two of them."""
        keys = self.state.keys
        return (
            variable_changes(self.original, self.recoded, self.file, keys),
            table_losses(self.recoded, self.file, keys),
        )

    @cached_property
    def protected_before_suppression(self) -> Microdata:
        """The file after recoding and PRAM, before values are suppressed."""
        return _randomised(self.original, self.recoded, self.state)[0] if self.state.suppress else self.file

    @cached_property
    def planned_suppression(self) -> SuppressedFile | None:
        """Suppression for k-anonymity, also if it is not applied yet; None for a large file."""
        if self.suppressed_file is not None or self.file.records > MOST_PLANNED:
            return self.suppressed_file
        return _suppressed(self.file, self.state)

    @cached_property
    def protected_steps(self) -> tuple[tuple[int, int], ...]:
        """Unique records and records with a class size below k in the protected file, as keys are added."""
        codes, k = self.file.codes(self.state.keys), self.state.settings.k
        steps = []
        for number in range(1, codes.shape[1] + 1):
            some = codes[:, :number]
            whole = (some != MISSING).all(axis=1)
            _, member, exact = distinct(some)
            alike = hiding(some, weights=self.file.weights).alike if number < codes.shape[1] else self.f
            alone = int((whole & (exact == 1)[member]).sum())
            steps.append((alone, int((alike < k - 1e-9).sum())))
        return tuple(steps)

    @property
    def tau1(self) -> int | None:
        """Sample uniques that are population uniques and have an unchanged key, None if the population is unknown."""
        return None if self.truth is None else int((self.truth[self.unique & ~self.changed] == 1).sum())

    @property
    def tau2(self) -> float | None:
        """Expected correct matches for sample uniques, None if the population is unknown."""
        return None if self.truth is None else float((1 / self.truth[self.unique & ~self.changed]).sum())

    @property
    def chosen(self) -> ModelledTau | None:
        """Estimate of the selected model and scaling, None if it is not computed."""
        return self.taus.get((self.state.settings.model, self.state.settings.scaling))

    @cached_property
    def released(self) -> Microdata:
        """The file for release, without direct identifiers and household numbers."""
        return for_release(self.file, keep_household=self.state.settings.keep_household)

    @cached_property
    def undone(self) -> Mapping[tuple[str, str], int]:
        """Number of suppressed values that another released variable reveals, by variable and key variable."""
        return {} if self.suppressed_file is None else given_back(self.released, self.state.keys)

    @cached_property
    def dis(self) -> Floats | None:
        """DIS-SUDA score of each record, None if special uniques are not computed."""
        if self.special is None:
            return None
        fraction = min(1.0, len(self.f) / float(self.file.weights.sum()))
        return dis_scores(self.special.score, self.f, fraction, len(self.state.keys))

    def riskiest(self, most: int = 8) -> Whole:
        """Return the records with the highest risk or score by the selected order; the other measure breaks ties."""
        score = np.zeros(len(self.f)) if self.dis is None else self.dis
        first, second = (score, self.risk) if self.state.settings.order == "dis-suda" else (self.risk, score)
        most = min(most, len(first))
        some: Whole = np.flatnonzero(first >= np.partition(first, -most)[-most])
        return some[np.lexsort((-second[some], -first[some]))[:most]]


#: Maximum number of cells of the interactions of a model; larger models would block the page.
MOST_TIED = 150_000


@lru_cache(maxsize=2)
def _people(persons: int) -> tuple[Microdata, Households]:
    file = population(persons)
    return file, frame(file)


@lru_cache(maxsize=4)
def _sample(design: str, households: int, seed: int) -> Microdata:
    file, homes = _people(PEOPLE)
    return sample(file, design, households, seed=seed, drawn_from=homes)


def compute(state: MicrodataState) -> MicrodataResult:
    """Return the result without slow parts, which `improve` adds.

    Raises
    ------
    InputError
        If no key variable is selected, a variable cannot be a key variable, or a recoding does not fit its variable.
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
    file, own_key_probability = _randomised(original, file, state)
    changed = np.zeros(file.records, dtype=bool)
    if state.pram:
        before, codes = codes, file.codes(state.keys)
        changed = (codes != before).any(axis=1)
        cells = distinct(codes)
    suppressed_file = _suppressed(file, state) if state.suppress else None
    if suppressed_file is not None:
        file = suppressed_file.file
        codes = file.codes(state.keys)
    hidden = hiding(codes, weights=file.weights) if suppressed_file is None else suppressed_file.after
    own, member, exact = distinct(codes) if state.suppress else cells
    whole = (codes[own] != MISSING).all(axis=1)[member]
    truth = count = None
    if people is not None:
        everybody = people.codes(state.keys)
        first, _, count = distinct(everybody)
        truth = matches(codes[own], everybody[first], count)[member]
    f, F = hidden.alike, np.maximum(hidden.weighted, hidden.alike)
    # Records with the same key before and after have the same risk, and there are far fewer keys than records.
    some, same, _ = (
        (own, member, exact) if suppressed_file is None else distinct(np.column_stack([cells[1], member]))
    )
    risk = individual_risk(f[some], F[some])[same] * own_key_probability
    homes = file.households
    together = None if homes is None else household_risk(risk, homes)
    result = MicrodataResult(
        state=state,
        original=original,
        file=file,
        f=f,
        F=F,
        hidden=hidden,
        unique=whole & (exact == 1)[member],
        truth=truth,
        population_sizes=count,
        changed=changed,
        own_key_probability=own_key_probability,
        steps=steps,
        risk=risk,
        together=together,
        taus={},
        left_out=int((~whole).sum()),
        problem="",
        suppressed_file=suppressed_file,
        recoded=recoded,
    )
    taus, problem = _modelled(result, (settings.model,))
    return replace(result, taus=taus, problem=problem)


def improve(state: MicrodataState, first: MicrodataResult) -> Iterator[MicrodataResult]:
    """Yield results with the test of fit, then special uniques, then the other models."""
    result = first
    if not first.problem:
        with suppress(ValueError):  # too many cells, or a census: there is no test
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


def search_pairs(result: MicrodataResult) -> Iterator[ModelFit]:
    """Yield the models of a forward search by Skinner and Shlomo's statistic; the last one is the selected model.

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


def as_it_came(state: MicrodataState) -> MicrodataResult:
    """Return the numbers of the original file, with the same key variables."""
    return compute(replace(state, recodes=(), pram=(), suppress=False))


def draws(state: MicrodataState, number: int) -> Iterator[tuple[float, ...]]:
    """Yield τ1, τ2 and their estimates by both scalings for repeated samples of the known population.

    Raises
    ------
    InputError
        If the population is unknown, or the file was changed by more than recoding.
    """
    if state.own is not None:
        raise InputError("The population of your file is unknown. Use the sample of a known population.")
    if state.suppress or state.pram:
        raise InputError(
            "PRAM and suppression change the file but not the population. Turn them off to draw samples."
        )
    return _draws(state, number)


def _draws(state: MicrodataState, number: int) -> Iterator[tuple[float, ...]]:
    known, homes = _people(PEOPLE)
    people = _recoded(known, state)
    everybody = people.codes(state.keys)
    count = frequencies(everybody)
    settings = state.settings
    options = cell_options(state, [people[key] for key in state.keys], everybody[distinct(everybody)[0]])
    for run in range(number):
        rng = np.random.default_rng([settings.seed, run])
        drawn = draw(homes, settings.households, settings.design, rng)
        codes = everybody[drawn.records]
        F = count[drawn.records][frequencies(codes) == 1]
        taus = modelled_taus(
            codes, drawn.weights, state.margins, models=(settings.model,), scalings=SCALINGS, **options
        )
        ours, theirs = (taus[settings.model, scaling] for scaling in SCALINGS)
        yield (float((F == 1).sum()), float((1 / F).sum()), ours.tau1, ours.tau2, theirs.tau1, theirs.tau2)


def _recoded(file: Microdata, state: MicrodataState) -> Microdata:
    for name, recode in state.recodes:
        file = file.put(KINDS[recode.how].recode(file[name], recode.argument))
    return file


def _randomised(original: Microdata, file: Microdata, state: MicrodataState) -> tuple[Microdata, Floats]:
    """Return the recoded file after PRAM, and the probability of each record that its key is unchanged."""
    probability = np.ones(file.records)
    rng = random_numbers(original, state.secret)
    for name, share in state.pram:
        variable = file[name]
        redrawn, matrix = (share, None) if isinstance(share, float) else (0.0, share)
        within = (
            [file[stratum] for stratum in file.strata if stratum != name]
            if state.settings.pram_within
            else []
        )
        after = post_randomised(variable, redrawn, rng, matrix=matrix, strata=within)
        file = file.put(after)
        if name in state.keys:
            probability *= chance_kept(variable, after, redrawn, matrix=matrix, strata=within)
    return file, probability


def _suppressed(file: Microdata, state: MicrodataState) -> SuppressedFile:
    """Return the file with values suppressed; the choice for a user's file depends on a secret."""
    # A generator, because the command line and the page have their own caution about a guessable secret.
    seed = None if state.own is None else generator(state.secret)
    return suppressed(file, state.keys, state.settings.k, seed=seed, **state.suppression)


def _steps(
    keys: NDArray[np.signedinteger], count: Whole, people: Microdata | None, state: MicrodataState
) -> tuple[KeyStep, ...]:
    """Return the unique records as key variables are added, from the keys in the file and their frequencies."""
    steps = []
    whole = None if people is None else people.codes(state.keys)
    for number, key in enumerate(state.keys, 1):
        # Records with a missing value have no key here; they are reported separately.
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


def cell_options(
    state: MicrodataState, variables: Sequence[Variable], population: Codes | None
) -> dict[str, Any]:
    """Return the arguments of `modelled_taus` for the cells of the model and its numeric terms.

    Raises
    ------
    ValueError
        If the model needs the keys of a population that is not known.
    """
    options: dict[str, Any] = {}
    if state.settings.numbers:
        options["numeric"] = {
            number: variable.categories
            for number, variable in enumerate(variables)
            if variable.categories.dtype.kind in "iuf"
        }
    if state.settings.cells == "occurring":
        if population is None:
            raise ValueError(
                "The keys that occur in the population of this file are not known. Use all combinations as the cells of"
                " the model."
            )
        options |= {"cells": "occurring", "population": population}
    return options


def _regressed(
    result: MicrodataResult, models: tuple[str, ...]
) -> tuple[dict[tuple[str, str], ModelledTau], str]:
    """Return the estimates of models over the keys of the population or with numbers, or the reason if none."""
    state = result.state
    codes = result.file.codes(state.keys)
    whole = (codes != MISSING).all(axis=1)
    people = _recoded(_people(PEOPLE)[0], state).codes(state.keys) if state.own is None else None
    try:
        options = cell_options(state, [result.file[key] for key in state.keys], people)
        taus = modelled_taus(
            codes[whole],
            result.file.weights[whole],
            state.margins,
            models=models,
            scalings=SCALINGS,
            **options,
        )
    except ValueError as error:
        return {}, str(error)
    return taus, ""


def _modelled(
    result: MicrodataResult, models: tuple[str, ...]
) -> tuple[dict[tuple[str, str], ModelledTau], str]:
    """Return the estimates of some models, and the reason if there are none."""
    state = result.state
    if state.suppress:
        return {}, (
            "Values were suppressed in records with rare keys, so a model of the other records is not valid. The "
            "summary of suppression gives the expected number of re-identifications."
        )
    if result.left_out == result.file.records:
        return {}, "All records have a missing key value, so no model can be fitted."
    if state.settings.cells == "occurring" or state.settings.numbers:
        return _regressed(result, models)
    tied = {key for pair in state.margins for key in pair}
    cells = math.prod(result.crossing.shape[key] for key in tied)
    if cells > MOST_TIED:
        return {}, (
            f"The interactions of the model have {cells:,} cells; this page can fit at most {MOST_TIED:,}."
            " Recode a variable, or use main effects or fewer pairs."
        )
    try:
        return modelled_taus(result.crossing, (), state.margins, models=models, scalings=SCALINGS), ""
    except ValueError as error:
        return {}, str(error)
