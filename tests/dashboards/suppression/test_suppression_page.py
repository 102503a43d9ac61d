from dataclasses import replace
from io import BytesIO

import ipywidgets
import numpy as np
import openpyxl
import pytest
from stating import stating

from screens import ask, button, control, inside, named
from sdcwidgets.dashboards import suppression
from sdcwidgets.dashboards.suppression.files import is_protected
from sdcwidgets.dashboards.suppression.optimiser import chosen
from sdcwidgets.dashboards.suppression.result import compute
from sdcwidgets.dashboards.suppression.state import SuppressionState
from sdcwidgets.tables.io.sources import InMemorySource
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.answer import Answer
from sdcwidgets.widgets.board import Board
from sdcwidgets.widgets.leading import Lead
from sdcwidgets.widgets.page import Page
from sdcwidgets.widgets.source import SourceBar


def within(part):
    yield part
    for child in getattr(part, "children", ()):
        yield from within(child)


def test_a_press_moves_intervals_rank_and_sentence():
    # With this secret the pattern has no decoys, whose intervals may be narrower than those of sensitive cells.
    parts = list(within(suppression.app(SuppressionState(secret=1))))
    boards = {part.title: part for part in parts if isinstance(part, Board)}
    answer = next(part for part in parts if isinstance(part, Answer))
    table = boards["Published table"]
    assert answer.value == "407"
    assert table.spots[2][1]["name"].startswith("5, size 5: suppressed, x₁, 407 values, 0 to 406")
    assert (table.spots[2][1]["small"], table.spots[2][1]["end"]) == ("0 to 406", "risk 0.115")
    numbers = named(boards, "Comparison of")
    assert [spot["text"] for spot in numbers.spots[4]] == ["0.115", "0.121"]
    assert boards["Your pattern"].spots[2][1]["name"] == "5, size 5: 100, suppressed, 407 values, risk 0.115"
    assert (
        boards["Optimal pattern"].spots[2][1]["name"] == "5, size 5: 100, suppressed, 308 values, risk 0.121"
    )
    table.press(2, 1)  # freed: the other three are known
    assert answer.value == "1"
    assert "2 other" in answer.sentence
    assert [spot["text"] for spot in numbers.spots[4]] == ["∞", "0.121"]
    assert boards["Your pattern"].spots[2][3]["text"] == "1"
    assert table.spots[2][1]["text"] == "100"
    choices, place = button(parts[0], "different rows")
    choices._press(place)
    ranks = next(part for name, part in boards.items() if name.startswith("Rank of"))
    a, b = ([[row[k]["text"] for row in ranks.spots] for k in places] for places in ((2,), (5,)))
    assert (a, b) == ([["8", "13", "20"]], [["8", "13", "20"]])
    boards["AS, pattern A"].press(0, 0)
    assert [row[2]["text"] for row in ranks.spots] == ["9", "14", "21"]
    assert [row[5]["text"] for row in ranks.spots] == ["8", "13", "20"]
    boards["SR, pattern B"].press(0, 0)
    assert [row[5]["text"] for row in ranks.spots] == ["8", "13", "21"]
    choices, place = button(parts[0], "optimal pattern")
    choices._press(place)
    assert float(answer.value.replace(",", "")) >= 256
    assert any("lower cost" in part.value for part in parts if isinstance(part, ipywidgets.HTML))


def test_the_number_of_possible_values_has_no_chart():
    """A bar of one number shows nothing that the number and its requirement do not state."""
    answer = next(part for part in within(suppression.app()) if isinstance(part, Answer))
    assert answer.value == "1"
    assert "256 required" in answer.caption[0][0]
    assert (answer.parts, answer.ends) == ([], [])


