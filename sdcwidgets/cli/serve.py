"""Serve the dashboards, the lessons and the documentation to web browsers."""

from __future__ import annotations

import argparse
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.extras import need
from sdcwidgets._util.labels import quoted
from sdcwidgets.cli._parser import Parser

if TYPE_CHECKING:
    from sdcwidgets.teaching.course import Course

EXAMPLES = (
    "sdcwidgets serve",
    "sdcwidgets serve --host 0.0.0.0 --course frequency-tables-and-entropy",
)

#: Title of the options that limit memory and sessions, and of those for a generator.
LIMITS, PAGES = "Options for the load of the server", "Options for pages"

#: Limits: option, value, help.
_LIMITS = (
    ("--visitors", "N", "maximum number of sessions (default: as many as fit into 80 %% of the free memory)"),
    ("--per-address", "N", "maximum number of sessions per IP address (default: no limit)"),
    (
        "--memory",
        "MB",
        "maximum memory per session, in megabytes (default: a quarter of the free memory, at most 1024)",
    ),
    (
        "--preheat",
        "N",
        "number of sessions that are started in advance, so that pages open faster (default: 0)",
    ),
)


def add(parser: Parser) -> None:
    """Add the address, the access keys, the course, the limits and the generator."""
    parser.set_defaults(has_own_progress=True)
    parser.add_argument("--port", metavar="N", type=int, default=8866, help="port (default: 8866)")
    parser.add_argument(
        "--host",
        metavar="ADDRESS",
        default="127.0.0.1",
        help="network address on which the server listens; 0.0.0.0 for all networks "
        "(default: this computer only)",
    )
    parser.add_argument(
        "--key", metavar="WORD", help="access key of visitors from other computers (default: a new one)"
    )
    parser.add_argument(
        "--no-key",
        action="store_true",
        help="give access without an access key to anyone who can reach the host",
    )
    parser.add_argument("--proxy", metavar="NAME", help="public host name of the reverse proxy")
    parser.add_argument(
        "--course",
        metavar="NAME",
        help="course to teach: a name of `sdcwidgets course list`, or a TOML file; prints the addresses for "
        "participants and for the trainer",
    )
    parser.add_argument("--trainer", metavar="WORD", help="access key of the trainer (default: a new one)")
    parser.add_argument(
        "--no-browser", dest="browser", action="store_false", help="do not open a browser window"
    )
    parser.add_argument(
        "--dev", action="store_true", help="show tracebacks and the log, and reload when code changes"
    )
    limits, pages = parser.group(LIMITS), parser.group(PAGES)
    for flag, metavar, about in _LIMITS:
        limits.add_argument(flag, type=int, metavar=metavar, help=about)
    pages.add_argument(
        "--generator",
        metavar="FOLDER",
        type=Path,
        help="table generator of `sdcwidgets tables init` that the page Tables uses",
    )
    pages.add_argument(
        "--agency",
        action="store_true",
        help="show the log of the generator to all visitors of the page Tables",
    )


def run(options: argparse.Namespace) -> None:
    """Serve the pages until Ctrl+C."""
    need("serve", subject="sdcwidgets serve")
    if not 0 < options.port < 65536:
        raise InputError(f"--port is {options.port}; it must be from 1 to 65535.")
    if options.key is not None and options.no_key:
        raise InputError("--key and --no-key exclude each other; use one of them.")
    _set_generator(options)
    course = _course(options)
    from sdcwidgets.dashboards import notebook_pages
    from sdcwidgets.server import skip_unused

    skip_unused()
    from sdcwidgets.server import temporary_folder
    from sdcwidgets.server.app import Limits, serve

    numbers = {name: getattr(options, name) for name in ("visitors", "per_address", "memory", "preheat")}
    limits = Limits(**{name: value for name, value in numbers.items() if value is not None})
    word, trainer = _keys(options)
    with temporary_folder.own(), notebook_pages.gathered() as notebooks:
        serve(
            notebooks,
            host=options.host,
            port=options.port,
            limits=limits,
            key=word,
            proxy=_host_name(options.proxy or ""),
            dev=options.dev,
            browser=options.browser,
            course=course,
            trainer=trainer,
        )


def _set_generator(options: argparse.Namespace) -> None:
    """Set the generator of the page Tables, and whether the page shows the log."""
    if options.generator is not None:
        need("tables", subject="A table generator")
        from sdcwidgets.tableserver.generator import TableGenerator

        TableGenerator(options.generator)  # raises an error before the server starts
        os.environ["SDCWIDGETS_GENERATOR"] = str(options.generator.resolve())
        if options.agency:
            os.environ["SDCWIDGETS_AGENCY"] = "yes"
    elif options.agency:
        raise InputError("--agency needs a generator; name its folder with --generator.")


def _course(options: argparse.Namespace) -> Course | None:
    """Return the course of --course, after a check that its tasks work with the generator."""
    from sdcwidgets.teaching.course import read, ready

    if options.trainer is not None and options.course is None:
        raise InputError("--trainer needs a course; name it with --course.")
    course = None if options.course is None else read(options.course)
    if course is not None and options.course not in ready():
        # Participants could not solve a task whose solution does not meet its goal.
        from sdcwidgets.cli.course import check

        check(course)
    for step in course.steps if course and options.generator is not None else ():
        if step.goal and step.opening and step.opening.page == "tables":
            raise InputError(
                f"The task {quoted(step.title)} of the course needs the built-in generator of the page Tables; leave "
                "out --generator, or remove the task."
            )
    return course


def _keys(options: argparse.Namespace) -> tuple[str, str]:
    """Return the access keys of visitors and of the trainer; "" for no key and for a new key of the trainer."""
    from sdcwidgets.server import access_key
    from sdcwidgets.server.pages import is_loopback

    if options.key is not None:
        word = access_key.check_key(options.key)
    else:
        word = "" if options.no_key or is_loopback(options.host) else access_key.new_key()
    trainer = "" if options.trainer is None else access_key.check_key(options.trainer)
    if trainer and trainer == word:
        raise InputError("--trainer and --key are equal; choose different access keys.")
    return word, trainer


def _host_name(proxy: str) -> str:
    """Return the host name, or raise InputError, for example for an address with a scheme or a port."""
    if proxy and not re.fullmatch(r"[a-z0-9-]+(\.[a-z0-9-]+)*", proxy, re.IGNORECASE | re.ASCII):
        raise InputError(
            f"--proxy is {quoted(proxy)}; it must be a host name, for example dashboards.example.org."
        )
    return proxy
