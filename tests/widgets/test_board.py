"""The board: only what can be pressed is, and a message from a browser is checked."""

import pytest

from sdcwidgets.widgets.board import Board, Spot


@pytest.fixture
def board():
    made = Board("Published")
    made.show(
        "Sex",
        ["m", "f"],
        ["A", "B"],
        [[Spot("1", pressed=False), Spot("2")], [Spot("3", pressed=True), Spot("4")]],
    )
    return made


def test_a_press_is_told(board):
    heard = []
    board.on_press(lambda row, column: heard.append((row, column)))
    board._hear(None, {"type": "press", "row": 1, "column": 0}, [])
    board._hear(None, {"type": "press", "row": 0, "column": 1}, [])  # cannot be pressed
    assert heard == [(1, 0)]


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"row": 9, "column": 0},
        {"row": 0, "column": -1},
        {"row": "0", "column": 0},
        {"row": True, "column": 0},
    ],
)
def test_a_strange_message_is_dropped(board, message):
    heard = []
    board.on_press(lambda *at: heard.append(at))
    board._hear(None, {"type": "press", **message}, [])
    assert heard == []


def test_a_browser_sets_nothing(board):
    board.set_state({"spots": [], "title": "x"})
    assert board.title == "Published"
    assert len(board.spots) == 2
