"""Protect as a page: a method that publishes fewer categories is shown with these."""

import asyncio
from dataclasses import replace

import ipywidgets
import numpy as np
import pytest
from stating import stating

from screens import ask, button, control, inside
from sdcwidgets import FrequencyTable, InputError, examples, methods
from sdcwidgets.assessment.report.html import html
from sdcwidgets.assessment.verdict import ReleaseLimits, load
from sdcwidgets.dashboards import protect
from sdcwidgets.dashboards.protect import headline, result
from sdcwidgets.dashboards.protect.controls import (
    BETTER_LESS,
    BETTER_MORE,
    DEFAULTS,
    GROUP_DISCLOSURE,
    IS_ORIGINAL,
    NO_METHOD,
    NOT_ORIGINAL,
    OPEN,
    SHOWN_FIRST,
    limits_in_force,
    rule_in,
)
from sdcwidgets.dashboards.protect.headline import NEXT
from sdcwidgets.dashboards.protect.map import SWEEP, RiskMap
from sdcwidgets.dashboards.protect.page import NOTHING
from sdcwidgets.dashboards.protect.recommended import of_limits
from sdcwidgets.dashboards.protect.release import ReleaseCard
from sdcwidgets.dashboards.protect.result import compute
from sdcwidgets.dashboards.protect.state import ProtectState, with_secret_seed
from sdcwidgets.dashboards.protect.texts import GROUPS, what_is_shown
from sdcwidgets.methods.cell_suppression import CellSuppression
from sdcwidgets.tables.io.proposals import propose_layout
from sdcwidgets.tables.io.sources import File, InMemorySource
from sdcwidgets.tables.release import Release
from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.binding import follow, parameter_of
from sdcwidgets.widgets.change_grid import ChangeGrid
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.leading import Lead
from sdcwidgets.widgets.measures import Measures
from sdcwidgets.widgets.offers import Offers
from sdcwidgets.widgets.page import Page, Text
from sdcwidgets.widgets.page_state.recomputation import Study
from sdcwidgets.widgets.page_state.reporting import SMALL_SEED, title_of
from sdcwidgets.widgets.source import NEXT_OF_FILE, SourceBar
from sdcwidgets.widgets.tabs import Tabs


def every_tab(screen):
    """Open each tab, so that all parts are there."""
    (tabs,) = inside(screen, Tabs)
    for index in range(5):
        tabs.turn_to(index)
    tabs.turn_to(0)


def test_categories_are_merged_and_the_page_says_so():
    screen = protect.app()
    ask(control(screen, "Method"), "redesign")
    after = next(iter(inside(screen, Grid)))
    assert control(screen, "Method").problem == ""
    merged = "Buddhist + Hindu + Jewish + Muslim + Sikh", "Other + None"
    assert after.columns == ("Christian", *merged, "Not stated")
    release = methods.get("redesign")().release(examples.load("religion"), 1)
    np.testing.assert_array_equal(after.counts, release.cells)
    every_tab(screen)
    assert stating("4", "9") in [text.value for text in inside(screen, Text)]


def test_who_moves_and_who_finds_no_donor_is_told_beside_the_table_and_in_no_file_of_it():
    table = FrequencyTable([[3, 9], [2, 1]], {"Area": ["north", "south"], "Sex": ["f", "m"]})
    screen = protect.app(table)
    every_tab(screen)
    people = next(
        one for one in inside(screen, Actions) if any("swapped people" in label for label in one.labels)
    )
    assert people.layout.display == "none"
    ask(control(screen, "Method"), "targeted-record-swapping")
    assert people.layout.display != "none"
    ask(control(screen, "Control variables (strata)"), "columns")
    told = next(text.value for text in inside(screen, Text) if "eplicate 1 of" in text.value)
    assert "without a possible partner: 1 of 6" in told
    sent = []
    (page,) = inside(screen, Page)
    page.send = sent.append
    people._press(0)
    lines = [line[0][0] for line in sent[0]["lines"]]
    assert "who stay in their cells: 1." in lines[0]
    assert lines[-1].startswith('"north, f" stays: 1 of 3 ')
    assert "of 3 " in lines[-1]
    people.send = lambda message, buffers: sent.append(
        (message["name"], bytes(buffers[0]).decode("utf-8-sig"))
    )
    people._press(1)
    name, text = sent[1]
    assert name == "internal-moves-your-table.csv"
    assert "north,f,north,no donor,3" in text.splitlines()


def test_an_edit_takes_the_points_of_the_map_away_and_undo_brings_them_back():
    screen = protect.app()
    ask(control(screen, "Replications"), 20)
    risk_map = next(one for one in inside(screen, Chart) if one.places)
    (page,) = inside(screen, Page)
    before = next(iter(inside(screen, Grid)))

    def named():
        return list(risk_map.arrays["data/0/customdata"])

    ask(control(screen, "Rounding base b"), 5)
    swept = named()
    assert len(swept) == 2
    before.edit([(0, 0, "190")])
    assert named() == swept[1:]
    page._hear(page, {"type": "undo"}, [])
    assert named() == swept


def test_what_is_shown_of_a_table_is_told_apart_from_what_its_files_hold():
    table = FrequencyTable(np.arange(1, 25).reshape(4, 3, 2), {"Region": "NESW", "Work": "abc", "Sex": "mf"})
    screen = protect.app(table)
    bar = inside(screen, SourceBar)[0]
    assert bar.saves == stating("original counts")
    bar._hear(bar, {"type": "place", "axis": 0, "where": 0}, [])
    (grid,) = inside(screen, Grid)
    assert "Region" in grid.hint
    assert "whole table" in grid.hint


