"""Controls of the roles of variables in the user's file, preset by detection."""

from __future__ import annotations

from sdcwidgets._util.parameters import Parameter
from sdcwidgets.dashboards.microdata import texts as words
from sdcwidgets.dashboards.microdata.result import MicrodataResult
from sdcwidgets.dashboards.microdata.state import MicrodataState
from sdcwidgets.microdata.roles import NO_ROLE, ROLE_TITLES
from sdcwidgets.widgets.binding import Part, reveal
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.page import Text
from sdcwidgets.widgets.page_state.recomputation import Study

StudyOf = Study[MicrodataState, MicrodataResult]


def role_controls(study: StudyOf) -> Part[MicrodataResult]:
    """Return the controls of the roles, and the function that updates them; roles of the sample are fixed."""
    summary = Text()
    which = Control(Parameter("variable", str, NO_ROLE, "Variable", choices={NO_ROLE: NO_ROLE}))
    role = Control(Parameter("role", str, NO_ROLE, "Role of the variable", choices=ROLE_TITLES))

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
