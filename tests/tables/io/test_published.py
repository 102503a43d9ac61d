"""A published table is read with its totals and suppressed counts, from each format that is written."""

import numpy as np
import pytest

from sdcwidgets import FrequencyTable, InputError, methods
from sdcwidgets.tables.io.published import published_of, read_published
from sdcwidgets.tables.io.writers.exchange import ENDINGS


def write(release, path, ending):
    if ending == "csv":
        release.to_csv(path)
    elif ending == "xlsx":
        release.to_excel(path)
    else:
        ENDINGS[f".{ending}"](release, path)


@pytest.mark.parametrize("ending", ["csv", "xlsx", "px", "json", "sdmx.csv"])
@pytest.mark.parametrize("shape", [(4,), (3, 4), (2, 3, 3)])
def test_a_written_release_is_read_again(shape, ending, tmp_path):
    # The category c has the symbol of a suppressed count.
    labels = [[f"{'xyz'[k]}{i}" if k else "abcd"[i] for i in range(size)] for k, size in enumerate(shape)]
    names = ["Area", "Age", "Sex"][: len(shape)]
    table = FrequencyTable(np.random.default_rng(3).poisson(4, shape), dict(zip(names, labels, strict=True)))
    for name in ("threshold-suppression", "cell-suppression", "random-rounding"):
        release = methods.get(name)().release(table, 3**60)
        path = tmp_path / f"{name}.{ending}"
        write(release, path, ending)
        published = published_of(table, str(path))
        assert published.axes == release.axes
        for margin, values in release.values.items():
            np.testing.assert_array_equal(published.values[margin], values)
            assert (published.lower[margin] <= table.counts.sum(axis=_others(margin, table.ndim))).all()


def _others(margin, ndim):
    return tuple(k for k in range(ndim) if k not in margin)


def test_a_published_table_of_other_categories_is_rejected(tmp_path):
    path = tmp_path / "published.csv"
    path.write_text("Area,x,y\na,c,9\nb,7,8\n", "utf-8")
    table = FrequencyTable([[1, 9], [7, 8]], {"Area": "ab", "Column": "xz"})
    with pytest.raises(InputError, match="categories of"):
        published_of(table, str(path))
    with pytest.raises(InputError, match="axes"):
        published_of(FrequencyTable([1, 2], {"Area": "ab"}), str(path))
    assert np.isnan(read_published(str(path)).cells).sum() == 1


@pytest.mark.parametrize("margins", ["sums", "own"])
def test_bounds_of_a_stated_method_contain_each_count_and_total(margins, tmp_path):
    table = FrequencyTable([[37, 4, 12], [5, 8, 0]])
    rounding = methods.get("random-rounding")(margins=margins)
    path = tmp_path / "rounded.csv"
    rounding.release(table, 5).to_csv(path)
    published = published_of(table, str(path), rounding.conclusions)
    for margin, lower in published.lower.items():
        counts = table.counts.sum(axis=_others(margin, 2))
        assert (lower <= counts).all()
        assert (counts <= published.upper[margin]).all()


@pytest.mark.parametrize("impossible", [60, 61])
def test_a_count_that_the_stated_method_cannot_publish_is_named(impossible, tmp_path):
    table = FrequencyTable([[37, 4], [5, 8]], {"Town": ["Ash", "Elm"], "Column": ["m", "f"]})
    path = tmp_path / "rounded.csv"
    path.write_text(f"Town,m,f\nAsh,{impossible},3\nElm,6,9\n", "utf-8")
    with pytest.raises(InputError, match=f'37 of "Ash, m" as {impossible}'):
        published_of(table, str(path), methods.get("random-rounding")().conclusions)


def test_totals_that_come_first_are_totals(tmp_path):
    path = tmp_path / "totals.csv"
    path.write_text("Area,Total,x,y\nTotal,16,9,7\nA,10,6,4\nB,6,3,3\n", "utf-8")
    published = read_published(str(path))
    assert set(published.values) == {(0, 1), (0,), (1,), ()}
    assert published.values[()] == 16
    assert published.values[(0,)].tolist() == [10, 6]


def test_a_row_above_the_counts_may_be_shorter(tmp_path):
    path = tmp_path / "short.csv"
    path.write_text("People\nby area\nArea,x\n,m,f\nA,3,4\nB,5,6\n", "utf-8")
    assert read_published(str(path)).cells.tolist() == [[3, 4], [5, 6]]
    path.write_text("Area,x\nA,3,4\nB,5,6\n", "utf-8")
    with pytest.raises(InputError, match='"A"'):
        read_published(str(path))