@pytest.mark.slow
def test_what_is_of_chance_only_is_not_shown_where_nothing_is_left_to_chance():
    screen = protect.app()
    seed, replications = control(screen, "Seed"), control(screen, "Replications")
    ask(control(screen, "Method"), "targeted-record-swapping")
    assert "none" not in (seed.layout.display, replications.layout.display)
    for name in ("conventional-rounding", "controlled-rounding", "cell-suppression", "redesign"):
        ask(control(screen, "Method"), name)
        assert replications.layout.display == "none", name
        # A secret seed chooses the result of two of these methods; it is shown with the settings of all methods.
        is_shown = methods.get(name)().seeded and name not in SHOWN_FIRST
        assert (seed.layout.display != "none") == is_shown, name


def test_a_sample_is_called_one_beside_the_buttons_of_its_files():
    table = FrequencyTable([[30, 20], [10, 19]])
    release = methods.get("simple-random-sampling")(fraction=0.1).release(table, np.random.default_rng(1))
    told = what_is_shown(release, table, 0, 9)
    assert "A sample of 8 of 79 people. Divided by 0.1013" in told
    assert "below the table" in told
    assert "below the table" not in what_is_shown(Release.of(table), table, 0, 9)


def test_a_setting_of_the_map_is_chosen_from_a_list_too():
    page = protect.app()
    listed = control(page, "Selected setting on the map")
    assert listed.layout.display == "none"  # one setting is no choice
    for base in (10, 3, 4):
        ask(control(page, "Rounding base b"), base)
    assert len(listed.spec["options"]) == 3
    ask(control(page, "Rule"), "own")
    ask(control(page, BETTER_LESS["risk"]), 0.215)
    told = list(listed.spec["options"].values())
    assert sorted(told, key=lambda words: not words.startswith("meets the limits: ")) == told
    assert "Random rounding, base " in told[0]
    assert listed.layout.display != "none"
    chosen = next(key for key, words in listed.spec["options"].items() if words.endswith("base 10"))
    ask(listed, chosen)
    assert control(page, "Rounding base b").value == 10
    assert listed.value == chosen
    ask(listed, "at 99")
    assert '"at 99"' in listed.problem
    assert control(page, "Rounding base b").value == 10


def test_limits_of_cell_sizes_are_set_and_removed_on_the_page():
    page = protect.app()
    ask(control(page, "Rule"), "own")
    ask(control(page, "source"), "Panel, May 2026")
    share, mean = control(page, "small_cells"), control(page, "mean_cell_size")
    (lead,) = inside(page, Lead)
    ask(mean, 30)  # the table has 27.2 people per cell
    assert "27.2" in lead.answer
    ask(mean, 27)
    assert "27.2" not in lead.answer
    ask(share, 0.1)  # rounding to base 3 leaves no small count
    assert "0.1" not in lead.answer
    ask(control(page, "usual"), "record-swapping")
    assert "(0.1)" in lead.answer
    for limit in (share, mean):
        ask(limit, limit.parameter.unlimited)
    state = inside(page, Page)[0]._study.state
    assert (state.limits.small_cells, state.limits.mean_cell_size) == (None, None)


def test_the_blue_button_waits_for_the_gaps_and_then_goes_on():
    rng = np.random.default_rng(1)
    table = FrequencyTable(rng.poisson(rng.gamma(0.6, 6, size=(12, 10, 2))))

    async def visit():
        screen = protect.app(table)
        (page,), (lead,) = inside(screen, Page), inside(screen, Lead)
        study = page._study
        method = methods.get("threshold-suppression")(zeros=True)
        limits = ReleaseLimits("Panel, May 2026", one_cell=0, recalculable=False, smallest_count=3)
        new = ProtectState(table, method=method).set(replications=1, seed=3**33)
        study.put(new.changed(limits=limits))
        assert "not finished" in lead.answer
        assert lead.ahead == headline.NEXT["wait"]
        sent = []
        for one in inside(screen, Actions):
            one.send = lambda message, buffers=None: sent.append(message["name"])
        lead._hear(lead, {"type": "next"}, [])
        assert lead.ahead == headline.NEXT["waiting"]
        for _ in range(600):
            await asyncio.sleep(0.05)
            if sent:
                break
        assert lead.answer == stating("Yes", "Panel")
        assert [name.partition(".")[2] for name in sent] == ["xlsx", "html", "html"]
        assert [name.startswith("internal") for name in sent] == [False, False, True]

    asyncio.run(visit())


def test_people_are_followed_on_a_map_with_methods_that_do_not_follow_them():
    """The points of other methods have no value of this measure until it is selected."""
    screen = protect.app()
    every_tab(screen)
    [lead] = inside(screen, Lead)
    answers = []
    for method in ("record-swapping", "conventional-rounding"):
        ask(control(screen, "Common methods"), method)
        for variant in ("followed", "uncertainty", "information"):
            second = control(screen, "Second term after protection")
            ask(second, variant)
            assert second.value == variant
            answers.append(lead.answer)
    # For methods that do not follow people, the value equals R2.
    assert len(set(answers)) == len(answers)
    assert answers[3].split()[-3:] == answers[5].split()[-3:]


