"""Detection of missing values in columns of records, such as "NA" or blank texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sdcwidgets._util.labels import no_value_among
from sdcwidgets.tables.io.layout.cells import label_of
from sdcwidgets.tables.io.layout.records import perhaps_without_value, trimmed

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray


class Texts(NamedTuple):
    """The different values of a column of texts, and the value of each record."""

    codes: NDArray[np.int64]
    """Position of the value of each record in `values`; -1 for a missing value."""
    values: list[object]
    """Values of the column; texts are without blanks at their ends."""
    texts: list[str]
    """The values as texts."""
    gone: set[str]
    """Texts that mean a missing value."""
    blanks: int
    """Number of records from whose texts blanks were removed."""

    @property
    def marks(self) -> set[str]:
        """Texts that mean a missing value, and "" if a record has no value at all."""
        return self.gone | ({""} if (self.codes < 0).any() else set())

    @property
    def times(self) -> dict[str, int]:
        """Number of records with each text, without texts that mean a missing value."""
        counts: Counter[str] = Counter()
        many = np.bincount(self.codes[self.codes >= 0], minlength=len(self.texts)).tolist()
        for text, times in zip(self.texts, many, strict=True):
            if text not in self.gone:
                counts[text] += times
        return counts

    def column(self) -> NDArray[np.object_]:
        """Return the value of each record; a missing value is nan."""
        import pandas as pd

        pairs = zip(self.values, self.texts, strict=True)
        values = [np.nan if text in self.gone else value for value, text in pairs]
        return pd.Series(values, dtype=object).reindex(self.codes).to_numpy()


def texts_of(column: pd.Series) -> Texts | None:
    """Return the values of a column; None if the column is numeric, has no texts, or is a pandas Categorical.

    Examples
    --------
    >>> import pandas as pd
    >>> found = texts_of(pd.Series(["a", "b ", "NA", None]))
    >>> found.column().tolist(), sorted(found.marks), found.blanks
    (['a', 'b', nan, nan], ['', 'NA'], 1)
    """
    import pandas as pd

    if isinstance(column.dtype, pd.CategoricalDtype) or pd.api.types.is_numeric_dtype(column):
        return None
    codes, values_there = pd.factorize(column)
    if not any(isinstance(value, str) for value in values_there):
        return None
    values = [value.strip() if isinstance(value, str) else value for value in values_there]
    texts = [label_of(value).strip() for value in values]
    many = np.bincount(codes[codes >= 0], minlength=len(texts)).tolist()
    off = [text != was and text != "" for text, was in zip(values, values_there, strict=True)]
    blanks = sum(times for gone, times in zip(off, many, strict=True) if gone)
    return Texts(codes, values, texts, no_value_among(texts), blanks)


def cleaned(column: pd.Series) -> pd.Series:
    """Return a column without blanks at the ends of texts, and with nan for texts that mean a missing value.

    Examples
    --------
    >>> import pandas as pd
    >>> cleaned(pd.Series(["30", "41 ", "-"])).isna().tolist()
    [False, False, True]
    """
    import pandas as pd

    texts = texts_of(column)
    return column if texts is None else pd.Series(texts.column(), column.index, name=column.name)


def doubts(columns: Mapping[str, Texts]) -> list[str]:
    """Return notes on removed blanks, and on categories that may mean a missing value."""
    blanks = sum(texts.blanks for texts in columns.values())
    notes = [trimmed(blanks)] if blanks else []
    for name, texts in columns.items():
        notes += perhaps_without_value(name, texts.times)
    return notes
