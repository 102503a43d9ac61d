"""Ask who is what in a file of one's own, with the guess preset."""

from __future__ import annotations

from sdcwidgets._util.parameters import Parameter
from sdcwidgets.dashboards.microdata import texts as words
from sdcwidgets.dashboards.microdata.result import MicrodataResult
from sdcwidgets.dashboards.microdata.state import MicrodataState
from sdcwidgets.microdata.roles import NO_ROLE, ROLE_TITLES
from sdcwidgets.widgets.binding import Part, reveal
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.page import Text
from sdcwidgets.widgets.studies.base import Study

StudyOf = Study[MicrodataState, MicrodataResult]


def role_controls(study: StudyOf) -> Part[MicrodataResult]:
    """Return what asks who is what, and the view that follows the study; a sample's roles are known."""
    summary = Text()
    which = Control(Parameter("variable", str, NO_ROLE, "Variable", choices={NO_ROLE: NO_ROLE}))
    role = Control(Parameter("role", str, NO_ROLE, "Its role", choices=ROLE_TITLES))

    def look_at(name: str) -> None:
        which.show(name)
        role.show(study.result.original.roles.of(name))

    which.on_change(look_at)
    role.on_change(lambda value: study.put(study.state.with_role(which.value, value)))

    def show(result: MicrodataResult) -> None:
        file, names = result.original, {name: name for name in result.original.variables}
        summary.show(words.roles(result))
        if which.spec["options"] != names:
            first = file.weight or next(iter(names))
            which.become(Parameter("variable", str, first, "Variable", choices=names), first)
        role.show(file.roles.of(which.value))
        reveal(result.state.own is not None, which, role)

    return (summary, which, role), show
