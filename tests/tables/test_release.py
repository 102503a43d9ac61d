"""A release: gaps, margins of their own, and what a reader may conclude."""

import csv
import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from stating import stating

from sdcwidgets import FrequencyTable, InputError, methods, protect
from sdcwidgets.core import bounds
from sdcwidgets.core.margins import every_margin, margins
from sdcwidgets.tables.io.sources import read_csv, read_excel
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import Axis

NAN = float("nan")
AXES = (Axis("Area", ("A", "B", "C")), Axis("Sex", ("Male", "Female")))

#: The handbook's Tables 5.18 and 5.19.
POPULATION = FrequencyTable([[1, 0], [3, 3], [12, 20]], AXES)
ROUNDED = Release(AXES, {(0, 1): [[0, 0], [5, 5], [10, 20]], (0,): [0, 5, 35], (1,): [15, 25], (): 40})

#: Three-way, one cell and one row total hidden.
GAPS = Release(
    [*AXES, Axis("Job", ("=yes", "no"))],
    {
        (0, 1, 2): np.where(np.arange(12) == 5, NAN, np.arange(12)).reshape(3, 2, 2),
        (0, 1): [[1, 5], [9, 13], [17, NAN]],
    },
    symbols={(0, 1): np.array([[".."] * 2] * 3)},
)


def test_margins_that_are_no_sums_are_kept_and_told():
    assert ROUNDED.marginal("Area").tolist() == [0, 5, 35]
    assert ROUNDED.discrepancy("Area").tolist() == [0, -5, 5]
    assert ROUNDED.marginal() == 40
    assert not ROUNDED.additive
    assert Release.of(POPULATION).additive


def test_a_margin_has_its_axes_in_the_order_asked_for():
    np.testing.assert_array_equal(ROUNDED.marginal("Sex", "Area"), ROUNDED.cells.T)
    assert GAPS.marginal("Job", "Area").shape == (2, 3)
    assert np.isnan(GAPS.marginal("Job")).all()
    assert GAPS.bounds("Job").upper.tolist() == [np.inf, np.inf]
    assert GAPS.display_texts("Area", "Sex")[2].tolist() == ["17", ".."]
    assert GAPS.display_texts("Sex").tolist() == ["..", ".."]


def test_a_whole_table_is_exact_and_comes_back():
    release = Release.of(POPULATION)
    assert release.exact
    assert release.table() == POPULATION
    assert not release.suppressed.any()
    assert {kept: array.tolist() for kept, array in release.published().items()} == {
        kept: sums.tolist() for kept, sums in margins(POPULATION.counts).items()
    }


