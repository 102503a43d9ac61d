"""The command line: `serve` shows the pages, `lessons` copies the notebooks, `assess` gives numbers, `protect` a table.

What is wrong with the input is told in one sentence on stderr, and the exit code is 2.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from sdcwidgets import __version__
from sdcwidgets.errors import InputError
from sdcwidgets.parameters import declared

if TYPE_CHECKING:
    from sdcwidgets.assess import Assessment
    from sdcwidgets.methods import Method
    from sdcwidgets.replications import Replications
    from sdcwidgets.table import FrequencyTable

__all__ = ["main"]

#: A parameter of a method is kept under this and its name, so that it meets no setting of the same name.
_METHOD = "method_"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A file or a pipe gets UTF-8 wherever it is; a console without a letter shows its number.
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="backslashreplace")
    options = _parser().parse_args(argv)
    try:
        options.run(options)
        sys.stdout.flush()
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # who reads has read enough, as `head` does; Python must not try to write again
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    return 0


class _Parser(argparse.ArgumentParser):
    """A parser whose complaint is one sentence."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{message[:1].upper()}{message[1:]}; `{self.prog} --help` lists what there is.\n")


def _parser() -> _Parser:
    from sdcwidgets import measures
    from sdcwidgets.assess import Settings
    from sdcwidgets.sources import How

    parser = _Parser(
        prog="sdcwidgets", description="Disclosure control of frequency tables that one can touch."
    )
    parser.add_argument("--version", action="version", version=f"sdcwidgets {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    serve = commands.add_parser("serve", help="show the dashboards in a browser")
    serve.add_argument("--port", type=int, default=8866, help="where to listen (default: 8866)")
    serve.add_argument(
        "--host", default="127.0.0.1", help="the address to listen on (default: this machine only)"
    )
    serve.add_argument(
        "--key", metavar="WORD", help="what visitors from elsewhere must know (default: a new one)"
    )
    serve.add_argument("--no-key", action="store_true", help="let anyone in who can reach the host")
    for flag, metavar, about in (
        (
            "--visitors",
            "N",
            "sessions at one time (default: what four fifths of the free memory are enough for)",
        ),
        ("--per-address", "M", "sessions at one time from one address (default: no limit)"),
        ("--memory", "MB", "megabytes that one session may hold (default: 1024)"),
        ("--preheat", "N", "sessions to keep ready for whichever page is asked for next (default: 0)"),
    ):
        serve.add_argument(flag, type=int, metavar=metavar, help=about)
    serve.add_argument(
        "--dev", action="store_true", help="show tracebacks, log, and reload when code changes"
    )
    serve.add_argument("--no-browser", dest="browser", action="store_false", help="do not open a browser")
    serve.set_defaults(run=_serve)

    lessons = commands.add_parser("lessons", help="copy the lessons, to work on them in JupyterLab")
    lessons.add_argument(
        "folder", metavar="DIR", type=Path, help="the folder; lessons that are there stay as they are"
    )
    lessons.set_defaults(run=_lessons)

    about = "CSV or XLSX: a table, a long table or one row a person; - is the standard input, example:NAME an example"
    assess = commands.add_parser(
        "assess", help="assess the disclosure risk of a table, and what a method makes of it"
    )
    assess.add_argument("file", metavar="FILE", help=about)
    assess.add_argument(
        "--format", choices=("text", "json"), default="text", help="what to print (default: text)"
    )
    add_options(assess, How)
    add_options(assess, Settings)
    add_methods(assess, required=False)
    assess.add_argument(
        "--measure",
        metavar="NAME",
        action="append",
        help=f"only this, may be repeated: {', '.join(measures.available())}",
    )
    assess.set_defaults(run=_assess)

    protect = commands.add_parser("protect", help="make a protected table")
    protect.add_argument("file", metavar="FILE", help=about)
    protect.add_argument(
        "-o", "--output", metavar="OUT.csv", type=Path, help="where to write it (default: standard output)"
    )
    add_options(protect, How)
    add_options(protect, Settings, only=("seed",))
    add_methods(protect, required=True)
    protect.set_defaults(run=_protect)

    study = commands.add_parser(
        "microdata-study",
        help="estimate the risk of many samples of a known population, as Totter did; stopped, it goes on",
    )
    study.add_argument("folder", metavar="FOLDER", type=Path, help="where results, figures and report go")
    study.add_argument("--samples", type=int, default=100, help="samples of each design (default: 100)")
    study.add_argument("--persons", type=int, default=8_182_010, help="people (default: 8,182,010)")
    study.add_argument("--households", type=int, default=4641, help="households of a sample (default: 4,641)")
    study.add_argument("--seed", type=int, default=1, help="what all draws follow from (default: 1)")
    study.set_defaults(run=_microdata_study)

    study = commands.add_parser("study", help="repeat a simulation study of the references, beside its print")
    study.add_argument("name", metavar="NAME", help="sample-paper (its Table 2) or three-way (thesis, 4.8)")
    for size in ("samples", "populations"):
        study.add_argument(f"--{size}", type=int, default=1000, metavar="N", help=f"{size} (default: 1000)")
    study.add_argument("--seed", type=int, default=2015, help="reproduces every number (default: 2015)")
    study.add_argument(
        "--state", metavar="FILE", type=Path, help="keep what is done here; a study that was stopped goes on"
    )
    study.add_argument(
        "--format", choices=("text", "csv", "json"), default="text", help="what to print (default: text)"
    )
    study.set_defaults(run=_study)
    return parser


def add_options(parser: argparse.ArgumentParser, cls: type, only: Sequence[str] = ()) -> None:
    """Add a flag for each declared parameter of a dataclass; its text is checked by `read_options`."""
    for parameter in declared(cls):
        if only and parameter.name not in only:
            continue
        about = f"{parameter.label}: {parameter.expected}. {parameter.help}"
        parser.add_argument(
            parameter.flag, dest=parameter.name, metavar=parameter.name.upper(), help=about.replace("%", "%%")
        )


def read_options(options: argparse.Namespace, cls: type) -> dict[str, Any]:
    """Return the declared parameters of a dataclass that were given, as their own types."""
    given = ((parameter, getattr(options, parameter.name, None)) for parameter in declared(cls))
    return {parameter.name: parameter.parse(text) for parameter, text in given if text is not None}


def _reading_flags() -> set[str]:
    """Return the flags that say how a file is read; a parameter of a method with such a name yields to them."""
    from sdcwidgets.sources import How

    return {parameter.flag for parameter in declared(How)}


def add_methods(parser: argparse.ArgumentParser, *, required: bool) -> None:
    """Add `--method` and a flag for each parameter of any method; `read_method` sees that they fit."""
    from sdcwidgets import methods

    names = methods.available()
    parser.add_argument("--method", metavar="NAME", required=required, help=f"one of {', '.join(names)}")
    takers: dict[str, list[str]] = {}
    for name in names:
        for parameter in declared(methods.get(name)):
            takers.setdefault(parameter.flag, []).append(name)
            if len(takers[parameter.flag]) > 1:
                continue
            about = f"{parameter.label}: {parameter.expected}. {parameter.help}"
            flag = parameter.flag
            if flag in _reading_flags():
                flag = f"--method-{flag.removeprefix('--')}"
            parser.add_argument(
                flag,
                dest=_METHOD + parameter.name,
                metavar=parameter.name.upper(),
                help=about.replace("%", "%%"),
            )


def read_method(options: argparse.Namespace) -> Method | None:
    """Return the method that was named, with its parameters, or None where none was."""
    from sdcwidgets import methods

    given = {
        name.removeprefix(_METHOD): text
        for name, text in vars(options).items()
        if name.startswith(_METHOD) and text is not None
    }
    flags = ["--" + name.replace("_", "-") for name in given]
    if options.method is None:
        if flags:
            raise InputError(f"{flags[0]} belongs to a method; name one with --method.")
        return None
    cls = methods.get(options.method)
    known = {parameter.name: parameter for parameter in declared(cls)}
    for name, flag in zip(given, flags, strict=True):
        if name not in known:
            has = ", ".join(parameter.flag for parameter in known.values()) or "no parameters"
            raise InputError(f"The method {cls.name} has no {flag}; it has {has}.")
    return cls(**{name: known[name].parse(text) for name, text in given.items()})


def read_table(options: argparse.Namespace) -> FrequencyTable:
    """Read the table that is named; what was noticed on the way is told on stderr."""
    from sdcwidgets.sources import How, named

    given = read_options(options, How)
    source = named(options.file)
    reading = (source.choose(**given) if given else source).read()
    for note in reading.notes:
        print(note, file=sys.stderr)
    return reading.table


def _assess(options: argparse.Namespace) -> None:
    from sdcwidgets.assess import Settings, assess

    settings, method = read_options(options, Settings), read_method(options)
    asked = [name.strip() for text in options.measure or () for name in text.split(",")]
    assessment = assess(read_table(options), method, **settings, measures=asked)
    if options.format == "json":
        print(json.dumps(assessment.to_dict(), indent=2, ensure_ascii=False, allow_nan=False))
    else:
        print(_text(assessment))


def _protect(options: argparse.Namespace) -> None:
    import numpy as np

    from sdcwidgets.assess import Settings

    method = read_method(options)
    seed = read_options(options, Settings).get("seed", Settings.seed)
    if method is None:
        raise InputError("No method is named; name one with --method.")
    release = method.release(read_table(options), np.random.default_rng(seed))
    # Margins that are the sums of the cells are left to the reader.
    text = release.table().to_csv() if release.plain else release.to_csv()
    if options.output is None:
        print(text, end="")
        return
    try:
        options.output.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise InputError(f"{options.output} cannot be written: {why}.") from None


def _study(options: argparse.Namespace) -> None:
    from sdcwidgets.reproduction.sample_study import SampleStudy

    study = SampleStudy(options.name, options.samples, options.populations, options.seed, options.state)
    shown = -1
    try:
        for done, total in study.run():
            if (percent := 100 * done // total) > shown:
                shown = percent
                print(f"\r{percent} % of {total:,} populations", end="", file=sys.stderr, flush=True)
    except OSError as error:
        raise InputError(
            f"{options.state} cannot be written: {(error.strerror or str(error)).lower()}."
        ) from None
    finally:
        print(file=sys.stderr)
    result = study.result()
    if options.format == "json":
        print(json.dumps(study.to_dict(), indent=1, ensure_ascii=False, allow_nan=False))
    elif options.format == "csv":
        print(result.to_csv(index=False), end="")
    else:
        print(result.to_string(index=False, na_rep="-", float_format=lambda number: f"{number:.4f}"))


def _text(assessment: Assessment) -> str:
    frame, lines = assessment.to_frame(), []
    if assessment.after is not None:
        shown = () if assessment.asked else (f"r2_{assessment.settings.variant}", "hellinger")
        if shown:
            columns = [name for one in shown for name in (one, f"{one}_error")]
            frame = frame[["slice", "label", "people", "r1", *columns, "utility"]]
        lines = ["", *_whole(assessment.after, skipped=set(frame.columns))]
    table = frame.to_string(index=False, na_rep="-", float_format=lambda number: f"{number:.4f}")
    return "\n".join([str(table), *lines])


def _whole(after: Replications, skipped: set[str]) -> list[str]:
    """Return a line for each measure of the whole table whose column isn't shown: its mean and its error."""
    told = []
    for one, (mean, error) in after.whole.estimates.items():
        if one.column not in skipped:
            spread = "" if error[0] != error[0] else f" ± {error[0]:.4f}"
            value = one.told(mean[0]) if mean[0] != mean[0] else f"{mean[0]:.4f}{spread}"
            told.append(f"{one.title}: {value}")
    return told


def _serve(options: argparse.Namespace) -> None:
    if not 0 < options.port < 65536:
        raise InputError(f"The port is {options.port}; it must be from 1 to 65535.")
    if options.key is not None and options.no_key:
        raise InputError("--key and --no-key exclude each other; choose one.")
    from sdcwidgets import pages
    from sdcwidgets.server import skip_url_grammar

    skip_url_grammar()
    from sdcwidgets.server import key
    from sdcwidgets.server.app import Limits, serve
    from sdcwidgets.server.pages import is_loopback

    given = {name: getattr(options, name) for name in ("visitors", "per_address", "memory", "preheat")}
    limits = Limits(**{name: value for name, value in given.items() if value is not None})
    if options.key is not None:
        word = key.check_key(options.key)
    else:
        word = "" if options.no_key or is_loopback(options.host) else key.new_key()
    with pages.gathered() as notebooks:
        serve(
            notebooks,
            host=options.host,
            port=options.port,
            limits=limits,
            key=word,
            dev=options.dev,
            browser=options.browser,
        )


def _lessons(options: argparse.Namespace) -> None:
    from sdcwidgets import pages

    copied = pages.copy_lessons(options.folder)
    print(f"{len(copied)} lessons copied to {options.folder}; open them with: jupyter lab {options.folder}")


def _microdata_study(options: argparse.Namespace) -> None:
    import time

    import pandas as pd

    from sdcwidgets.microdata.totter import Study
    from sdcwidgets.plots import totter as plots
    from sdcwidgets.words import totter as words

    study = Study(options.persons, options.households, options.samples, options.seed)
    began, first = time.monotonic(), -1

    def progress(done: int, total: int, doing: str) -> None:
        nonlocal first
        first = done if first < 0 else first
        left = (time.monotonic() - began) / max(done - first, 1) * (total - done) / 60
        print(f"{done} of {total}: {doing}; about {left:.0f} minutes left", file=sys.stderr, flush=True)

    results = study.run(options.folder, progress)
    report = words.report(results, pd.read_csv(options.folder / "population.csv"))
    (options.folder / "comparison.md").write_text(report, "utf-8")
    (options.folder / "figures.html").write_text(plots.page(results), "utf-8")
    print(f"{options.folder / 'comparison.md'} and {options.folder / 'figures.html'} are written.")


if __name__ == "__main__":
    sys.exit(main())
