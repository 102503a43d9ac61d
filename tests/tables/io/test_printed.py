"""Tables that statistical packages and DOS programs print, whose columns are aligned by blanks."""

import numpy as np
import pytest

from sdcwidgets.tables.io.layout_reader import read
from sdcwidgets.tables.io.options import ReadOptions
from sdcwidgets.tables.io.proposals import propose_layout
from sdcwidgets.tables.io.proposed_questions import accepted_reading
from sdcwidgets.tables.io.sources import read_csv

STATA = """. tabulate region smoke, row

           |              smoke
    region |     never     former    current |     Total
-----------+---------------------------------+----------
     North |        95         58         65 |       218
           |     43.58      26.61      29.82 |    100.00
-----------+---------------------------------+----------
  Midlands |       265        162        113 |       540
           |     49.00      30.00      21.00 |    100.00
-----------+---------------------------------+----------
     South |       443        260        221 |       924
           |     47.94      28.14      23.92 |    100.00
-----------+---------------------------------+----------
     Total |       803        480        399 |     1,682
           |     47.74      28.54      23.72 |    100.00
"""

R = """> with(trial, table(arm, outcome, sex))
, , sex = Female

            outcome
arm         Improved No change Worse
  Active          78        20    25
  Placebo         92        18    13
  Usual care      63        15    16

, , sex = Male

            outcome
arm         Improved No change Worse
  Active          84        21    17
  Placebo         65        35    16
  Usual care      80        26    21
"""


def test_row_percentages_below_the_counts_of_stata_are_not_read():
    table = accepted_reading(STATA, ReadOptions(doubts="accept")).table
    assert table.counts.tolist() == [[95, 58, 65], [265, 162, 113], [443, 260, 221]]


def test_headings_of_several_words_end_where_their_columns_end():
    table = read(R, propose_layout(R).layout).table
    assert [axis.labels for axis in table.axes[1:]] == [
        ("Active", "Placebo", "Usual care"),
        ("Improved", "No change", "Worse"),
    ]
    assert table.total == 705


@pytest.mark.parametrize("before", [14, 20, 26])
@pytest.mark.parametrize("seed", range(3))
def test_headings_over_two_columns_are_those_of_both(before, seed):
    counts = np.random.default_rng(seed).integers(10, 99, size=(4, 2, 2))
    lines = [
        f"Class{'Germans':>{before}}{'Others':>22}{'All':>{37 - before}}",
        f"{'':9}{'m':>11}{'f':>11}{'m':>11}{'f':>11}",
    ]
    for k, line in enumerate(counts):
        cells = "".join(f"{count:>11}" for count in line.ravel())
        lines.append(f"Class {5 + k}  {cells}{line.sum():>11}")
    proposal = propose_layout("\n".join(lines) + "\n")
    assert np.array_equal(read("\n".join(lines) + "\n", proposal.layout).table.counts, counts)


def test_a_title_above_the_first_column_is_above_all_columns():
    headings = ",Mean year ended,,,\n,Male,,Female,\n,0-14,15+,0-14,15+\n"
    text = f"{headings}Bath,310,455,290,401\nHull,275,560,281,533\nYork,199,301,..,317\n"
    columns = propose_layout(text).layout.columns
    assert [column.role for column in columns] == ["label", *["count"] * 4]


@pytest.mark.parametrize("leader", [".", " ."])
def test_leader_dots_are_no_part_of_a_label(leader):
    labels = ("Bath", "Kingston upon Hull", "St. Ives", "York etc.")
    lines = ["TABLE 2. ACCIDENTS", "", f"{'':24}{'Men':>8}{'Women':>8}", "-" * 40]
    for k, label in enumerate(labels):
        dots = (leader * 30)[: 23 - len(label)]
        lines.append(f"{label} {dots}{31 + k:>8}{54 + k:>8}")
    text = "\n".join([*lines, "-" * 40, "Source: us", ""])
    assert propose_layout(text).reading.table.axes[0].labels == labels
    assert read_csv(text).table.axes[0].labels == labels
