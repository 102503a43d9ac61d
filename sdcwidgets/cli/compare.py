"""Compare protection methods and settings on one table."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING

from sdcwidgets._util.csv_writing import csv_text, lines_of
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.parameters import AxisNames, Parameter, declared
from sdcwidgets.cli._json import method_values, print_json
from sdcwidgets.cli._measures import (
    ALL,
    NEEDS_METHOD,
    NEEDS_RECORDS,
    NEEDS_SAMPLE,
    names_in,
    possible_measures,
    print_omitted,
)
from sdcwidgets.cli._options import (
    add_format,
    add_options,
    add_table,
    assignment_of,
    parsed,
    read_options,
    read_table,
    suggest_name,
)
from sdcwidgets.cli._parser import MEASURES, METHOD, Parser
from sdcwidgets.cli._progress import show_step
from sdcwidgets.cli._protected import warn_if_protected

if TYPE_CHECKING:
    import pandas as pd

    from sdcwidgets.assessment.comparison import Comparison
    from sdcwidgets.assessment.verdict import Rule
    from sdcwidgets.methods import Method

EXAMPLES = (
    "sdcwidgets compare example:religion --methods random-rounding,cell-key",
    "sdcwidgets compare example:religion --methods random-rounding --set base=3,5,10",
    "sdcwidgets compare example:religion --rules fifteen-steps --format csv > comparison.csv",
)

#: Settings of the measures among the options.
_SETTINGS = ("weights", "third", "epsilon", "suppressed")

#: Reasons why measures are omitted from the comparison.
_OMITTED = dict.fromkeys(("", NEEDS_RECORDS, NEEDS_SAMPLE), "no comparison of two tables")

#: Number of replicates of each setting without `--replications`.
REPLICATIONS = 100


def add(parser: Parser) -> None:
    """Add the table, the methods, the measures and the release rules."""
    from sdcwidgets.assessment.assessment import Settings

    add_table(parser)
    parser.add_argument(
        "--methods",
        "--method",
        metavar="NAMES",
        help="names of the methods to compare, separated by commas; `sdcwidgets list "
        "methods` shows all names (default: all methods)",
    )
    parser.add_argument(
        "--set",
        dest="method_settings",
        metavar="NAME=VALUES",
        action="append",
        default=[],
        help="values of a setting of --methods, for example base=3,5,10; repeatable; all combinations are compared "
        "(default: several values of each setting)",
    )
    parser.later = _reject_settings
    parser.group(METHOD).add_argument(
        "--defaults-only",
        action="store_true",
        help="compare only the default settings of each method, instead of several values of each setting",
    )
    parser.add_argument(
        "--measure",
        metavar="NAME",
        action="append",
        help="further measure to report; `sdcwidgets list measures` lists all; repeatable; all reports all measures "
        "that compare two tables (default: only r2 and hellinger, or those of the rules)",
    )
    parser.add_argument(
        "--rules",
        metavar="RULES",
        help="release rules: a TOML file, or a name of `sdcwidgets list rules`; recommends the setting with the lowest "
        "information loss that passes them",
    )
    add_format(parser, "csv")
    parser.add_argument(
        "--replications",
        metavar="N",
        help=f"number of replicates of each setting, up to 100,000 (default: {REPLICATIONS})",
    )
    add_options(parser, Settings, only=("seed",))
    add_options(parser.group(MEASURES), Settings, only=_SETTINGS)


def run(options: argparse.Namespace) -> None:
    """Print one row for each setting, and the recommended setting."""
    from sdcwidgets.assessment.assessment import Settings
    from sdcwidgets.assessment.comparison import compare
    from sdcwidgets.assessment.search import candidates
    from sdcwidgets.assessment.verdict import load

    rule = None if options.rules is None else load(options.rules)
    names, measures = _methods(options), _measures(options, rule)
    chosen = _chosen(options, names)
    settings = {"replications": REPLICATIONS} | read_options(options, Settings)
    reading = read_table(options)
    warn_if_protected(options.file)
    show_step(f"Comparing methods on {options.file}")
    methods = [method for name in names for method in chosen.get(name) or candidates([name], reading.table)]
    comparison = compare(
        reading.table,
        methods,
        measures=measures,
        **settings,
    )
    best, reason = _recommended(comparison, rule)
    frame = _frame(comparison, rule, best)
    if options.format == "json":
        rows = [
            {"method": method_values(method), "measures": measured, **marks}
            for method, (measured, marks) in zip(comparison.methods, _plain(frame), strict=True)
        ]
        head = {
            "file": options.file,
            "read": list(reading.notes),
            "replications": comparison.settings.replications,
            "seed": comparison.settings.seed,
        }
        conclusion = {"settings": rows, "recommended": method_values(best), "reason": reason}
        print_json("compare", head | conclusion)
    elif options.format == "csv":
        print(csv_text(lines_of(frame.reset_index())), end="")
    else:
        print(
            frame.reset_index().to_string(
                index=False, na_rep="-", float_format=lambda number: f"{number:.4f}"
            )
        )
        print("", *_conclusions(options, comparison, rule, best, reason), sep="\n")


def _methods(options: argparse.Namespace) -> list[str]:
    """Return the names of the methods."""
    from sdcwidgets import methods

    if options.methods is None:
        return list(methods.available())
    names = [name.strip() for name in options.methods.split(",")]
    for name in names:
        suggest_name("method", name, methods.available())
        methods.get(name)
    return names


def _reject_settings(args: Sequence[str]) -> None:
    """Raise InputError for a setting that `protect` has as an option; the values to compare follow `--set`."""
    from sdcwidgets import methods
    from sdcwidgets.measures.settings import Settings
    from sdcwidgets.tables.io.sources import ReadOptions

    own = {parameter.flag for cls in (Settings, ReadOptions) for parameter in declared(cls)}
    known = {
        parameter.flag: parameter.name
        for name in methods.available()
        for parameter in declared(methods.get(name))
        if parameter.flag not in own
    }
    for text in args:
        flag = text.partition("=")[0]
        if flag in known:
            raise InputError(
                f"{flag} is a setting of a method; compare its values by --set, for example --set "
                f"{known[flag]}=VALUE,VALUE."
            )


def _chosen(options: argparse.Namespace, names: Sequence[str]) -> dict[str, list[Method]]:
    """Return the methods whose settings the options state, by name: the values of `--set`, or the defaults.

    Raises
    ------
    InputError
        If `--set` names a setting that no method has, or a value that is not allowed.
    """
    from sdcwidgets import methods

    if options.method_settings and options.methods is None:
        raise InputError(
            f"--set {options.method_settings[0]} is a setting of a method; choose the methods with --methods NAMES."
        )
    parameters = {name: {item.name: item for item in declared(methods.get(name))} for name in names}
    every = {key: item for items in parameters.values() for key, item in items.items()}
    texts: dict[str, str] = {}
    for assignment in options.method_settings:
        key, text = assignment_of(assignment, names[0], every)
        if key in texts:
            raise InputError(f"The setting {key} has two values; set it once, for example --set {key}=3,5.")
        texts[key] = text
    chosen: dict[str, list[Method]] = {}
    for name in names:
        cls, own = methods.get(name), parameters[name]
        values = {key: _values(own[key], text) for key, text in texts.items() if key in own}
        if values or options.defaults_only:
            lines = product(*values.values())
            chosen[name] = [cls(**dict(zip(values, line, strict=True))) for line in lines]
    return chosen


def _values(parameter: Parameter, text: str) -> list[object]:
    """Return the values of a setting; a list or matrix of numbers is one value."""
    is_single = parameter.kind is None or (
        isinstance(parameter.kind, AxisNames) and not parameter.kind.several
    )
    texts = text.split(",") if is_single else [text]
    return [parsed(parameter, part.strip(), f"--set {parameter.name}") for part in texts]


def _measures(options: argparse.Namespace, rule: Rule | None) -> list[str]:
    """Return the names of the measures in the options, or else the two measures of the rules."""
    names = names_in(options)
    if ALL in names:
        names = possible_measures((NEEDS_METHOD,))
        print_omitted(names, _OMITTED)
    return list(dict.fromkeys([*_axes(rule), *names]))


def _axes(rule: Rule | None) -> tuple[str, str]:
    """Return the names of the measures of risk and of information loss."""
    return ("r2", "hellinger") if rule is None else (rule.limits.risk_measure, rule.limits.loss_measure)


def _recommended(comparison: Comparison, rule: Rule | None) -> tuple[Method | None, str]:
    """Return the recommended setting, or None and the reason why there is none."""
    if rule is None:
        return None, "There are no release rules; name them with --rules to get a recommended setting."
    try:
        return comparison.recommended(rule), ""
    except InputError as error:
        return None, str(error)


def _frame(comparison: Comparison, rule: Rule | None, best: Method | None) -> pd.DataFrame:
    """Return the measures of each setting, and whether it is Pareto-optimal and recommended."""
    frame = comparison.to_frame().drop(columns="replications")
    frame["pareto_optimal"] = ["yes" if optimal else "" for optimal in comparison.pareto_front(*_axes(rule))]
    if rule is not None:
        frame["recommended"] = ["yes" if method == best else "" for method in comparison.methods]
    return frame


def _plain(frame: pd.DataFrame) -> list[tuple[dict[str, float | None], dict[str, bool]]]:
    """Return the measures of each row, with None for undefined values, and its marks."""
    rows = []
    for row in frame.drop(columns="name").to_dict("records"):
        marks = {str(name): value == "yes" for name, value in row.items() if isinstance(value, str)}
        measured = {
            str(name): None if value != value else float(value)
            for name, value in row.items()
            if not isinstance(value, str)
        }
        rows.append((measured, marks))
    return rows


def _conclusions(
    options: argparse.Namespace, comparison: Comparison, rule: Rule | None, best: Method | None, reason: str
) -> list[str]:
    """Return the sentences below the table."""
    risk, loss = _axes(rule)
    lines = [
        "The table shows means over the replicates. A setting is pareto_optimal if it changes the table, and no other "
        f"setting is better in {risk} or {loss} without being worse in the other."
    ]
    if comparison.refused:
        names = ", ".join(dict.fromkeys(method.name for method in comparison.refused))
        lines.append(f"Methods that cannot protect this table with some settings: {names}.")
    if best is None:
        return [*lines, reason]
    command = " ".join(["sdcwidgets protect", options.file, _words(best)])
    return [*lines, f"Recommended by the rules: {command} --rules {options.rules} -o protected.csv"]


def _words(method: Method) -> str:
    """Return the options of `protect` for a method with its settings."""
    changed = {
        item.name: getattr(method, item.name)
        for item in declared(type(method))
        if getattr(method, item.name) != item.default
    }
    settings = [f"--set {name}={_value(value)}" for name, value in changed.items()]
    return " ".join([f"--method {method.name}", *settings])


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple) and value and isinstance(value[0], tuple):
        return '"' + ";".join(",".join(map(str, row)) for row in value) + '"'
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
