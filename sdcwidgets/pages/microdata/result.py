"""The risk of a file of records: which keys an intruder may know, what they make unique, and what protects it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdcwidgets.core.microdata.keys import (
    MISSING,
    cell_size_indices,
    complete,
    distinct,
    frequencies,
    matches,
    weighted_frequencies,
)
from sdcwidgets.core.microdata.pram import invariant_transition
from sdcwidgets.core.microdata.sampling import draw
from sdcwidgets.core.microdata.suda import SpecialUniques, dis_scores, special_uniques
from sdcwidgets.core.risk.individual import household_risk, individual_risk
from sdcwidgets.core.risk.sample import MODELS, SCALINGS, ModelledTau, modelled_taus
from sdcwidgets.errors import InputError
from sdcwidgets.microdata import Microdata, population, sample
from sdcwidgets.microdata.data import check_keys
from sdcwidgets.microdata.protecting import (
    SuppressedFile,
    for_release,
    given_back,
    names_in,
    post_randomised,
    suppressed,
)
from sdcwidgets.microdata.recoding import bottom_code, group, intervals, top_code
from sdcwidgets.microdata.sampling import frame
from sdcwidgets.pages.microdata.state import PEOPLE, FileState

__all__ = ["MOST_SUDA", "FileRisk", "KeyStep", "as_it_came", "assess_file", "draws", "improve"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: The variables that the terms of a model tie together may have so many cells; more would stop the page.
MOST_TIED = 150_000

#: Of more keys than this the special uniques are not looked for: there are too many sets.
MOST_SUDA = 10


@dataclass(frozen=True)
class KeyStep:
    """What is unique when the first keys are known.

    Attributes
    ----------
    key : str
        The last of them.
    cells, uniques, below : int
        Keys that occur in the file, records that are unique, records in groups of fewer than k with the same key.
    population : int or None
        People of the population who are unique; None where it is not known.
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
class FileRisk:
    """Every number about one state; it never changes.

    Attributes
    ----------
    state : FileState
    original, file : Microdata
        The file as it came, and as it would be released.
    f, F : ndarray, shape (n,)
        Records, and the sum of their weights, that may have the same key.
    truth : ndarray, shape (n,), or None
        People of the population who may have it; 0 if PRAM made a key that nobody has.
    changed : ndarray of bool, shape (n,)
        Whether PRAM changed the record's key, so that it leads to somebody else.
    kept : ndarray, shape (n,)
        The probability that PRAM left the key as it was, given how it is now.
    steps : tuple of KeyStep
    sizes : ndarray of int
        Cell size indices t of the file; population sizes T stand in `population_sizes`.
    risk, together : ndarray, shape (n,)
        Individual risk, PRAM taken into account, and household risk; `together` is None where the file knows no
        households.
    taus : dict of (str, str) to ModelledTau
        By model and scaling, as far as they are computed.
    left_out : int
        Records with a missing key, which no model takes.
    lost : SuppressedFile or None
    special : SpecialUniques or None
    complete : bool
        Whether nothing more will come.
    """

    state: FileState
    original: Microdata
    file: Microdata
    f: Integers
    F: Floats
    truth: Floats | None
    changed: NDArray[np.bool_]
    kept: Floats
    steps: tuple[KeyStep, ...]
    sizes: Integers
    population_sizes: Integers | None
    risk: Floats
    together: Floats | None
    taus: Mapping[tuple[str, str], ModelledTau]
    left_out: int
    problem: str
    lost: SuppressedFile | None
    special: SpecialUniques | None = None
    complete: bool = False

    @property
    def unique(self) -> NDArray[np.bool_]:
        """Which records are unique in the file."""
        found: NDArray[np.bool_] = self.f == 1
        return found

    @cached_property
    def full(self) -> tuple[int, int]:
        """How many records have a value in each key, and how many of these no other of these is like."""
        return complete(self.file.codes(self.state.keys))

    @property
    def tau1(self) -> int | None:
        """Sample uniques that are population uniques and still have their own key, where the population is known."""
        return None if self.truth is None else int((self.truth[self.unique & ~self.changed] == 1).sum())

    @property
    def tau2(self) -> float | None:
        """Expected correct matches for sample uniques, where the population is known."""
        return None if self.truth is None else float((1 / self.truth[self.unique & ~self.changed]).sum())

    @property
    def chosen(self) -> ModelledTau | None:
        """The estimate of the chosen model and scaling."""
        return self.taus.get((self.state.settings.model, self.state.settings.scaling))

    @property
    def names(self) -> tuple[str, ...]:
        """The variables of text that tell people apart; they do not go into the released file."""
        return names_in(self.file)

    @cached_property
    def released(self) -> Microdata:
        """The file as it may be given away: without what names people, or tells who lives together."""
        return for_release(self.file, keep_household=self.state.settings.keep_household)

    @cached_property
    def undone(self) -> Mapping[tuple[str, str], int]:
        """How many blanked values of a key another variable of the released file tells, by variable and key."""
        return {} if self.lost is None else given_back(self.released, self.state.keys)

    @cached_property
    def dis(self) -> Floats | None:
        """The DIS-SUDA score of each record, None as long as special uniques are not known."""
        if self.special is None:
            return None
        fraction = min(1.0, len(self.f) / float(self.file.weights.sum()))
        return dis_scores(self.special.score, self.f, fraction, len(self.state.keys))

    def riskiest(self, most: int = 8) -> Integers:
        """Return the records of the highest risk or score, whichever is chosen; the other decides among equals."""
        score = np.zeros(len(self.f)) if self.dis is None else self.dis
        first, second = (score, self.risk) if self.state.settings.order == "dis-suda" else (self.risk, score)
        most = min(most, len(first))
        some = np.flatnonzero(first >= np.partition(first, -most)[-most])
        return some[np.lexsort((-second[some], -first[some]))[:most]]


