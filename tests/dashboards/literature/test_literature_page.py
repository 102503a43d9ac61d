"""The gallery: every card works out, follows its example and says when it cannot."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from screens import ask, button, control, inside
from sdcwidgets import InputError, examples
from sdcwidgets._util.parameters import declared
from sdcwidgets.core.estimate.uniqueness import cell_sizes
from sdcwidgets.dashboards import literature
from sdcwidgets.dashboards.literature.card import MARGINS, CardSettings
from sdcwidgets.dashboards.literature.charts import draw
from sdcwidgets.dashboards.literature.picture import prepare
from sdcwidgets.dashboards.literature.result import compute
from sdcwidgets.dashboards.literature.samples import POPULATION, SIZES, TRAVEL
from sdcwidgets.dashboards.literature.state import CARDS, LiteratureState
from sdcwidgets.dashboards.literature.strip import YEARS, opened, strip
from sdcwidgets.widgets.answer import Answer
from sdcwidgets.widgets.board import Board
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.leading import Lead
from sdcwidgets.widgets.page import Page
from sdcwidgets.widgets.page_state.links import decode, encode

EVERY = pytest.mark.parametrize("name", CARDS)


@pytest.fixture
def screen():
    return literature.app()


def choose(screen, name):
    ask(control(screen, "group"), CARDS[name].group)
    ask(control(screen, "Measure"), name)
    load, place = button(screen, "Load the example")
    if _is_shown(load):
        load._press(place)


def value(screen):
    return inside(screen, Answer)[0].value


# The cards


@EVERY
def test_a_card_is_complete(name):
    card, worked = CARDS[name], compute(LiteratureState(name)).worked
    assert card.question.endswith("?")
    assert card.limits.endswith(".")
    assert "thesis" in card.reference
    assert 0 <= worked.share[1] <= 1
    assert worked.steps
    assert worked.cells is not None or worked.picture is not None
    assert set(card.controls) <= {parameter.name for parameter in declared(CardSettings)}


@EVERY
def test_the_code_of_a_card_gives_its_number(name):
    code = compute(LiteratureState(name)).worked.code
    imports, _, call = code.rpartition("\n")
    names = {}
    exec(imports, names)
    result = eval(call, names)
    if isinstance(result, float):
        told = float(compute(LiteratureState(name)).worked.value.replace(",", ""))
        assert result == pytest.approx(told, rel=0.01)
    else:
        assert all(np.isfinite(part).all() for part in result)


def worked_or_refused(state):
    try:
        return compute(state).worked
    except InputError as error:
        return error


@EVERY
@settings(max_examples=25)
@given(st.data())
def test_a_card_takes_any_example_or_refuses_it_in_a_sentence(name, data):
    example = CARDS[name].example
    counts = data.draw(
        st.lists(
            st.integers(0, 60) | st.integers(0, 20_000), min_size=example.cells, max_size=example.cells
        ).map(lambda cells: np.reshape(cells, example.shape))
    )
    turned = CardSettings(
        slices=data.draw(st.sampled_from(["rows", "columns"])),
        chance=data.draw(st.floats(0, 1)),
        known=data.draw(st.integers(0, 20)),
        margins=data.draw(st.sampled_from(list(MARGINS))),
        rounds=data.draw(st.integers(0, 6)),
        fraction=data.draw(st.floats(0.01, 1)),
        effect=data.draw(st.booleans()),
        shape=data.draw(st.floats(0.1, 20)),
    )
    state = LiteratureState(name, example.with_counts(counts), turned)
    outcome = worked_or_refused(state)
    if isinstance(outcome, InputError):
        assert str(outcome).endswith(".")
        return
    assert 0 <= outcome.share[1] <= 1 + 1e-9
    assert "nan" not in outcome.value + outcome.notice


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("frank-1976", "3 of 4"),
        ("frank-1978", "2.9444"),
        ("sap", "0.0317"),
        ("frechet", "2.22"),
        ("shuttle", "12"),
        ("bethlehem", "279"),
        ("takemura", "278"),
        ("skinner-holmes", "465"),
        ("elamir", "0.78"),
        ("elamir-skinner", "4.16"),
    ],
)
def test_what_the_examples_say(name, told):
    assert compute(LiteratureState(name)).worked.value == told


def test_the_example_of_the_sample_models_is_what_it_says():
    """Draw the population and the sample again; another version of numpy might draw others."""
    rng = np.random.default_rng(2)
    population = rng.poisson(rng.lognormal(0, 1.3, 2000))
    sample = rng.binomial(population, 0.1)
    sizes = cell_sizes(sample)
    assert SIZES.counts[: len(sizes), 0].tolist() == sizes.tolist()
    single = sample == 1
    assert {
        "people": population.sum(),
        "uniques": (population == 1).sum(),
        "sample uniques": single.sum(),
        "both": (single & (population == 1)).sum(),
    } == POPULATION


def test_the_sample_of_the_travel_table_is_one():
    travel = examples.load("travel")
    assert np.all(travel.counts >= TRAVEL.counts)
    assert TRAVEL.total == travel.total // 10
    single = TRAVEL.counts == 1
    truth = (1 / travel.counts[single]).sum()
    assert f"{truth:.2f}" in compute(LiteratureState("elamir-skinner")).worked.notice


def test_a_cell_of_a_sample_is_at_most_as_large_as_in_the_population():
    cells = compute(LiteratureState("elamir")).worked.cells
    population, sample = (
        [int(label.split("=")[1]) for label in labels] for labels in (cells.rows, cells.columns)
    )
    assert [[text != "–" for text in row] for row in cells.texts] == [
        [f <= F for f in sample] for F in population
    ]


def test_the_truth_is_told_of_the_example_only():
    assert "true numbers" in compute(LiteratureState("takemura")).worked.notice
    assert "true numbers" not in compute(LiteratureState("takemura").set(fraction=0.2)).worked.notice
    changed = SIZES.with_count((1, 0), 300)
    assert "true numbers" not in compute(LiteratureState("takemura", changed)).worked.notice


# State


@given(st.sampled_from(list(CARDS)), st.floats(0.01, 1), st.sampled_from(list(MARGINS)), st.integers(0, 30))
def test_a_link_brings_the_same_card_back(name, fraction, margins, count):
    example = CARDS[name].example
    table = example.with_count((0,) * example.ndim, count)
    state = LiteratureState(name, table, CardSettings(fraction=fraction, margins=margins))
    assert LiteratureState.from_state(decode(encode(state))) == state


@pytest.mark.parametrize(
    "saved",
    [
        {},
        {"version": 2, "card": "sap", "settings": {}},
        {"version": 1, "card": "x", "settings": {}},
        {"version": 1, "card": ["sap"], "settings": {}},
        {"version": 1, "card": "sap", "settings": {"known": 99}},
        {"version": 1, "card": "sap", "settings": {"else": 1}},
        {"version": 1, "card": "sap", "settings": {}, "counts": [1, 2]},
        {"version": 1, "card": "sap", "settings": {}, "counts": "x"},
        {"version": 1, "card": "sap", "settings": []},
    ],
)
def test_a_damaged_link_is_refused(saved):
    with pytest.raises(InputError):
        LiteratureState.from_state(saved)


# The screen


def test_it_begins_with_frank(screen):
    assert value(screen) == "3 of 4"
    example = inside(screen, Grid)[0]
    assert example.row_margin == {"title": "Scenario", "values": ["1", "2, 3", "3", "none"]}
    ask(control(screen, "Slices"), "columns")
    assert example.row_margin is None
    assert example.column_margin["title"] == "Scenario"


@EVERY
def test_each_card_opens(screen, name):
    choose(screen, name)
    card, worked = CARDS[name], compute(LiteratureState(name)).worked
    assert (control(screen, "group").value, control(screen, "Measure").value) == (
        card.group,
        name,
    )
    (lead,) = inside(screen, Lead)
    assert (lead.answer, lead.why) == (f"{worked.name}: {worked.value}.", card.question)
    assert value(screen) == worked.value
    shown = {
        parameter.name for parameter in declared(CardSettings) if _is_shown(control(screen, parameter.label))
    }
    assert shown == set(card.controls)
    (chart,), (_, cells) = inside(screen, Chart), inside(screen, Grid)
    assert _is_shown(chart) == (worked.picture is not None)
    assert _is_shown(cells) == (worked.cells is not None)


def _is_shown(widget):
    return widget.layout.display != "none"


def test_the_numbers_of_two_cards_are_not_compared(screen):
    (answer,) = inside(screen, Answer)
    choose(screen, "frank-1978")
    assert answer.changed == f"Now: {CARDS['frank-1978'].title}"
    inside(screen, Grid)[0].edit([(0, 0, "2")])
    assert answer.changed.startswith("2.9444 → ")


def test_an_edit_changes_answer_and_bounds_and_can_be_undone(screen):
    choose(screen, "frechet")
    example, cells = inside(screen, Grid)
    before = value(screen), cells.texts.tolist()
    example.edit([(0, 0, "2")])
    assert (value(screen), cells.texts.tolist()) != before
    page = inside(screen, Page)[0]
    page._hear(None, {"type": "undo"}, [])
    assert (value(screen), cells.texts.tolist()) == before


def test_a_three_way_table_is_edited_flat(screen):
    choose(screen, "dobra-fienberg")
    example = inside(screen, Grid)[0]
    assert example.counts.shape == (4, 3)
    before = value(screen)
    example.edit([(3, 2, "9")])
    assert example.counts[3, 2] == 9
    ask(control(screen, "Published margins"), "A, B, C")
    assert value(screen) != before


def test_what_a_card_cannot_take_is_said_and_nothing_changes(screen):
    choose(screen, "sap")
    ask(control(screen, "known"), 20)
    example, before = inside(screen, Grid)[0], value(screen)
    example.edit([(0, 4, "1")])
    assert "the table has 15 people." in example.problems[0][2]
    assert (value(screen), example.counts[0, 4]) == (before, 7)
    choose(screen, "frank-1978")
    example.edit([(0, 2, "9000")])
    assert "at most 1,000" in example.problems[0][2]
    example.edit([(0, 1, "0"), (0, 2, "0")])
    assert "Every count would be zero" in example.problems[0][2]
    choose(screen, "takemura")
    example.edit([(k, 0, "0") for k in range(1, 9)])
    assert "is empty" in example.problems[0][2]


def test_what_no_card_is_called_is_refused(screen):
    measure = control(screen, "Measure")
    for wrong in ("x", None, [1], "takemura"):  # the last is not of this group
        ask(measure, wrong)
        assert measure.problem
        assert (measure.value, value(screen)) == ("frank-1976", "3 of 4")


def test_the_blue_button_goes_through_all_cards(screen):
    (lead,), seen = inside(screen, Lead), []
    for _ in CARDS:
        seen.append(control(screen, "Measure").value)
        lead._hear(None, {"type": "next"}, [])
    assert seen == list(CARDS)
    assert control(screen, "Measure").value == seen[0]


def test_settings_are_kept_from_card_to_card(screen):
    choose(screen, "takemura")
    ask(control(screen, "fraction"), 0.2)
    choose(screen, "skinner-holmes")
    assert value(screen) == compute(LiteratureState("skinner-holmes").set(fraction=0.2)).worked.value


# The chart


def test_the_chart_of_a_card():
    picture = prepare([1, 2], ("k", "cells"), bars={"seen": [3, 1]}, lines={"expected": 2}, summary="Two.")
    assert picture.to_frame().to_dict("list") == {"k": [1, 2], "seen": [3, 1], "expected": [2, 2]}
    figure = draw(picture).to_dict()
    assert [trace["type"] for trace in figure["data"]] == ["bar", "scatter"]
    assert figure["layout"]["yaxis"]["dtick"] == 1
    with pytest.raises(ValueError, match="broadcast"):
        prepare([1, 2], ("k", "cells"), bars={"seen": [3, 1, 4]}, summary="")


@EVERY
def test_the_numbers_of_each_chart(name):
    picture = compute(LiteratureState(name)).worked.picture
    if picture is not None:
        assert picture.summary.endswith(".")
        assert len(picture.to_frame()) == len(picture.x)
        marks = [trace for trace in draw(picture).to_dict()["data"] if trace["name"] == "Current setting"]
        assert len(marks) == (picture.mark is not None)


def test_the_strip_has_each_measure_of_the_same_table_by_year():
    state = LiteratureState()
    entries = strip(state)
    assert [entry.card for entry in entries] == sorted(YEARS, key=YEARS.get)
    for entry in entries:
        card = CARDS[entry.card]
        assert str(entry.year) in card.reference
        assert entry.value == compute(replace(LiteratureState(entry.card), table=state.table)).worked.value
    screen = literature.app()
    (board,) = inside(screen, Board)
    assert [row[1]["text"] for row in board.spots] == [entry.value for entry in entries]
    assert [row[1]["look"] for row in board.spots].index("chosen") == 0


def test_the_strip_follows_the_table_and_is_hidden_for_other_tables():
    table = LiteratureState().table
    changed = LiteratureState(table=table.with_counts(table.counts + 5))
    assert [entry.value for entry in strip(changed)] != [entry.value for entry in strip(LiteratureState())]
    assert all(strip(LiteratureState(name)) == [] for name in set(CARDS) - set(YEARS))


def test_the_next_measure_opens_with_the_table_on_the_screen(screen):
    (lead,) = inside(screen, Lead)
    example = inside(screen, Grid)[0]
    example.edit([(0, 0, "5")])
    counts, entries = example.counts.tolist(), strip(LiteratureState().changed(table=_changed((0, 0), 5)))
    lead._hear(None, {"type": "next"}, [])
    assert control(screen, "Measure").value == "frank-1978"
    assert example.counts.tolist() == counts
    assert value(screen) == next(entry.value for entry in entries if entry.card == "frank-1978")

    load, place = button(screen, "Load the example")
    assert _is_shown(load)
    load._press(place)
    assert value(screen) == "2.9444"
    assert not _is_shown(load)


def _changed(place, count):
    return LiteratureState().table.with_count(place, count)


@pytest.mark.parametrize("name", sorted(YEARS))
def test_each_measure_of_the_strip_opens_with_its_value(name):
    for entry in strip(LiteratureState(name)):
        state = opened(LiteratureState(name), entry.card)
        assert compute(state).worked.value == entry.value
        assert LiteratureState.from_state(decode(encode(state))) == state


def test_a_measure_that_the_strip_does_not_have_opens_with_its_example():
    for name in set(CARDS) - set(YEARS):
        assert opened(LiteratureState(), name).table == CARDS[name].example


@pytest.mark.parametrize("name", [name for name, card in CARDS.items() if len(card.own) > 1])
def test_each_step_of_a_card_has_its_own_line(name):
    card = CARDS[name]
    lines = "\n".join(card.steps).splitlines()
    steps = sum(len(card.own) if line == "{own}" else 1 for line in lines)
    assert len(compute(LiteratureState(name)).worked.steps) == steps
