"""The page of microdata risk: keys, estimates, protection, files, as a browser would ask."""

import re
from dataclasses import replace

import ipywidgets
import numpy as np
import pandas as pd
import pytest
from stating import stating

from screens import ask, button, control, inside, named
from sdcwidgets import InputError
from sdcwidgets._util.labels import percent
from sdcwidgets.core.risk.individual import individual_risk
from sdcwidgets.dashboards.microdata import charts, protection
from sdcwidgets.dashboards.microdata import page as microdata
from sdcwidgets.dashboards.microdata import texts as words
from sdcwidgets.dashboards.microdata.report import as_code, report
from sdcwidgets.dashboards.microdata.result import as_it_came, compute, draws, improve, search_pairs
from sdcwidgets.dashboards.microdata.state import MicrodataState, Recode
from sdcwidgets.dashboards.microdata.strip import strip
from sdcwidgets.microdata import Microdata
from sdcwidgets.microdata import population as microdata_population
from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.leading import Lead
from sdcwidgets.widgets.page import Page, Text
from sdcwidgets.widgets.page_state.links import decode, encode
from sdcwidgets.widgets.readings import Readings
from sdcwidgets.widgets.records import RecordsButton


@pytest.fixture(scope="module")
def result():
    return compute(MicrodataState(secret=1).set(households=300))


@pytest.fixture
def screen():
    screen = microdata.app()
    ask(control(screen, "terms"), "main")
    ask(control(screen, "households"), 200)
    return screen


def key(screen, name):
    return next(one for one in inside(screen, microdata.Control) if one.spec["label"].startswith(f"{name} ("))


def matches(screen):
    return next(one for one in inside(screen, Readings) if one.label == stating("correct matches"))


def test_a_key_added_makes_no_new_widget_and_a_pair_is_made_once(screen):
    made = []
    ipywidgets.Widget.on_widget_constructed(made.append)
    try:
        ask(key(screen, "sex"), True)
        ask(key(screen, "sex"), False)
        assert made == []
        ask(control(screen, "terms"), "chosen")
        first = len(made)
        assert first
        ask(key(screen, "sex"), True)
        ask(key(screen, "sex"), False)
        more = len(made)
        ask(key(screen, "sex"), True)
        assert len(made) == more > first
    finally:
        ipywidgets.Widget.on_widget_constructed(None)


def test_steps_and_truth_are_those_of_a_count_by_pandas(result):
    frame = result.file.to_frame()
    keys = list(result.state.keys)
    sizes = frame.groupby(keys, observed=True).size()
    last = result.steps[-1]
    assert last.cells == len(sizes)
    assert last.uniques == (sizes == 1).sum() == result.unique.sum()
    assert last.below == sizes[sizes < 3].sum()
    assert last.both == result.tau1
    from sdcwidgets.microdata import population

    people = population(100_000).to_frame().groupby(keys, observed=True).size()
    alone = sizes[sizes == 1].index
    np.testing.assert_allclose(result.tau2, (1 / people.loc[alone]).sum())
    assert last.population == (people == 1).sum()


def test_more_keys_make_more_uniques_and_recoding_fewer(result):
    more = compute(result.state.switched("income", True))
    assert more.unique.sum() > result.unique.sum()
    fewer = compute(result.state.recoded("age", Recode("intervals", 5)))
    assert fewer.unique.sum() < result.unique.sum()
    assert fewer.tau2 < result.tau2


def test_suppression_leaves_nobody_unique_and_says_what_was_lost(result):
    after = compute(replace(result.state, suppress=True))
    assert after.f.min() >= 3
    assert after.tau1 == 0
    assert "is 3-anonymous" in protection.suppression_summary(after)
    assert str(sum(after.suppressed_file.blanked.values())) in protection.suppression_summary(after).replace(
        ",", ""
    )
    # The bars of the protected file stand beside those of the original file.
    picture = charts.falling(after)
    assert picture.steps == result.steps
    assert picture.after[-1] == (0, 0)
    bars = {trace.name: list(trace.text) for trace in charts.draw_falling(picture).data}
    assert named(bars, "records: original")[-1] == f"{result.unique.sum():,}"
    assert named(bars, "records: protected")[-1] == "0"
    assert charts.falling(result).after == ()
    assert charts.falling(result).summary.startswith("With ")


