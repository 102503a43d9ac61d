import pytest
from hypothesis import given
from hypothesis import strategies as st
from stating import stating

from sdcwidgets import InputError
from sdcwidgets.teaching.lessons.guessing import guessing_game


def said_by_browser(game, **message):
    game._hear(game, message, [])


@given(st.integers(0, 1000))
def test_halving_an_even_row_of_four_takes_two_questions(seed):
    game = guessing_game([4, 4, 4, 4], seed)
    for _ in range(3):
        while not game.is_identified:
            said_by_browser(game, type="ask", cells=game.possible[: len(game.possible) // 2])
        said_by_browser(game, type="next")
    assert game.score == stating("3 people", "2.00")


@given(st.lists(st.integers(0, 9), min_size=2, max_size=6).filter(lambda row: sum(map(bool, row)) > 1))
def test_answers_are_true_and_nobody_hides_where_nobody_is(counts):
    game = guessing_game(counts, seed=3)
    assert game.possible == [cell for cell, count in enumerate(counts) if count]
    while not game.is_identified:
        game.ask(game.possible[:1])
        assert game._hidden in game.possible


def test_a_reload_keeps_the_tally():
    game = guessing_game([4, 4, 4, 4], 1)
    for _ in range(2):
        while not game.is_identified:
            game.ask(game.possible[:2] if len(game.possible) > 2 else game.possible[:1])
        game.hide()
    later = guessing_game([4, 4, 4, 4], 2)
    assert later.stored_name == game.stored_name != guessing_game([8, 4, 2, 2]).stored_name
    said_by_browser(later, type="restore", state=game.stored_state)
    assert later.score == game.score == stating("2 people", "2.00")
    assert not later.is_identified


@pytest.mark.parametrize(
    "state",
    [{}, {"identified": 3, "questions": 2}, {"identified": "2", "questions": 4}, {"identified": True}],
)
def test_an_invalid_tally_is_ignored(state):
    game = guessing_game([4, 4, 4, 4], 1)
    said_by_browser(game, type="restore", state=state)
    assert game.score == ""


def test_the_same_seed_hides_the_same_people():
    games = [guessing_game([5, 4, 3, 2], seed=8) for _ in range(2)]
    for game in games:
        game.ask([0, 1])
    assert games[0].message == games[1].message


@pytest.mark.parametrize("cells", [[], [0, 1, 2], [7], [-1]])
def test_a_question_that_tells_nothing_does_not_count(cells):
    game = guessing_game([1, 1, 1], seed=1)
    game.ask(cells)
    assert "no information" in game.message
    assert game.possible == [0, 1, 2]
    game.ask([0])
    while not game.is_identified:
        game.ask(game.possible[:1])
    assert float(game.score.split()[3]) <= 2


@pytest.mark.parametrize("cells", [None, "0", ["0"], [True], {"0": 1}, [0.5]])
def test_damaged_questions_are_dropped(cells):
    game = guessing_game([2, 2], seed=1)
    before = game.message
    said_by_browser(game, type="ask", cells=cells)
    assert game.message == before


def test_after_the_end_there_is_nothing_to_ask():
    game = guessing_game([2, 2], seed=1)
    game.ask([0])
    score = game.score
    game.ask([0])
    assert (game.score, game.is_identified) == (score, True)


def test_where_the_person_is_stays_in_the_kernel():
    games = [guessing_game([2, 2, 2], seed) for seed in range(20)]
    assert len({game._hidden for game in games}) == 3
    sent = [{key: value for key, value in game.get_state().items() if key != "layout"} for game in games]
    assert all(state == sent[0] for state in sent)
    games[0].set_state({"possible": [0]})
    assert games[0].possible == [0, 1, 2]


def test_one_full_cell_is_no_game():
    with pytest.raises(InputError, match="two cells"):
        guessing_game([0, 6, 0])
