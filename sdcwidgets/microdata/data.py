"""Records of people: variables with their categories, sampling weights, and who lives with whom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from os import PathLike
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.arrays import Floats, Whole
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.extras import need
from sdcwidgets._util.labels import listed, quoted
from sdcwidgets.core.microdata.keys import MISSING
from sdcwidgets.microdata.roles import ROLE_TITLES, Roles

if TYPE_CHECKING:
    import pandas as pd

Codes = NDArray[np.signedinteger]

#: A key variable has at most so many categories.
MOST_CATEGORIES = 2_000

# Text with more different values than this share of the records identifies people by itself.
_FREE_TEXT = 0.5

# In a file of fewer records every text may differ by chance.
_FEW = 10


@dataclass(frozen=True, eq=False)
class Variable:
    """A variable of a file: its categories, and which of them each record has.

    Attributes
    ----------
    name : str
    codes : ndarray of int, shape (n,)
        The place of each record's value in `categories`; -1 where it is missing.
    categories : ndarray
        The values, in order: numbers, or text.
    """

    name: str
    codes: Codes
    categories: NDArray[np.generic]

    def __repr__(self) -> str:
        return f"Variable({self.name}: {len(self.codes):,} records, {len(self.categories):,} categories)"

    @classmethod
    def of(cls, name: str, values: object) -> Variable:
        """Return the variable of a column of anything that pandas reads; categories keep their order.

        Examples
        --------
        >>> from sdcwidgets.microdata import Variable
        >>> Variable.of("sex", ["m", "f", "m"]).labels
        ('f', 'm')
        """
        import pandas as pd

        column = pd.Series(values)
        if isinstance(column.dtype, pd.CategoricalDtype):
            categories = np.asarray(column.cat.categories)
            codes = column.cat.codes.to_numpy()
        else:
            codes, uniques = pd.factorize(
                column, sort=column.map(type).nunique() < 2 if column.dtype == object else True
            )
            categories = np.asarray(uniques)
        if categories.dtype.kind == "f" and np.all(
            np.isfinite(categories) & (categories == np.round(categories))
        ):
            categories = categories.astype(np.int64)
        if categories.dtype.kind not in "iuf":
            categories = np.array([str(value) for value in categories.tolist()], dtype=object)
        return cls(name, np.ascontiguousarray(_small(codes, len(categories))), categories)

    @property
    def numeric(self) -> bool:
        """Whether the values are numbers."""
        return self.categories.dtype.kind in "iuf"

    @property
    def missing(self) -> int:
        """How many records have no value."""
        return int((self.codes == MISSING).sum())

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The categories as text."""
        if self.categories.dtype.kind == "f":
            return tuple(f"{value:g}" for value in self.categories.tolist())
        return tuple(str(value) for value in self.categories.tolist())

    @property
    def kind(self) -> str:
        """What the variable is, in words for a list."""
        number = len(self.categories)
        noun = "numbers" if self.numeric else "categories"
        words = f"{number:,} {noun}"
        return f"{words}, {self.missing:,} missing" if self.missing else words

    def label(self, record: int) -> str:
        """Return the value of one record as text; "missing" where it has none.

        Examples
        --------
        >>> from sdcwidgets.microdata import Variable
        >>> Variable.of("sex", ["m", "f", None]).label(2)
        'missing'
        """
        code = int(self.codes[record])
        return "missing" if code == MISSING else self.labels[code]

    def values(self) -> pd.Series:
        """Return the column: numbers as numbers, text as categories.

        Examples
        --------
        >>> from sdcwidgets.microdata import Variable
        >>> Variable.of("age", [30, 41]).values().tolist()
        [30, 41]
        """
        import pandas as pd

        if not self.numeric:
            column = pd.Categorical.from_codes(self.codes.astype(np.int64), categories=pd.Index(self.labels))
            return pd.Series(column, name=self.name)
        gap = self.codes == MISSING
        values = (
            self.categories[np.where(gap, 0, self.codes)] if len(self.categories) else np.zeros(len(gap), int)
        )
        if not gap.any():
            return pd.Series(values, name=self.name)
        if values.dtype.kind == "f":
            return pd.Series(np.where(gap, np.nan, values), name=self.name)
        return pd.Series(pd.arrays.IntegerArray(values.astype(np.int64), gap), name=self.name)

    @property
    def identifies(self) -> bool:
        """Whether it is text that tells most people apart, such as a name: no key variable, and nothing to publish."""
        records = len(self.codes)
        return not self.numeric and records >= _FEW and len(self.categories) > _FREE_TEXT * records

    def check_key(self) -> None:
        """Raise InputError if the variable can't serve as a key variable.

        Examples
        --------
        >>> from sdcwidgets.microdata import Variable
        >>> Variable.of("sex", ["m", "f", "m"]).check_key()
        """
        different, records = len(self.categories), len(self.codes)
        if self.identifies:
            raise InputError(
                f"{quoted(self.name)} has {different:,} different texts in {records:,} records; a key variable has"
                " categories that people share, so take another one, or recode it."
            )
        if different > MOST_CATEGORIES:
            raise InputError(
                f"{quoted(self.name)} has {different:,} different values; a key variable has at most"
                f" {MOST_CATEGORIES:,}, so recode it into intervals first."
            )


