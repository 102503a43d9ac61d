"""Laws of attacks: what they say is true, and never more than all tables that agree allow."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdcwidgets import InputError, attacks, methods, protect
from sdcwidgets.attacks import Knowledge, TablePlacement
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable

SMALL = arrays(np.int64, (2, 2), elements=st.integers(0, 4))


def rounded(table, base):
    """A release rounded conventionally, each value and margin by itself, with its true range."""
    whole = Release.of(table)
    values = {kept: (2 * v + base) // (2 * base) * base for kept, v in whole.values.items()}
    lower = {kept: np.maximum(np.ceil(v - base / 2), 0) for kept, v in values.items()}
    upper = {kept: np.ceil(v + base / 2) - 1 for kept, v in values.items()}
    return Release(table.axes, values, lower, upper)


@given(SMALL, st.integers(2, 4))
@settings(max_examples=40, deadline=None)
def test_an_attack_never_says_more_than_enumeration_allows(counts, base):
    table = FrequencyTable(counts)
    release = rounded(table, base)
    finding = attacks.unpicking(release)
    every = np.array(list(itertools.product(range(9), repeat=4))).reshape(-1, 2, 2)
    fits = np.ones(len(every), dtype=bool)
    for kept, values in release.values.items():
        sums = every.sum(axis=tuple(a + 1 for a in range(2) if a not in kept)).reshape(
            len(every), *values.shape
        )
        inside = (sums >= release.lower[kept]) & (sums <= release.upper[kept])
        fits &= inside.reshape(len(every), -1).all(axis=1)
    left = every[fits]
    np.testing.assert_array_equal(finding.lower, left.min(axis=0))
    np.testing.assert_array_equal(finding.upper, left.max(axis=0))
    assert finding.score(table).contained == 4
    assert finding.score(table).wrong == 0


@given(SMALL, SMALL)
@settings(max_examples=30, deadline=None)
def test_differencing_is_true_and_linking_knows_at_least_as_much(core, strip):
    axes = FrequencyTable(core).axes
    part = Axis("Part", ("core", "strip"))
    truth = FrequencyTable(np.stack([core, strip], axis=-1), [*axes, part])
    releases = [Release.of(FrequencyTable(core)), Release.of(FrequencyTable(core + strip))]
    known = Knowledge(
        [*axes, part], [TablePlacement("inner", within={"Part": ["core"]}), TablePlacement("outer")]
    )
    one, all_ = attacks.differencing(releases, known), attacks.linking(releases, known)
    assert one.exact.all()
    assert one.score(truth).right == truth.cells
    assert np.all(all_.lower >= one.lower)
    assert np.all(all_.upper <= one.upper)


@given(SMALL, arrays(bool, (2, 2)))
@settings(max_examples=30, deadline=None)
def test_each_line_adds_up_to_its_bound(counts, hidden):
    table = FrequencyTable(counts)
    whole = Release.of(table)
    values = dict(whole.values) | {(0, 1): np.where(hidden, np.nan, counts)}
    lower = dict(whole.lower) | {(0, 1): np.where(hidden, 0, counts)}
    upper = dict(whole.upper) | {(0, 1): np.where(hidden, np.inf, counts)}
    finding = attacks.suppression(Release(table.axes, values, lower, upper))
    labels = [axis.labels for axis in table.axes]
    learnt = {(labels[0][row], labels[1][column]) for row, column in np.argwhere(finding.learnt)}
    assert {line.cell for line in finding.lines} == learnt
    for line in finding.lines:
        total = sum(step.times * step.number.value for step in line.steps)
        # Other gaps are at least 0: a line gives the upper bound, or the lower one.
        assert np.isclose(total, line.upper) or np.isclose(total, line.lower)


def test_noise_averages_out_unless_it_is_tied_to_the_cell():
    table = FrequencyTable([[4, 7], [1, 11]])
    method = methods.get("random-rounding")(base=3)
    rng = np.random.default_rng(1)
    chances = method.transition(20)
    answers = [Release(table.axes, {(0, 1): method.apply(table, rng).counts}) for _ in range(60)]
    finding = attacks.averaging(answers, Knowledge(chances=chances))
    score = finding.score(table)
    assert score.contained == 4
    assert score.right == 4
    assert finding.chance.min() > 0.5
    same = attacks.averaging([answers[0]] * 60, Knowledge(chances=chances))
    once = attacks.averaging(answers[:1], Knowledge(chances=chances))
    np.testing.assert_array_equal(same.chance, once.chance)
    assert "further information" in same.notes[0]


@given(SMALL, st.integers(2, 4), st.integers(0, 1), st.integers(0, 1))
@settings(max_examples=15, deadline=None)
def test_what_is_wanted_is_found_as_well_as_with_all_the_others(counts, base, row, column):
    table = FrequencyTable(counts)
    release = rounded(table, base)
    at = (table.axes[0].labels[row], table.axes[1].labels[column])
    whole, only = attacks.unpicking(release), attacks.unpicking(release, Knowledge(wanted=[at]))
    assert only.at(*at) == whole.at(*at)
    assert only.score(table).contained == 4
    assert {line.cell for line in only.lines} <= {at}


def test_an_insider_knows_more():
    axis = Axis("Cell", ("A", "B"))
    release = Release([axis], {(): 7}, {(): 7}, {(): 7})
    outside = attacks.linking(release)
    inside = attacks.linking(release, Knowledge(known={("A",): (2, np.inf)}))
    assert outside.at("B") == (0, 7)
    assert inside.at("B") == (0, 5)


def published(counts, kind):
    """A release of a table: as it is, rounded value by value, drawn at random, or with gaps."""
    table = FrequencyTable(counts)
    if kind == "rounded":
        return rounded(table, 3)
    name = {"drawn": "random-rounding", "gaps": "threshold-suppression"}.get(kind)
    return Release.of(table) if name is None else methods.get(name)().release(table, np.random.default_rng(1))


@pytest.mark.parametrize("name", attacks.available())
@given(SMALL, st.sampled_from(["exact", "rounded", "drawn", "gaps"]))
@settings(max_examples=20, deadline=None)
def test_no_attack_is_wrong_where_it_is_certain(name, counts, kind):
    """Some refuse what they can't attack, such as a suppressed value; what the others say for certain is true."""
    truth = FrequencyTable(counts)
    try:
        finding = attacks.get(name)([published(counts, kind)], None)
    except InputError:
        return
    assert finding.attack == name
    assert finding.score(truth).contained == truth.cells
    certain = finding.chance == 1
    np.testing.assert_array_equal(finding.likely[certain], counts[certain])
    assert (finding.lower >= finding.before[0]).all()
    assert (finding.upper <= finding.before[1]).all()
    assert len(finding.to_frame()) == truth.cells