def test_the_published_table_is_saved_with_its_gaps(monkeypatch):
    sent = []
    monkeypatch.setattr(Actions, "send", lambda self, content, buffers=None: sent.append((content, buffers)))
    screen = suppression.app(SuppressionState())
    files, place = button(screen, "published table")
    files._press(place)
    assert sent[-1][0]["name"] == "published-turnover-by-activity-and-size-o-df-table-1.csv"
    text = sent[-1][1][0].decode("utf-8-sig")
    assert text.splitlines()[3] == "5,592,c,329,c,1440,3898"
    files._press(1)
    sheet = openpyxl.load_workbook(BytesIO(sent[-1][1][0]))["Table"]
    assert [cell.value for cell in sheet[7]] == ["5", 592, "c", 329, "c", 1440, 3898]
    source = next(part for part in within(screen) if isinstance(part, SourceBar))
    assert source.saves == stating("original counts")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({}, "can compute the suppressed cell"),
        ({"hidden": ((1, 1), (1, 2), (2, 1), (2, 2))}, "is published"),
        ({"hidden": ((0, 0), (0, 2), (2, 0), (2, 2))}, ""),
    ],
)
def test_no_file_is_saved_while_nothing_is_protected(monkeypatch, changes, reason):
    """With the first state of an own table only small counts are suppressed, and the totals disclose them."""
    sent = []
    monkeypatch.setattr(Actions, "send", lambda self, content, buffers=None: sent.append(content))
    table = FrequencyTable([[1, 9, 8], [7, 20, 5], [6, 5, 30]])
    screen = suppression.app(replace(SuppressionState(table, InMemorySource()), **changes))
    files = next(
        part
        for part in within(screen)
        if isinstance(part, Actions) and "Save published table (CSV)" in part.labels
    )
    for place in (0, 1):
        files._press(place)
        assert reason in files.status
    assert len([content for content in sent if content.get("type") == "file"]) == (0 if reason else 2)
    (page,) = (part for part in within(screen) if isinstance(part, Page))
    reports = []
    monkeypatch.setattr(page, "send", lambda content, buffers=None: reports.append(content))
    page._hear(page, {"type": "report"}, [])
    assert reports[0]["name"].startswith("internal-") is bool(reason)


def test_sensitive_cells_that_protect_each_other_are_a_table_to_publish():
    """Nothing but the four sensitive cells is suppressed, and no sum discloses one of them."""
    table = FrequencyTable([[1, 9, 2], [7, 20, 5], [2, 5, 1]])
    result = compute(SuppressionState(table, InMemorySource()))
    assert {*result.state.hidden} == {*result.state.sensitive}
    assert is_protected(result)
    assert not is_protected(compute(replace(result.state, hidden=())))


def test_what_no_pattern_protects_is_one_sentence_and_the_gaps_stay():
    """Nobody can be kept among 1,000 values in a table of 91 people; the gaps made by hand stay as they were."""
    table = FrequencyTable([[1, 9, 8], [7, 20, 5], [6, 5, 30]])
    state = SuppressionState(
        table, InMemorySource(), hidden=((0, 0), (0, 1), (1, 0), (1, 1)), sensitive=((0, 0),)
    )
    state = replace(state, requirements=replace(state.requirements, width=1000))
    parts = list(within(suppression.app(state)))
    said = [part.value for part in parts if isinstance(part, ipywidgets.HTML)]
    assert any(one.startswith("<p>No pattern") or "No suppression" in one for one in said)
    boards = {part.title: part for part in parts if isinstance(part, Board)}
    gaps = [spot for row in boards["Published table"].spots for spot in row if "suppressed" in spot["name"]]
    assert len(gaps) == 4


def test_a_chosen_pattern_keeps_the_sensitive_count_as_wide_as_required():
    for secret in range(12):
        state = SuppressionState(secret=secret)
        hidden = chosen(state.sheet, state.request, secret)
        cells = tuple((int(row), int(column)) for row, column in np.argwhere(hidden))
        result = compute(replace(state, hidden=cells))
        assert all(result.values[cell] >= state.requirements.width for cell in state.sensitive)


def test_headline_states_the_minimum_width_of_the_interval():
    screen = suppression.app()
    (lead,) = inside(screen, Lead)
    for width in (300, 17):
        ask(control(screen, "Minimum interval width"), width)
        assert f"{width}" in f"{lead.answer} {lead.why}"
