"""Python script of the internal report, which reproduces a release from the original counts."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from sdcwidgets._util.parameters import declared
from sdcwidgets.tables import examples
from sdcwidgets.tables.io.layouts import FileLayout
from sdcwidgets.tables.release import Release

if TYPE_CHECKING:
    from sdcwidgets.assessment.report.report import Report
    from sdcwidgets.assessment.verdict import Verdict
    from sdcwidgets.methods import Method

#: File endings by which the source of a report is recognised as the name of a file.
_FILE = re.compile(r"[^\n\r]+\.(csv|tsv|tab|txt|xlsx?|xlsm|ods|px|json|xml|html?|parquet)", re.IGNORECASE)

#: File endings of workbooks.
_WORKBOOKS = (".xlsx", ".xlsm", ".xls")


def script_of(report: Report) -> str:
    """Return the script that repeats the release and the verdict of a report.

    The user fills in the variables in the first lines. The script never contains the value of the seed.
    """
    is_original = report.table is not None and report.release == Release.of(report.table)
    if report.method is None and not is_original:
        return (
            "# The report has no method, so no script can repeat the release.\n"
            "# Pass the method with its settings: Report(release, method=method, ...)."
        )
    example = _example(report)
    imports = ["examples" if example else "FrequencyTable"]
    imports += ["Release"] if report.method is None else ["methods", "protect"]
    lines = [*_variables(report, example), ""]
    lines.append(f"from sdcwidgets import {', '.join(sorted(imports))}")
    if isinstance(report.read_options.get("layout"), FileLayout):
        lines.append("from sdcwidgets.tables.io.layouts import FileLayout")
    if report.verdict is not None:
        lines.append("from sdcwidgets.assessment.verdict import ReleaseLimits, judge")
    lines += ["", *_table(report, example)]
    lines += _release(report.method, report.hierarchies)
    # A release with sub-totals has no verdict in Python.
    verdict = None if report.hierarchies else report.verdict
    lines += ["print(release.to_frame())"] if verdict is None else _judgement(verdict)
    return "\n".join(lines)


def file_of(report: Report) -> str:
    """Return the name of the file with the original counts, "" if it is not known."""
    if report.file:
        return report.file
    return report.source if is_file_name(report.source) else ""


def is_file_name(text: str) -> bool:
    """Return whether a text is the name of a file with a table, and not an address.

    Examples
    --------
    >>> is_file_name("people.xlsx"), is_file_name("Your table"), is_file_name("https://office.test/people.csv")
    (True, False, False)
    """
    return "://" not in text and _FILE.fullmatch(text) is not None


def _example(report: Report) -> str:
    """Return the name of the example that contains the original counts, "" if none does."""
    for name, example in examples.available().items():
        if example.title == report.title and report.table == examples.load(name):
            return name
    return ""


def _variables(report: Report, example: str) -> list[str]:
    """Return the lines that the user fills in."""
    lines = []
    if not example:
        name = json.dumps(file_of(report) or "table.csv", ensure_ascii=False)
        lines.append(f"file = {name}  # your file with the original counts")
        if _needs_weight(report):
            lines.append('weight = "weight"  # your column of sampling weights')
    if report.method is None or not report.method.seeded:
        lines.append("seed = None  # without effect, because the release uses no random numbers")
    else:
        lines.append("seed = None  # your secret seed")
    return lines


def _needs_weight(report: Report) -> bool:
    """Return whether the table has weights, and the report has no options for reading its file."""
    return report.table is not None and report.table.respondents is not None and not report.read_options


def _table(report: Report, example: str) -> list[str]:
    """Return the lines that read the original counts."""
    if example:
        return [f"table = examples.load({example!r})"]
    names = [axis.name for axis in report.release.axes]
    if _needs_weight(report):
        return [f"table = FrequencyTable.from_csv(file, by={names!r}, weight=weight)"]
    options, lines = dict(report.read_options), list[str]()
    layout = options.get("layout")
    if isinstance(layout, FileLayout):
        # The layout is part of the script, because a user need not have saved it as a file.
        texts = [f"    {line!r}" for line in layout.to_toml().splitlines(keepends=True)]
        lines = ["layout = FileLayout.from_toml(", *texts, ")"]
        options["layout"] = _Name("layout")
    is_workbook = "sheet" in options or file_of(report).lower().endswith(_WORKBOOKS)
    reader = "from_excel" if is_workbook else "from_csv"
    arguments = f", {_arguments(options)}" if options else ""
    return [
        *lines,
        f"table = FrequencyTable.{reader}(file{arguments})",
        f"names = {names!r}  # axes of the release",
        "table = table.rename(dict(zip([axis.name for axis in table.axes], names, strict=True)))",
    ]


def _release(method: Method | None, hierarchies: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Return the lines that repeat the release; without a method, it is the original table."""
    if method is None:
        return ["release = Release.of(table)"]
    settings = {setting.name: getattr(method, setting.name) for setting in declared(type(method))}
    nested = ", hierarchies=hierarchies" if hierarchies else ""
    own = {axis: dict(parents) for axis, parents in hierarchies.items()}
    return [
        *([f"hierarchies = {own!r}"] if hierarchies else []),
        f"method = methods.get({method.name!r})({_arguments(settings)})",
        f"release = protect(table, method{nested}, seed=seed)",
    ]


def _judgement(verdict: Verdict) -> list[str]:
    """Return the lines that repeat the verdict."""
    defaults = {setting.name: setting.default for setting in declared(type(verdict.limits))}
    values = {name: getattr(verdict.limits, name) for name in defaults}
    limits = {name: value for name, value in values.items() if value != defaults[name]}
    lines = [f"limits = ReleaseLimits({_arguments(limits)})"]
    accepted = ""
    if verdict.accepted:
        lines.append(f"accepted = {_accepted(verdict)!r}")
        accepted = ", accepted=accepted"
    lines.append(f"print(judge(table, release, limits, seed=seed{accepted}).sentence)")
    return lines


class _Name(str):
    """Name of a variable of the script, which is written without quotes."""

    def __repr__(self) -> str:
        return str(self)


def _accepted(verdict: Verdict) -> dict[str, str]:
    """Return the reasons of accepted violations by name, or by kind if all of a kind have one reason."""
    reasons: dict[str, str] = {}
    for kind in dict.fromkeys(stop.kind for stop, _ in verdict.accepted):
        own = {stop.name: reason for stop, reason in verdict.accepted if stop.kind == kind}
        is_whole = len(own) > 1 and len(set(own.values())) == 1
        if is_whole and not any(stop.kind == kind for stop in verdict.stops):
            reasons[kind] = next(iter(own.values()))
        else:
            reasons |= own
    return reasons


def _arguments(values: Mapping[str, object]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in values.items())
