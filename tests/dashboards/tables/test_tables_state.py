"""The table generator: what is chosen, asked and turned, and what each door is told."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from refusing import sentence
from stating import stating

from sdcwidgets.core import utility
from sdcwidgets.dashboards.tables import charts as plots
from sdcwidgets.dashboards.tables import texts as words
from sdcwidgets.dashboards.tables.result import compute, layer
from sdcwidgets.dashboards.tables.state import MOST_REQUESTS, TablesState, coarsened, method_names
from sdcwidgets.methods import get
from sdcwidgets.microdata import Microdata
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.answer import drawn_parts
from sdcwidgets.widgets.page_state.links import decode, encode

START = TablesState()


@pytest.fixture(scope="module")
def desk():
    return compute(START.with_request())


def test_a_request_is_answered_with_a_protected_table(desk):
    assert desk.request.words == "protected"
    assert desk.release.shape == (21, 5)
    assert "Released" in words.answered(desk)
    true = desk.server.original(desk.request).counts
    assert desk.request.true.utility == utility.utility(true, desk.release.cells.astype(int))


def test_what_is_chosen_becomes_the_query():
    state = START.spanned(1, "Education").spanned(2, "Sex").counted("Citizenship", "Foreign")
    state = state.put_into_groups("Age", True).switched("Age", "0-14", False)
    query = state.query
    assert query.by == ("Age", "Education", "Sex")
    assert len(query.where["Citizenship"]) == 4
    assert len(query.where["Age"]) == 18
    assert list(query.groups) == ["Age"]
    assert compute(state.ruled(after=0.5).with_request()).release.axes[0].labels == (
        "15-29",
        "30-44",
        "45-64",
        "65 and over",
    )
    assert START.spanned(1, "Age").by == ("Citizenship", "Age")
    assert START.spanned(1, "").by == ("Age",)
    assert START.spanned(0, "Region").population == ("", "")


def test_what_cannot_be_chosen_is_refused_in_one_sentence():
    assert "a variable" in sentence(START.counted, "Age")
    alone = START.spanned(1, "Sex").switched("Sex", "Male", False)
    assert "one category" in sentence(alone.switched, "Sex", "Female", False)
    many = START
    for _ in range(MOST_REQUESTS):
        many = many.with_request()
    assert "all requests" in sentence(many.with_request)


def test_a_refusal_names_its_rule_and_no_count():
    desk = compute(START.ruled(after=0.05).with_request())
    refused = desk.request.answer
    assert refused.rule == "after"
    told = words.answered(desk)
    assert told == stating("Refused", "T₂")
    assert refused.required in told
    assert "T₂ = 0.05" in refused.required
    assert "Age and Citizenship; remove Age" in refused.advice
    explained = " ".join(line[0].text for line in words.explain_utility(desk))
    for text in (told, explained):
        assert not any(letter.isdecimal() for letter in text.replace("T₂ = 0.05", ""))
    assert desk.release is None


def test_a_turned_rule_answers_all_requests_anew():
    state = START.with_request().counted("").with_request()
    assert [one.words for one in compute(state.ruled(after=0.04)).server.log] == [
        "refused: after",
        "protected",
    ]
    looser = compute(state.ruled(after=0.4))
    assert [one.words for one in looser.server.log] == ["protected", "protected"]
    assert compute(state.ruled(people=100_000)).server.log[0].words == "protected"
    assert compute(state.ruled(dimensions=1)).server.log[0].answer.rule == "dimensions"


def test_methods_fit_their_stage():
    assert "record-swapping" in method_names("before")
    assert "record-swapping" not in method_names("after")
    before = START.set(stage="before").with_method("record-swapping").ruled(after=0.5).with_request()
    desk = compute(before)
    assert desk.release.additive
    assert before.set(stage="after").method == get("random-rounding")()
    assert compute(START.with_method("").with_request()).request.answer.rule in ("before", "difference")


def test_what_a_user_could_have_learnt_is_for_the_agency_only():
    state = replace(START, method=get("random-rounding")(base=10)).ruled(after=1.0).with_request()
    state = state.with_request(START.counted("Region", "Region 2").query).with_request(
        START.counted("").query
    )
    assert compute(state).learnt == ()
    desk = compute(state.set(door="agency"))
    assert desk.learnt
    for one in desk.learnt:
        assert 1 <= one.people <= 2
        assert one.low <= one.people <= one.high
        assert not one.certain
    assert "None is" in words.learnt_summary(desk)
    assert len(words.learnt(desk)) == min(12, len(desk.learnt))


def test_a_layer_of_three_axes_shows_what_is_published_only():
    state = START.spanned(2, "Sex").ruled(after=1.0).with_request()
    release = compute(state).release
    first = layer(release, 0)
    np.testing.assert_array_equal(first.cells, release.cells[:, :, 0])
    np.testing.assert_array_equal(first.marginal("Age"), release.marginal("Age", "Sex")[:, 0])
    np.testing.assert_array_equal(layer(release, None).cells, release.marginal("Age", "Citizenship"))
    part = compute(state.switched("Sex", "Male", False).with_request()).release
    assert layer(part, None).suppressed.all()


def test_a_file_of_ones_own():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(
        {
            "Area": rng.choice(list("NES"), 4000),
            "Sex": rng.choice(["f", "m"], 4000),
            "Income": rng.random(4000),
        }
    )
    own = Microdata.from_frame(frame)
    state = TablesState(own=own, title="mine", by=("Area", "Sex"), population=("", ""))
    assert set(state.variables) == {"Area", "Sex"}
    desk = compute(state.with_request())
    assert desk.request.words == "unchanged"
    assert desk.release.marginal("Sex").sum() == 4000
    assert dict(words.metadata(desk))["Data"] == "mine"
    assert "a file" in sentence(encode, state)


def test_weights_of_a_file_are_said_not_to_count():
    frame = pd.DataFrame(
        {"Area": ["N", "E"] * 1000, "Sex": ["f", "f", "m", "m"] * 500, "w": [2.0, 3.0] * 1000}
    )
    own = Microdata.from_frame(frame, weight="w")
    desk = compute(TablesState(own=own, by=("Area", "Sex"), population=("", "")).with_request())
    assert desk.release.cells.sum() == 2000
    told = words.unweighted("w")
    assert told == stating('weight "w" is not')
    assert ("Note", told) in list(words.metadata(desk))


def test_the_page_says_that_its_seed_is_public(desk):
    assert "public seed, 1" in words.PUBLIC
    assert ("Note", words.PUBLIC) in list(words.metadata(desk))
    state = START.with_method("random-rounding").with_request()
    assert "seed=1" in words.as_code(state)


def test_a_link_brings_everything_back():
    state = (
        START.with_request().spanned(2, "Sex").with_request().ruled(after=0.3).switched("Sex", "Male", False)
    )
    state = state.with_method("cell-key").with_parameter("D", 5).set(door="agency")
    assert TablesState.from_state(decode(encode(state))) == state
    assert "damaged" in sentence(TablesState.from_state, state.to_state() | {"by": ["Income"]})
    assert "damaged" in sentence(TablesState.from_state, state.to_state() | {"requests": 3})


def test_the_code_gives_the_answer_of_the_screen(desk):
    names = {}
    source = words.as_code(desk.state).replace("server.request", "found = server.request")
    exec(source, names)
    assert names["found"] == desk.release


def test_words_and_map_of_every_answer():
    state = (
        START.with_request().counted("").with_request().spanned(2, "Sex").spanned(3, "Region").with_request()
    )
    for k in range(3):
        for door in ("user", "agency"):
            desk = compute(state.set(door=door).ruled(dimensions=2).__class__(**{**vars(state), "looked": k}))
            for told in (words.answered, words.verdict, words.learnt_summary):
                assert told(desk).endswith(".")
            assert all(line[0].text for line in words.explain_utility(desk) + words.explain_risk(desk))
            assert len(words.log(desk)) == 3
            picture = plots.prepare(desk)
            assert picture.summary.endswith(".")
            assert not any(point.printed for point in picture.points)
            plots.draw(picture)
            assert len(picture.to_frame()) == len(picture.points)


def test_the_risk_is_explained_with_its_numbers(desk):
    lines = words.explain_risk(desk)
    assert lines[-1][0].text.endswith(f"= {desk.request.true.before:.4f}")
    assert "not" not in words.explain_utility(desk)[-1][0].text
    assert words.explain_utility(desk)[-1][0].text.endswith(f"= {desk.request.read.utility:.4f}.")


def test_a_changed_table_has_no_utility_of_one():
    desk = compute(START.counted("").spanned(1, "Sex").spanned(2, "").ruled(before=0.0).with_request())
    assert not desk.request.exact
    assert (desk.release.cells != desk.server.original(desk.request).counts).any()
    assert "above 0.999" in words.caption(desk)
    assert drawn_parts(words.narration(desk).parts)[0]["text"] == "above 0.999"
    assert "1.000" not in " ".join(desk.release.notes)


def test_a_table_of_one_variable_is_a_column_with_its_total_below():
    age = Axis("Age", ("young", "old"))
    release = Release((age,), {(0,): np.array([9.0, 12.0]), (): np.array(24.0)}, notes=["Rounded."])
    column = layer(release, None)
    assert column.axes[0] == age
    assert column.cells.tolist() == [[9], [12]]
    assert column.marginal(column.axes[1].name).tolist() == [24]
    assert column.notes == ("Rounded.",)


@pytest.mark.parametrize("count", [5, 6, 7])
def test_the_explained_risk_counts_small_and_large_cells(desk, monkeypatch, count):
    counts = np.full((2, 3), count)
    counts[0] = 1, 20, 30
    monkeypatch.setattr(type(desk.server), "original", lambda self, request: FrequencyTable(counts))
    texts = [line[0].text for line in words.explain_risk(desk)]
    numbers = [
        int(re.search(r"([\d,]+) cells", text)[1]) for text in texts if re.match("Small counts|Large", text)
    ]
    assert numbers == [(counts <= 6).sum(), (counts > 6).sum()]


def test_a_request_of_two_variables_that_may_not_be_together_is_made_without_the_larger_one():
    words, state = coarsened(START, "apart")
    assert words == f"Next: request without {START.by[0]}"
    assert state.by == START.by[1:]
    assert coarsened(state, "apart") == ("", state)