@dataclass(frozen=True, eq=False)
class Microdata:
    """A file of records.

    Attributes
    ----------
    variables : mapping of str to Variable
    weight, household : str or None
        The variables that hold the sampling weight, and the number of the household.
    strata, sensitive, left_out : tuple of str
        Those within which records are hidden, those that nobody is to learn, and those that no saved file has.
    """

    variables: Mapping[str, Variable]
    weight: str | None = None
    household: str | None = None
    strata: tuple[str, ...] = ()
    sensitive: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    _cache: dict[str, object] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "variables", MappingProxyType(dict(self.variables)))
        if not self.variables or not self.records:
            raise InputError("The file has no records; a file has a line for each person, below the names.")
        for role in (self.weight, self.household, *self.strata, *self.sensitive, *self.left_out):
            if role is not None:
                self[role]
        if self.weight is not None:
            _check_weights(self[self.weight])

    @classmethod
    def from_frame(
        cls,
        frame: pd.DataFrame,
        *,
        weight: str | None = None,
        household: str | None = None,
        strata: Sequence[str] = (),
        sensitive: Sequence[str] = (),
        left_out: Sequence[str] = (),
    ) -> Microdata:
        """Return the records of a data frame, a row each.

        Parameters
        ----------
        frame : DataFrame
        weight, household : str, optional
            The columns with the sampling weight, and with the number of the household.
        strata, sensitive, left_out : sequence of str
            Columns within whose values records are to be hidden, that nobody is to learn, and that no saved file has.

        Raises
        ------
        InputError
            If there is no row, two columns have one name, a named column isn't there, or a weight is below 1.

        Examples
        --------
        >>> import pandas as pd
        >>> file = Microdata.from_frame(pd.DataFrame({"sex": ["m", "w", "m"], "age": [30, None, 41]}))
        >>> file.records, file["age"].kind
        (3, '2 numbers, 1 missing')
        """
        if not hasattr(frame, "columns"):
            raise InputError(
                f"The records are a {type(frame).__name__}; pass a DataFrame, such as pandas.read_csv(file)."
            )
        names = [str(name) for name in frame.columns]
        twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
        if twice:
            raise InputError(f"Two columns are called {quoted(twice[0])}; each needs a name of its own.")
        columns = {name: Variable.of(name, frame.iloc[:, position]) for position, name in enumerate(names)}
        return cls(columns, weight, household, tuple(strata), tuple(sensitive), tuple(left_out))

    @property
    def records(self) -> int:
        """How many records there are."""
        return len(next(iter(self.variables.values())).codes)

    def __getitem__(self, name: str) -> Variable:
        try:
            return self.variables[name]
        except KeyError:
            raise InputError(
                f"The file has no variable {quoted(name)}; it has {listed(list(self.variables))}."
            ) from None

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        held = (getattr(self, item.name) for item in fields(self) if item.init)
        return type(self), tuple(dict(part) if isinstance(part, Mapping) else part for part in held)

    def __repr__(self) -> str:
        return f"Microdata({self.records:,} records; {', '.join(self.variables)})"

    @property
    def weights(self) -> Floats:
        """The sampling weight of each record; 1 where the file has none."""
        if self.weight is None:
            return np.ones(self.records)
        variable = self[self.weight]
        return variable.categories.astype(np.float64)[variable.codes]

    @property
    def households(self) -> Codes | None:
        """The number of each record's household, from 0 on, or None; a record without one is one of its own."""
        if self.household is None:
            return None
        variable = self[self.household]
        alone = variable.codes == MISSING
        if not alone.any():
            return variable.codes
        numbers = variable.codes.astype(np.int64)
        numbers[alone] = len(variable.categories) + np.arange(alone.sum())
        return numbers

    def codes(self, keys: Sequence[str]) -> Codes:
        """Return the categories of the records in the key variables, shape (n, q).

        Raises
        ------
        InputError
            If no key is given, one isn't there, is given twice, or can't serve as a key.

        Examples
        --------
        >>> import pandas as pd
        >>> from sdcwidgets.microdata import Microdata
        >>> file = Microdata.from_frame(pd.DataFrame({"sex": ["m", "f", "m"], "age": [30, 30, 41]}))
        >>> file.codes(["sex", "age"]).tolist()
        [[1, 0], [0, 0], [1, 1]]
        """
        check_keys(self, keys)
        return np.column_stack([self[name].codes for name in keys])

    def put(self, *variables: Variable) -> Microdata:
        """Return the file with these variables in the place of those of the same name, or added.

        Examples
        --------
        >>> import pandas as pd
        >>> from sdcwidgets.microdata import Microdata
        >>> file = Microdata.from_frame(pd.DataFrame({"sex": ["m", "f", "m"], "age": [30, 30, 41]}))
        >>> from sdcwidgets.microdata import Variable
        >>> file.put(Variable.of("age", ["0-39", "0-39", "40+"]))["age"].labels
        ('0-39', '40+')
        """
        return replace(self, variables={**self.variables, **{var.name: var for var in variables}})

    def without(self, names: Iterable[str]) -> Microdata:
        """Return the file without these variables.

        Examples
        --------
        >>> import pandas as pd
        >>> from sdcwidgets.microdata import Microdata
        >>> file = Microdata.from_frame(pd.DataFrame({"sex": ["m", "f", "m"], "age": [30, 30, 41]}))
        >>> list(file.without(["age"]).variables)
        ['sex']
        """
        gone = set(names)
        variables = {name: var for name, var in self.variables.items() if name not in gone}
        roles = (self.strata, self.sensitive, self.left_out)
        return Microdata(
            variables,
            None if self.weight in gone else self.weight,
            None if self.household in gone else self.household,
            *(tuple(name for name in role if name not in gone) for role in roles),
        )

    @property
    def roles(self) -> Roles:
        """Who is what."""
        return Roles(self.weight, self.household, self.strata, self.sensitive, self.left_out)

    def with_roles(self, roles: Roles) -> Microdata:
        """Return the file in which the variables have these roles; InputError if one can't.

        Examples
        --------
        >>> import pandas as pd
        >>> from sdcwidgets.microdata import Microdata
        >>> file = Microdata.from_frame(pd.DataFrame({"sex": ["m", "f", "m"], "age": [30, 30, 41]}))
        >>> from sdcwidgets.microdata import Roles
        >>> file.with_roles(Roles(sensitive=("age",))).sensitive
        ('age',)
        """
        return replace(self, **vars(roles))

    def take(self, records: Whole) -> Microdata:
        """Return some of the records, in this order.

        Examples
        --------
        >>> import numpy as np
        >>> import pandas as pd
        >>> from sdcwidgets.microdata import Microdata
        >>> file = Microdata.from_frame(pd.DataFrame({"sex": ["m", "f", "m"], "age": [30, 30, 41]}))
        >>> file.take(np.array([0, 2])).records
        2
        """
        taken = {name: replace(var, codes=var.codes[records]) for name, var in self.variables.items()}
        return replace(self, variables=taken)

    def to_frame(self) -> pd.DataFrame:
        """Return the records as a data frame; missing values are missing there.

        Examples
        --------
        >>> import pandas as pd
        >>> from sdcwidgets.microdata import Microdata
        >>> file = Microdata.from_frame(pd.DataFrame({"sex": ["m", "f", "m"], "age": [30, 30, 41]}))
        >>> file.to_frame()["age"].tolist()
        [30, 30, 41]
        """
        import pandas as pd

        return pd.DataFrame({name: var.values() for name, var in self.variables.items()})

    def to_csv(self, path: str | PathLike[str] | None = None) -> str | None:
        """Write the records as CSV text; a missing value is an empty cell. Return the text if no path is given.

        Examples
        --------
        >>> import pandas as pd
        >>> from sdcwidgets.microdata import Microdata
        >>> file = Microdata.from_frame(pd.DataFrame({"sex": ["m", "f", "m"], "age": [30, 30, 41]}))
        >>> file.to_csv().splitlines()[1]
        'm,30'
        """
        from sdcwidgets._util.csv_writing import csv_text, lines_of

        text = csv_text(lines_of(self.to_frame()), path)
        return text if path is None else None

    def to_parquet(self, path: str | PathLike[str]) -> None:
        """Write the records as Parquet; text is written once, as a dictionary.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> import pandas as pd
        >>> from sdcwidgets.microdata import Microdata
        >>> file = Microdata.from_frame(pd.DataFrame({"age": [30, 41]}))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file.to_parquet(Path(folder) / "people.parquet")
        ...     (Path(folder) / "people.parquet").exists()
        True
        """
        need("microdata", "pyarrow", subject="A Parquet file")
        import pyarrow
        from pyarrow import parquet

        arrays = {}
        for name, var in self.variables.items():
            gap = var.codes == MISSING
            if var.numeric:
                values = var.categories[np.where(gap, 0, var.codes)]
                arrays[name] = pyarrow.array(values, mask=gap if gap.any() else None)
            else:
                codes = pyarrow.array(var.codes.astype(np.int32), mask=gap if gap.any() else None)
                arrays[name] = pyarrow.DictionaryArray.from_arrays(codes, pyarrow.array(var.labels))
        parquet.write_table(pyarrow.table(arrays), path)


