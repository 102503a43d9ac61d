"""Options that several commands share: declared parameters, the method, the table, the form of the output."""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from sdcwidgets._util.errors import InputError, nearest_names, unknown_name
from sdcwidgets._util.labels import quoted, shortened
from sdcwidgets._util.parameters import Parameter, declared
from sdcwidgets.cli._layouts import (
    DoubtfulLayout,
    accepted,
    add_layouts,
    as_proposed,
    assumed,
    lines_of_preview,
    print_layout,
    read_with_layout,
    table_question,
)
from sdcwidgets.cli._parser import MEASURES, METHOD, OUTPUT, READING, OptionGroup, Parser
from sdcwidgets.cli._ways import ways_on

if TYPE_CHECKING:
    from sdcwidgets.methods import Method
    from sdcwidgets.tables.io.options import Question
    from sdcwidgets.tables.io.sources import Reading, Source
    from sdcwidgets.tables.io.writers.as_read import AsRead
    from sdcwidgets.tables.release import Release

#: Number of rows at the top of a file that can contain its header row.
_ROWS_OF_HEADER = 20

#: Names of values in the help, by the kind of a parameter.
_KINDS = {
    "PTable": "FILE",
    "AxisNames": "AXIS",
    "Shares": "X,X,...",
    "StochasticMatrix": "ROWS",
    "Groups": "GROUPS",
}

#: Form of the file with a p-table.
P_TABLE = (
    "Its columns are i (original count; the largest i also applies to larger counts), j (published count), p "
    "(probability of j), v (noise, j - i) and p_int_ub (cumulative sum of p for each i). The first rows are, for "
    "example: 0,0,1,0,1 and 1,0,0.25,-1,0.25 and 1,1,0.5,0,0.75 and 1,2,0.25,1,1. Or the columns are pcv (count from 1 "
    "to 750), ckey (whole cell key from 0) and pvalue (noise), as in the package cell-key-perturbation of the ONS. If "
    "the largest count is 750, rows 501 to 750 are repeated for larger counts."
)

#: Prefix of the settings of a method in the parsed options, so that they differ from settings of the same name.
_METHOD = "method_"

#: Options for reading a file that the help shows among the main options.
_MAIN_READING = ("by", "count")

#: Options for reading a file: value and help.
READING_HELP: Mapping[str, tuple[str, str]] = {
    "sheet": ("NAME", "sheet of a workbook (default: the first sheet with a table)"),
    "by": ("A,B", "columns of a long table or of microdata that become the axes of the table"),
    "count": (
        "COLUMN",
        'column of counts in a long table, or the word "rows" if each row is one person (default: detected)',
    ),
    "weight": ("COLUMN", "column of survey weights; the counts are the rounded sums of the weights"),
    "only": ("AXIS=LABEL", "category to read, for example Year=2021; Year=* reads all categories"),
    "missing": ("LABEL", "category for missing values (default: missing values are an error)"),
    "first_line": (
        "CHOICE",
        "meaning of numbers in the first line: labels, counts (after the label of a row) or "
        "bare (counts without labels) (default: stop with an error if ambiguous)",
    ),
    "margins": (
        "CHOICE",
        "treatment of totals, of parts of other categories and of percentages: drop or keep "
        "(default: stop with an error if ambiguous)",
    ),
    "flags": (
        "CHOICE",
        'letters next to a count, such as "12 p": off removes the letters, out also removes '
        "rows with a suppressed cell (default: stop with an error)",
    ),
    "empty": (
        "CHOICE",
        "meaning of empty cells, and of combinations of labels without a row: zero reads them as 0, dashes also reads "
        "a dash as 0 (default: stop with an error)",
    ),
    "level": (
        "NUMBER",
        "level of the rows that are read, if a column states the level of each row (default: stop with an error if "
        "ambiguous)",
    ),
    "largest": (
        "CHOICE",
        "treatment of a category larger than all others of its axis together: drop or keep (default: stop with an "
        "error if it may be a total)",
    ),
    "decimals": (
        "CHOICE",
        "meaning of numbers with decimals in place of counts: thousands or round (default: stop with an error)",
    ),
    "marks": (
        "CHOICE",
        'meaning of the comma or point in numbers such as "5,000": thousands or decimals '
        "(default: stop with an error if ambiguous)",
    ),
    "encoding": (
        "NAME",
        "encoding of a CSV file: utf-8, utf-16, cp1252 (Western European), cp1250 or iso8859_2 (Central European), "
        "cp1251, iso8859_5, koi8_r, koi8_u or cp866 (Cyrillic), cp1253 or iso8859_7 (Greek), cp1254 or iso-8859-9 "
        "(Turkish), cp1255 or iso8859_8 (Hebrew), cp1256 or iso8859_6 (Arabic), cp1257, iso8859_4 or iso8859_13 "
        "(Baltic), iso8859_16 (Romanian), iso8859_3 (Maltese), iso8859_10 (Nordic), iso8859_14 (Celtic), cp1258 "
        "(Vietnamese), cp874 or iso8859_11 (Thai), iso-8859-15, cp437, cp850 or cp852 (DOS), big5 or gb18030 "
        "(Chinese), euc_kr or cp949 (Korean), euc_jp or cp932 (Japanese), utf-16-le or utf-16-be; usual spellings "
        "such as windows-1250 are also accepted (default: stop with an error if ambiguous)",
    ),
}


