"""Every number about a file of records, as the page shows them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sdcwidgets._util.arrays import Flags, Floats, Whole
from sdcwidgets.core.microdata.hiding import Hiding
from sdcwidgets.core.microdata.keys import MISSING
from sdcwidgets.core.microdata.suda import SpecialUniques, dis_scores
from sdcwidgets.core.risk.choice import ModelFit
from sdcwidgets.core.risk.sample import Crossing, ModelledTau
from sdcwidgets.dashboards.microdata.state import FileState
from sdcwidgets.microdata import Microdata
from sdcwidgets.microdata.attributes import MOST_VALUES, AttributeRisk
from sdcwidgets.microdata.loss import TableLoss, VariableChange, table_losses, variable_changes
from sdcwidgets.microdata.protecting import SuppressedFile, for_release
from sdcwidgets.microdata.telling import given_back

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
        Records that hide each, and the sum of their weights, a blank counted for its share; without blanks the records
        with the same key.
    hidden : Hiding
        How likely an intruder is right about each record.
    unique : ndarray of bool, shape (n,)
        Which records have all keys, and no other record that has all of them is like it.
    truth : ndarray, shape (n,), or None
        People of the population who may have it; 0 if PRAM made a key that nobody has.
    changed : ndarray of bool, shape (n,)
        Whether PRAM changed the record's key, so that it leads to somebody else.
    kept : ndarray, shape (n,)
        The probability that PRAM left the key as it was, given how it is now.
    steps : tuple of KeyStep
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
    f: Floats
    F: Floats
    hidden: Hiding
    unique: Flags
    truth: Floats | None
    changed: Flags
    kept: Floats
    steps: tuple[KeyStep, ...]
    risk: Floats
    together: Floats | None
    taus: Mapping[tuple[str, str], ModelledTau]
    left_out: int
    problem: str
    lost: SuppressedFile | None
    recoded: Microdata
    special: SpecialUniques | None = None
    fit: ModelFit | None = None
    complete: bool = False

    @cached_property
    def crossing(self) -> Crossing:
        """The cells of the records that have all keys, which the models take."""
        codes = self.file.codes(self.state.keys)
        whole = (codes != MISSING).all(axis=1)
        return Crossing.of(codes[whole], self.file.weights[whole])

    @cached_property
    def attributes(self) -> list[AttributeRisk]:
        """What the records of one key tell of each sensitive variable that is no key and can be counted."""
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
        """What the protection cost each key, and each table of one or two of them."""
        keys = self.state.keys
        return (
            variable_changes(self.original, self.recoded, self.file, keys),
            table_losses(self.recoded, self.file, keys),
        )

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

    def riskiest(self, most: int = 8) -> Whole:
        """Return the records of the highest risk or score, whichever is chosen; the other decides among equals."""
        score = np.zeros(len(self.f)) if self.dis is None else self.dis
        first, second = (score, self.risk) if self.state.settings.order == "dis-suda" else (self.risk, score)
        most = min(most, len(first))
        some: Whole = np.flatnonzero(first >= np.partition(first, -most)[-most])
        return some[np.lexsort((-second[some], -first[some]))[:most]]
