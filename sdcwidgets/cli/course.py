"""List, copy, check or print courses for a trainer."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.files import put
from sdcwidgets.cli._output import add_dry_run, add_force, check_outputs, print_dry_run
from sdcwidgets.cli._parser import Parser

if TYPE_CHECKING:
    from sdcwidgets.teaching.course import Course, CourseStep

EXAMPLES = (
    "sdcwidgets course list",
    "sdcwidgets course handout frequency-tables-and-entropy -o handout.html",
)

#: Nested commands: purpose, examples.
_ACTIONS = {
    "list": ("List the courses that come with the package", ("sdcwidgets course list",)),
    "copy": (
        "Copy a course to a TOML file that you can edit",
        (
            "sdcwidgets course copy frequency-tables-and-entropy",
            "sdcwidgets course copy frequency-tables-and-entropy -o mine.toml",
        ),
    ),
    "check": (
        "Check a course file, and check that the solution of each task meets the goal of the task",
        ("sdcwidgets course check mine.toml", "sdcwidgets course check frequency-tables-and-entropy"),
    ),
    "handout": (
        "Write the handout of a course as HTML, formatted for printing on A4",
        (
            "sdcwidgets course handout frequency-tables-and-entropy",
            "sdcwidgets course handout mine.toml --solutions -o solutions.html",
        ),
    ),
}


def add(parser: Parser) -> None:
    """Add the nested commands."""
    commands = parser.add_subparsers(dest="action", required=True, metavar="COMMAND")
    parsers = {
        name: commands.add_parser(name, description=purpose, examples=examples)
        for name, (purpose, examples) in _ACTIONS.items()
    }
    for name in ("copy", "check", "handout"):
        parsers[name].add_argument(
            "name",
            metavar="NAME",
            help="name of a course from `sdcwidgets course list`, or a course file (TOML)",
        )
    for name in ("copy", "handout"):
        parsers[name].add_argument(
            "-o",
            "--output",
            type=Path,
            metavar="OUT",
            help="output file (default: the name of the course, in the current folder)",
        )
        add_force(parsers[name], "overwrite an existing file")
        add_dry_run(parsers[name])
    parsers["handout"].add_argument(
        "--solutions", action="store_true", help="include the solutions of the tasks"
    )
    parsers["handout"].add_argument(
        "--address",
        default="",
        metavar="URL",
        help="address of the server for QR codes, for example http://room:8866/",
    )


def run(options: argparse.Namespace) -> None:
    """List, copy, check or print a course."""
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
        check(course)
        minutes = sum(step.minutes for step in course.steps)
        _print_steps_with_counts(course)
        print(
            f"{course.title} is valid: {len(course.steps)} steps, {minutes} of {course.minutes} minutes. "
            "The solution of each task meets its goal."
        )
    elif options.action == "copy":
        _write(options.output or Path(f"{stem}.toml"), courses.text_of(options.name), options)
    else:
        from sdcwidgets.teaching.course.handout import handout

        address = options.address and options.address.rstrip("/") + "/"
        if address and not address.startswith(("http://", "https://")):
            raise InputError(f'--address is "{options.address}"; it must begin with http:// or https://.')
        ending = "-solutions.html" if options.solutions else ".html"
        output = options.output or Path(f"{stem}{ending}")
        _write(output, handout(course, solutions=options.solutions, address=address), options)


def check(course: Course) -> None:
    """Check that lessons have their parts, and that each goal is met by the solution and not at the start.

    Raises
    ------
    InputError
        If a step is invalid. The message lists the faults of all steps.
    """
    from sdcwidgets.teaching.course.course import CourseFaults

    faults = list[str]()
    for number, step in enumerate(course.steps, 1):
        try:
            _check_step(step)
        except InputError as error:
            faults.append(f"Step {number}, {step.title}: {error}")
    if faults:
        raise CourseFaults(faults)


def _check_step(step: CourseStep) -> None:
    """Check that a lesson has its part, and that the goal of a task is met by the solution and not at the start."""
    from sdcwidgets.teaching.course.quantities import met
    from sdcwidgets.teaching.course.reading import text_of_part

    if step.kind == "lesson" and step.opening:
        text_of_part(step.opening.page, step.opening.part)
    if step.goal and step.opening and step.solution:
        for state, wanted, why in (
            (step.opening.state, False, "the state at the start of the task already meets the goal"),
            (step.solution.state, True, "the solution of the task does not meet the goal of the task"),
        ):
            solved, values = met(step, state)
            if solved is not wanted:
                quantities = ", ".join(f"{name} {value:.6g}" for name, value in values.items())
                raise InputError(f"{why} ({quantities}).")


def _print_steps_with_counts(course: Course) -> None:
    """Print the steps whose links contain the counts of a table, which all participants receive."""
    from sdcwidgets.widgets.page_state.links import decode

    for number, step in enumerate(course.steps, 1):
        links = [opening.state for opening in (step.opening, step.solution) if opening and opening.state]
        if any("counts" in decode(link) for link in links):
            print(
                f"Step {number}, {step.title}: the link contains the counts of a table, and each participant "
                "receives the link. Use a published or an invented table."
            )


def _write(file: Path, text: str, options: argparse.Namespace) -> None:
    """Write a file and print its name, or only print its name in a dry run."""
    check_outputs([file], [], force=options.force)
    if options.dry_run:
        print_dry_run([], [file])
        return
    put(text, file)
    print(f"Written: {file}")