def test_what_an_intruder_finds_is_told_before_and_after_and_both_counts(result):
    after = compute(replace(result.state, suppress=True))
    codes, published = (x.codes(after.state.keys) for x in (result.file, after.file))
    weights = [np.bincount(column) / len(codes) for column in codes.T]
    found = 0.0
    for person, x in enumerate(codes):
        odds = np.ones(len(codes))
        for v, column in enumerate(published.T):
            odds *= np.where(column == -1, weights[v][x[v]], column == x[v])
        best = odds >= odds.max() * (1 - 1e-9)
        found += best[person] / best.sum()
    assert after.suppressed_file.after.by_best.sum() == pytest.approx(found)
    assert after.suppressed_file.after.right <= len(codes) / 3
    assert after.suppressed_file.before.right == len(np.unique(codes, axis=0))
    told = protection.suppression_summary(after)
    assert f"re-identify {after.suppressed_file.before.right:,.0f} of {len(codes):,}" in told
    assert f"and {after.suppressed_file.after.right:,.0f} of {len(codes):,}" in told
    assert f"{after.suppressed_file.matching:,}" in told
    assert "No match is to be expected" not in report(after, as_it_came(after.state))


def test_a_blank_that_matches_any_value_hides_nearly_nobody_and_this_is_said(result):
    weak = compute(replace(result.state.set(blanks="any"), suppress=True))
    strong = compute(replace(result.state, suppress=True))
    assert sum(weak.suppressed_file.blanked.values()) < sum(strong.suppressed_file.blanked.values())
    assert (
        weak.suppressed_file.after.right
        > 0.8 * weak.suppressed_file.before.right
        > 1.5 * strong.suppressed_file.after.right
    )
    told = protection.suppression_summary(weak)
    assert "3-anonymous" in told
    assert "below 3" in told


def test_one_unique_a_page(result):
    """Bars, truth, estimates and sentences count the same records, gaps or none."""
    frame = result.original.to_frame().astype({"age": "Int64"})
    frame.loc[::9, "age"] = pd.NA
    own = Microdata.from_frame(frame, weight="weight", household="household")
    gaps = compute(replace(result.state, own=own, title="mine"))
    keys = list(result.state.keys)
    sizes = frame.dropna(subset=keys).groupby(keys, observed=True).size()
    alone = int((sizes == 1).sum())
    assert gaps.steps[-1].uniques == alone == int(gaps.unique.sum())
    assert len(gaps.chosen.unique) == alone
    assert f"{percent(alone / len(frame))}" in words.notice(gaps)
    without = f"{len(frame) - len(frame.dropna(subset=keys)):,} records with a missing"
    assert without in words.notice(gaps)
    changed = compute(gaps.state.randomised("sex", 0.3))
    assert changed.changed.any()
    assert without in words.notice(changed)
    assert without in report(changed, gaps)


def test_who_is_what_is_asked_with_a_guess_preset(screen):
    (records,) = inside(screen, RecordsButton)
    rng = np.random.default_rng(1)
    home = np.repeat(np.arange(100), 3)
    frame = pd.DataFrame(
        {
            "wgt": rng.uniform(50, 90, 300).round(2),
            "hhid": home,
            "person_id": np.arange(300),
            "sex": rng.choice(list("mw"), 300),
            "job": rng.choice(list("abcd"), 300),
            "netIncome": rng.integers(0, 90_000, 300),
        }
    )
    records._hear(
        records, {"type": "file", "name": "mine.csv"}, [memoryview(frame.to_csv(index=False).encode())]
    )
    assert not records.problem
    ticked = {
        one.spec["label"]: one.value for one in inside(screen, microdata.Control) if "(" in one.spec["label"]
    }
    assert ticked["sex (2)"] is ticked["job (4)"] is True
    assert not any(label.startswith(("wgt", "hhid", "person_id")) for label in ticked)
    told = next(one for one in inside(screen, Text) if one.value.startswith("weight: wgt"))
    assert "household: hhid" in told.value
    assert "sensitive: netIncome" in told.value
    assert "saved file: person_id" in told.value
    ask(control(screen, "Variable"), "job")
    ask(control(screen, "role"), "left_out")
    assert "person_id, job" in told.value
    assert key(screen, "sex").value is True
    ask(control(screen, "Variable"), "sex")
    ask(control(screen, "role"), "weight")
    assert "is text" in control(screen, "role").problem
    assert "weight: wgt" in told.value