def test_what_is_known_exactly_is_what_bounds_take():
    cells = [[NAN, NAN, 5], [NAN, NAN, 2], [6, 1, 3]]
    known = {(0, 1): cells, (0,): [12, 9, 10], (1,): [14, 7, 10]}
    zero = {kept: np.nan_to_num(array) for kept, array in known.items()}
    top = {kept: np.nan_to_num(array, nan=np.inf) for kept, array in known.items()}
    release = Release(FrequencyTable(np.ones((3, 3))).axes, known, zero, top)
    for ours, theirs in zip(release.cell_bounds(), bounds.intervals(known), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    for ours, theirs in zip(release.cell_bounds(), bounds.intervals(release.published()), strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.slow
@given(data=st.data(), shape=st.sampled_from([(3,), (2, 3), (2, 2, 2)]))
def test_sharp_intervals_are_what_a_search_through_all_tables_finds(data, shape):
    counts = data.draw(arrays(np.int64, shape, elements=st.integers(0, 2)))
    sets = every_margin(len(shape))
    truth = margins(counts)
    known = {}
    for kept in sets:
        below = data.draw(arrays(np.int64, truth[kept].shape, elements=st.integers(0, 2)))
        above = data.draw(arrays(np.int64, truth[kept].shape, elements=st.integers(0, 2)))
        known[kept] = (np.maximum(truth[kept] - below, 0), truth[kept] + above)
    # The cells' own ranges bound the search; where they leave too many tables, the truth alone stands for them.
    lower, upper = (end.ravel() for end in known[sets[0]])
    tables = counts.reshape(1, -1)
    if np.prod(upper - lower + 1) <= 20_000:
        choices = [np.arange(low, high + 1) for low, high in zip(lower, upper, strict=True)]
        tables = np.stack([axis.ravel() for axis in np.meshgrid(*choices, indexing="ij")], axis=1)
    tables = tables.reshape(-1, *shape)
    for kept, (low, high) in known.items():
        others = tuple(k + 1 for k in range(len(shape)) if k not in kept)
        sums = tables.sum(axis=others)
        fits = ((sums >= low) & (sums <= high)).reshape(len(tables), -1).all(axis=1)
        tables = tables[fits]
    values = {kept: np.full(np.shape(low), NAN) for kept, (low, _) in known.items()}
    release = Release(
        FrequencyTable(counts).axes,
        values,
        {kept: low for kept, (low, _) in known.items()},
        {kept: high for kept, (_, high) in known.items()},
    )
    sharp, quick = release.cell_bounds(), release.cell_bounds(sharp=False)
    assert (quick.lower <= sharp.lower).all()
    assert (sharp.upper <= quick.upper).all()
    assert (sharp.lower <= tables.min(axis=0)).all()
    assert (tables.max(axis=0) <= sharp.upper).all()
    if len(shape) < 3 and len(tables) > 1:  # in two dimensions the corners are whole numbers
        np.testing.assert_array_equal(sharp.lower, tables.min(axis=0))
        np.testing.assert_array_equal(sharp.upper, tables.max(axis=0))


def test_ranges_without_an_end_stay_so():
    release = Release(
        AXES, {(0, 1): np.full((3, 2), NAN), (0,): [4, 4, NAN]}, {(0,): [4, 4, 0]}, {(0,): [4, 4, np.inf]}
    )
    lower, upper = release.cell_bounds()
    assert lower.max() == 0
    assert upper.tolist() == [[4, 4], [4, 4], [np.inf, np.inf]]


def test_ranges_that_contradict_each_other_are_refused():
    with pytest.raises(InputError, match="contradict"):
        Release(
            AXES[:1], {(0,): [1, 2, 3], (): 9}, {(0,): [1, 2, 3], (): 9}, {(0,): [1, 2, 3], (): 9}
        ).cell_bounds()


def test_text_of_a_table_with_gaps_and_margins():
    assert list(ROUNDED.lines()) == [
        ["Area \\ Sex", "Male", "Female", "Total"],
        ["A", 0, 0, 0],
        ["B", 5, 5, 5],
        ["C", 10, 20, 35],
        ["Total", 15, 25, 40],
    ]
    lines = list(GAPS.lines())
    assert lines[0] == ["Area", "Sex \\ Job", "=yes", "no", "Total"]
    assert lines[3] == ["B", "Male", 4, "c", 9]
    assert lines[-1] == ["C", "Female", 10, 11, ".."]
    assert "'=yes" in GAPS.to_csv()
    assert list(Release.of(FrequencyTable([1, 2])).lines())[1:] == [["Row 1", 1], ["Row 2", 2], ["Total", 3]]
    only = Release(AXES, {(0,): [1, 2, 3], (1,): [4, 2]})
    assert list(only.lines())[1:] == [
        ["A", "", "", 1],
        ["B", "", "", 2],
        ["C", "", "", 3],
        ["Total", 4, 2, ""],
    ]


def test_a_label_that_says_total_keeps_its_meaning():
    release = Release.of(FrequencyTable([[1, 2]], [("Row", ["a"]), ("Column", ["Total", "x"])]))
    assert next(release.lines())[1:] == ["Total", "x", "Total (all)"]


def test_csv_without_gaps_reads_as_the_same_table():
    text = Release.of(POPULATION).to_csv()
    assert FrequencyTable.from_csv(text) == POPULATION


def test_the_frame_has_a_line_for_each_published_value():
    frame = (
        methods.get("conventional-rounding")(base=5).release(POPULATION, np.random.default_rng(1)).to_frame()
    )
    assert list(frame.columns) == ["Area", "Sex", "value", "lower", "upper", "symbol"]
    assert len(frame) == 6 + 3 + 2 + 1
    first = frame.iloc[1]
    assert (first["value"], first["lower"], first["upper"]) == (0, 0, 2)
    pd.testing.assert_frame_equal(
        pd.read_csv(io.StringIO(frame.to_csv(index=False)), keep_default_na=False), frame, check_dtype=False
    )


def test_fewer_categories_are_compared_with_the_truth_in_them():
    release = Release(
        [Axis("Area", ("A", "B and C")), AXES[1]],
        {(0, 1): [[1, 0], [15, 23]]},
        merged={"Area": {"B": "B and C", "C": "B and C"}},
    )
    assert release.regroup(POPULATION).counts.tolist() == [[1, 0], [15, 23]]
    with pytest.raises(InputError, match="no label"):
        ROUNDED.regroup(FrequencyTable([[1, 0]], [("Area", ["Z"]), AXES[1]]))


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Release(AXES, {}), "must have values"),
        (lambda: Release(AXES, {(0, 1): [1, 2]}), "the shape"),
        (lambda: Release(AXES, {(1, 0): np.ones((2, 3))}), "positions from 0"),
        (lambda: Release(AXES, {(): 1}, {(): 3}, {(): 2}), "upper bound"),
        (lambda: Release(AXES, {(): 1}, fraction=0), "at most 1"),
        (lambda: ROUNDED.marginal("Age"), 'no axis "Age"; it has "Area", "Sex"'),
        (lambda: ROUNDED.marginal("Sex", "Sex"), "different axes"),
        (lambda: GAPS.table(), "1 cells are not published"),
    ],
)
def test_what_does_not_fit_is_told_in_one_sentence(make, sentence):
    with pytest.raises(InputError, match=sentence):
        make()