@pytest.mark.slow
def test_the_three_cards_follow_the_limits_and_the_table():
    screen = protect.app(FrequencyTable([[30, 12, 9], [8, 25, 14], [21, 7, 33]]))
    ask(control(screen, "Replications"), 5)
    (cards,) = inside(screen, Offers)
    actions = next(one for one in inside(screen, Actions) if SWEEP in one.labels)
    actions._press(0)
    assert len(cards.offers) == 3
    before = [one["figures"] for one in cards.offers]
    ask(control(screen, "Rule"), "own")
    left = float(before[0].rpartition(" ")[2])
    ask(control(screen, BETTER_LESS["risk"]), left * 0.8)
    figures = [one["figures"] for one in cards.offers]
    assert figures != before
    assert all(float(one.rpartition(" ")[2]) < left * 0.8 for one in figures)
    next(iter(inside(screen, Grid))).edit([(0, 0, "31")])
    assert cards.offers == []


def test_the_primary_button_completes_a_required_method_by_a_seed_and_a_reason():
    counts = np.random.default_rng(4).poisson(np.random.default_rng(5).gamma(1, 12, (3, 2, 3)))
    screen = protect.app(FrequencyTable(counts, {"Region": "NSE", "Sex": "fm", "Age": "abc"}))
    (page,), (lead,) = inside(screen, Page), inside(screen, Lead)
    study = page._study
    ask(control(screen, "Replications"), 3)
    ask(control(screen, "Rule"), "minimum-frequency")
    before = study.state
    assert {stop.kind for stop in study.result.deciding.stops} == {"one-cell", "seed"}
    lead._hear(lead, {"type": "next"}, [])
    assert [stop.kind for stop in study.result.deciding.stops] == ["one-cell"]
    lead._hear(lead, {"type": "accept", "accepted": True, "reason": "it is public"}, [])
    after = study.state
    assert study.result.deciding.answer == "release"
    assert lead.ahead == headline.NEXT["save"]
    assert (after.required, after.rule, after.method) == (before.required, before.rule, before.method)
    assert after.limits == before.limits
    for _ in range(2):
        page._hear(page, {"type": "undo"}, [])
    assert study.state == before


def test_the_map_states_how_to_use_it():
    """With one setting, the map has no front to follow, so another action comes first."""
    screen = protect.app(FrequencyTable([[30, 12, 1], [8, 25, 14], [21, 7, 33]]))
    every_tab(screen)
    study, (risk_map,) = inside(screen, Page)[0]._study, inside(screen, RiskMap)
    (chart,) = inside(risk_map, Chart)
    assert f"Select “{SWEEP}” first" in chart.summary
    study.change(method=methods.get("random-rounding")(base=10))
    assert len(risk_map._drawn.front) == 2
    assert SWEEP not in chart.summary
    assert "left and right arrow keys" in chart.summary


@pytest.mark.slow
def test_a_stopped_comparison_keeps_the_method():
    screen = protect.app(FrequencyTable([[30, 12, 1], [8, 25, 14], [21, 7, 33]]))
    study, (risk_map,) = inside(screen, Page)[0]._study, inside(screen, RiskMap)
    ask(control(screen, "Replications"), 3)
    ask(control(screen, "Rule"), "own")
    ask(control(screen, "Source of the limits"), "Panel, May 2026")
    ask(control(screen, BETTER_LESS["risk"]), 0.01)
    method = study.state.method
    (lead,) = inside(screen, Lead)

    async def visit():
        lead._hear(lead, {"type": "next"}, [])
        await asyncio.sleep(0.3)
        assert risk_map.is_comparing
        risk_map.sweep()
        await asyncio.sleep(1)

    asyncio.run(visit())
    assert study.state.method == method
    assert not risk_map.is_comparing


def test_measures_are_grouped_and_those_with_nothing_to_count_are_folded_with_their_number():
    screen = protect.app(FrequencyTable([[30, 12, 9], [8, 25, 14], [21, 7, 33]]))
    every_tab(screen)
    lists = {one.label: one for one in inside(screen, Measures)}
    assert {*GROUPS.values(), NOTHING} <= set(lists)
    empty = lists[NOTHING]
    assert empty.layout.display == "none"
    fold = next(one for one in inside(screen, Actions) if NOTHING in one.labels[0])
    number = len(empty.measures)
    assert number
    assert fold.labels == [f"Show {number} with an {NOTHING}"]
    fold._press(0)
    assert empty.layout.display != "none"
    shown = [len(lists[name].measures) for name in dict.fromkeys(GROUPS.values())]
    assert all(shown)
    (page,) = inside(screen, Page)
    assert sum(shown) + number == 1 + len(page._study.result.measures)
    assert next(len(one.measures) for one in inside(screen, Measures)) == 4


def test_a_table_that_looks_hierarchical_is_not_suppressed_on_the_page():
    """The refusal is one sentence beside the method, and the table that is shown stays protected as before."""
    axes = {"Activity": ["Employed", "Full-time", "Part-time", "Other"], "Sex": ["m", "f"]}
    screen = protect.app(FrequencyTable([[33, 38], [31, 20], [2, 18], [27, 21]], axes))
    (page,) = inside(screen, Page)
    before = page._study.state.method
    ask(control(screen, "Method"), "cell-suppression")
    assert "Activity" in control(screen, "Method").problem
    assert page._study.state.method == before