def test_pairs_are_found_and_an_estimate_that_does_not_exist_says_what_to_do(result):
    found = list(search_pairs(result))
    assert found[0].margins == ()
    wide = compute(result.state.set(terms="two-way"))
    assert wide.chosen.exists is False
    assert "or recode" in words.model_note(wide)
    assert result.chosen.exists
    assert words.model_note(result) == ""


@pytest.mark.parametrize(
    ("words", "total", "noun"), [("Draw 40 samples", 40, "samples"), ("Search interactions", 7, "models")]
)
def test_progress_has_the_number_of_samples_and_of_pairs_of_four_keys(
    screen, monkeypatch, words, total, noun
):
    """A search begins with the model without pairs."""
    works = []
    monkeypatch.setattr(Actions, "work", lambda self, *work: works.append(work[3:]))
    row, place = button(screen, words)
    row._press(place)
    assert works == [(total, noun)]


def test_a_button_shows_bootstrap_intervals_until_the_model_changes(screen):
    row, place = button(screen, "Compute bootstrap intervals")

    def shown():
        replicates = f"{words.BOOTSTRAP_REPLICATES} replicates"
        return [
            text
            for text in inside(screen, Text)
            if replicates in text.value and text.layout.display != "none"
        ]

    assert not shown()
    row._press(place)
    assert len(shown()) == 1
    ask(control(screen, "households"), 210)
    assert not shown()


def test_sensitive_variables_households_and_cost_are_told(result):
    told = protection.sensitive(result)
    frame = result.file.to_frame()
    values = frame.groupby(list(result.state.keys), observed=True)["income"].transform("nunique")
    assert f"the value of income for {int((values == 1).sum()):,} records" in told
    assert "-diverse" in told
    assert "least one" in told
    assert protection.cost_summary(result) == ""
    after = compute(replace(result.state.recoded("age", Recode("cuts", "20, 40, 60")), suppress=True))
    cost = protection.cost_summary(after)
    assert "age: 98 categories became 4" in cost or "categories became 4" in cost
    assert "utility" in cost
    assert "after protection" in cost


def test_a_file_without_weights_says_nothing_of_weights():
    frame = pd.DataFrame({"sex": list("mwmwm"), "job": ["a", "a", "b", None, "c"]})
    own = compute(MicrodataState(keys=("sex", "job"), own=Microdata.from_frame(frame), title="mine"))
    told = " ".join(one.formula[0].text for one in words.riskiest(own))
    assert "same key" in told
    assert "weights" not in told
    assert "1 record" in words.notice(own)


def test_pram_makes_matches_wrong_and_is_known_to_the_risk(result):
    """Counted by hand: a match is right if the key is the person's own, and nobody else has it."""
    state = result.state.randomised("age", 0.5).randomised("sex", 0.2)
    after = compute(state)
    own, released = (x.file.codes(state.keys) for x in (result, after))
    changed = (own != released).any(axis=1)
    np.testing.assert_array_equal(after.changed, changed)
    assert 0.4 < changed.mean() < 0.7
    right = after.unique & ~changed
    assert after.tau1 == (result.truth[right] == 1).sum()
    assert after.tau2 == pytest.approx((1 / result.truth[right]).sum())
    # A key that was drawn to be what it was counts as kept; on average that is what `kept` expects.
    assert after.own_key_probability.mean() == pytest.approx((~changed).mean(), abs=0.04)
    assert after.risk.sum() < 0.7 * result.risk.sum()
    assert "PRAM changed" in words.notice(after)
    assert "original file" in charts.falling(after).summary
    assert "(PRAM)" in words.model_note(after)
    assert "With probability 0.5" in report(after, result)
    with pytest.raises(InputError, match="off to"):
        draws(state, 2)
    assert state.randomised("age", 0.0).randomised("sex", 0.0) == result.state


def test_groups_of_groups_are_kept_as_the_categories_they_hold(result):
    state = result.state.grouped("region", ["Vienna", "Lower Austria"]).grouped(
        "region", ["Vienna + Lower Austria", "Burgenland"]
    )
    (region,) = (one for name, one in state.recodes if name == "region")
    assert region.groups == (("Vienna", "Lower Austria", "Burgenland"),)
    regions = compute(result.state.switched("region", True))
    after = compute(state.switched("region", True))
    assert len(after.file["region"].labels) == len(result.file["region"].labels) - 2
    assert after.unique.sum() < regions.unique.sum()
    assert MicrodataState.from_state(decode(encode(state))) == state
    with pytest.raises(InputError, match="least two"):
        state.grouped("region", ["Tyrol"])