KINDS = ["exact", "rounded", "drawn", "gaps"]
EVERY = np.array(list(itertools.product(range(10), repeat=4))).reshape(-1, 2, 2)


def agree(tables, releases, known):
    """The tables that have all that is published, and what the intruder knows."""
    fits = np.ones(len(tables), dtype=bool)
    for release in releases:
        for kept in release.values:
            sums = tables.sum(axis=tuple(a + 1 for a in range(2) if a not in kept))
            within = (release.lower[kept] <= sums) & (sums <= release.upper[kept])
            fits &= within.reshape(len(tables), -1).all(axis=1)
    if known is not None:
        low, high = known
        fits &= (low <= tables[:, 0, 0]) & (tables[:, 0, 0] <= high)
    return tables[fits]


@pytest.mark.parametrize("name", [one for one in attacks.available() if one != "means"])
@given(SMALL, st.lists(st.sampled_from(KINDS), min_size=1, max_size=2), st.booleans())
@settings(max_examples=25, deadline=None)
def test_no_attack_says_more_than_all_tables_allow(name, counts, kinds, insider):
    """Looked at are all tables that have what is published, of one release or two, and what an insider knows."""
    releases = [published(counts, kind) for kind in kinds]
    # An insider is one of the people of a cell.
    known = (1, np.inf) if insider and counts[0, 0] else None
    axes = releases[0].axes
    at = tuple(axis.labels[0] for axis in axes)
    try:
        finding = attacks.get(name)(releases, Knowledge(known={at: known} if known else {}))
    except InputError:
        assert name == "averaging"
        assert "gaps" in kinds
        return
    left = agree(EVERY, releases, known)
    assert np.all(finding.lower <= left.min(axis=0))
    assert np.all(finding.upper >= left.max(axis=0))
    assert np.all((finding.lower <= counts) & (counts <= finding.upper))


