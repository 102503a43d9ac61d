"""The attack lab: a person points at published numbers, keeps lines of them, and sees what is still possible."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Self

from sdcwidgets import attacks
from sdcwidgets._util.errors import InputError
from sdcwidgets.dashboards.attack.automated import automated_attack
from sdcwidgets.dashboards.attack.case import Case
from sdcwidgets.dashboards.attack.cases import CASES
from sdcwidgets.dashboards.attack.own import own_case
from sdcwidgets.tables import examples
from sdcwidgets.tables.io.sources import Example, Source
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.studies.base import TableState

#: What a hint, the machine's attack and a wrong answer take from 100 points.
COSTS = {"hint": 10, "automated": 30, "wrong": 20}

#: The case of one's own table, and the table that it begins with: one single woman.
OWN = "own"
FIRST = examples.load("handbook-5-1")

#: Who attacks one's own table.
INTRUDERS = {"external": "An external intruder", "respondent": "A respondent in the table"}

#: A line may have so many numbers, and so many lines are kept.
MOST = 12


@dataclass(frozen=True)
class AttackState(TableState):
    """How far an attack has come.

    Attributes
    ----------
    case, protection : str
        "own" is the case of the table of this state; another table begins it.
    line : tuple of int
        The numbers pointed at: the first is added, the others are taken away. A number from the tables comes by
        its place among them, a kept line after all of these.
    combinations : tuple of tuple of int
        The lines that were kept.
    hints : int
        How many were asked for.
    automated : bool
        Whether the machine was asked to attack.
    attack : str
        The attack that it does, "" for the one of the case.
    answer : str
        The answer given last, "" for none; `wrong` counts those that were wrong.
    intruder : {"external", "respondent"}
        Who attacks one's own table: a respondent knows that the own cell holds at least one person.
    of : tuple
        The table that the attack belongs to.
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
            raise InputError(f"There is no case {self.case!r}; there are {', '.join(CASES)} and {OWN}.")
        if self.intruder not in INTRUDERS:
            raise InputError(f"There is no intruder {self.intruder!r}; there are {', '.join(INTRUDERS)}.")
        if self.protection not in self.known.protections:
            raise InputError(f"There is no protection {self.protection!r} in this case.")
        if self.attack:
            attacks.get(self.attack)
        size = len(automated_attack(self.known, self.protection, self.known.attack).published.numbers)
        for k, line in enumerate((*self.combinations, self.line)):
            if len(line) > MOST or any(not 0 <= number < size + k for number in line):
                raise InputError("A line has a number that is not published.")
        if len(self.combinations) > MOST:
            raise InputError(f"{MOST} lines are kept at most; start the case again.")

    @property
    def known(self) -> Case:
        """The case."""
        return own_case(self.unfolded, self.title, self.intruder) if self.case == OWN else CASES[self.case]

    @property
    def attack_name(self) -> str:
        """The attack that the machine does."""
        return self.attack or self.known.attack

    def begun(self, case: str) -> Self:
        """Return the beginning of a case."""
        return replace(self, **{**BEGINNING, "case": case})

    def protected(self, protection: str) -> Self:
        """Return the same case under another protection, with nothing kept; points and hints stay lost."""
        return replace(self, protection=protection, line=(), combinations=(), answer="")

    def attacked_by(self, intruder: str) -> Self:
        """Return the same case with another intruder and no kept lines; points and hints stay lost."""
        return replace(self, intruder=intruder, line=(), combinations=(), answer="")

    def pointed(self, number: int) -> Self:
        """Return the state after pointing at a number: it joins the line, or leaves it."""
        if number in self.line:
            return replace(self, line=tuple(other for other in self.line if other != number))
        if len(self.line) == MOST:
            raise InputError(f"A line has at most {MOST} numbers; keep it or clear it.")
        return replace(self, line=(*self.line, number))

    def keep(self) -> Self:
        """Return the state with the line kept."""
        if not self.line:
            raise InputError("There is no line to keep; press a number first.")
        return replace(self, combinations=(*self.combinations, self.line), line=())

    def hinted(self) -> Self:
        """Return the state after one more hint."""
        if self.hints == len(self.known.hints):
            raise InputError("There is no other hint.")
        return replace(self, hints=self.hints + 1)

    def answered(self, answer: str) -> Self:
        """Return the state after an answer."""
        wrong = self.wrong + (answer != self.known.right and answer != self.answer)
        return replace(self, answer=answer, wrong=wrong)

    def saved(self) -> dict[str, object]:
        """Return plain values."""
        return super().saved() | {LINK_NAMES.get(name, name): getattr(self, name) for name in BEGINNING}

    @classmethod
    def restored(cls, saved: Mapping[str, Any]) -> Self:
        """Return the state of such values; courses may lack the intruder."""
        base = TableState.restored(saved)
        values = {"intruder": BEGINNING["intruder"], **saved}
        own = {name: type(usual)(values[LINK_NAMES.get(name, name)]) for name, usual in BEGINNING.items()}
        own["line"] = tuple(map(int, own["line"]))
        own["combinations"] = tuple(tuple(map(int, line)) for line in own["combinations"])
        return cls(**vars(base), **own, of=(base.seen,))


#: Names in links, and so in course files, of fields that have other names.
LINK_NAMES = {"combinations": "kept", "automated": "machine"}

#: How each case begins.
BEGINNING: Mapping[str, Any] = {
    state_field.name: state_field.default
    for state_field in fields(AttackState)
    if state_field.name not in {*TableState.__dataclass_fields__, "of"}
}