def add_options(parser: Parser | OptionGroup, cls: type, only: Sequence[str] = ()) -> None:
    """Add an option for each declared parameter of a dataclass; `read_options` checks the values.

    Parameters
    ----------
    parser : ArgumentParser or group of arguments
    cls : type
    only : sequence of str
        Names of the parameters to add (default: all).
    """
    for parameter in declared(cls):
        if only and parameter.name not in only:
            continue
        parser.add_argument(
            parameter.flag, dest=parameter.name, metavar=value_name(parameter), help=_help(parameter)
        )


def read_options(options: argparse.Namespace, cls: type) -> dict[str, Any]:
    """Return the declared parameters of a dataclass that the command line sets, as their types."""
    settings = ((parameter, getattr(options, parameter.name, None)) for parameter in declared(cls))
    return {
        parameter.name: parsed(parameter, text, parameter.flag)
        for parameter, text in settings
        if text is not None
    }


def value_name(parameter: Parameter) -> str:
    """Return the name of a value in the help."""
    if parameter.choices or parameter.type is bool:
        return "CHOICE" if parameter.choices else "yes|no"
    return _KINDS.get(type(parameter.kind).__name__) or {int: "N", float: "X"}.get(parameter.type, "TEXT")


def allowed(parameter: Parameter) -> str:
    """Return the allowed values of an option, as they are typed."""
    if type(parameter.kind).__name__ == "PTable":
        return "a CSV file"
    return "yes or no" if parameter.type is bool else parameter.expected


def about(parameter: Parameter) -> str:
    """Return the effect of an option, with the form of its file if it names one."""
    is_table = type(parameter.kind).__name__ == "PTable"
    return f"{parameter.help} {P_TABLE}" if is_table else parameter.help


def _help(parameter: Parameter) -> str:
    """Return the help of an option: label, allowed values, effect, default."""
    text = f"{parameter.label}: {allowed(parameter)}. {about(parameter)}".rstrip()
    default = _written(parameter)
    if default and "(default:" not in text:
        text += f" (default: {default})"
    return text.replace("%", "%%")


def _written(parameter: Parameter) -> str:
    """Return the default of a parameter as it is typed; "" for an empty text and for a matrix."""
    value = parameter.default
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ",".join(map(str, value)) if not any(isinstance(item, tuple) for item in value) else ""
    return str(value)


def parsed(parameter: Parameter, text: str, flag: str) -> Any:
    """Return the value of an option; an error names the option."""
    if parameter.name == "encoding":
        from sdcwidgets.tables.io.encodings import name_of_encoding

        text = name_of_encoding(text)
    try:
        return parameter.parse(text)
    except InputError as error:
        raise InputError(f"{flag}: {error}") from None


