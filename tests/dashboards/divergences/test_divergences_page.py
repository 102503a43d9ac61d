import pytest
from stating import stating

from screens import ask, control, inside
from sdcwidgets.dashboards import divergences
from sdcwidgets.dashboards.divergences.state import PRESETS, DivergencesState
from sdcwidgets.dashboards.divergences.texts import BEGINNINGS
from sdcwidgets.widgets.answer import Answer
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.distribution import Distribution
from sdcwidgets.widgets.leading import Lead
from sdcwidgets.widgets.page import Page
from sdcwidgets.widgets.page_state.links import decode, encode
from sdcwidgets.widgets.readings import Readings


@pytest.fixture
def screen():
    return divergences.app(DivergencesState())


def drag(screen, *rows):
    inside(screen, Distribution)[0].set_state({"request": {"counts": [list(row) for row in rows], "turn": 1}})


def test_the_page_opens_with_people_in_each_category_before_and_after():
    screen = divergences.app()
    [before, after] = inside(screen, Distribution)[0].counts
    assert min(before) > 0
    assert after == [5 * round(count / 5) for count in before]
    assert control(screen, "Example").value == "rounded"
    assert all(row["text"] != "infinite" for row in inside(screen, Readings)[0].rows)


def test_it_begins_with_the_thesis_example(screen):
    (answer,), (bars,) = inside(screen, Answer), inside(screen, Distribution)
    assert answer.value == "0.1200"
    assert "HD(F, G) = 0.2940" in "".join(text for text, _ in answer.caption)
    assert bars.counts == [[0, 2, 4], [0, 3, 3]]
    assert all(chart.summary for chart in inside(screen, Chart))


def test_a_dragged_bar_changes_every_view(screen):
    before = [chart.arrays for chart in inside(screen, Chart)]
    drag(screen, (2, 2, 4), (0, 3, 3))
    (readings,) = inside(screen, Readings)
    assert [row["text"] for row in readings.rows][1::2] == ["infinite", "infinite", "0.3536"]
    assert "Category 1 is in P but not in Q" in inside(screen, Answer)[0].sentence
    assert control(screen, "Example").value == "own"
    changed = [chart.arrays != old for chart, old in zip(inside(screen, Chart), before, strict=True)]
    assert changed == [True, True, False]


def test_a_wrong_count_is_told_and_the_state_stays(screen):
    (bars,) = inside(screen, Distribution)
    drag(screen, (0, 0, 0), (0, 3, 3))
    assert bars.problem == "Every count of P would be zero; at least one person must be counted."
    drag(screen, (0, 2, 4), (0, 1.5, 3))
    assert bars.problem.startswith("Q, category 2 is 1.5")
    assert bars.counts == [[0, 2, 4], [0, 3, 3]]


def test_presets_sizes_and_the_order_work_together(screen):
    (bars,) = inside(screen, Distribution)
    ask(control(screen, "order"), 1)
    ask(control(screen, "Example"), "opposite")
    assert bars.counts == [[8, 4, 0, 0], [0, 0, 4, 8]]
    assert inside(screen, Readings)[0].rows[5]["formula"][0][0].startswith("L1 = ")
    ask(control(screen, "size"), 2)
    assert control(screen, "size").problem.startswith("Every count of Q would be zero")
    assert control(screen, "size").value == 4
    ask(control(screen, "size"), 5)
    assert bars.counts[0] == [8, 4, 0, 0, 0]
    (page,) = inside(screen, Page)
    page._hear(page, {"type": "undo"}, [])
    assert control(screen, "size").value == 4


def test_the_lead_says_how_far_apart_they_are_and_its_button_goes_through_the_presets(screen):
    (lead,) = inside(screen, Lead)
    assert lead.answer.endswith("is 0.120.")
    assert lead.why == stating("Category 2", "33.3%", "50%")
    answers = [lead.answer]
    for name in [*PRESETS][1:]:
        assert lead.ahead == f"Next: load “{BEGINNINGS[name]}”"
        lead._hear(None, {"type": "next"}, [])
        answers.append(lead.answer)
    assert (answers[1], answers[-1]) == (
        stating("are equal"),
        stating("common category"),
    )
    assert len(set(answers)) == len(PRESETS)
    lead._hear(None, {"type": "next"}, [])
    assert lead.answer == answers[0]
    drag(screen, (2, 2, 4), (0, 3, 3))
    assert "are infinite" in lead.why
    drag(screen, (10_000, 10_000, 0), (10_000, 9_999, 0))
    assert lead.answer.endswith("less than 0.001.")


def test_the_inequalities_about_p_alone(screen):
    ask(control(screen, "Inequalities for"), "one")
    assert "of 5 inequalities" in inside(screen, Chart)[0].summary


def test_a_number_opens_its_formula(screen):
    (page,), sent = inside(screen, Page), []
    page.send = sent.append
    (readings,) = inside(screen, Readings)
    readings._hear(readings, {"type": "explain", "index": 3}, [])
    inside(screen, Answer)[0]._hear(None, {"type": "explain"}, [])
    assert [message["title"] for message in sent] == [
        "Computation of χ²",
        stating("Hellinger distance"),
    ]


def test_a_link_holds_the_pair(screen):
    pair = DivergencesState((1, 2), (3, 4)).set(order=3.0)
    (page,) = inside(screen, Page)
    page._hear(page, {"type": "state", "state": encode(pair)}, [])
    assert inside(screen, Distribution)[0].counts == [[1, 2], [3, 4]]
    assert DivergencesState.from_state(decode(encode(pair))) == pair
    page._hear(page, {"type": "state", "state": "rubbish"}, [])
    assert "damaged" in page.problem
    assert inside(screen, Distribution)[0].counts == [[1, 2], [3, 4]]


def test_the_code_computes_what_is_shown(screen):
    (page,), sent = inside(screen, Page), []
    page.send = sent.append
    page._hear(page, {"type": "code"}, [])
    names = {}
    exec(sent[0]["text"], names)
    assert round(names["result"].distances["HD"], 4) == 0.1200