def test_dis_suda_scores_order_the_records_and_are_told(result):
    *_, last = improve(result.state, result)
    by_score = replace(last, state=last.state.set(order="dis-suda"))
    order = by_score.riskiest(20)
    assert (np.diff(last.dis[order]) <= 0).all()
    assert last.dis[order[0]] == last.dis.max()
    assert words.riskiest(by_score)[0].text == f"{last.dis.max():.2%}"
    assert "DIS-SUDA" in words.order_note(by_score)
    assert any("DIS-SUDA score" in line[0].text for line in words.explain_record(by_score, 0))
    assert (np.diff(last.risk[last.riskiest(20)]) <= 0).all()
    assert words.riskiest(replace(result, state=by_score.state))[0].text == "…"


def test_the_report_tells_what_was_done_and_what_it_changed(result):
    state = replace(
        result.state.recoded("age", Recode("top", 80)).grouped("region", ["Vienna", "Tyrol"]), suppress=True
    )
    after = compute(state)
    told = report(after, as_it_came(state))
    assert told == stating("age", "from 80", "81", "98")
    assert "with merged categories: Vienna + Tyrol" in told
    assert f"{result.unique.sum():,}, 0" in told
    assert "is 3-anonymous" in told
    assert "(true number)" in told


@pytest.mark.parametrize(("k", "below"), [(2, 1), (3, 3), (4, 6)])
def test_the_report_counts_records_with_a_class_size_below_k(k, below):
    own = Microdata.from_frame(pd.DataFrame({"town": list("xxxyyz")}))
    state = MicrodataState(keys=("town",), own=own, title="people.csv").set(k=k)
    told = re.sub(r"<[^>]+>", " ", report(compute(state), as_it_came(state)))
    assert re.search(rf"Records with a class size below {k}\W+{below}\b", told)


def test_the_risk_of_a_table_without_records_is_undefined():
    places = range(97)
    frame = pd.DataFrame(
        {
            "area": ["ABC"[k % 3] for k in places],
            "sex": ["mf"[k % 2] for k in places],
            "age": [20 + 7 * k % 50 for k in places],
        }
    )
    own = Microdata.from_frame(frame)
    after = compute(MicrodataState(keys=tuple(frame), own=own, title="people.csv", suppress=True))
    assert after.suppressed_file.blanked["age"] == 97
    assert "after protection undefined" in protection.cost_summary(after)
    assert "nan" not in protection.cost_summary(after)


def test_better_results_bring_special_uniques_and_all_models(result):
    last = list(improve(result.state, result))[-1]
    assert last.complete
    assert last.special.score.max() > 0
    assert {model for model, _ in last.taus} == set(words.MODELS)
    assert "unique by" in words.riskiest(last)[0].formula[0].text
    explained = [line[0].text for line in words.explain_estimate(last)]
    assert any("sdcMicro" in line for line in explained)
    [bootstrap] = [line for line in explained if line.startswith("Bootstrap")]
    assert f"{last.taus['standard', 'formula'].tau1:.1f}" in bootstrap
    assert len(words.explain_record(last, 0)) > 5


def test_repeated_samples_have_the_truth_beside_both_scalings(result):
    drawn = np.array(list(draws(result.state.set(terms="main"), 5)))
    assert drawn.shape == (5, 6)
    assert (drawn[:, 5] > drawn[:, 3]).all()


def test_a_link_leads_back_and_holds_no_records(result):
    state = result.state.recoded("age", Recode("top", 80)).paired("age", "sex", False).set(terms="chosen")
    assert MicrodataState.from_state(decode(encode(state))) == state
    assert (1, 2) not in state.margins
    own = Microdata.from_frame(pd.DataFrame({"a": [1, 2]}))
    with pytest.raises(InputError, match="the records"):
        MicrodataState(keys=("a",), own=own).to_state()
    for damaged, told in (
        ({"version": 1}, "This link is damaged"),
        ({**state.to_state(), "recodes": [["age", "melt", 3, []]]}, "recoding must"),
        ({**state.to_state(), "off": 3}, "This link is damaged"),
        ({"version": 2, "keys": []}, "another version"),
    ):
        with pytest.raises(InputError, match=told):
            MicrodataState.from_state(damaged)


def test_a_key_switched_on_shows_everywhere(screen):
    chart = next(one for one in inside(screen, Chart) if "Number of" in one.label)
    before = chart.summary
    ask(key(screen, "income"), True)
    assert chart.summary != before
    assert "With 5 key variables" in chart.summary
    rows = matches(screen).rows
    assert rows[0]["label"] == "True values"
    assert "τ̂₁" in rows[1]["text"]


