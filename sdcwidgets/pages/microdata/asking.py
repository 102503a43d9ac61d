"""Ask who is what in a file of one's own, with the guess preset."""

from __future__ import annotations

from typing import Any

from sdcwidgets.microdata.roles import NO_ROLE, ROLE_TITLES
from sdcwidgets.pages.microdata import words as words
from sdcwidgets.pages.microdata.risk import FileRisk
from sdcwidgets.pages.microdata.state import FileState
from sdcwidgets.parameters import Parameter
from sdcwidgets.studies.base import Study
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.live import Part
from sdcwidgets.widgets.page import Text

StudyOf = Study[FileState, FileRisk]


def asked_roles(study: StudyOf) -> Part[FileRisk]:
    """Return what asks who is what, and the view that follows the study; a sample's roles are known."""
    told = Text()
    which, role = (
        Control(Parameter(name, str, NO_ROLE, label, choices=choices))
        for name, label, choices in (
            ("variable", "Variable", {NO_ROLE: NO_ROLE}),
            ("role", "Its role", ROLE_TITLES),
        )
    )
    shown: list[Any] = []

    def look_at(name: str) -> None:
        which.show(name)
        role.show(study.result.original.roles.of(name))

    def choose(value: str) -> None:
        study.put(study.state.with_role(str(which.value), value))

    which.on_change(look_at)
    role.on_change(choose)

    def show(result: FileRisk) -> None:
        told.show(words.roles(result))
        names = tuple(result.original.variables)
        if not shown or shown[0] != names:
            shown[:] = [names]
            first = result.original.weight or names[0]
            which.become(
                Parameter("variable", str, first, "Variable", choices={name: name for name in names}), first
            )
        role.show(result.original.roles.of(str(which.value)))
        for control in (which, role):
            control.layout.display = None if result.state.own is not None else "none"

    return (told, which, role), show