def add_table(parser: Parser, *, several: bool = False, also: str = "") -> None:
    """Add the file of the table, and an option for each way of reading it.

    Parameters
    ----------
    parser : Parser
    several : bool
        Whether the command reads several files.
    also : str
        Another content that FILE can have, as the end of its help.
    """
    from sdcwidgets.tables.io.sources import ReadOptions

    about = (
        "table of original counts, or microdata with --by: CSV, XLSX, ODS, PX, JSON-stat, SDMX, HTML, Parquet, SPSS, "
        "Stata or SAS; - for standard input, example:NAME for an example"
    )
    about += also
    if several:
        parser.add_argument("files", metavar="FILE", nargs="+", help=about)
    else:
        parser.add_argument("file", metavar="FILE", help=about)
    for parameter in declared(ReadOptions):
        if parameter.name == "doubts":
            continue
        where = parser if parameter.name in _MAIN_READING else parser.group(READING)
        value, text = READING_HELP[parameter.name]
        where.add_argument(parameter.flag, dest=parameter.name, metavar=value, help=text)
    add_layouts(parser)
    parser.group(READING).add_argument(
        "--yes",
        dest="doubts",
        action="store_const",
        const="accept",
        help="accept the detected layout although it is doubtful; totals within rounding are left out "
        "(default: an error)",
    )


def read_table(options: argparse.Namespace, *, prefix: str = "") -> Reading:
    """Read the table in `options.file`, and print the decisions of the reader on stderr, after a prefix."""
    return print_reading(options, read_quietly(options), prefix)


def print_reading(
    options: argparse.Namespace, reading: Reading, prefix: str, *, is_release: bool = False
) -> Reading:
    """Print the decisions of the reader on stderr, after a prefix, and return the reading.

    Parameters
    ----------
    options : argparse.Namespace
    reading : Reading
    prefix : str
    is_release : bool
        Whether the command releases the table, so that remarks on a release are printed. Other remarks are printed
        only if an option answers a question about the file.
    """
    from sdcwidgets.tables.io.options import Remark, RemarkOnRelease, with_flags

    if not options.file.startswith("example:"):
        print(prefix + reading.summary, file=sys.stderr)
    for note in reading.notes:
        is_confirmed = isinstance(note, Remark) and not (is_release and isinstance(note, RemarkOnRelease))
        if reading.assumptions or not is_confirmed:
            print(prefix + with_flags(note), file=sys.stderr)
    if reading.assumptions:
        print(f"{prefix}The table also assumes:", file=sys.stderr)
    for assumption in reading.assumptions:
        print(f"{prefix}- {assumption.sentence}", file=sys.stderr)
    return reading


def read_quietly(options: argparse.Namespace) -> Reading:
    """Read the table in `options.file`."""
    from sdcwidgets.tables import examples
    from sdcwidgets.tables.io.options import ROWS, Question, with_flags
    from sdcwidgets.tables.io.sources import ReadOptions, named

    choices = read_options(options, ReadOptions)
    if "by" not in choices:
        names = ("missing", "count") if choices.get("count") == ROWS else ("missing",)
        reject_unused(options, names, "without columns that become axes; name the columns with --by")
    if options.file.startswith("example:"):
        suggest_name("example", options.file.removeprefix("example:"), examples.available())
    source = named(options.file)
    try:
        if "by" not in choices and choices.get("count", ROWS) != ROWS:
            _check_column(source, choices["count"], options.file, choices.get("encoding", ""))
        if options.layout is not None:
            return read_with_layout(source, options.layout, choices)
        accepted = as_proposed(source, choices)
        return accepted or assumed(source, choices, (source.choose(**choices) if choices else source).read())
    except Question as question:
        asked = table_question(source, choices, question) if options.layout is None else question
        return _answered(source, choices, asked, options.file)
    except InputError as error:
        proposed = _question_on(source, choices, error) if options.layout is None else None
        if proposed is not None:
            return _answered(source, choices, proposed, options.file)
        raise InputError(with_flags(str(error))) from None


def with_omitted_labels(options: argparse.Namespace, reading: Reading) -> Reading:
    """Return the reading whose layout names the lines of FILE that are not in the table, for its release."""
    from sdcwidgets.tables.io.sources import File, ReadOptions, named

    source = named(options.file)
    if options.layout is not None or not reading.totals or not isinstance(source, File):
        return reading
    choices = read_options(options, ReadOptions)
    light = source.choose(**choices).light(reading)
    return replace(reading, as_read=light.as_read)


