"""The handbook's attacks, chapter 5: each number of Tables 5.4 to 5.13, 5.19 to 5.20, 5.23 and 5.24; O&DF Table 1."""

import numpy as np
import pytest

from sdcwidgets import InputError, attacks, methods
from sdcwidgets.attacks import Finding, Knowledge, TablePlacement
from sdcwidgets.attacks.means import candidates
from sdcwidgets.attacks.number import Number
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable

nan = float("nan")
HOURS = Axis("Hours", ("More than 30", "16-30", "15 or less"))
SEX = Axis("Sex", ("Male", "Female"))
PART = Axis("Part", ("core", "strip"))
TABLE_5_4 = [[50, 54], [128, 140], [39, 49]]
TABLE_5_5 = [[52, 55], [130, 140], [39, 49]]
TABLE_5_6 = [[2, 1], [2, 0], [0, 0]]
IN_THE_CORE = TablePlacement("Table 5.4", within={"Part": ["core"]})


def cells_only(counts, axes):
    values = {tuple(range(len(axes))): np.array(counts, dtype=float)}
    return Release(axes, values, values, values)


def test_geographic_differencing():
    releases = [cells_only(TABLE_5_4, [HOURS, SEX]), cells_only(TABLE_5_5, [HOURS, SEX])]
    known = Knowledge([HOURS, SEX, PART], [IN_THE_CORE, TablePlacement("Table 5.5")])
    for attack in (attacks.differencing, attacks.linking):
        finding = attack(releases, known)
        assert finding.lower[..., 1].tolist() == finding.upper[..., 1].tolist() == TABLE_5_6
        line = finding.line("More than 30", "Female", "strip")
        assert line.text == "55 − 54 = 1"
        assert [step.number.source for step in line.steps] == ["Table 5.5", "Table 5.4"]
        assert (line.steps[0].lower, line.steps[0].upper) == (0, 55)
        truth = FrequencyTable(np.stack([TABLE_5_4, TABLE_5_6], axis=-1), [HOURS, SEX, PART])
        score = finding.score(truth)
        assert (score.cells, score.contained, score.wrong) == (12, 12, 0)
        assert score.right == 12
        assert finding.recovered == 6  # those of the core were published


def linked_tables():
    """Living and working in A; living in A and working elsewhere; working in A; and not employed."""
    state = Axis("State", ("live and work", "work elsewhere", "live elsewhere", "not employed"))
    release_7 = cells_only([85, 17, 102], [Axis("Employment", ("Employed", "Not employed", "Total"))])
    release_8 = cells_only([49, 102, 22], [Axis("Area A", ("working", "living", "both"))])
    release_9 = cells_only([21, 58, 23], [Axis("Males", ("both", "live", "work"))])
    lives = ("live and work", "work elsewhere", "not employed")
    places = [
        TablePlacement("Table 5.7", {"Employment": ("State", {
            "Employed": lives[:2], "Not employed": ("not employed",), "Total": lives})}),
        TablePlacement("Table 5.8", {"Area A": ("State", {
            "working": ("live and work", "live elsewhere"), "living": lives, "both": ("live and work",)})}),
        TablePlacement("Table 5.9", {"Males": ("State", {
            "both": ("live and work",), "live": ("work elsewhere",), "work": ("live elsewhere",)})},
            within={"Sex": ("Male",)}),
    ]  # fmt: skip
    return [release_7, release_8, release_9], Knowledge([SEX, state], places)


def test_linking():
    finding = attacks.linking(*linked_tables())
    table_5_10 = [[21, 58, 23], [1, 5, 4]]
    assert finding.lower[:, :3].tolist() == finding.upper[:, :3].tolist() == table_5_10
    assert (finding.lower + 0)[:, :3].sum(axis=0).tolist() == [22, 63, 27]
    assert finding.line("Female", "live and work").text == "22 − 21 = 1"
    five = finding.line("Female", "work elsewhere")
    assert (five.lower, five.upper) == (5, 5)
    assert sum(step.times * step.number.value for step in five.steps) == 5
    widths = [step.upper - step.lower for step in five.steps]
    assert widths[-1] == 0
    assert widths == sorted(widths, reverse=True)