def test_yes_needs_a_typed_source_and_a_limit():
    """Two clicks with nothing typed gave "Yes": now the page compares until a source and a limit are there."""
    screen = protect.app()
    (page,), (lead,) = inside(screen, Page), inside(screen, Lead)
    study, sent = page._study, []
    study.put(study.state.set(seed=3**33 + 4))
    lead.send = lambda message, buffers=None: sent.append(message)
    source, reason = (
        control(screen, "Source of the limits"),
        control(screen, "Reason why no limit applies"),
    )
    words = [lead.ahead]
    for place in ("source", "source", "limits", "limits"):
        lead._hear(lead, {"type": "next", "words": lead.ahead}, [])
        words.append(lead.ahead)
        assert sent[-1] == {"type": "lead", "place": place}
        assert study.result.deciding.answer == "compare only"
        assert study.state.limits.missing in lead.why
        if len(sent) == 2:
            ask(source, "Panel, May 2026")
    # The button names what is still missing.
    assert words == [NEXT[kind] for kind in ("limits", "source", "source", "limit", "limit")]
    risk, loss = control(screen, BETTER_LESS["risk"]), control(screen, BETTER_LESS["loss"])
    for one in (risk, loss):  # the ends of the sliders limit nothing
        assert one.value == one.spec["unlimited"]
        ask(one, one.spec["high"])
        assert study.result.deciding.answer == "compare only"
    ask(risk, 0.999)
    assert study.result.deciding.answer == "release"
    ask(risk, 1)
    assert study.result.deciding.answer == "compare only"
    ask(reason, "the counts are public")
    assert study.result.deciding.answer == "release"
    ask(source, " ")
    assert study.result.deciding.answer == "compare only"
    ask(source, "Panel")
    ask(reason, "")
    ask(control(screen, "Minimum published count"), 3)
    assert study.result.deciding.answer == "release"
    assert study.state.limits.source == "Panel"


def test_a_reason_why_no_limit_applies_is_a_way_of_its_own():
    screen = protect.app()
    (page,), (lead,) = inside(screen, Page), inside(screen, Lead)
    study, sent = page._study, []
    study.put(study.state.set(seed=3**33 + 4))
    lead.send = lambda message, buffers=None: sent.append(message)
    rule = control(screen, "Rule")
    ask(rule, "own")
    ask(control(screen, "Source of the limits"), "Panel, May 2026")
    assert lead.ahead == NEXT["limit"]
    ask(rule, "reason")
    assert lead.ahead == NEXT["reason"]
    lead._hear(lead, {"type": "next", "words": lead.ahead}, [])
    assert sent[-1] == {"type": "lead", "place": "reason"}
    ask(control(screen, "Reason why no limit applies"), "the counts are public")
    assert rule.value == "reason"
    assert study.state.limits == ReleaseLimits("Panel, May 2026", no_risk_limit="the counts are public")
    assert study.result.deciding.answer == "release"
    # The button named another action when it was selected, so nothing is saved.
    saved = []
    lead.send = lambda message, buffers=None: saved.append(message)
    lead._hear(lead, {"type": "next", "words": NEXT["reason"]}, [])
    assert lead.ahead == NEXT["save"]
    assert not saved


def test_the_files_of_an_own_table_need_a_limit_or_a_reason():
    table = FrequencyTable([[7, 9, 11], [9, 12, 8]], {"Area": ["A", "B"], "Age": ["x", "y", "z"]})
    screen = protect.app(table)
    (page,), (lead,) = inside(screen, Page), inside(screen, Lead)
    study = page._study
    ask(control(screen, "Common methods"), "conventional-rounding")
    files = [button(screen, words)[0] for words in ("Save table", "Save report for data users")]
    assert study.result.deciding.answer == "compare only"
    assert all(row.layout.display == "none" for row in files)
    # The limits are part of the first view of a table that is no example.
    assert lead.ahead == NEXT["source"]
    ask(control(screen, "Reason for a release without limits"), "the counts are public")
    assert all(row.layout.display == "none" for row in files)
    ask(control(screen, "Who decided this, and when"), "Panel, May 2026")
    assert study.result.deciding.answer == "release"
    assert all(row.layout.display is None for row in files)
    card = ReleaseCard(study, list)
    assert "the counts are public" in html(card.report(internal=True))
    assert "the counts are public" not in html(card.report())


def test_an_invented_name_of_an_axis_is_warned_of_and_replaced_before_the_release():
    source = File.from_input(b"Sex,Low,Middle,High\nf,13,12,11\nm,14,9,16\n", "own.csv")
    reading = source.read()
    state = ProtectState(reading.table).with_table(reading.table, source.light(reading))
    screen = protect.app()
    (page,) = inside(screen, Page)
    study = page._study
    study.load(state)
    assert "Column" not in title_of(study.state)
    study.change(limits=ReleaseLimits("Panel, May 2026", smallest_count=3))
    assert study.result.deciding.answer == "release"
    assert [text for text in inside(screen, Text) if "invented" in text.value and "Column" in text.value]
    (lead,) = inside(screen, Lead)
    assert lead.ahead == NEXT["unnamed"]  # the button names what is missing
    field = control(screen, "Name of the axis with Low, Middle and High")
    ask(field, " ")
    assert field.problem
    ask(field, "Sex")  # the name of another axis
    assert field.problem
    ask(field, "Level")
    assert [axis.name for axis in study.state.table.axes] == ["Sex", "Level"]
    assert study.result.deciding.answer == "release"
    assert "Level" in title_of(study.state)
    assert lead.ahead == NEXT["save"]
    report = html(ReleaseCard(study, list).report(internal=True))
    assert "Level" in report
    assert "Column" not in report
    study.undo()
    assert [axis.name for axis in study.state.table.axes] == ["Sex", "Column"]