def _question_on(source: Source, choices: Mapping[str, Any], error: InputError) -> Question | None:
    """Return the question whether a rejected file is read with the proposed layout, if there is one."""
    from sdcwidgets.tables.io.proposed_questions import question_on
    from sdcwidgets.tables.io.sources import ReadOptions

    content = getattr(source, "content", None)
    try:
        return question_on(content, ReadOptions(**choices), error) if isinstance(content, bytes) else None
    except InputError:  # the options contradict each other, which the error states
        return None


def _check_column(source: Source, count: str, file: str, encoding: str) -> None:
    """Raise InputError if the first rows of a file name no column of counts of this name."""
    from sdcwidgets.tables.io.formats.delimited import opened_bytes

    content = getattr(source, "content", None)
    if not isinstance(content, bytes):
        return
    opened = opened_bytes(content, shortened(file), None, encoding)
    rows = itertools.islice(opened.sheet(next(opened.tried())).rows, _ROWS_OF_HEADER)
    if all(str(cell).strip() != count for row in rows for cell in row):
        raise InputError(
            f"--count: {shortened(file)} has no column {quoted(count)}; name the column of counts, and the columns of "
            "the axes with --by."
        )


def show_layout(options: argparse.Namespace) -> int:
    """Print the proposed layout of FILE."""
    from sdcwidgets.tables.io.sources import ReadOptions

    return print_layout(options, read_options(options, ReadOptions))


def _answered(source: Source, choices: Mapping[str, Any], question: Question, file: str) -> Reading:
    """Return what is read with the proposed layout if `--yes` accepts it; otherwise show the file, and raise."""
    from sdcwidgets.tables.io.options import with_flags

    error: InputError = question
    if choices.get("doubts") == "accept":
        try:
            return accepted(source, choices, question)
        except InputError as refused:
            error = refused
    ways = ways_on(source, choices, question)
    lines = lines_of_preview(source, choices, file, str(question), ways)
    raise DoubtfulLayout(with_flags(str(error)), lines) from None


def described(
    file: str, axes: Sequence[str], as_read: AsRead | None = None, release: Release | None = None
) -> tuple[str, str]:
    """Return the title and the source of a table for published files.

    The title is the first line above the table in FILE, unless it contains a count that the release does not show. The
    name of FILE can contain a count or the name of a person, so a table without such a line has a title with the names
    of the axes.
    """
    from sdcwidgets.tables import examples
    from sdcwidgets.tables.unnamed import names_for_readers

    if file.startswith("example:"):
        published = examples.get(file.removeprefix("example:"))
        return published.title, published.source
    title = "" if as_read is None else as_read.title(release)
    if title:
        return title, ""
    removed = () if release is None else release.removed_axes
    return " by ".join(names_for_readers([name for name in axes if name not in removed])), ""


def add_format(parser: Parser, *others: str, default: str = "text") -> None:
    """Add `--format` with JSON and other forms of the output, and `--json`."""
    names = (default, *others, "json")
    parser.add_argument(
        "--format",
        choices=names,
        metavar="FORM",
        default=default,
        help=f"format of the output: {', '.join(names)} (default: {default})",
    )
    parser.add_argument(
        "--json", dest="format", action="store_const", const="json", help="short form of --format json"
    )


def add_json(parser: Parser, command: str) -> None:
    """Add `--json` to a command whose other output is a file or a text."""
    parser.group(OUTPUT).add_argument(
        "--json",
        action="store_true",
        help=f"print JSON on the standard output, by the schema `sdcwidgets list schemas {command}`",
    )


def add_methods(parser: Parser, default: str = "none") -> None:
    """Add `--method` and `--set`; when the method is known, also an option for each of its settings.

    Parameters
    ----------
    parser : Parser
    default : str
        The method without `--method`, in words.
    """
    from sdcwidgets import methods

    action = parser.add_argument(
        "--method",
        metavar="NAME",
        help=f"protection method; `sdcwidgets list methods` lists all, `--method NAME --help` shows the settings "
        f"(default: {default})",
    )
    action.completer = lambda **_: methods.available()  # type: ignore[attr-defined]  # read by argcomplete
    parser.add_argument(
        "--set",
        dest="method_settings",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="setting of the method, for example base=5; repeatable; --base 5 is the same",
    )
    parser.later = partial(_add_settings, parser)