def test_the_lead_answers_and_its_button_does_what_it_says(screen, monkeypatch):
    sent = []
    monkeypatch.setattr(Actions, "file", lambda self, name, content, title: sent.append(name))
    (lead,) = inside(screen, Lead)
    assert lead.question == stating("unique")
    sample = compute(MicrodataState().set(households=200, terms="main"))
    assert re.findall(r"\d+", lead.answer) == [str(sample.unique.sum()), str(sample.tau1)]
    assert lead.ahead == stating("3-anonymity")
    lead._hear(lead, {"type": "next"}, [])
    assert lead.answer == stating("3-anonymous")
    assert control(screen, "suppress").value is True
    lead._hear(lead, {"type": "next"}, [])
    assert sent == ["protected.csv"]
    ask(control(screen, "blanks"), "any")
    assert "below 3" in lead.answer
    assert lead.tone == "stop"


def test_the_last_key_cannot_be_switched_off(screen):
    for name in ("citizenship", "household size", "age"):
        ask(key(screen, name), False)
    ask(key(screen, "sex"), False)
    assert "key variable" in key(screen, "sex").problem
    assert key(screen, "sex").value is True


def test_recoding_and_suppression_by_the_controls(screen):
    told = next(one for one in inside(screen, Text) if "violate 3-anonymity" in one.value)
    before = told.value
    ask(control(screen, "which"), "age")
    ask(control(screen, "Recoding"), "intervals")
    ask(control(screen, "where"), 4)
    assert told.value != before
    ask(control(screen, "suppress"), True)
    assert "is 3-anonymous" in told.value


def test_ends_begin_where_few_records_are_and_categories_are_ticked_together(screen):
    ask(control(screen, "Recoding"), "top")
    assert control(screen, "where").spec["slider"]
    ask(control(screen, "where"), 60)
    ask(control(screen, "which"), "region")
    ask(control(screen, "Recoding"), "intervals")
    assert '"region"' in control(screen, "Recoding").problem
    ask(control(screen, "Recoding"), "groups")
    for name in ("Vienna", "Tyrol"):
        ask(control(screen, name), True)
    buttons, _ = button(screen, "Merge selected")
    buttons._press(0)
    assert control(screen, "Tyrol + Vienna").value is False
    buttons._press(0)
    assert "least two" in buttons.status
    buttons._press(1)
    assert control(screen, "Vienna").value is False
    ask(control(screen, "Recoding"), "none")
    ask(control(screen, "which"), "age")
    assert control(screen, "where").value == 60


def test_pram_by_its_control(screen):
    ask(control(screen, "which"), "sex")
    ask(control(screen, "PRAM probability"), 0.3)
    (lead,) = inside(screen, Lead)
    assert "PRAM changed" in lead.why
    ask(control(screen, "which"), "age")
    assert control(screen, "PRAM probability").value == 0
    ask(control(screen, "Order"), "dis-suda")
    assert any("DIS-SUDA score" in one.value for one in inside(screen, Text))


def test_a_file_of_ones_own_takes_the_place_of_the_sample(screen):
    (records,) = inside(screen, RecordsButton)
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(
        {"job": rng.choice(list("abc"), 60), "town": rng.choice(list("xyz"), 60), "weight": 12}
    )
    records._hear(
        records, {"type": "file", "name": "mine.csv"}, [memoryview(frame.to_csv(index=False).encode())]
    )
    assert not records.problem
    assert "sampling weight" in records.notes
    assert key(screen, "job").value is True
    assert matches(screen).rows[0]["label"].startswith("Standard")
    (page,) = inside(screen, Page)
    page._hear(page, {"type": "link"}, [])
    assert "the records" in page.problem
    records._hear(records, {"type": "file", "name": "bad.csv"}, [memoryview(b"%PDF-1.7")])
    assert "is a PDF document" in records.problem
    assert key(screen, "job").value is True


def test_the_protected_file_and_its_report_are_handed_over(screen, monkeypatch):
    sent = []
    monkeypatch.setattr(Actions, "file", lambda self, name, content, title: sent.append((name, content)))
    buttons = button(screen, "Save protected")[0]
    for index in range(2):
        buttons._hear(buttons, {"type": "press", "index": index}, [])
    assert sent[0][1].startswith("region,")
    assert sent[1][0] == "internal-report.txt"
    told = sent[1][1]
    assert "Key variables: household size" in told
    assert "No value" in told


