"""Show the dashboards in a browser."""

from __future__ import annotations

import argparse
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.extras import need

if TYPE_CHECKING:
    from sdcwidgets.teaching.course import Course


def add(parser: argparse.ArgumentParser) -> None:
    """Add where to listen, who may come in, and how much each gets."""
    parser.add_argument("--port", type=int, default=8866, help="where to listen (default: 8866)")
    parser.add_argument(
        "--host", default="127.0.0.1", help="the address to listen on (default: this machine only)"
    )
    parser.add_argument(
        "--key", metavar="WORD", help="what visitors from elsewhere must know (default: a new one)"
    )
    parser.add_argument("--no-key", action="store_true", help="let anyone in who can reach the host")
    parser.add_argument(
        "--proxy", metavar="NAME", help="the host name under which a reverse proxy shows this server"
    )
    for flag, metavar, about in (
        (
            "--visitors",
            "N",
            "sessions at one time (default: what four fifths of the free memory are enough for)",
        ),
        ("--per-address", "M", "sessions at one time from one address (default: no limit)"),
        (
            "--memory",
            "MB",
            "megabytes that one session may hold (default: a quarter of the free memory, at most 1024)",
        ),
        ("--preheat", "N", "sessions to keep ready for whichever page is asked for next (default: 0)"),
    ):
        parser.add_argument(flag, type=int, metavar=metavar, help=about)
    parser.add_argument(
        "--course",
        metavar="NAME",
        help="teach a course: one of `sdcwidgets course list`, or a file; prints the room's address and the trainer's",
    )
    parser.add_argument("--trainer", metavar="WORD", help="what the trainer must know (default: a new word)")
    parser.add_argument(
        "--dev", action="store_true", help="show tracebacks, log, and reload when code changes"
    )
    parser.add_argument(
        "--generator",
        metavar="FOLDER",
        type=Path,
        help="what the page Tables asks (`sdcwidgets tables init` makes it)",
    )
    parser.add_argument(
        "--agency",
        action="store_true",
        help="show the log of that generator on the page, to whoever comes in",
    )
    parser.add_argument("--no-browser", dest="browser", action="store_false", help="do not open a browser")


def run(options: argparse.Namespace) -> None:
    """Show the pages until it is stopped."""
    need("serve", subject="sdcwidgets serve")
    if not 0 < options.port < 65536:
        raise InputError(f"The port is {options.port}; it must be from 1 to 65535.")
    if options.key is not None and options.no_key:
        raise InputError("--key and --no-key exclude each other; choose one.")
    _set_generator(options)
    course = _course(options)
    from sdcwidgets.dashboards import notebook_pages
    from sdcwidgets.server import skip_unused

    skip_unused()
    from sdcwidgets.server import folder
    from sdcwidgets.server.app import Limits, serve

    numbers = {name: getattr(options, name) for name in ("visitors", "per_address", "memory", "preheat")}
    limits = Limits(**{name: value for name, value in numbers.items() if value is not None})
    word, trainer = _keys(options)
    with folder.own(), notebook_pages.gathered() as notebooks:
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
    """Tell the page Tables which generator it asks, and whether it shows the log."""
    if options.generator is not None:
        need("tables", subject="A table generator")
        from sdcwidgets.tableserver.generator import TableGenerator

        TableGenerator(options.generator)  # what is wrong with it is told now
        os.environ["SDCWIDGETS_GENERATOR"] = str(options.generator.resolve())
        if options.agency:
            os.environ["SDCWIDGETS_AGENCY"] = "yes"
    elif options.agency:
        raise InputError("--agency shows the log of a generator; name its folder with --generator.")


def _course(options: argparse.Namespace) -> Course | None:
    """Return the course that is given, if its tasks can be checked."""
    from sdcwidgets.teaching.course import read

    if options.trainer is not None and options.course is None:
        raise InputError("--trainer is for a course; name one with --course.")
    course = None if options.course is None else read(options.course)
    for step in course.steps if course and options.generator is not None else ():
        if step.goal and step.opening and step.opening.page == "tables":
            raise InputError(
                f"The task {step.title!r} is checked against the generator that the page Tables has by itself; "
                "leave out --generator, or that step."
            )
    return course


def _keys(options: argparse.Namespace) -> tuple[str, str]:
    """Return the key of visitors and the one of the trainer, "" where there is none."""
    from sdcwidgets.server import key
    from sdcwidgets.server.pages import is_loopback

    if options.key is not None:
        word = key.check_key(options.key)
    else:
        word = "" if options.no_key or is_loopback(options.host) else key.new_key()
    trainer = "" if options.trainer is None else key.check_key(options.trainer)
    if trainer and trainer == word:
        raise InputError("The trainer's key is the room's, too; choose another one.")
    return word, trainer


def _host_name(proxy: str) -> str:
    """Return the name, or raise InputError if it is none, such as an address with a scheme or a port."""
    if proxy and not re.fullmatch(r"[a-z0-9-]+(\.[a-z0-9-]+)*", proxy, re.IGNORECASE | re.ASCII):
        raise InputError(f"--proxy is {proxy!r}; it must be a host name, such as dashboards.example.org.")
    return proxy