def _add_settings(parser: Parser, args: Sequence[str]) -> None:
    """Add an option for each setting of the method that the arguments name.

    Raises
    ------
    InputError
        If an argument is a setting of another method, or there is no method.
    """
    from sdcwidgets import methods

    first = argparse.ArgumentParser(add_help=False, exit_on_error=False, allow_abbrev=False)
    first.add_argument("--method", action="append")
    name = None
    with suppress(argparse.ArgumentError):  # the parser of the command reports it
        named = first.parse_known_args(args)[0].method or [None]
        if len(named) > 1:
            raise InputError(
                "--method is given twice; give it once. To compare methods, use `sdcwidgets compare FILE --methods "
                "NAME,NAME`."
            )
        name = named[0]
    own = _flags(parser, name) if name in methods.available() else {}
    group = parser.group(f"Settings of {name}") if own else parser.group(METHOD)
    for flag, parameter in own.items():
        group.add_argument(
            flag, dest=_METHOD + parameter.name, metavar=value_name(parameter), help=_help(parameter)
        )
    parser.set_defaults(flags_of_method={parameter.name: flag for flag, parameter in own.items()})
    known = {flag for other in methods.available() for flag in _flags(parser, other)}
    for text in args:
        flag = text.partition("=")[0]
        if flag in known and flag not in parser.flags:
            if name in (None, "none"):  # `tables --method none` publishes the original counts
                raise InputError(f"{flag} is a setting of a method; choose the method with --method NAME.")
            suggest_name("method", str(name), methods.available())
            methods.get(str(name))  # an unknown name is the first error
            raise InputError(f"The method {name} has no setting {flag}; it has {', '.join(own) or 'none'}.")


def read_method(options: argparse.Namespace) -> Method | None:
    """Return the method of `--method` with its settings; None without `--method`.

    Raises
    ------
    InputError
        If there is no such method or setting, or if a setting has two values.
    """
    from sdcwidgets import methods

    if options.method is None:
        if options.method_settings:
            raise InputError(
                f"--set {options.method_settings[0]} is a setting of a method; choose the method with --method NAME."
            )
        return None
    suggest_name("method", options.method, methods.available())
    cls = methods.get(options.method)
    parameters = {parameter.name: parameter for parameter in declared(cls)}
    _reject_reading(options, parameters)
    texts = {}
    for name in parameters:
        text = getattr(options, _METHOD + name)
        if text is not None:
            texts[name] = (options.flags_of_method[name], text)
    for assignment in options.method_settings:
        name, text = assignment_of(assignment, options.method, parameters)
        if name in texts:
            raise InputError(f"The setting {name} has two values; set it once.")
        texts[name] = (f"--set {name}", text)
    if "p_table" in texts and len(texts) > 1:
        _reject_designed(texts)
    return cls(**{name: parsed(parameters[name], text, flag) for name, (flag, text) in texts.items()})


def _reject_reading(options: argparse.Namespace, parameters: Mapping[str, Parameter]) -> None:
    """Raise InputError for a value of the method in an option for reading FILE that has the name of its setting."""
    from sdcwidgets.tables.io.sources import ReadOptions

    reading = {parameter.name: parameter for parameter in declared(ReadOptions)}
    for name, flag in options.flags_of_method.items():
        text = getattr(options, name, None)
        if name not in reading or text is None or text in reading[name].choices:
            continue
        try:
            parameters[name].parse(text)
        except InputError:
            continue  # the error of the option for reading is raised later
        raise InputError(
            f"{reading[name].flag} states how FILE is read; the setting {name} of {options.method} is {flag} {text}."
        )


def _reject_designed(texts: Mapping[str, tuple[str, str]]) -> None:
    """Raise InputError for a setting that a custom p-table replaces."""
    for name in ("D", "V", "js", "pstay", "monotone"):
        if name in texts:
            raise InputError(
                f"{texts[name][0]} has no effect with a p-table, which determines the noise; leave out one of them."
            )