@lru_cache(maxsize=2)
def _people(persons: int) -> tuple[Microdata, Any]:
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
    check_keys(original, state.keys)
    file = _recoded(original, state)
    people = _recoded(_people(PEOPLE)[0], state) if known else None
    lost = None
    steps, population_sizes = _steps(file, people, state)
    before = file.codes(state.keys)
    file, kept = _randomised(file, state)
    changed = (file.codes(state.keys) != before).any(axis=1)
    if state.suppress:
        lost = suppressed(file, state.keys, settings.k)
        file = lost.file
    codes = file.codes(state.keys)
    f, F = frequencies(codes), weighted_frequencies(codes, file.weights)
    own, member, exact = distinct(codes)
    truth = None
    if people is not None:
        everybody = people.codes(state.keys)
        first, _, count = distinct(everybody)
        truth = matches(codes[own], everybody[first], count)[member]
    # Records of one key have one risk, and there are far fewer keys than records.
    risk = individual_risk(f[own], F[own])[member] * kept
    homes = file.households
    together = None if homes is None else household_risk(risk, homes)
    taus, left_out, problem = _modelled(codes, file, state, (settings.model,))
    return FileRisk(
        state,
        original,
        file,
        f,
        F,
        truth,
        changed,
        kept,
        steps,
        cell_size_indices(exact),
        population_sizes,
        risk,
        together,
        taus,
        left_out,
        problem,
        lost,
    )


def improve(state: FileState, first: FileRisk) -> Iterator[FileRisk]:
    """Yield the special uniques, and then the other models."""
    codes = first.file.codes(state.keys)
    result = first
    if codes.shape[1] <= MOST_SUDA:
        result = replace(result, special=special_uniques(codes))
        yield result
    for model in MODELS:
        if model != state.settings.model and not first.problem:
            more, _, _ = _modelled(codes, first.file, state, (model,))
            result = replace(result, taus={**result.taus, **more})
            yield result
    yield replace(result, complete=True)


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
        variable = file[name]
        if recode.how == "groups":
            variable = group(variable, recode.named)
        elif recode.how == "intervals":
            variable = intervals(variable, int(recode.at))
        else:
            variable = (top_code if recode.how == "top" else bottom_code)(variable, recode.at)
        file = file.put(variable)
    return file


def _randomised(file: Microdata, state: FileState) -> tuple[Microdata, Floats]:
    """Return the file after PRAM, and for each record the probability that its key is still its own.

    PRAM leaves the distribution as it is, so a value that is seen was there before with the probability with which it
    stays as it is.
    """
    kept = np.ones(file.records)
    rng = np.random.default_rng([state.settings.seed, 1])
    for name, share in state.pram:
        variable = file[name]
        after = post_randomised(variable, share, rng)
        file = file.put(after)
        if name in state.keys:
            seen = variable.codes[variable.codes != MISSING]
            stays = invariant_transition(
                np.bincount(seen, minlength=len(variable.categories)), share
            ).diagonal()
            kept *= np.where(after.codes == MISSING, 1.0, stays[after.codes])
    return file, kept


def _steps(
    file: Microdata, people: Microdata | None, state: FileState
) -> tuple[tuple[KeyStep, ...], Integers | None]:
    """Return what is unique as one key after the other is known."""
    steps = []
    sizes = None
    codes = file.codes(state.keys)
    whole = None if people is None else people.codes(state.keys)
    for number, key in enumerate(state.keys, 1):
        first, _, exact = distinct(codes[:, :number])
        if codes.min() == MISSING:
            f = frequencies(codes[:, :number])
            alone, below = int((f == 1).sum()), int((f < state.settings.k).sum())
        else:  # the same from the keys, without going back to the records
            alone, below = int((exact == 1).sum()), int(exact[exact < state.settings.k].sum())
        inside = both = None
        if whole is not None:
            at, _, count = distinct(whole[:, :number])
            sizes = cell_size_indices(count)
            inside = int(sizes[1]) if len(sizes) > 1 else 0
            lonely = codes[first[exact == 1]][:, :number]
            both = int((matches(lonely, whole[at][:, :number], count) == 1).sum()) if len(lonely) else 0
        steps.append(KeyStep(key, len(exact), alone, below, inside, both))
    return tuple(steps), sizes


def _modelled(
    codes: NDArray[np.signedinteger], file: Microdata, state: FileState, models: tuple[str, ...]
) -> tuple[dict[tuple[str, str], ModelledTau], int, str]:
    """Return the estimates of some models, how many records they leave out, and why there are none."""
    whole = (codes != MISSING).all(axis=1)
    if state.suppress:
        return {}, int((~whole).sum()), "No record is unique any more, so no match is to be expected."
    if not whole.any():
        return {}, len(codes), "Each record has a missing value, so no model can be fitted."
    tied = {place for pair in state.margins for place in pair}
    cells = float(np.prod([len(np.unique(codes[whole, place])) for place in tied])) if tied else 1
    if cells > MOST_TIED:
        return (
            {},
            int((~whole).sum()),
            f"The terms of the model tie {cells:,.0f} cells together, more than the {MOST_TIED:,} that this page fits;"
            " recode a variable, or take main effects or fewer pairs.",
        )
    try:
        taus = modelled_taus(
            codes[whole], file.weights[whole], state.margins, models=models, scalings=SCALINGS
        )
    except ValueError as error:
        return {}, int((~whole).sum()), str(error)
    return taus, int((~whole).sum()), ""