def test_the_code_of_the_screen_runs_and_gives_its_number(result):
    space = {}
    exec(as_code(result.state), space)
    assert (space["f"] == 1).sum() == result.unique.sum()


def test_the_code_of_a_protected_file_gives_the_same_records(result):
    state = replace(
        result.state.recoded("age", Recode("bottom", 20))
        .recoded("region", Recode("top", "Vienna"))
        .randomised("sex", 0.4),
        suppress=True,
    )
    state = state.grouped("household size", ["1", "2"])
    # The code draws from a new secret; with the one of the session it makes the same file.
    code = as_code(state).replace("secrets.randbits(128)", "SECRET")
    space = {"SECRET": state.secret}
    exec(code, space)
    assert space["file"].to_frame().equals(compute(state).file.to_frame())


def test_what_names_people_is_not_saved(monkeypatch):
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(
        {
            "name": [f"P {place}" for place in range(300)],
            "job": rng.choice(list("abc"), 300),
            "town": rng.choice(list("xyz"), 300),
            "weight": 9,
        }
    )
    sent = []
    monkeypatch.setattr(Actions, "file", lambda self, name, content, title: sent.append(content))
    screen = microdata.app(Microdata.from_frame(frame, weight="weight"))
    buttons = button(screen, "Save protected")[0]
    buttons._press(0)
    buttons._press(1)
    assert sent[0].splitlines()[0] == "job,town,weight"
    assert "does not contain name" in sent[1]
    assert any("does not contain name" in one.value for one in inside(screen, Text))


def test_a_record_that_only_all_keys_make_unique_is_told_so():
    frame = pd.DataFrame({"a": list("xxyy") * 4, "b": list("xyxx") * 4, "weight": 3})
    frame = pd.concat([frame, pd.DataFrame({"a": ["y"], "b": ["y"], "weight": [3]})])
    state = MicrodataState(keys=("a", "b"), own=Microdata.from_frame(frame, weight="weight"))
    *_, last = improve(state, compute(state))
    assert "unique only" in words.riskiest(last)[0].formula[0].text


def test_the_risk_of_a_record_that_was_changed_and_then_blanked_is_that_of_its_counts():
    state = replace(MicrodataState().set(households=300), suppress=True).randomised("age", 0.5)
    result = compute(state)
    expected = individual_risk(result.f, result.F) * result.own_key_probability
    np.testing.assert_allclose(result.risk, expected)


def test_pram_by_probabilities_of_ones_own(screen):
    ask(control(screen, "which"), "sex")
    ask(control(screen, "matrix"), "0.9, 0.1; 0.2, 0.8")
    assert control(screen, "matrix").value == "0.9, 0.1; 0.2, 0.8"
    assert control(screen, "PRAM probability").value == 0
    ask(control(screen, "matrix"), "0.9, 0.2; 0.2, 0.8")
    assert "Row 0 of the matrix sums to 1.1" in control(screen, "matrix").problem
    ask(control(screen, "matrix"), "")
    assert control(screen, "PRAM probability").value == 0


def test_a_matrix_and_strata_reach_the_chance_that_a_key_is_kept():
    """By hand: of those who show a value, the share whose value it was before."""
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({"sex": rng.choice(list("mmmw"), 4_000), "town": rng.choice(list("xy"), 4_000)})
    own = Microdata.from_frame(frame, strata=("town",))
    state = MicrodataState(keys=("sex", "town"), own=own, title="people.csv", secret=1)
    for change in (
        state.randomised("sex", ((0.7, 0.3), (0.1, 0.9))),
        state.set(pram_within=True).randomised("sex", 0.4),
    ):
        result = compute(change)
        before, after = frame["sex"].to_numpy(), np.array(result.file["sex"].labels)[result.file["sex"].codes]
        for value in "mw":
            shown = after == value
            assert result.own_key_probability[shown].mean() == pytest.approx(
                (before == after)[shown].mean(), abs=0.03
            )
    told = report(result, as_it_came(change))
    assert "the same town (invariant PRAM)" in told
    assert "strata=[file[one] for one in file.strata if one != 'sex']" in told
    assert MicrodataState.restored(replace(change, own=None).saved()).pram == change.pram