def reject_unused(options: argparse.Namespace, names: Iterable[str], reason: str) -> None:
    """Raise InputError for the first of some options that the command line sets.

    Parameters
    ----------
    options : Namespace
    names : iterable of str
        Options that have no effect, by their attributes in `options`.
    reason : str
        What the options need, as the end of a sentence that begins with the option.
    """
    given: Mapping[str, tuple[str, object]] = getattr(options, "given_options", {})
    for name in names:
        if name in given:
            raise InputError(f"{given[name][0]} has no effect {reason}.")


def suggest_name(kind: str, name: str, names: Iterable[str]) -> None:
    """Raise InputError with the nearest names if a name is misspelt; other wrong names are left to their registry.

    Parameters
    ----------
    kind : {"method", "measure", "attack", "example"}
    name : str
    names : iterable of str
        Names that exist.
    """
    known = list(names)
    if name not in known and nearest_names(name, known):
        raise unknown_name(kind, name, known, f" (see `sdcwidgets list {kind}s`)")


def assignment_of(text: str, method: str, parameters: Mapping[str, Parameter]) -> tuple[str, str]:
    """Return the name and the value in the text of `--set`.

    Parameters
    ----------
    text : str
    method : str
        Name of the method in the error message.
    parameters : mapping of str to Parameter
        Settings that exist, by name.
    """
    name, equals, value = text.partition("=")
    name = name.strip()
    if not equals:
        raise InputError(f"--set is {quoted(text)}; it must be NAME=VALUE, for example base=5.")
    name = name if name in parameters else name.replace("-", "_")
    if name not in parameters:
        raise unknown_name("setting", name, parameters, f" (see `sdcwidgets list methods {method}`)")
    return name, value.strip()


def add_measures(parser: Parser) -> None:
    """Add an option for each setting that only one measure has; the name of the measure is its prefix."""
    group = parser.group(MEASURES)
    for measure, item in _own_settings():
        flag = f"--{measure.replace('_', '-')}-{item.flag[2:]}"
        group.add_argument(flag, metavar=value_name(item), help=_help(item))


def read_measures(options: argparse.Namespace) -> tuple[tuple[str, str, object], ...]:
    """Return the settings of single measures that the command line sets: measure, setting, value."""
    settings = []
    for measure, item in _own_settings():
        flag = f"{measure.replace('_', '-')}-{item.flag[2:]}"
        text = getattr(options, flag.replace("-", "_"))
        if text is not None:
            settings.append((measure, item.name, parsed(item, text, f"--{flag}")))
    return tuple(settings)


def check_measures(options: argparse.Namespace, names: Iterable[str], advice: str) -> None:
    """Raise InputError for a setting of a measure that is not computed.

    Parameters
    ----------
    options : Namespace
    names : iterable of str
        Measures that are computed.
    advice : str
        What to do, with `{}` in place of the measure.
    """
    computed = set(names)
    for measure, item in _own_settings():
        flag = f"{measure.replace('_', '-')}-{item.flag[2:]}"
        if measure not in computed and getattr(options, flag.replace("-", "_")) is not None:
            raise InputError(
                f"--{flag} has no effect without the measure {measure}; {advice.format(measure)}."
            )


def _own_settings() -> list[tuple[str, Parameter]]:
    from sdcwidgets import measures

    return [(name, item) for name in measures.available() for item in measures.get(name).own_settings()]


def _flags(parser: Parser, method: str) -> dict[str, Parameter]:
    """Return the options of a method's settings; `--method-` is added to a name that the command uses."""
    return settings_of(method, parser.own_flags)


def settings_of(method: str, own_flags: Collection[str]) -> dict[str, Parameter]:
    """Return the settings of a method by their options, for a command with these options of its own."""
    from sdcwidgets import methods
    from sdcwidgets.tables.io.sources import ReadOptions

    taken = {*own_flags, *(parameter.flag for parameter in declared(ReadOptions))}
    return {
        ("--method-" if parameter.flag in taken else "--") + parameter.flag.removeprefix("--"): parameter
        for parameter in declared(methods.get(method))
    }