def test_sub_populations():
    classes = Axis("Hours", ("<20", "20-24", "25-39", "40-59", "60-69", "70 or more"))
    first = Axis("Hours", ("<20", "20-39", "40-59", "60-69", "70 or more"))
    second = Axis("Hours", ("<25", "25-39", "40-59", "60-69", "70 or more"))
    releases = [
        cells_only([[6, 9, 5, 8, 4], [10, 38, 51, 42, 32]], [SEX, first]),
        cells_only([[7, 8, 5, 8, 4], [10, 38, 51, 42, 32]], [SEX, second]),
    ]
    places = [
        TablePlacement("Table 5.11", {"Hours": ("Hours", {"20-39": ("20-24", "25-39")})}),
        TablePlacement("Table 5.12", {"Hours": ("Hours", {"<25": ("<20", "20-24")})}),
    ]
    for attack in (attacks.differencing, attacks.linking):
        finding = attack(releases, Knowledge([SEX, classes], places))
        assert finding.lower.tolist() == [[6, 1, 8, 5, 8, 4], [10, 0, 38, 51, 42, 32]]
        assert finding.exact.all()
        assert finding.line("Male", "20-24").text in ("9 − 8 = 1", "7 − 6 = 1")


def test_the_bound_that_is_proved_is_the_one_that_became_narrower():
    """A suppressed count below 3 is at most 2 at once; only the total proves that it is not less."""
    table = FrequencyTable([2, 3, 3])
    release = methods.get("threshold-suppression")(threshold=3).release(table, np.random.default_rng(1))
    assert [line.text for line in attacks.linking(release).lines] == ["8 − 3 − 3 = 2"]


MEANS = Knowledge(means={("Cell 1",): 11.25, ("Cell 2",): 7.9167, (): 9.25})
CELL = Axis("Cell", ("Cell 1", "Cell 2"))
PERTURBED = Release([CELL], {(0,): [9, 14], (): 19}, {(0,): [7, 12], (): 17}, {(0,): [11, 16], (): 21})


def test_means_beside_perturbed_counts():
    assert [round(90 / 8, 4), round(95 / 12, 4), 185 / 20] == [11.25, 7.9167, 9.25]
    found = candidates(PERTURBED, MEANS)
    lines = {
        (7, 12, 19): (78.75, 95, 173.75, 175.75),
        (7, 13, 20): (78.75, 102.917, 181.667, 185),
        (8, 12, 20): (90, 95, 185, 185),
        (7, 14, 21): (78.75, 110.833, 189.583, 194.25),
        (8, 13, 21): (90, 102.917, 192.917, 194.25),
        (9, 12, 21): (101.25, 95, 196.25, 194.25),
    }
    got = {
        (*map(int, pair), int(total)): (*estimates, total_sum, margin)
        for pair, total, estimates, total_sum, margin in zip(
            found.counts, found.totals, found.estimates.tolist(), found.sums, found.margin, strict=True
        )
    }
    assert set(got) == set(lines)
    for key, printed in lines.items():
        np.testing.assert_allclose(got[key], printed, atol=0.0015)
    finding = attacks.means(PERTURBED, MEANS)
    assert finding.likely.tolist() == [8, 12]
    assert finding.score(FrequencyTable([8, 12], [CELL])).right == 2
    assert "Of 6 combinations" in finding.notes[0]
    other = Release([CELL], {(0,): [1, 2], (): 3}, {(0,): [0, 0], (): 3}, {(0,): [3, 3], (): 3})
    assert attacks.means([PERTURBED, other], MEANS).lower.tolist() == finding.lower.tolist()


def test_the_mean_divided_by_the_perturbed_count_gives_nothing_away():
    """What the handbook recommends: 90/9, 95/14 and 185/19 fit no combination that tells the truth."""
    safer = Knowledge(means={("Cell 1",): 10.0, ("Cell 2",): 6.7857, (): 9.7368})
    found = candidates(PERTURBED, safer)
    assert not found.fits[np.all(found.counts == [8, 12], axis=1)].any()


ROUNDED = np.array([[1, 0], [3, 3], [12, 20]])  # Table 5.18


def rounded_to_5(total_of_c):
    axes = [Axis("Area", ("A", "B", "C")), SEX]
    values = {(0, 1): [[0, 0], [5, 5], [10, 20]], (0,): [0, 5, total_of_c], (1,): [15, 25], (): 40}
    arrays = {kept: np.asarray(one, dtype=float) for kept, one in values.items()}
    lower = {kept: np.maximum(one - 2, 0) for kept, one in arrays.items()}
    return Release(axes, arrays, lower, {kept: one + 2 for kept, one in arrays.items()})


