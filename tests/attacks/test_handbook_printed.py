"""The handbook's attack tables as they are printed, read digit by digit: what the lab publishes, and what is found."""

import numpy as np
import pytest

from sdcwidgets import attacks
from sdcwidgets.attacks.means import candidates
from sdcwidgets.dashboards.attack.cases import CASES
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable

#: Chapter 5: label and numbers of each line, copied from the document.
PRINTED = {
    "5.4": "More than 30 | 50 54\n16-30 | 128 140\n15 or less | 39 49",
    "5.5": "More than 30 | 52 55\n16-30 | 130 140\n15 or less | 39 49",
    "5.6": "More than 30 | 2 1\n16-30 | 2 0\n15 or less | 0 0",
    "5.7": "Employed | 85\nNot employed | 17\nTotal | 102",
    "5.8": "Area A | 49 102 22",
    "5.9": "Males | 21 58 23",
    "5.10": "Males | 21 58 23\nFemales | 1 5 4\nTotal | 22 63 27",
    "5.11": "Male | 6 9 5 8 4\nFemale | 10 38 51 42 32",
    "5.12": "Male | 7 8 5 8 4\nFemale | 10 38 51 42 32",
    "5.13": "Male | 6 1 8 5 8 4\nFemale | 10 0 38 51 42 32",
    "5.18": "Area A | 1 0 1\nArea B | 3 3 6\nArea C | 12 20 32\nTotal | 16 23 39",
    "5.20": "Area A | 0 0 0\nArea B | 5 0 5\nArea C | 10 20 35\nTotal | 15 20 40",
    "5.23": "Original Count | 8 12 20\nPerturbed Count | 9 14 19\nOriginal Sum of Ages | 90 95 185\n"
    "Original Mean of Ages | 11.25 7.9167 9.25",
    "5.24": "| 7 12 19 78.75 95 173.75 175.75\n| 7 13 20 78.75 102.917 181.667 185\n| 8 12 20 90 95 185 185\n"
    "| 7 14 21 78.75 110.833 189.583 194.25\n| 8 13 21 90 102.917 192.917 194.25\n"
    "| 9 12 21 101.25 95 196.25 194.25",
}


def printed(number):
    """The labels of a table and its numbers."""
    lines = [line.split("|") for line in PRINTED[number].splitlines()]
    return [label.strip() for label, _ in lines], np.array([row.split() for _, row in lines], dtype=float)


def published(case, number):
    """What the lab publishes as this table."""
    return next(
        release for place, release in CASES[case].publish["published"] if f"(Table {number})" in place.title
    )


def found(case):
    """What the machine finds in a case."""
    return attacks.get(CASES[case].attack)(
        [release for _, release in CASES[case].publish["published"]], CASES[case].knowledge("published")
    )


@pytest.mark.parametrize(
    ("case", "number"),
    [
        ("boundaries", "5.4"),
        ("boundaries", "5.5"),
        ("linked", "5.7"),
        ("linked", "5.8"),
        ("linked", "5.9"),
        ("classes", "5.11"),
        ("classes", "5.12"),
    ],
)
def test_the_lab_publishes_what_is_printed(case, number):
    labels, numbers = printed(number)
    release = published(case, number)
    np.testing.assert_array_equal(release.cells.ravel(), numbers.ravel())
    if release.ndim > 1 or number == "5.7":
        assert list(release.axes[0].labels) == labels


def test_table_5_6_is_found():
    _, numbers = printed("5.6")
    finding = found("boundaries")
    np.testing.assert_array_equal(finding.lower[..., 1], numbers)
    np.testing.assert_array_equal(finding.upper[..., 1], numbers)
    np.testing.assert_array_equal(CASES["boundaries"].truth.counts[..., 1], numbers)


def test_table_5_10_is_found():
    _, numbers = printed("5.10")
    finding = found("linked")
    for side in (finding.lower, finding.upper, CASES["linked"].truth.counts):
        np.testing.assert_array_equal(side[:, :3], numbers[:2])
        np.testing.assert_array_equal(side[:, :3].sum(axis=0), numbers[2])


def test_table_5_13_is_found():
    _, numbers = printed("5.13")
    finding = found("classes")
    for side in (finding.lower, finding.upper, CASES["classes"].truth.counts):
        np.testing.assert_array_equal(side, numbers)


def test_tables_5_23_and_5_24():
    _, (original, perturbed, ages, means) = printed("5.23")
    case = CASES["means"]
    ((_, release),) = case.publish["published"]
    np.testing.assert_array_equal(case.truth.counts, original[:2])
    np.testing.assert_array_equal([*release.cells, float(release.values[()])], perturbed)
    np.testing.assert_allclose(ages / original, means, atol=5e-5)
    given = case.knowledge("published")
    assert [given.means[cell] for cell in (("Cell 1",), ("Cell 2",), ())] == means.tolist()
    lines = candidates(release, given)
    computed = np.column_stack([lines.counts, lines.totals, lines.estimates, lines.sums, lines.margin])
    _, table = printed("5.24")
    computed, table = (one[np.lexsort((one[:, 0], one[:, 2]))] for one in (computed, table))
    # The document computes with 95/12 where 7.9167 is published.
    np.testing.assert_allclose(computed, table, atol=0.0015)
    np.testing.assert_array_equal(lines.counts[lines.fits], [original[:2]])
    np.testing.assert_array_equal(found("means").likely, original[:2])


def test_table_5_20_is_audited_as_the_handbook_asks():
    """Random rounding to 5: each number is at most 4 away from the truth; unpicking it never excludes the truth."""
    labels, numbers = printed("5.20")
    _, truth = printed("5.18")
    np.testing.assert_array_equal(truth[:3, 2], truth[:3, :2].sum(axis=1))
    np.testing.assert_array_equal(truth[3], truth[:3].sum(axis=0))
    assert np.all(np.abs(numbers - truth) <= 4)
    assert numbers[2, :2].sum() != numbers[2, 2] == 35  # "row 3 does not sum to 35"
    axes = [Axis("Area", labels[:3]), Axis("Sex", ("Male", "Female"))]
    values = {(0, 1): numbers[:3, :2], (0,): numbers[:3, 2], (1,): numbers[3, :2], (): numbers[3, 2]}
    lower = {kept: np.maximum(one - 4, 0) for kept, one in values.items()}
    release = Release(axes, values, lower, {kept: one + 4 for kept, one in values.items()})
    finding = attacks.unpicking(release)
    assert finding.score(FrequencyTable(truth[:3, :2].astype(int), axes)).contained == 6
    # Area C: 31 at least, of which at most 14 are male and 24 female.
    assert finding.at("Area C", "Female")[0] == 17
    assert finding.at("Area C", "Male")[0] == 7
