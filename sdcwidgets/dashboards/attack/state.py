"""State of the page Attack: selected numbers, saved combinations, hints, and the answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Self

from sdcwidgets import attacks
from sdcwidgets._util.errors import InputError
from sdcwidgets.dashboards.attack.automated import automated_attack
from sdcwidgets.dashboards.attack.case import Case
from sdcwidgets.dashboards.attack.cases import CASES
from sdcwidgets.dashboards.attack.own_table import own_case
from sdcwidgets.tables import examples
from sdcwidgets.tables.io.sources import Example, Source
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.page_state.table_state import TableState

#: Points for a hint, the automated attack and a wrong answer, subtracted from 100.
COSTS = {"hint": 10, "automated": 30, "wrong": 20}

#: Name of the case of the user's table, and its initial table.
OWN = "own"
FIRST = examples.load("handbook-5-1")

#: Intruders of the case of the user's table.
INTRUDERS = {"external": "An external intruder", "respondent": "A respondent in the table"}

#: Maximum number of terms of a combination, and of saved combinations.
MOST = 12


@dataclass(frozen=True)
class AttackState(TableState):
    """Progress of an attack.

    Attributes
    ----------
    case, protection : str
        "own" is the case of the table of this state, which a new table starts.
    line : tuple of int
        Selected numbers: the first is added, and the others are subtracted. Indices refer to the published numbers,
        followed by the saved combinations.
    combinations : tuple of tuple of int
        Saved combinations.
    hints : int
        Number of hints shown.
    automated : bool
        Whether the automated attack was requested.
    attack : str
        Automated attack, "" for the default of the case.
    answer : str
        Last answer, "" for none; `wrong` counts wrong answers.
    intruder : {"external", "respondent"}
        Intruder of the user's table; a respondent knows that the own cell has at least one person.
    of : tuple
        Table of the attack.
    """

    table: FrequencyTable = FIRST
    source: Source = field(default_factory=lambda: Example("handbook-5-1"))
    case: str = "boundaries"
    protection: str = "published"
    line: tuple[int, ...] = ()
    combinations: tuple[tuple[int, ...], ...] = ()
    hints: int = 0
    automated: bool = False
    attack: str = ""
    answer: str = ""
    wrong: int = 0
    intruder: str = "external"
    of: tuple[FrequencyTable, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.of or (FIRST,))[0] != self.seen:
            for name, value in {**BEGINNING, "case": OWN}.items():
                object.__setattr__(self, name, value)
        object.__setattr__(self, "of", (self.seen,))
        if self.case not in (*CASES, OWN):
            raise InputError(f"There is no case {self.case!r}; choose one of {', '.join(CASES)} and {OWN}.")
        if self.intruder not in INTRUDERS:
            raise InputError(f"There is no intruder {self.intruder!r}; choose one of {', '.join(INTRUDERS)}.")
        if self.protection not in self.known.protections:
            raise InputError(f"This case has no protection method {self.protection!r}.")
        if self.attack:
            attacks.get(self.attack)
        size = len(automated_attack(self.known, self.protection, self.known.attack).published.numbers)
        for k, line in enumerate((*self.combinations, self.line)):
            if len(line) > MOST or any(not 0 <= number < size + k for number in line):
                raise InputError("A combination has a number that is not published.")
        if len(self.combinations) > MOST:
            raise InputError(
                f"At most {MOST} combinations of published numbers can be saved. Start the case again."
            )

    @property
    def known(self) -> Case:
        """The current case."""
        return own_case(self.unfolded, self.title, self.intruder) if self.case == OWN else CASES[self.case]

    @property
    def attack_name(self) -> str:
        """Name of the automated attack."""
        return self.attack or self.known.attack

    def begun(self, case: str) -> Self:
        """Return the initial state of a case."""
        return replace(self, **{**BEGINNING, "case": case})

    def protected(self, protection: str) -> Self:
        """Return the state with another protection and no combinations; costs of hints and answers remain."""
        return replace(self, protection=protection, line=(), combinations=(), answer="")

    def attacked_by(self, intruder: str) -> Self:
        """Return the state with another intruder and no combinations; costs of hints and answers remain."""
        return replace(self, intruder=intruder, line=(), combinations=(), answer="")

    def pointed(self, number: int) -> Self:
        """Return the state after a number was selected: it is added to the combination, or removed from it."""
        if number in self.line:
            return replace(self, line=tuple(other for other in self.line if other != number))
        if len(self.line) == MOST:
            raise InputError(
                f"A combination has at most {MOST} published numbers. Save or clear the combination."
            )
        return replace(self, line=(*self.line, number))

    def keep(self) -> Self:
        """Return the state with the current combination saved."""
        if not self.line:
            raise InputError("There is no combination of numbers to save. Select a published number first.")
        return replace(self, combinations=(*self.combinations, self.line), line=())

    def hinted(self) -> Self:
        """Return the state after another hint."""
        if self.hints == len(self.known.hints):
            raise InputError("There are no more hints.")
        return replace(self, hints=self.hints + 1)

    def answered(self, answer: str) -> Self:
        """Return the state after an answer."""
        wrong = self.wrong + (answer != self.known.right and answer != self.answer)
        return replace(self, answer=answer, wrong=wrong)

    def saved(self) -> dict[str, object]:
        """Return the state as plain values."""
        return super().saved() | {name: getattr(self, name) for name in BEGINNING}

    @classmethod
    def restored(cls, saved: Mapping[str, Any]) -> Self:
        """Return the state from plain values; saved courses may lack the intruder."""
        base = TableState.restored(saved)
        values = {"intruder": BEGINNING["intruder"], **saved}
        own = {name: type(usual)(values[name]) for name, usual in BEGINNING.items()}
        own["line"] = tuple(map(int, own["line"]))
        own["combinations"] = tuple(tuple(map(int, line)) for line in own["combinations"])
        return cls(**vars(base), **own, of=(base.seen,))


#: Initial values of a case.
BEGINNING: Mapping[str, Any] = {
    state_field.name: state_field.default
    for state_field in fields(AttackState)
    if state_field.name not in {*TableState.__dataclass_fields__, "of"}
}