def test_what_costs_most_is_kept(result):
    state = replace(result.state.set(keep="costs", costs="age 20, household size 5"), suppress=True)
    dear = compute(state).suppressed_file.blanked
    fewest = compute(replace(result.state, suppress=True)).suppressed_file.blanked
    assert dear["age"] < fewest["age"]
    assert sum(dear.values()) >= sum(fewest.values())
    for costs, says in (("cats 3", "not a key variable"), ("age", "age 4"), ("age 0", "positive")):
        with pytest.raises(InputError, match=says):
            compute(state.set(costs=costs))


def test_intervals_begin_where_it_is_typed(screen):
    ask(control(screen, "which"), "age")
    ask(control(screen, "Recoding"), "cuts")
    ask(control(screen, "where"), "18, 65")
    assert control(screen, "where").value == "18, 65"
    assert key(screen, "age").spec["label"] == "age (3)"
    ask(control(screen, "where"), "65, 18")
    assert "increasing numbers" in control(screen, "where").problem


def test_cells_and_numbers_of_the_model_change_the_estimate_and_the_code_repeats_it(result):
    base = result.state.set(terms="main")
    plain = compute(base)
    parameters = plain.chosen.parameters
    numbers = compute(base.set(numbers=True)).chosen.parameters
    # Age and household size have one coefficient each instead of one per category but the first.
    numeric = [key for key in base.keys if key in ("age", "household size")]
    observed = [len(np.unique(plain.file[key].codes)) for key in numeric]
    assert parameters - numbers == sum(categories - 2 for categories in observed)
    state = base.set(cells="occurring", numbers=True)
    after = compute(state)
    assert not after.problem
    assert after.chosen.tau2 != pytest.approx(plain.chosen.tau2, rel=1e-3)
    names: dict[str, object] = {}
    *lines, estimate = [line for line in as_code(state).splitlines() if not line.startswith("safe")]
    exec("\n".join(lines), names)
    assert eval(estimate, names).tau2 == pytest.approx(after.chosen.tau2)
    assert len(list(draws(state, 2))) == 2


def test_cells_of_the_population_are_not_known_for_an_own_file(result):
    own = replace(result.state, own=result.file).set(cells="occurring", terms="main")
    assert "All combinations".lower() in compute(own).problem.lower()


def test_the_test_of_fit_names_its_cells_if_the_estimates_use_others(result):
    first = compute(result.state.set(terms="main"))
    fitted = list(improve(first.state, first))[-1]
    other = replace(fitted, state=fitted.state.set(numbers=True))
    rows, others = words.estimates(fitted), words.estimates(other)
    assert [row for row in rows if row not in others and "B₁" in str(row)]


def test_bars_of_the_protected_file_are_counted_from_the_saved_file(result):
    after = compute(replace(result.state, suppress=True))
    frame = after.file.to_frame()
    for number, (alone, _) in enumerate(after.protected_steps, 1):
        keys = list(after.state.keys[:number])
        sizes = frame.dropna(subset=keys).groupby(keys, observed=True).size()
        assert alone == (sizes == 1).sum()
    assert after.protected_steps[-1][1] == (after.f < 3 - 1e-9).sum()
    redrawn = compute(result.state.randomised("sex", 0.3))
    assert redrawn.protected_steps[-1][0] == redrawn.unique.sum()


def test_the_strip_has_the_values_that_are_then_suppressed(result):
    after = compute(replace(result.state, suppress=True))
    before_strip, after_strip = strip(result), strip(after)
    assert before_strip.records == after_strip.records
    gaps = 0
    for row, record in enumerate(before_strip.records):
        for column, name in enumerate(result.state.keys):
            gap = after.file[name].codes[record - 1] == -1
            looks = [seen.spots[row][column].look for seen in (before_strip, after_strip)]
            assert looks == (["zero", "zero"] if gap else ["", ""])
            assert (after_strip.spots[row][column].text == "–") == gap
            gaps += gap
    assert gaps
    sizes = [float(row[-1].text) for row in before_strip.spots]
    assert sizes == [result.f[record - 1] for record in before_strip.records]
    # Every value of k, also the class sizes themselves, separates smaller classes from the others.
    for k in range(2, 6):
        framed = strip(compute(result.state.set(k=k)))
        for row in framed.spots:
            assert (row[-1].look == "narrow") == (float(row[-1].text) < k)