def test_a_release_is_a_value():
    assert Release.of(POPULATION) == Release.of(POPULATION)
    assert Release.of(POPULATION) != ROUNDED
    with pytest.raises(ValueError, match="read-only"):
        ROUNDED.cells[0, 0] = 7


class TestWhatMethodsTell:
    def release(self, name, table=POPULATION, **settings):
        return methods.get(name)(**settings).release(table, np.random.default_rng(3))

    def test_random_rounding_tells_less_than_a_base(self):
        release = self.release("random-rounding", base=5)
        np.testing.assert_array_equal(release.upper[0, 1], release.cells + 4)
        np.testing.assert_array_equal(release.lower[0, 1], np.maximum(release.cells - 4, 0))
        assert release.upper[()] == release.upper[0, 1].sum()

    def test_conventional_rounding_tells_half_a_base(self):
        release = self.release("conventional-rounding", FrequencyTable(np.arange(12)), base=4)
        seen = {
            tuple(map(int, x)) for x in zip(release.cells, release.lower[0,], release.upper[0,], strict=True)
        }
        assert seen == {(0, 0, 1), (4, 2, 5), (8, 6, 9), (12, 10, 13)}

    def test_barnardisation_tells_one_and_that_zeros_stay(self):
        release = self.release("barnardisation", FrequencyTable(np.repeat([0, 1, 2, 9], 60)), p=0.5)
        seen = {
            tuple(map(int, x)) for x in zip(release.cells, release.lower[0,], release.upper[0,], strict=True)
        }
        assert {(0, 0, 1), (1, 1, 2), (2, 1, 3), (3, 2, 4), (9, 8, 10)} <= seen

    def test_a_matrix_tells_which_counts_lead_there(self):
        plain = self.release("stochastic-perturbation", FrequencyTable([0, 1, 2, 3, 50]))
        assert dict(zip(plain.cells, plain.lower[0,], strict=True))[0] == 0
        identity = self.release(
            "stochastic-perturbation", FrequencyTable([0, 1, 2, 30]), matrix=[[1, 0], [0, 1]]
        )
        assert identity.exact

    def test_semi_controlled_rounding_tells_its_totals_to_a_base(self):
        release = self.release("semi-controlled-rounding", base=5)
        assert release.bounds() == (36, 44)
        by_row = self.release("semi-controlled-rounding", base=5, totals="rows")
        assert by_row.bounds("Area").upper.tolist() == (by_row.marginal("Area") + 4).tolist()
        assert by_row.bounds().upper == by_row.marginal() + 12

    def test_swapping_tells_the_margins_that_it_keeps(self):
        table = FrequencyTable(np.arange(8).reshape(2, 2, 2), [("Area", "AB"), ("Sex", "mf"), ("Job", "yn")])
        release = self.release("record-swapping", table, rate=0.4, axis="Area", strata=["Sex"])
        exact = {kept for kept in release.lower if np.array_equal(release.lower[kept], release.upper[kept])}
        assert exact == {(), (0,), (1,), (2,), (1, 2), (0, 1)}
        assert release.upper[0, 2].max() == np.inf
        assert release.cell_bounds().upper.max() < np.inf


def test_a_workbook_says_what_the_csv_says(tmp_path):
    from openpyxl import load_workbook

    GAPS.to_excel(tmp_path / "gaps.xlsx")
    sheet = load_workbook(tmp_path / "gaps.xlsx")["Table"]
    assert [list(row) for row in sheet.iter_rows(min_row=3, values_only=True)] == list(GAPS.lines())
    assert {cell.data_type for row in sheet.iter_rows() for cell in row if cell.value == "=yes"} == {"s"}


