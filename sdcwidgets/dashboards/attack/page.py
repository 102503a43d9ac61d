"""Page Attack: combine published numbers as an intruder, and see the remaining intervals of confidential counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import product

import ipywidgets
import numpy as np

from sdcwidgets._util.parameters import Parameter
from sdcwidgets.attacks.base import Combination, interval
from sdcwidgets.dashboards.attack import subtraction, texts
from sdcwidgets.dashboards.attack.cases import CASES
from sdcwidgets.dashboards.attack.charts import TableLayout, lay_out, sides
from sdcwidgets.dashboards.attack.result import AttackResult, compute
from sdcwidgets.dashboards.attack.state import COSTS, INTRUDERS, OWN, AttackState
from sdcwidgets.dashboards.page_heads import page_for
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.answer import Answer
from sdcwidgets.widgets.binding import Part, changing_choice, follow, reveal, showing
from sdcwidgets.widgets.board import Board, Spot
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.dashboard import Dashboard
from sdcwidgets.widgets.page import Headline, Page, Text, card
from sdcwidgets.widgets.page_state.recomputation import Study, begin_with
from sdcwidgets.widgets.source import SourceBar

__all__ = ["app"]

FOOT = (
    "Handbook on statistical disclosure control, chapter 5, Tables 5.4 to 5.13, 5.23 and 5.24; Oganian and "
    "Domingo-Ferrer 2003. The people are invented. The agency knows the original counts and checks your answers. "
    "Automated attacks do not use the original counts."
)

CASE = Parameter(
    "case",
    str,
    "boundaries",
    "Attack case",
    choices={name: case.title for name, case in CASES.items()} | {OWN: "Your own table"},
)

INTRUDER = Parameter("intruder", str, "external", "Intruder", choices=INTRUDERS)

#: Maximum number of published tables of a case.
MOST_TABLES = 3

Spots = list[list[Spot]]


def app(state: AttackState | FrequencyTable | None = None) -> Dashboard:
    """Return the dashboard.

    Parameters
    ----------
    state : AttackState or FrequencyTable, optional
        Initial case and progress, or a table to attack (default: the first case with one subtraction).
    """
    start = subtraction.opening() if state is None else begin_with(AttackState, state)
    study = Study(start, compute)
    page = page_for("attack", led=True)
    page.bind(study, AttackState.from_state, texts.as_code)
    own = SourceBar(study)
    case, show_case = _case(study, own)
    tables, show_tables = _tables(study, page)
    line, show_line = _line(study)
    answers, show_answers = _answers(study)
    follow(study, show_case, show_answers, show_tables, show_line)

    def show_hint() -> None:
        study.put(study.state.hinted())

    hint = Actions({f"Show a hint ({COSTS['hint']} points)": show_hint})

    def save_combination() -> None:
        study.put(study.state.keep())

    def ahead(result: AttackResult) -> tuple[str, Callable[[], None] | None]:
        state = result.state
        if result.right and result.solved:
            names = list(state.known.protections)
            following = names[(names.index(state.protection) + 1) % len(names)]

            def again() -> None:
                page.turn_to(1)
                study.put(state.protected(following))

            return f"Next: try “{state.known.protections[following]}”", again
        if state.line:
            return "Next: save this combination", save_combination
        if result.solved or state.hints == len(state.known.hints):
            return "", None
        return "Next: show the cost of a hint", partial(page.lead_to, 3)

    def says(result: AttackResult) -> Headline:
        answer, why, tone = texts.lead(result)
        return Headline(answer, why, *ahead(result), tone, result.state.known.question)

    def score() -> Part[AttackResult]:
        return showing((Answer("Your score", page), texts.narration), Text(texts.PRICES), hint)

    return page.answering(
        study,
        "Which original counts are possible?",
        says,
        controls=(card("Attack case and type of intruder", *case), card("Your answer", *answers)),
        stage=(card("Published numbers", *tables, *line),),
        tabs={
            "Saved combinations": partial(_notes, study),
            "Comparison of protection methods": partial(_protection, study),
            "Automated attack": partial(_automated, study),
            "Score": score,
        },
        foot=FOOT,
        source=own,
    )


def _case(study: Study[AttackState, AttackResult], own: SourceBar) -> Part[AttackResult]:
    case, story = Control(CASE), Text()
    case.on_change(lambda name: study.put(study.state.begun(name)))
    source = Text()
    intruder = Control(INTRUDER)
    intruder.on_change(lambda name: study.put(study.state.attacked_by(name)))

    def show(result: AttackResult) -> None:
        known = result.state.known
        case.show(result.state.case)
        intruder.show(result.state.intruder)
        reveal(result.state.case == OWN or own.waiting, own)
        reveal(result.state.case == OWN, intruder)
        story.show(known.story)
        source.show(known.source + ".")

    own.observe(lambda _: show(study.result), "waiting")
    return (case, own, intruder, story, source), show


def _tables(study: Study[AttackState, AttackResult], page: Page) -> Part[AttackResult]:
    boards = [Board("", brief=True) for _ in range(MOST_TABLES)]
    wanted, areas = Board("", brief=True), ipywidgets.HTML()
    tables: dict[int, TableLayout] = {}

    def pointer(k: int) -> Callable[[int, int], None]:
        def point(row: int, across: int) -> None:
            number = tables[k].numbers[row][across]
            if number is not None:
                page.attempt(lambda: study.put(study.state.pointed(number)))

        return point

    for k, board in enumerate(boards):
        board.on_press(pointer(k))

    def show(result: AttackResult) -> None:
        state = result.state
        published = state.known.publish[state.protection]
        for k, board in enumerate(boards):
            reveal(k < len(published), board)
            if k < len(published):
                placement, release = published[k]
                tables[k] = lay_out(release, placement.title, result.published)
                _publish(board, result, placement.title, tables[k])
        _want(wanted, result)
        areas.value = subtraction.areas(result)
        reveal(areas.value, areas)

    row = ipywidgets.Box([areas, *boards, wanted], layout={"flex_flow": "row wrap"}).add_class("sdc-tables")
    return (row,), show


def _publish(board: Board, result: AttackResult, title: str, table: TableLayout) -> None:
    state, published = result.state, result.published
    line = {number: k + 1 for k, number in enumerate(state.line)}
    used = {number for combination in state.combinations for number in combination}
    spots: Spots = []
    for row, labels in zip(table.numbers, table.rows, strict=True):
        spots.append([])
        for number, label in zip(row, table.columns, strict=True):
            if number is None:
                spots[-1].append(Spot("×", f"{labels}, {label}: suppressed", look="hidden"))
                continue
            value = published.numbers[number]
            stands = "" if value.exact else interval(value.lower, value.upper)
            badge = ""
            if number in line:
                badge = "+" if line[number] == 1 else "−"
            elif number in used:
                badge = "✓"
            spots[-1].append(
                Spot(
                    str(value),
                    f"{title}, {labels}, {label}: {badge}{' ' if badge else ''}{value}"
                    f"{f', possible values {stands}' if stands else ''}",
                    small=stands,
                    badge=badge,
                    look="chosen" if number in line else "",
                    pressed=number in line,
                )
            )
    note = (
        ""
        if all(value.exact for value in published.numbers)
        else "The line below a published number shows the possible values of the original count."
    )
    board.show(table.corner, table.rows, table.columns, spots, note=note, title=title)


def _want(board: Board, result: AttackResult) -> None:
    known, axes = result.state.known, result.published.axes
    down, across = sides([axis for axis in axes if axis.name not in known.view])
    columns = across.labels if across is not None else ("Number",)
    rows = list(product(*down))
    spots = [[_wanted(result, (*row, label)) for label in columns] for row in rows]
    where = ", ".join(known.view.values())
    title = f"Unpublished counts: {where}" if where else "Possible original counts of the published numbers"
    corner = " × ".join(axis.name for axis in down)
    board.show(
        corner,
        [", ".join(row) for row in rows],
        columns,
        spots,
        note="Framed = count that the question asks for.",
        title=title,
    )


def _wanted(result: AttackResult, labels: tuple[str, ...]) -> Spot:
    """Return the interval of the count with these labels on the visible axes."""
    known, label = result.state.known, iter(labels)
    cell = tuple(
        known.view[axis.name] if axis.name in known.view else next(label) for axis in result.published.axes
    )
    spot = _interval_spot(result, cell, *result.bounds(cell))
    look = (spot.look or "wanted") if cell in known.targets else ""
    return replace(spot, name=f"{', '.join(labels)}: {spot.text}", look=look)


def _line(study: Study[AttackState, AttackResult]) -> Part[AttackResult]:
    written, meaning, saved = ipywidgets.HTML(), Text(), ipywidgets.HTML().add_class("sdc-saved-lines")
    clear = Actions({"Clear this combination": partial(study.change, line=())})

    def show(result: AttackResult) -> None:
        line = result.line
        saved.value = subtraction.saved(result)
        reveal(saved.value, saved)
        written.value = subtraction.places(result)
        meaning.show(texts.meaning(result, line) if line is not None and len(line.terms) > 1 else "")
        reveal(line, clear)

    return (saved, written, meaning, clear), show


def _notes(study: Study[AttackState, AttackResult]) -> Part[AttackResult]:
    notes, none = (
        Board("Saved combinations and the resulting intervals of the counts"),
        Text(),
    )
    notes.on_press(
        lambda row, _: study.put(study.state.pointed(len(study.result.published.numbers) + row - 1))
    )

    def show(result: AttackResult) -> None:
        reveal(result.combinations, notes)
        none.show("" if result.combinations else "No combination of published numbers is saved.")
        if result.combinations:
            _note(notes, result)

    return (none, notes), show


def _note(board: Board, result: AttackResult) -> None:
    """Show the saved combinations, and the intervals of the counts of the question after each."""
    state, targets = result.state, result.state.known.targets
    lines, firsts = [texts.line(combination) for combination in result.combinations], [Spot("")]
    for number, (combination, line) in enumerate(
        zip(result.combinations, lines, strict=True), len(result.published.numbers)
    ):
        badge = ""
        if number in state.line:
            badge = "+" if number == state.line[0] else "−"
        bounds = interval(combination.lower, combination.upper)
        name = f"Saved: {line}{f'; {badge} {bounds}' if badge else ''}"
        firsts.append(Spot(bounds, name, badge=badge, look="chosen" if badge else "", pressed=bool(badge)))
    spots = [
        [first, *(_interval_spot(result, cell, *result.bounds(cell, stage)) for cell in targets)]
        for first, stage in zip(firsts, [result.before, *result.steps], strict=False)
    ]
    columns = ["Number", *(texts.wanted(result, cell) for cell in targets)]
    board.show("", ["Single numbers", *lines], columns, spots)


def _interval_spot(result: AttackResult, cell: tuple[str, ...], low: float, high: float) -> Spot:
    """Return the interval of a count of the question, as a bar relative to its initial interval."""
    _, most = result.bounds(cell, result.before)
    scale = most if np.isfinite(most) and most > 0 else 1.0
    bar = None if np.isinf(high) else (min(low / scale, 1.0), min(high / scale, 1.0))
    return Spot(interval(low, high), bar=bar, look="found" if low == high else "")


def _answers(study: Study[AttackState, AttackResult]) -> Part[AttackResult]:
    """Return the possible answers, which the agency checks, and the hints."""
    hint, score, choices = Text(), Text(), ipywidgets.Box()
    offered: list[Sequence[str]] = []

    def answer(option: str) -> None:
        study.put(study.state.answered(option))

    def show(result: AttackResult) -> None:
        known = result.state.known
        if offered != [known.options]:
            offered[:] = [known.options]
            choices.children = (Actions({option: partial(answer, option) for option in known.options}),)
        hint.show(" ".join(known.hints[: result.state.hints]))
        score.show(f"Your score is {result.score} of 100 points.")

    return (choices, score, hint), show


def _protection(study: Study[AttackState, AttackResult]) -> Part[AttackResult]:
    choice = "protection", "Protection method of the agency"
    holder, offer = changing_choice(*choice, lambda value: study.put(study.state.protected(value)))
    summary, board = Text(), Board("Result of the automated attack by protection method")

    def show(result: AttackResult) -> None:
        known = result.state.known
        offer(dict(known.protections), result.state.protection)
        summary.show(texts.outcome(result))
        revealed = result.solved or result.explained  # otherwise the intervals would disclose the answer
        spots = [
            [
                Spot(
                    "disclosed" if outcome.succeeded else "not disclosed",
                    look="found" if outcome.succeeded else "good",
                ),
                Spot(interval(outcome.lower, outcome.upper) if revealed else "?"),
                Spot(f"{outcome.moved:.2f}"),
            ]
            for outcome in result.outcomes
        ]
        wanted = ", ".join(known.targets[0]) if revealed else "Count that the question asks for"
        note = (
            ""
            if revealed
            else "? = hidden until your combinations or the automated attack determine the count."
        )
        columns = ["Result", wanted, "Mean change of a published number"]
        board.show("", list(known.protections.values()), columns, spots, note=note)

    return (holder, summary, board), show


def _automated(study: Study[AttackState, AttackResult]) -> Part[AttackResult]:
    intro, board = Text(), Board("Combinations of the automated attack", show_title=False)
    closing = Board("Intervals of the automated attack")
    start = Actions({"Start the automated attack": partial(study.change, automated=True)})
    holder, offer = changing_choice("attack", "Attack", lambda name: study.change(attack=name))

    def show(result: AttackResult) -> None:
        on, finding = result.explained, result.finding
        lines_of_targets = [finding.line(*cell) for cell in result.state.known.targets] if finding else []
        proofs = [line for line in lines_of_targets if line is not None]
        reveal(not on, start)
        reveal(on, board, holder)
        reveal(on and proofs, closing)
        intro.show(texts.attack_description(result))
        if on:
            offer(texts.attack_names(result), result.state.attack_name)
            lines = texts.automated_lines(result)
            spots = [[Spot(line), Spot(bounds)] for _, line, bounds in lines]
            board.show("", [cell for cell, _, _ in lines], ["Combination", "Interval"], spots)
            if proofs:
                _close(closing, result, proofs)

    return (holder, intro, start, board, closing), show


def _close(board: Board, result: AttackResult, proofs: list[Combination]) -> None:
    """Show the interval of each count after each number of the automated attack."""
    rows, spots = list[str](), list[list[Spot]]()
    for line in proofs:
        for k, step in enumerate(line.steps):
            if step.times < 0:
                sign = "− "
            elif k:
                sign = "+ "
            else:
                sign = f"{texts.wanted(result, line.cell)}: "
            rows.append(f"{sign}{step.number} ({', '.join(step.number.labels) or 'Total'})")
            spots.append([_interval_spot(result, line.cell, step.lower, step.upper)])
    board.show(
        "",
        rows,
        ["Interval"],
        spots,
        note="Each line adds one published number to the combination above. The interval is the result so far.",
    )