def test_the_chart_of_unique_records_has_a_caption(screen, result):
    chart = charts.falling(result)
    numbers = [f"{chart.steps[place].uniques:,}" for place in (0, -1)]
    assert all(number in chart.caption for number in numbers)
    assert chart.steps[0].key in chart.caption
    protected = charts.falling(compute(replace(result.state, suppress=True)))
    assert f"{protected.after[-1][0]:,} records in the protected file" in protected.caption
    assert (
        charts.falling(compute(replace(result.state, keys=("sex",)))).caption
        == "0 records are unique by sex alone."
    )
    texts_of_page = [text.value for text in inside(screen, Text)]
    assert any(text.startswith("Each group of bars adds one key variable.") for text in texts_of_page)


def test_the_answer_after_suppression_states_the_unique_records(result):
    after = compute(replace(result.state, suppress=True))
    assert words.answer(after)[0].startswith("No record is unique: the file is 3-anonymous")
    redrawn = compute(result.state.randomised("sex", 0.3))
    few = replace(redrawn, state=replace(redrawn.state, suppress=True))
    assert words.answer(few)[0].startswith(f"{int(few.unique.sum()):,} records are unique; ")


def test_decimals_of_class_sizes_are_explained(result):
    after = strip(compute(replace(result.state, suppress=True)))
    assert any("." in row[-1].text for row in after.spots)
    assert "can have decimals" in after.note
    assert "decimals" not in strip(result).note


def test_a_sentence_does_not_begin_with_a_small_letter():
    """One of 1,500 records is less than 0.1%."""
    frame = pd.DataFrame({"sex": ["f"] + ["m"] * 1499, "area": ["north"] * 1500})
    own = compute(MicrodataState(keys=("sex", "area"), own=Microdata.from_frame(frame), title="mine"))
    assert words.notice(own).startswith("Less than 0.1% of the records")


def test_a_population_that_is_unknown_is_not_stated(result):
    frame = result.original.to_frame().drop(columns=["weight", "household"])
    own = compute(replace(result.state, own=Microdata.from_frame(frame), title="mine"))
    assert own.tau1 is None
    assert not re.search(r"\d", words.answer(own)[0].partition("unique")[2])
    weighted = Microdata.from_frame(result.original.to_frame(), weight="weight", household="household")
    answer = words.answer(compute(replace(result.state, own=weighted, title="mine")))[0]
    assert len(re.findall(r"\d+", answer)) == 2


def test_the_headline_follows_its_controls(screen):
    (lead,) = inside(screen, Lead)
    before = lead.answer, lead.why
    ask(control(screen, "k"), 7)
    assert lead.answer == before[0]
    assert lead.why != before[1]
    ask(key(screen, "income"), True)
    assert lead.answer != before[0]


def test_class_sizes_are_those_of_pandas(result):
    frame = result.file.to_frame()
    count = frame.groupby(list(result.state.keys), observed=True).size()
    drawn = charts.class_sizes(result)
    in_file = {size: number for size, number, _ in drawn.sizes}
    assert [in_file[str(size)] for size in range(1, 11)] == [
        int((count == size).sum()) for size in range(1, 11)
    ]
    assert sum(in_file.values()) == len(count)
    assert in_file["11–20"] == int(count.between(11, 20).sum())
    people = microdata_population(100_000).to_frame().groupby(list(result.state.keys), observed=True).size()
    in_population = {size: number for size, _, number in drawn.sizes}
    assert in_population["1"] == int((people == 1).sum())
    assert sum(in_population.values()) == len(people)
    assert drawn.to_frame().shape == (len(drawn.sizes), 3)
    assert f"{in_population['1']:,}" in drawn.summary


def test_class_sizes_of_an_own_file_have_no_population():
    codes = pd.DataFrame({"sex": ["f", "f", "m", "f"], "job": ["a", "a", "b", "c"]})
    state = MicrodataState(keys=("sex", "job"), own=Microdata.from_frame(codes))
    drawn = charts.class_sizes(compute(state))
    assert drawn.sizes == (("1", 2, None), ("2", 1, None))
    assert charts.draw_class_sizes(drawn)["data"][0]["y"] == (2, 1)
    assert "not known" in drawn.to_frame().to_numpy()


def test_the_summary_of_repeated_samples_names_each_mean_once():
    samples = np.array([[1.0, 2.0, 30.0, 40.0, 500.0, 600.0], [3.0, 4.0, 50.0, 60.0, 700.0, 800.0]])
    summary = charts.Repeated(samples, "standard").summary
    numbers = [float(text) for text in re.findall(r"\d+\.\d", summary)]
    assert numbers == [3.0, 50.0, 700.0, 2.0, 40.0, 600.0]