def test_protect_keeps_its_secret():
    table = FrequencyTable([[11, 12], [13, 14]] * 10)
    same = [protect(table, "random-rounding", base=5, seed=7).cells.tolist() for _ in range(2)]
    assert same[0] == same[1] == methods.get("random-rounding")(base=5).release(table, 7).cells.tolist()
    assert len({str(protect(table, "random-rounding", base=5).cells.tolist()) for _ in range(5)}) > 1
    with pytest.raises(InputError, match=r"already has.* omit base"):
        protect(table, methods.get("random-rounding")(), base=5)
    with pytest.raises(InputError, match="There is no method 'rounding'"):
        protect(table, "rounding")


def _cells_of_csv(path):
    """Return the cells of a CSV file, in which quotes of notes are doubled."""
    return "\n".join(cell for row in csv.reader(path.read_text("utf-8").splitlines()) for cell in row)


@pytest.mark.parametrize("name", methods.available())
def test_what_is_written_comes_back_with_its_notes_below(name, tmp_path):
    """The files of a release say how it was protected; a reader leaves that out, says so, and has the same table."""
    table = FrequencyTable(np.arange(1, 13).reshape(3, 4) % 7, {"Area": "ABC", "Age": ("0", "1", "2", "3")})
    release = methods.get(name)().release(table, 1)
    assert release.notes
    release.to_excel(tmp_path / "a.xlsx")
    for totals in (False, True):
        release.to_csv(tmp_path / "a.csv", margins=totals)
        for path, read in (("a.csv", read_csv), ("a.xlsx", read_excel)):
            content = tmp_path / path
            told = _cells_of_csv(content) if path == "a.csv" else _texts(content)
            has_totals = totals or path == "a.xlsx" or release.has_own_totals
            notes = release.notes if has_totals else release.without_note_on_totals().notes
            assert all(note in told for note in notes), path
            if release.suppressed.any():
                continue
            reading = read(content) if release.additive else read(content, totals="drop")
            assert reading.table == FrequencyTable(release.cells, release.axes)
            assert any("below the" in note for note in reading.notes)


def _texts(path):
    from openpyxl import load_workbook

    cells = [cell for row in load_workbook(path)["Table"].iter_rows(values_only=True) for cell in row]
    return [cell for cell in cells if isinstance(cell, str)]


@pytest.mark.parametrize(
    ("method", "told"),
    [
        ({"name": "random-rounding", "base": 5}, "base 5: "),
        ({"name": "conventional-rounding", "base": 3}, "Conventional rounding to base 3: "),
        ({"name": "controlled-rounding", "base": 3}, "Controlled rounding to base 3: counts and totals"),
        (
            {"name": "threshold-suppression", "threshold": 4},
            "Threshold suppression of counts below 4: ",
        ),
        ({"name": "cell-suppression", "threshold": 3}, "Cell suppression of counts below 3: "),
    ],
)
def test_a_note_says_the_setting_that_a_reader_needs(method, told):
    name = method.pop("name")
    table = FrequencyTable([[1, 9, 8], [7, 20, 5], [6, 5, 30]])
    assert methods.get(name)(**method).release(table, 1).notes[0] == stating(told)


def test_an_own_file_without_totals_keeps_its_notes_apart():
    """A line called Total is a category there, with notes below as well."""
    table = FrequencyTable([[3, 6], [3, 6]], {"Area": ("A", "Total"), "Sex": "mf"})
    text = Release.of(table, notes=['Rounded "to" base 3.', "Another."]).to_csv(margins=False)
    assert text.endswith('\n\n"Rounded ""to"" base 3."\n"Another."\n')
    reading = read_csv(text)
    assert reading.table == table
    assert reading.notes == (stating("2 lines of text below", '("Rounded "to" base 3." ...)'),)


def test_margins_of_a_table_and_of_its_release_have_one_type_and_the_same_labels():
    table = FrequencyTable(np.arange(24).reshape(2, 3, 4))
    release = methods.get("random-rounding")(base=3).release(table, 1)
    for names in ((), ("Layer 1",), ("Column", "Row")):
        before, after = table.margin(*names), release.margin(*names)
        assert type(before) is type(after)
        assert before.index.equals(after.index)
        assert before.sum() == table.total
        assert (after - before).abs().max() <= 2 * 12
    assert table.margin("Column", "Row").loc["Column 4", "Row 2"] == table.counts[1, :, 3].sum()