def test_conventional_rounding_is_unpicked():
    """Table 5.19: 3 + 3 = 6 is published as 5, at most 7, so neither of the two threes is above 4."""
    finding = attacks.unpicking(rounded_to_5(30))
    assert finding.before[1][1].tolist() == [7, 7]
    assert finding.upper[1].tolist() == [4, 4]
    assert finding.score(FrequencyTable(ROUNDED, finding.axes)).contained == 6


def test_the_total_of_area_c_is_misprinted():
    """12 + 20 = 32 is nearest to 30; Table 5.19 prints 35, from which an intruder would conclude what is not so."""
    finding = attacks.unpicking(rounded_to_5(35))
    assert finding.lower[2].tolist() == [11, 21]
    assert finding.score(FrequencyTable(ROUNDED, finding.axes)).contained < 6


def test_bad_secondary_suppression_is_filled():
    """O&DF Table 1 with one gap less in activity 6: all four are known."""
    cells = [[592, nan, 329, nan, 1440], [57, 306, 946, nan, 2027]]
    totals = {(0,): [3898, 4281], (1,): [649, 406, 1275, 2382, 3467]}
    axes = [Axis("Activity", ("5", "6")), Axis("Size", ("4", "5", "6", "7", "8"))]
    values = {(0, 1): np.array(cells), **totals}
    upper = {kept: np.where(np.isnan(one), np.inf, one) for kept, one in values.items()}
    release = Release(axes, values, {k: np.nan_to_num(v) for k, v in values.items()}, upper)
    finding = attacks.suppression(release)
    assert finding.recovered == 3
    assert finding.at("5", "5") == (100, 100)
    assert finding.line("5", "5").text == "406 − 306 = 100"


def test_releases_that_contradict_each_other_are_refused():
    releases = [cells_only(TABLE_5_4, [HOURS, SEX]), cells_only(TABLE_5_5, [HOURS, SEX])]
    swapped = Knowledge(
        [HOURS, SEX, PART],
        [TablePlacement("Table 5.4"), TablePlacement("Table 5.5", within={"Part": ["core"]})],
    )
    for attack in (attacks.differencing, attacks.linking):
        with pytest.raises(ValueError, match=r"contradict|counts agrees"):
            attack(releases, swapped)


def test_the_mean_of_repeated_answers_is_off_by_its_standard_error():
    axes = [Axis("Area", ("A", "B"))]
    answers = [Release(axes, {(0,): [value, 6]}) for value in (3, 4)]
    assert attacks.averaging(answers).notes == (
        "2 answers were averaged; the mean standard error of the averages is 0.50 in the cells that vary.",
    )


def test_combinations_are_counted_before_they_are_made(monkeypatch):
    axes = [Axis("Cell", ("1", "2"))]
    release = Release(axes, {(0,): [9, 14], (): 23}, {(0,): [8, 13], (): 20}, {(0,): [10, 15], (): 26})
    known = Knowledge(means={("1",): 1.0, ("2",): 1.0, (): 1.0})
    monkeypatch.setitem(candidates.__globals__, "MOST_COMBINATIONS", 9)
    assert len(candidates(release, known).counts) == 9
    monkeypatch.setitem(candidates.__globals__, "MOST_COMBINATIONS", 8)
    with pytest.raises(InputError, match="more than 8 combinations"):
        candidates(release, known)


def test_a_likely_count_is_learnt_unless_its_number_told_it_before():
    low, high = np.array([3.0, 3, 0]), np.array([5.0, 3, 9])
    finding = Finding(
        "guess",
        (Axis("Cell", ("1", "2", "3")),),
        low,
        high,
        (low, high),
        np.array([4.0, 3, np.nan]),
        np.array([0.7, 1, 0]),
    )
    assert finding.learnt.tolist() == [True, False, False]


def test_a_number_is_exact_where_the_truth_is_what_is_printed():
    assert Number("Table 5.4", ("Male",), 3, 3, 3).exact is True
    assert Number("Table 5.4", ("Male",), 3, 2, 4).exact is False


def test_a_finding_is_one_of_its_own():
    release = cells_only(TABLE_5_4, [HOURS, SEX])
    one, other = (attacks.linking(release) for _ in range(2))
    assert len({one, other, one}) == 2
