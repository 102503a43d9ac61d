"""Python script of the internal report, which reproduces a release from the original counts."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pprint import pformat
from typing import TYPE_CHECKING

from sdcwidgets._util.parameters import declared
from sdcwidgets.tables import examples
from sdcwidgets.tables.io.layouts import FileLayout
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.removed_axes import without_removed_axes

if TYPE_CHECKING:
    from sdcwidgets.assessment.report.report import Report
    from sdcwidgets.assessment.verdict import Verdict

#: File endings by which the source of a report is recognised as the name of a file.
_FILE = re.compile(r"[^\n\r]+\.(csv|tsv|tab|txt|xlsx?|xlsm|ods|px|json|xml|html?|parquet)", re.IGNORECASE)

#: Name of the workbook that a script writes.
PUBLISHED_FILE = "protected.xlsx"

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
    lines = [*_variables(report, example), "", *_imports(report, example), "", *_table(report, example)]
    lines += _release(report)
    lines += _judgement(report)
    return "\n".join([*lines, *_published_file(report)])


def _imports(report: Report, example: str) -> list[str]:
    """Return the lines that import what the script uses."""
    names = {"examples" if example else "FrequencyTable"}
    names |= {"Release"} if report.method is None else {"methods", "protect"}
    judges = "judge_with_sub_totals" if report.hierarchies else "judge"
    lines = {
        "from sdcwidgets.tables.io.layouts import FileLayout": isinstance(_layout(report), FileLayout),
        "from sdcwidgets.assessment.verdict import ReleaseLimits, judge": report.verdict is not None
        and not report.hierarchies,
        "from sdcwidgets.assessment.verdict import ReleaseLimits": report.hierarchies,
        f"from sdcwidgets.assessment.verdict.nested_verdict import {judges}": report.hierarchies,
        "from sdcwidgets.methods.nested_suppression import NestedSuppression, parents_of": report.hierarchies,
        "from sdcwidgets.tables.io.sources import File": report.as_read is not None,
        "from sdcwidgets.tables.io.writers.nested import nested_lines": report.sub_totals,
        "from sdcwidgets.tables.io.writers.workbook import release_workbook": report.sub_totals,
        "from sdcwidgets.tables.removed_axes import without_removed_axes": _removes_axes(report),
        "from sdcwidgets.tables.sub_totals import SubTotals, without_sums": report.sub_totals,
        "from sdcwidgets.tables.sums_over_times import without_sums_over_times": _omits_sums(report),
        "from pathlib import Path": report.sub_totals,
    }
    if report.hierarchies:
        names.discard("methods")
    return [
        f"from sdcwidgets import {', '.join(sorted(names))}",
        *(line for line, used in lines.items() if used),
    ]


def _layout(report: Report) -> object:
    return report.read_options.get("layout")


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


def _release(report: Report) -> list[str]:
    """Return the lines that repeat the release; without a method, it is the original table."""
    method, lines = report.method, list[str]()
    if report.sub_totals:
        sums = ",\n    ".join(_broken(axis_sums) for axis_sums in report.sub_totals)
        lines += [f"sums = [\n    {sums},\n]  # sub-totals of the file", "table = without_sums(table, sums)"]
    if method is None:
        return [*lines, "release = Release.of(table)"]
    settings = {setting.name: getattr(method, setting.name) for setting in declared(type(method))}
    if not report.hierarchies:
        lines.append(f"method = methods.get({method.name!r})({_arguments(settings)})")
    else:
        own = {axis: tuple(parents.items()) for axis, parents in report.hierarchies.items()}
        lines += [
            f"hierarchies = {_broken(own)}",
            f"method = NestedSuppression({_arguments(settings)}, parents=parents_of(hierarchies))",
        ]
    return [*lines, "release = protect(table, method, seed=seed)"]


def _judgement(report: Report) -> list[str]:
    """Return the lines that repeat the verdict; without a verdict, that print the release."""
    verdict = report.verdict
    if verdict is None:
        return ["print(release.to_frame())"]
    defaults = {setting.name: setting.default for setting in declared(type(verdict.limits))}
    values = {name: getattr(verdict.limits, name) for name in defaults}
    limits = {name: value for name, value in values.items() if value != defaults[name]}
    lines = [f"limits = ReleaseLimits({_arguments(limits)})"]
    accepted = ""
    if verdict.accepted:
        lines.append(f"accepted = {_broken(_accepted(verdict))}")
        accepted = ", accepted=accepted"
    levels = f", unpublished={verdict.unpublished!r}" if verdict.unpublished else ""
    if report.hierarchies:
        call = f"judge_with_sub_totals(table, method, limits, seed=seed{accepted}{levels})"
    else:
        call = f"judge(table, release, limits, seed=seed{accepted}{levels})"
    return [*lines, f"print({call}.sentence)"]


def _published_file(report: Report) -> list[str]:
    """Return the lines that write the table in the shape that was released."""
    lines, arguments = list[str](), f"title={report.published_title or report.title!r}"
    if report.source and not is_file_name(report.source):
        arguments += f", source={report.source!r}"
    layout = report.as_read
    if layout is not None:
        options, choices = dict(report.read_options), ""
        if isinstance(_layout(report), FileLayout):
            choices = ".with_layout(layout)"
        elif options:
            choices = f".choose({_arguments(options)})"
        if layout.omitted:
            lines.append(f"source = File.from_input(file){choices}")
            lines.append("as_read = source.light(source.read()).as_read")
        else:
            lines.append(f"as_read = File.from_input(file){choices}.read().as_read")
        lines += [f"as_read = as_read.with_text({line!r}, {text!r})" for line, text in layout.edits]
        arguments += ", as_read=as_read"
    if not report.totals:
        arguments += ", totals=False"
    if report.is_original:
        arguments += ", is_original=True"
    if _removes_axes(report):
        lines.append("release = without_removed_axes(release)")
    if _omits_sums(report):
        lines.append("release = without_sums_over_times(release)")
    if not report.sub_totals:
        return [*lines, f'release.to_excel("{PUBLISHED_FILE}", {arguments})']
    entries = ", method.published_entries(table, seed)" if report.hierarchies else ""
    lines.append(f"lines = list(nested_lines(release, sums{entries}))")
    method = "" if report.method is None else ", method=method"
    lines.append(
        f"content = release_workbook(release, {arguments}{method}, lines=lines, label_columns={report.labels})"
    )
    return [*lines, f'Path("{PUBLISHED_FILE}").write_bytes(content)']


def _omits_sums(report: Report) -> bool:
    """Return whether the files have no totals over years."""
    release = without_removed_axes(report.release) if _removes_axes(report) else report.release
    return report.public_release.values.keys() != release.values.keys()


def _removes_axes(report: Report) -> bool:
    """Return whether the files do not contain a variable of the release."""
    return report.public_release.ndim < report.release.ndim


def _broken(value: object) -> str:
    """Return a value as Python code on lines of a readable length."""
    return pformat(value, width=100, sort_dicts=False)


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
