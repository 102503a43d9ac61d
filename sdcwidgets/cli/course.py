"""Print a course, or list those that are ready."""

from __future__ import annotations

import argparse
from pathlib import Path

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.files import put


def add(parser: argparse.ArgumentParser) -> None:
    """Add what to do, and with which course."""
    commands = parser.add_subparsers(dest="action", required=True, metavar="WHAT")
    commands.add_parser("list", help="the courses that are ready")
    copy = commands.add_parser("copy", help="write a course into a file, to change it")
    check = commands.add_parser(
        "check", help="read a course, and check that each task can be solved by its solution alone"
    )
    paper = commands.add_parser("handout", help="write HTML that prints to A4")
    for part in (copy, check, paper):
        part.add_argument("name", metavar="NAME", help="a course that is ready, or a file")
    for part in (copy, paper):
        part.add_argument("-o", "--output", type=Path, metavar="FILE", help="the file (default: beside you)")
    paper.add_argument("--solutions", action="store_true", help="with the answers")
    paper.add_argument(
        "--address", default="", metavar="URL", help="where it is served, for QR codes: http://room:8866/"
    )


def run(options: argparse.Namespace) -> None:
    """Do it."""
    from sdcwidgets.teaching import course as courses

    if options.action == "list":
        for name in courses.ready():
            course = courses.read(name)
            length = f"{len(course.steps)} steps, {course.minutes} minutes"
            print(f"{name}: {course.title}, {length}. {course.about}")
        return
    course = courses.read(options.name)
    stem = Path(options.name).stem
    if options.action == "check":
        _check(course)
    elif options.action == "copy":
        _write(options.output or Path(f"{stem}.toml"), courses.text_of(options.name))
    else:
        from sdcwidgets.teaching.course.handout import handout

        address = options.address and options.address.rstrip("/") + "/"
        if address and not address.startswith(("http://", "https://")):
            raise InputError(f"--address is {options.address!r}; it begins with http:// or https://.")
        ending = "-solutions.html" if options.solutions else ".html"
        _write(
            options.output or Path(f"{stem}{ending}"),
            handout(course, solutions=options.solutions, address=address),
        )


def _check(course: object) -> None:
    from sdcwidgets.teaching.course import Course
    from sdcwidgets.teaching.course.quantities import met

    assert isinstance(course, Course)
    for number, step in enumerate(course.steps, 1):
        if step.goal and step.opening and step.solution:
            for state, wanted, why in (
                (step.opening.state, False, "its goal is met at the start"),
                (step.solution.state, True, "its solution does not meet the goal"),
            ):
                solved, values = met(step, state)
                if solved is not wanted:
                    quantities = ", ".join(f"{name} {value:.6g}" for name, value in values.items())
                    raise InputError(f"Step {number}, {step.title}: {why} ({quantities}).")
    taken = sum(step.minutes for step in course.steps)
    print(
        f"{course.title}: {len(course.steps)} steps, {taken} of {course.minutes} minutes; every task can be solved."
    )


def _write(file: Path, text: str) -> None:
    """Write a new file, and say so; one that is there stays."""
    if file.exists():
        raise InputError(f"{file} is there already; name another file with -o.")
    put(text, file)
    print(f"Written: {file}")