def check_keys(file: Microdata, keys: Sequence[str]) -> None:
    """Raise InputError unless these are key variables that the file has, each once."""
    if not keys:
        raise InputError("No key variable is chosen; choose one or more that an intruder may know.")
    for name in keys:
        if name in (file.weight, file.household):
            raise InputError(
                f"{quoted(name)} holds the {ROLE_TITLES[file.roles.of(name)]}, so it is no key variable."
            )
        if name in file.left_out:
            raise InputError(f"{quoted(name)} is left out of the saved file, so it is no key variable.")
        file[name].check_key()
    if len(set(keys)) < len(keys):
        raise InputError(f"A key variable is named twice in {listed(list(keys))}; name each once.")


def _check_weights(variable: Variable) -> None:
    if not variable.numeric:
        raise InputError(f"The weight {quoted(variable.name)} holds text; a weight is a number of 1 or more.")
    values = variable.categories.astype(np.float64)
    wrong = np.append(~(np.isfinite(values) & (values >= 1)), True)  # the last one is for code -1
    record = int(np.argmax(wrong[variable.codes]))
    if wrong[variable.codes[record]]:
        raise InputError(
            f"The weight {quoted(variable.name)} of record {record + 1:,} is {variable.label(record)};"
            " it says how many people the record stands for, so it must be 1 or more."
        )


def _small(codes: NDArray[np.number], categories: int) -> Codes:
    """Return codes in the smallest type that holds them, which is the fastest to go through."""
    for kind in (np.int8, np.int16, np.int32):
        if categories <= np.iinfo(kind).max:
            return codes.astype(kind, copy=False)
    return codes.astype(np.int64, copy=False)