def test_no_protection_is_a_choice_of_the_methods():
    screen = protect.app(FrequencyTable([[70, 90], [90, 80]]))
    (page,) = inside(screen, Page)
    study, usual = page._study, control(screen, "Common methods")

    def texts():
        return [text.value for text in inside(screen, Text)]

    usual.enter(NO_METHOD)
    assert any("No limit applies" in text for text in texts())
    study.change(limits=ReleaseLimits("Panel", smallest_count=100, no_risk_limit="pilot"))
    usual.enter(NO_METHOD)
    first = study.result.as_it_is.stops[0].words
    assert any(NOT_ORIGINAL["not yet"] in text and first in text for text in texts())
    study.change(limits=ReleaseLimits("Panel", smallest_count=3, no_risk_limit="pilot"))
    assert usual.value == NO_METHOD
    ask(usual, "random-rounding")
    assert not study.result.deciding.as_it_is
    usual.enter(NO_METHOD)
    assert study.result.deciding.as_it_is
    assert any(IS_ORIGINAL in text for text in texts())
    rule = load("census-cell-key")
    study.change(limits=rule.limits, rule=rule.name, required=rule.method, method=rule.method)
    usual.enter(NO_METHOD)
    assert any(NOT_ORIGINAL["required"] in text for text in texts())


def test_own_limits_return_after_a_rule_was_tried():
    screen = protect.app()
    (page,) = inside(screen, Page)
    rule = control(screen, "Rule")
    ask(rule, "own")
    ask(control(screen, "Source of the limits"), "Panel, May 2026")
    ask(control(screen, BETTER_LESS["risk"]), 0.2)
    ask(control(screen, BETTER_LESS["loss"]), 3)
    own = page._study.state.limits
    for tried in ("minimum-frequency", "none", "census-cell-key"):
        ask(rule, tried)
        assert page._study.state.limits != own
    ask(rule, "own")
    assert page._study.state.limits == own
    assert (page._study.state.rule, page._study.state.required) == ("", None)
    # A changed rule is also a limit of the user.
    ask(rule, "minimum-frequency")
    ask(control(screen, BETTER_LESS["risk"]), 0.3)
    changed = page._study.state
    ask(rule, "none")
    ask(rule, "own")
    assert page._study.state.limits == changed.limits
    assert page._study.state.required == changed.required


def test_own_limits_of_a_table_do_not_return_for_another_table():
    screen = protect.app()
    (page,) = inside(screen, Page)
    study, rule = page._study, control(screen, "Rule")
    ask(rule, "own")
    ask(control(screen, "Source of the limits"), "Panel, May 2026")
    ask(control(screen, "Minimum published count"), 4)
    ask(rule, "minimum-frequency")
    study.load(study.state.with_table(FrequencyTable([[7, 9, 11], [9, 12, 8]]), InMemorySource()))
    ask(rule, "none")
    ask(rule, "own")
    assert study.state.limits == ReleaseLimits()


def test_the_source_and_the_minimum_count_are_in_one_box():
    """The primary button scrolls to this box, so that a small window shows both."""
    screen = protect.app()
    (box,) = [part for part in inside(screen, ipywidgets.VBox) if "sdc-at-source" in part._dom_classes]
    source, least = control(screen, "Source of the limits"), control(screen, "Minimum published count")
    assert {source, least} <= set(inside(box, Control))
    ask(control(screen, "Rule"), "reason")
    assert box.layout.display is None
    (limits,) = [part for part in inside(box, ipywidgets.VBox) if "sdc-at-limits" in part._dom_classes]
    assert limits.layout.display == "none"


@pytest.mark.parametrize("content", [b"Area,People\nA,5\n", "Größe;1\n".encode("latin-1"), b"PK\x03\x04"])
def test_a_table_among_the_rule_files_leads_to_the_button_for_tables(content):
    with pytest.raises(InputError, match="TOML") as error:
        rule_in(content, "areas.csv")
    assert OPEN in str(error.value)
    with pytest.raises(InputError) as error:
        rule_in(content, "rules.toml")
    assert OPEN not in str(error.value)
    rules = b'[rule]\nsource = "Panel"\n[limits]\nsmallest-count = 3\n'
    assert rule_in(rules, "rules.txt").limits.smallest_count == 3


def test_suppression_begins_with_the_minimum_count_of_the_limits():
    start = ProtectState.of_example("religion")
    for least, threshold in ((5, 5), (100, 100), (0, 3), (1000, 3)):
        state = start.changed(limits=ReleaseLimits("Panel", smallest_count=least))
        assert state.with_method("cell-suppression").method.threshold == threshold
        assert all(method.name != "random-rounding" for method in of_limits(state))
    screen = protect.app()
    (page,) = inside(screen, Page)
    ask(control(screen, "Rule"), "own")
    ask(control(screen, "Minimum published count"), 30)
    ask(control(screen, "Method"), "cell-suppression")
    assert page._study.state.method.threshold == 30


