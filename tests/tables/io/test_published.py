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