@given(st.lists(st.integers(1, 9), min_size=2, max_size=3), st.integers(0, 99), st.integers(1, 3))
@settings(max_examples=25, deadline=None)
def test_means_say_no_more_than_all_tables_allow(counts, seed, most):
    """Ages of people, with their means of each cell and of all; each count is published with noise of its own."""
    rng = np.random.default_rng(seed)
    axis = Axis("Cell", tuple(f"Cell {k}" for k in range(len(counts))))
    ages = [rng.integers(1, 90, size) for size in counts]
    true = {(0,): np.array(counts), (): np.array(sum(counts))}
    noisy = {kept: v + rng.integers(-most, most + 1, v.shape) for kept, v in true.items()}
    low, high = ({kept: v + side for kept, v in noisy.items()} for side in (-most, most))
    given_means = {(label,): round(float(a.mean()), 4) for label, a in zip(axis.labels, ages, strict=True)}
    given_means[()] = round(float(np.concatenate(ages).mean()), 4)
    finding = attacks.means(Release([axis], noisy, low, high), Knowledge(means=given_means))
    # A mean of four decimals is wrong by half of the last one at most, for each person, and so is the mean of all.
    sides = [range(max(int(a), 0), int(b) + 1) for a, b in zip(low[(0,)], high[(0,)], strict=True)]
    left = []
    for one in itertools.product(*sides):
        size = sum(one)
        total = sum(n * given_means[(label,)] for n, label in zip(one, axis.labels, strict=True))
        if low[()] <= size <= high[()] and abs(total - size * given_means[()]) <= size * 1e-4 + 1e-9:
            left.append(one)
    assert tuple(counts) in left
    np.testing.assert_array_equal(finding.lower, np.min(left, axis=0))
    np.testing.assert_array_equal(finding.upper, np.max(left, axis=0))


@pytest.mark.parametrize("count", [1, 1.0, np.int64(1), (1, 1), [1, 1]])
def test_one_number_of_the_knowledge_is_an_exact_count(count):
    release = Release([Axis("Cell", ("A", "B"))], {(): 7}, {(): 7}, {(): 7})
    knowledge = Knowledge(known={("A",): count})
    assert attacks.linking(release, knowledge).at("B") == (6, 6)
    assert knowledge.known == {("A",): (1, 1)}


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda one: attacks.get("guessing"), "no attack"),
        (lambda one: attacks.linking([]), "at least one"),
        (
            lambda one: attacks.linking([one, one], Knowledge(placed=[TablePlacement("one")])),
            "2 releases but 1 place",
        ),
        (lambda one: attacks.linking(one, Knowledge(known={("A",): (0, 1)})), "label per"),
        (
            lambda one: attacks.linking(one, Knowledge(known={("Row 1", "Column 1"): (9, 9)})),
            "counts agrees",
        ),
        (lambda one: attacks.linking(one, Knowledge(wanted=[("Row 1",)])), "label per"),
        (lambda one: Knowledge(known=[("Row 1", "Column 1")]), "known"),
        (lambda one: Knowledge(known={"Row 1": 1}), "Row 1"),
        (lambda one: Knowledge(known={("Row 1", 1): 1}), "Row 1"),
        (lambda one: Knowledge(known={("Row 1", "Column 1"): "1"}), "Row 1"),
        (lambda one: Knowledge(known={("Row 1", "Column 1"): (1, None)}), "None"),
        (lambda one: Knowledge(known={("Row 1", "Column 1"): (1, 2, 3)}), "1, 2, 3"),
        (lambda one: Knowledge(known={("Row 1", "Column 1"): float("nan")}), "nan"),
        (
            lambda one: Knowledge(known={("Row 1", "Column 1"): (5, 1)}),
            "lower bound 5 is above upper bound 1",
        ),
        (lambda one: Knowledge(means={("Row 1",): "2"}), "means"),
        (lambda one: Knowledge(means=2), "means"),
        (
            lambda one: attacks.linking(one, Knowledge(placed=[TablePlacement("x", within={"Z": ["a"]})])),
            "such axis",
        ),
        (lambda one: attacks.means(one), "no means"),
        (lambda one: attacks.averaging([one, Release.of(FrequencyTable([1, 2]))]), "different axes"),
        (lambda one: attacks.averaging([one, Release.of(FrequencyTable([[0, 2], [3, 4]]))]), "contradict"),
        (lambda one: attacks.linking(one).score(FrequencyTable([1])), "other axes"),
        (lambda one: attacks.linking(one).at("Row 1"), "per axis, that is 2"),
    ],
)
def test_bad_input_is_one_sentence(act, words):
    with pytest.raises(InputError, match=words) as caught:
        act(Release.of(FrequencyTable([[1, 2], [3, 4]])))
    assert str(caught.value).count(". ") == 0


def test_each_attack_is_the_function_of_its_name():
    for name in attacks.available():
        assert getattr(attacks, name) is attacks.get(name)


def test_a_wrong_number_of_labels_is_stated():
    table = FrequencyTable([[1, 5], [7, 9]], {"Area": ["Bath", "Hull"], "Sex": ["m", "f"]})
    finding = attacks.linking(protect(table, "conventional-rounding", base=5))
    with pytest.raises(InputError, match=r"2 \(.*Area.*Sex.*\).* 1 was given"):
        finding.at("Bath")
    with pytest.raises(InputError, match="3 were given"):
        finding.line("Bath", "m", "x")