def test_limits_of_the_previous_table_are_stated_and_can_be_cleared():
    screen = protect.app()
    (page,) = inside(screen, Page)
    study = page._study
    row, place = button(screen, DEFAULTS)
    assert row.layout.display == "none"
    ask(control(screen, "Rule"), "own")
    ask(control(screen, "Source of the limits"), "Panel, May 2026")
    ask(control(screen, "Minimum published count"), 4)
    study.put(study.state.with_method("record-swapping"))
    assert row.layout.display == "none"
    table, before = FrequencyTable([[7, 9, 11], [9, 12, 8]]), study.state.title
    study.load(study.state.with_table(table, InMemorySource()))
    assert row.layout.display is None
    assert study.state.method == ProtectState(table).method
    words = stating(before, "4", "Panel, May 2026")
    assert [text for text in inside(screen, Text) if words == text.value]
    study.undo()
    assert row.layout.display == "none"
    study.redo()
    changed = study.state
    row._press(place)
    assert row.layout.display == "none"
    assert study.state.limits == ReleaseLimits()
    assert study.state.method == ProtectState(table).method
    assert study.state.table == table
    study.undo()
    assert study.state == changed


def test_a_new_table_begins_without_the_method_and_the_seed_of_the_previous_one():
    screen = protect.app(FrequencyTable([[7, 9], [9, 8]]))
    (page,) = inside(screen, Page)
    study = page._study
    limits = ReleaseLimits("Panel, May 2026", smallest_count=3, no_risk_limit="pilot")
    secret = study.state.with_method("cell-suppression").set(seed=2**52 + 7)
    study.put(secret.changed(limits=limits, accepted=(("small-count", "known"),)))
    table = FrequencyTable([[1, 5], [9, 8]])
    study.load(study.state.with_table(table, InMemorySource("second")))
    first = ProtectState(table, InMemorySource("second"))
    assert study.state == first.changed(limits=limits)
    assert study.result.deciding.answer != "release"


def test_a_new_table_has_the_method_that_the_rules_require():
    rule = load("census-cell-key")
    state = ProtectState(FrequencyTable([[7, 9], [9, 8]])).changed(
        limits=rule.limits, rule=rule.name, required=rule.method
    )
    new = state.with_table(FrequencyTable([[1, 5], [9, 8]]), InMemorySource("second"))
    assert new.method == new.fitted(rule.method)


def test_a_file_with_open_questions_hides_the_decision_and_the_files_of_the_other_table():
    screen = protect.app(FrequencyTable([[70, 90], [90, 80]]))
    (page,), (lead,), (source,) = (inside(screen, kind) for kind in (Page, Lead, SourceBar))
    study = page._study
    study.change(limits=ReleaseLimits("Panel, May 2026", smallest_count=3, no_risk_limit="pilot"))
    assert lead.answer.startswith("Yes")
    content = b"Area;m;f;Total\nA;120;130;250\nB;230;410;640\nBremen;30;25;55\nTotal;350;540;890\n"
    message = {"type": "given", "kind": "file", "name": "areas.csv"}
    source._hear(source, message, [memoryview(content)])
    assert source.waiting == "areas.csv"
    assert "areas.csv" in lead.answer
    assert lead.steps == []
    release = next(one for one in inside(screen, Actions) if "Save table (XLSX)" in one.labels)
    cards = [box for box in inside(screen, ipywidgets.VBox) if release in inside(box, Actions)]
    assert any(box.layout.display == "none" for box in cards)
    sent = []
    lead.send = sent.append
    lead._hear(lead, {"type": "next", "words": lead.ahead}, [])
    assert sent == [{"type": "lead", "place": "file"}]
    assert lead.ahead == NEXT_OF_FILE["answer"]
    answer = source.preview["decisions"][0]["answers"][0]["change"]
    source._hear(source, {"type": "role", **answer}, [])
    assert source.waiting == "areas.csv"
    assert not lead.answer.startswith("Yes")
    assert lead.ahead == NEXT_OF_FILE["use"]
    source._hear(source, {"type": "cancel"}, [])
    assert lead.answer.startswith("Yes")
    assert not any(box.layout.display == "none" for box in cards)
    source._hear(source, message, [memoryview(content)])
    source._hear(source, {"type": "role", "confirmed": source.preview["decisions"][0]["text"]}, [])
    lead.send = sent.append
    sent.clear()
    # No question is open, so the primary button uses the table itself.
    lead._hear(lead, {"type": "next", "words": lead.ahead}, [])
    assert sent == [{"type": "lead", "place": "answer"}]
    assert source.waiting == ""
    assert "areas.csv" not in lead.answer
    assert study.state.table.total == 890


def test_a_limit_of_a_measure_of_which_more_is_better_ends_at_the_other_end():
    screen = protect.app()
    (page,) = inside(screen, Page)
    page._study.change(loss="utility", risk="small_changed")
    for label in BETTER_MORE.values():
        limit = control(screen, label)
        assert limit.value == limit.spec["unlimited"] == 0
        ask(limit, limit.spec["high"])
    limits = page._study.state.limits
    assert None not in (limits.risk, limits.loss)


def test_a_guessable_seed_is_replaced_beside_the_downloads():
    study = Study(ProtectState.of_example("religion"), compute)
    card = ReleaseCard(study, lambda: [])
    card.show(study.result)
    assert SMALL_SEED in card._warning.value
    card._draw_seed()
    card.show(study.result)
    assert study.state.settings.seed >= 2**52
    assert card._warning.value == ""


@pytest.mark.parametrize(
    "state",
    [
        ProtectState.of_example("religion"),
        ProtectState.of_example("religion")
        .set(seed=3**33)
        .changed(method=methods.get("controlled-rounding")(choice="optimal")),
    ],
)
def test_downloads_of_a_table_for_learning_are_behind_the_warning(state):
    study = Study(state, compute)
    card = ReleaseCard(study, lambda: [])
    follow(study, card.show)
    hidden = [part.layout.display == "none" for part in (card._table, card._report, card._open)]
    assert hidden == [True, True, False]
    assert headline.for_learning(study.result) in card._warning.value
    card._open._press(0)
    assert card._table.layout.display is None
    assert card._warning.value
    study.put(state.set(seed=3**33 + 1).with_method("cell-key"))
    assert card._table.layout.display is None
    assert card._warning.value == ""
    study.put(state)
    assert card._table.layout.display == "none"


