"""The cell key lab as a page: what a control changes, what a file brings, and what is refused."""

import pytest
from stating import stating

from screens import ask, button, control, inside, named
from sdcwidgets import FrequencyTable
from sdcwidgets.dashboards import cell_key
from sdcwidgets.methods.cellkey import handbook_example, to_argus, to_csv
from sdcwidgets.widgets.answer import Answer
from sdcwidgets.widgets.board import Board
from sdcwidgets.widgets.leading import Lead
from sdcwidgets.widgets.readings import Readings

TABLE = FrequencyTable([[3, 0, 7], [120, 1, 4]], {"Area": "ab", "Job": "xyz"})


@pytest.fixture
def screen():
    return cell_key.app(TABLE)


def checks(screen):
    return {
        row["label"]: row["text"]
        for one in inside(screen, Readings)
        if one.label == stating("p-table")
        for row in one.rows
    }


def press(screen, words):
    row, place = button(screen, words)
    row._press(place)


def test_a_slider_moves_the_p_table_and_the_rest(screen):
    assert checks(screen)["Maximum variance"] == "1"
    ask(control(screen, "Variance V"), 2.5)
    assert checks(screen)["Maximum variance"] == "2.5"
    ask(control(screen, "js"), 2)
    assert named(checks(screen), "never published") == "1 to 2"
    board = inside(screen, Board)[0]
    texts = [spot["text"] for row in board.spots for spot in row]
    assert not {"1", "2"} & set(texts)


def test_what_is_infeasible_is_told_and_the_last_state_stays(screen):
    js = control(screen, "js")
    ask(js, 3)
    assert "V is 1." in js.problem
    assert js.problem.endswith(" 4 or more.")
    assert named(checks(screen), "never published") == "none"


def test_a_pressed_count_is_followed(screen):
    answer, board = inside(screen, Answer)[0], inside(screen, Board)[0]
    board.press(1, 0)
    assert answer.value.startswith("120 → ")
    assert "".join(piece[0] for piece in answer.caption).endswith("of b, x.")
    before = answer.formula
    press(screen, "next person")
    assert answer.formula[0] != before[0]  # another record key
    assert answer.formula[2] == before[2]  # the same cell key


def test_what_was_published_before_is_told_apart_from_the_way_to_it(screen):
    answer, board = inside(screen, Answer)[0], inside(screen, Board)[0]
    value = answer.value
    while answer.value == value:
        press(screen, "new record")
    assert answer.changed == f"before {value}, now {answer.value}"
    board.press(1, 0)
    assert answer.changed == "Now: b, x"


def test_totals_that_do_not_add_up_are_marked_with_the_sum(screen):
    board = inside(screen, Board)[0]
    number = lambda text: int(text.replace(" ≠", "").replace(",", ""))  # noqa: E731
    for row in board.spots[:-1]:
        total, cells = row[-1], [number(spot["text"]) for spot in row[:-1]]
        assert ("≠" in total["text"]) == (number(total["text"]) != sum(cells))
        if total["small"]:
            assert number(total["small"]) == sum(cells)


def test_asking_again(screen):
    [lead] = inside(screen, Lead)
    assert lead.ahead == stating("20 times")
    lead._hear(lead, {"type": "next"}, [])
    press(screen, "Request again")
    told = [getattr(part, "value", "") for part in inside(screen, object)]
    assert any("All 22 requests" in str(words) for words in told)


@pytest.mark.parametrize("write", [to_csv, to_argus])
def test_a_p_table_is_opened_and_saved_unchanged(screen, write):
    files, place = button(screen, "Open p-table")
    sent = []
    files.send = lambda message, buffers=None: sent.append((message["name"], bytes(buffers[0])))
    text = write(handbook_example())
    message = {"type": "opened", "index": place, "name": "p.csv"}
    files._opened(message, [memoryview(text.encode())])
    assert files.status == ""
    assert checks(screen)["Mean noise"] == "+0.200 at 2"
    press(screen, "p-table (CSV)" if write is to_csv else "for τ-ARGUS")
    assert sent[0][1].decode() == text


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"i,j\n1,2\n", "no column"),
        (b"\xff\xfe\xff", "text file"),
        (b"x" * 2_000_001, "larger than 2 MB"),
    ],
)
def test_a_file_that_is_no_p_table_is_refused(screen, content, sentence):
    files, _ = button(screen, "Open p-table")
    before = checks(screen)
    files._opened({"type": "opened", "index": 5, "name": "p.csv"}, [memoryview(content)])
    assert sentence in files.status
    assert checks(screen) == before


def test_what_no_button_sends_is_dropped(screen):
    files, _ = button(screen, "Open p-table")
    for message, buffers in (
        ({"index": 9, "name": "a"}, [b""]),
        ({"index": 5}, [b""]),
        ({"index": 5, "name": "a"}, []),
    ):
        files._opened(message, buffers)
    assert files.status == ""