def test_a_release_of_a_table_for_learning_states_it_in_the_headline():
    limits = ReleaseLimits("Panel", risk=0.9, seed=False, one_cell=0)
    state = ProtectState.of_example("religion").changed(limits=limits, protects=True)
    result = compute(state)
    assert result.deciding.answer == "release"
    assert SMALL_SEED in headline.because(result)
    assert SMALL_SEED not in headline.because(compute(state.set(seed=3**33)))


def test_a_yes_does_not_contradict_an_unchanged_risk():
    """Rounding to base 2 hardly changes this risk, and a limit of the information loss alone allows it."""
    table = FrequencyTable([[41, 80, 62], [53, 71, 94], [66, 45, 57]])
    state = ProtectState(table, method=methods.get("conventional-rounding")(base=2), protects=True)
    result = compute(state.changed(limits=ReleaseLimits("Panel, May 2026", loss=5.0), protects=True))
    assert result.deciding.answer == "release"
    assert result.deciding.is_hardly_protected
    assert result.deciding.effect not in headline.because(result)
    assert f"{result.deciding.before:.4f}" in headline.because(result)


def test_the_comparison_uses_a_secret_seed_so_that_the_recommended_table_is_released():
    screen = protect.app(FrequencyTable([[1, 9], [7, 4]]))
    ask(control(screen, "Rule"), "own")
    ask(control(screen, "Source of the limits"), "Panel, May 2026")
    ask(control(screen, "Minimum published count"), 3)
    (lead,) = inside(screen, Lead)
    seed = control(screen, "Seed")
    assert int(seed.value) < 100
    lead._hear(lead, {"type": "next"}, [])
    assert int(seed.value) > 10**15


def test_the_map_is_drawn_once_for_a_table(monkeypatch):
    """A refined result with the same risk and loss does not draw the map again; another method does."""
    drawn = []
    show = Chart.show
    monkeypatch.setattr(Chart, "show", lambda chart, *parts: (drawn.append(chart.label), show(chart, *parts)))
    # On a busy machine, the first result would have fewer replicates, and another risk than the refined one.
    monkeypatch.setattr(result, "FIRST_LOOK", 60)

    async def number_of_maps(least):
        """Return how often the map was drawn, a second after it was drawn as often as expected."""
        while drawn.count("Risk-utility map") < least:
            await asyncio.sleep(0.05)
        await asyncio.sleep(1)
        return drawn.count("Risk-utility map")

    async def opened():
        screen = protect.app()
        first = await number_of_maps(1)
        ask(control(screen, "base"), 5)
        return first, await number_of_maps(2)

    assert asyncio.run(opened()) == (1, 2)


def test_a_table_with_unknown_counts_is_not_released_without_a_reason():
    text = b"Area,Sex,People\nA,m,12\nA,f,31\nA,d,15\nB,m,x\nB,f,25\nB,d,16\nC,m,14\nC,f,18\nC,d,17\n"
    how = propose_layout(text).layout
    layout = replace(how, texts={"x": "leave out"})
    source = File.from_input(text, "areas.csv").with_layout(layout)
    reading = source.read()
    assert reading.unknown == 1
    light = source.light(reading)
    limits = ReleaseLimits("Panel, May 2026", smallest_count=3)
    state = ProtectState(reading.table, light).changed(limits=limits)
    assert ProtectState.restored(state.saved()).table.unknown_cells == 1
    decided = compute(state).deciding
    assert decided.answer == "not yet"
    assert decided.stops[0].kind == "unknown"
    step = headline.next_step(compute(state), 0, [], 17)
    assert (step.kind, headline.tick_words(decided) != "") == ("tick", True)
    accepted = state.changed(accepted=(("unknown", "nobody lives there"),))
    result = compute(accepted)
    assert "unknown" not in [stop.kind for stop in result.deciding.stops]
    # The known counts meet the limits, so that they are released as they are.
    assert (result.is_original, result.deciding.answer) == (True, "release")
    assert np.isnan(result.release.cells[reading.table.unknown]).all()
    assert [reason for _, reason in result.deciding.accepted] == ["nobody lives there"]
    # No seed, method or limit changes which counts are unknown.
    others = (
        with_secret_seed(accepted),
        accepted.with_method("barnardisation"),
        accepted.changed(limits=ReleaseLimits("Panel, June 2026", smallest_count=4)),
    )
    assert [other.accepted for other in others] == [accepted.accepted] * 3
    assert accepted.changed(table=reading.table.with_count((0, 0), 13)).accepted == ()


def test_a_new_name_of_an_axis_keeps_accepted_violations():
    table = FrequencyTable([[5, 0], [7, 9]], {"Row": ["A", "B"], "Sex": ["f", "m"]})
    limits = ReleaseLimits("Panel, May 2026", smallest_count=3)
    state = ProtectState(table, InMemorySource()).changed(limits=limits)
    kinds = {stop.kind for stop in compute(state).deciding.stops}
    accepted = state.changed(accepted=(("one-cell", "it is public"),))
    renamed = accepted.with_axis_name("Row", "Area")
    assert "one-cell" in kinds
    assert renamed.table.axes[0].name == "Area"
    reasons = [(stop.kind, reason) for stop, reason in compute(renamed).deciding.accepted]
    assert reasons
    assert set(reasons) == {("one-cell", "it is public")}


def test_the_reason_of_an_acceptance_is_of_one_table():
    axes = {"Row": ["A", "B"], "Sex": ["f", "m"]}
    screen = protect.app(FrequencyTable([[5, 0], [7, 9]], axes))
    (page,), (lead,) = inside(screen, Page), inside(screen, Lead)
    study = page._study
    study.change(limits=ReleaseLimits("Panel, May 2026", smallest_count=3))
    assert lead.tick
    first = lead.table
    study.put(study.state.with_axis_name("Row", "Area"))
    study.change(shown=1)
    assert lead.table == first
    other = File.from_input(b"Area,f,m\nA,6,0\nB,7,9\n", "other.csv")
    reading = other.read()
    study.load(study.state.with_table(reading.table, other.light(reading)))
    assert lead.tick
    assert lead.table == first + 1
    message = {"type": "accept", "accepted": True, "reason": "it is public"}
    lead._hear(lead, message | {"table": first}, [])
    assert study.state.accepted == ()
    lead._hear(lead, message | {"table": lead.table}, [])
    assert study.state.accepted != ()


def test_the_reason_why_no_limit_applies_is_of_one_table():
    table = FrequencyTable([[1, 0], [7, 9]], {"Area": ["A", "B"], "Sex": ["f", "m"]})
    limits = ReleaseLimits("Panel, May 2026", no_risk_limit="these counts are public")
    state = ProtectState(table, InMemorySource()).changed(limits=limits)
    assert compute(state).deciding.answer != "compare only"
    other = state.with_table(FrequencyTable([[2, 0], [1, 8]], table.axes), InMemorySource())
    assert other.limits == ReleaseLimits("Panel, May 2026")
    assert compute(other).deciding.answer == "compare only"


def test_group_disclosure_is_a_limit_with_a_switch():
    table = FrequencyTable([[30, 0], [40, 50]], {"Area": ["A", "B"], "Sex": ["f", "m"]})
    screen = protect.app(table)
    (page,) = inside(screen, Page)
    study = page._study
    switch = control(screen, GROUP_DISCLOSURE.label)
    study.change(limits=ReleaseLimits("Panel"))
    control(screen, "Minimum published count").enter(3)
    assert switch.layout.display is None
    assert switch.value is True
    assert {stop.kind for stop in study.result.as_it_is.stops} == {"one-cell"}
    switch.enter(False)
    assert study.state.limits.one_cell == 0
    assert not study.result.as_it_is.stops
    assert "group disclosure only reported" in limits_in_force(study.state)
    switch.enter(True)
    assert study.state.limits.one_cell == 1


def test_a_csv_file_does_not_repeat_the_title_above_its_table(monkeypatch):
    content = b"Farms by area and type\n\nArea,Pigs,Goats,Total\nA,30,20,50\nB,40,50,90\nTotal,70,70,140\n"
    source = File.from_input(content, "farms.csv")
    reading = source.read()
    screen = protect.app()
    (page,) = inside(screen, Page)
    page._study.load(ProtectState(reading.table).with_table(reading.table, source.light(reading)))
    card, saved = ReleaseCard(page._study, list), []
    monkeypatch.setattr(card._table, "file", lambda name, text, title="": saved.append(text))
    card._csv()
    assert saved[0].count("Farms by area and type") == 1
    assert "Method: " in saved[0]


def test_a_typed_0_settles_an_unknown_count():
    table = FrequencyTable([[12, 31, 15], [0, 25, 16]]).with_unknown([[False] * 3, [True, False, False]])
    screen = protect.app(table)
    (page,), grid = inside(screen, Page), inside(screen, ChangeGrid)[0]
    study = page._study
    assert grid.cells["unknown"].count(True) == 1
    grid.edit([(1, 0, "0")])
    assert study.state.table.unknown is None
    assert [stop.kind for stop in study.result.verdict.stops if stop.kind == "unknown"] == []
    study.undo()
    assert study.state.table.unknown_cells == 1


def test_the_primary_button_leads_to_a_file_that_cannot_be_used_yet():
    screen = protect.app(FrequencyTable([[70, 90], [90, 80]]))
    (lead,), (source,) = (inside(screen, kind) for kind in (Lead, SourceBar))
    message = {"type": "given", "kind": "file", "name": "areas.csv"}
    content = b"Area;m;f;Total\nA;120;130;250\nB;230;410;640\nBremen;30;25;55\nTotal;350;540;890\n"
    source._hear(source, message, [memoryview(content)])
    source._hear(source, {"type": "role", "column": 1, "role": "other"}, [])
    assert source.preview["problem"]
    assert not source.preview["decisions"]
    assert lead.ahead == NEXT_OF_FILE["correct"]
    sent = []
    lead.send = sent.append
    lead._hear(lead, {"type": "next", "words": lead.ahead}, [])
    assert sent == [{"type": "lead", "place": "file"}]


def test_cell_suppression_is_selected_without_the_list_of_all_methods():
    screen = protect.app()
    (page,) = inside(screen, Page)
    ask(control(screen, "Common methods"), "cell-suppression")
    assert page._study.state.method.name == "cell-suppression"
    assert control(screen, "Method").layout.display == "none"
    threshold = control(screen, parameter_of(CellSuppression, "threshold").label)
    assert threshold.layout.display != "none"
