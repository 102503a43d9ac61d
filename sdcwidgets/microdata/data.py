"""Microdata: variables with categories, sampling weights and households."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from os import PathLike
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.arguments import check_kind, check_number, check_texts, whole_numbers_of, wrong
from sdcwidgets._util.arrays import Floats, Whole
from sdcwidgets._util.errors import InputError, type_with_article
from sdcwidgets._util.extras import need
from sdcwidgets._util.files import writes
from sdcwidgets._util.labels import listed, quoted
from sdcwidgets.core.microdata.keys import MISSING
from sdcwidgets.microdata.roles import ROLE_TITLES, Roles

if TYPE_CHECKING:
    import pandas as pd

Codes = NDArray[np.signedinteger]

#: Maximum number of categories of a key variable.
MOST_CATEGORIES = 2_000

# A text variable with more distinct values than this share of the records counts as a direct identifier.
_FREE_TEXT = 0.5

# In smaller files all texts may differ by coincidence.
_FEW = 10


@dataclass(frozen=True, eq=False)
class Variable:
    """A variable of a microdata file: categories, and the category of each record.

    Attributes
    ----------
    name : str
    codes : ndarray of int, shape (n,)
        Index of each record's value in `categories`; -1 if missing.
    categories : ndarray
        Distinct values in order, as numbers or text.
    """

    name: str
    codes: Codes
    categories: NDArray[np.generic]

    def __repr__(self) -> str:
        return f"Variable({self.name}: {len(self.codes):,} records, {len(self.categories):,} categories)"

    @classmethod
    def of(cls, name: str, values: object) -> Variable:
        """Return a variable from a column that pandas can read; ordered categories keep their order.

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
        """Whether the categories are numbers."""
        return self.categories.dtype.kind in "iuf"

    @property
    def missing(self) -> int:
        """Number of records with a missing value."""
        return int((self.codes == MISSING).sum())

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Categories as text."""
        if self.categories.dtype.kind == "f":
            return tuple(f"{value:g}" for value in self.categories.tolist())
        return tuple(str(value) for value in self.categories.tolist())

    @property
    def kind(self) -> str:
        """Number of categories and of missing values, as text."""
        number = len(self.categories)
        noun = "numbers" if self.numeric else "categories"
        words = f"{number:,} {noun}"
        return f"{words}, {self.missing:,} missing" if self.missing else words

    def label(self, record: int) -> str:
        """Return the value of one record as text; "missing" if it has none.

        Examples
        --------
        >>> from sdcwidgets.microdata import Variable
        >>> Variable.of("sex", ["m", "f", None]).label(2)
        'missing'
        """
        check_number("record", record, whole=True)
        if not -len(self.codes) <= record < len(self.codes):
            raise wrong("record", record, f"the position of a record, from 0 to {len(self.codes) - 1}")
        code = int(self.codes[record])
        return "missing" if code == MISSING else self.labels[code]

    def values(self) -> pd.Series:
        """Return the column as a pandas Series, numeric or categorical.

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
        """Whether this is text that differs for most records, such as a name (direct identifier)."""
        records = len(self.codes)
        return not self.numeric and records >= _FEW and len(self.categories) > _FREE_TEXT * records

    def check_key(self) -> None:
        """Check that the variable can be a key variable.

        Raises
        ------
        InputError
            If it is a direct identifier or has more than `MOST_CATEGORIES` categories.

        Examples
        --------
        >>> from sdcwidgets.microdata import Variable
        >>> Variable.of("sex", ["m", "f", "m"]).check_key()
        """
        different, records = len(self.categories), len(self.codes)
        if self.identifies:
            raise InputError(
                f"{quoted(self.name)} has {different:,} different texts in {records:,} records, so it "
                "identifies people directly;"
                " choose another key variable, or recode this one."
            )
        if different > MOST_CATEGORIES:
            raise InputError(
                f"{quoted(self.name)} has {different:,} different values; a key variable can have at most"
                f" {MOST_CATEGORIES:,}, so recode it into intervals first."
            )


@dataclass(frozen=True, eq=False)
class Microdata:
    """Microdata file: one record per person.

    Attributes
    ----------
    variables : mapping of str to Variable
    weight, household : str or None
        Names of the variables with the sampling weight and with the household number.
    strata, sensitive, left_out : tuple of str
        Names of the stratification variables, of the sensitive variables, and of variables excluded from saved
        files.
    """

    variables: Mapping[str, Variable]
    weight: str | None = None
    household: str | None = None
    strata: tuple[str, ...] = ()
    sensitive: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    _cache: dict[str, object] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        check_kind("variables", self.variables, Mapping, "a mapping of names to variables")
        for variable in self.variables.values():
            check_kind("variables", variable, Variable, "a mapping of names to variables")
        for name, role in (("weight", self.weight), ("household", self.household)):
            if role is not None:
                check_kind(name, role, str, "the name of a variable")
        for name, roles in (
            ("strata", self.strata),
            ("sensitive", self.sensitive),
            ("left_out", self.left_out),
        ):
            check_texts(name, roles)
        object.__setattr__(self, "variables", MappingProxyType(dict(self.variables)))
        if not self.variables or not self.records:
            raise InputError(
                "The file has no records; it needs variable names in the first line and one line per person."
            )
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
        """Return the microdata of a data frame with one row per person.

        Parameters
        ----------
        frame : DataFrame
        weight : str, optional
            Column with the sampling weight.
        household : str, optional
            Column with the household number.
        strata : sequence of str
            Columns of the strata.
        sensitive : sequence of str
            Columns of the sensitive variables.
        left_out : sequence of str
            Columns of the variables that are excluded from saved files.

        Raises
        ------
        InputError
            If there are no rows, two columns have the same name, a named column is missing, or a weight is
            below 1.

        Examples
        --------
        >>> import pandas as pd
        >>> file = Microdata.from_frame(pd.DataFrame({"sex": ["m", "w", "m"], "age": [30, None, 41]}))
        >>> file.records, file["age"].kind
        (3, '2 numbers, 1 missing')
        """
        if not hasattr(frame, "iloc"):
            raise InputError(
                f"The records are {type_with_article(frame)}; pass a DataFrame, such as pandas.read_csv(file)."
            )
        names = [str(name) for name in frame.columns]
        twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
        if twice:
            raise InputError(f"Two columns have the name {quoted(twice[0])}; rename one of them.")
        columns = {name: Variable.of(name, frame.iloc[:, position]) for position, name in enumerate(names)}
        for name, names_of_role in (("strata", strata), ("sensitive", sensitive), ("left_out", left_out)):
            check_texts(name, names_of_role)
        return cls(columns, weight, household, tuple(strata), tuple(sensitive), tuple(left_out))

    @property
    def records(self) -> int:
        """Number of records."""
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
        """Sampling weight of each record; 1 if the file has no weights."""
        if self.weight is None:
            return np.ones(self.records)
        variable = self[self.weight]
        return variable.categories.astype(np.float64)[variable.codes]

    @property
    def households(self) -> Codes | None:
        """Household number of each record, from 0, or None; a record without number is a household of one."""
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
        """Return the category codes of the key variables, shape (n, q).

        Raises
        ------
        InputError
            If there is no key, a key is unknown or named twice, or a variable cannot be a key variable.

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
        """Return the file with these variables added; they replace variables with the same names.

        Examples
        --------
        >>> import pandas as pd
        >>> from sdcwidgets.microdata import Microdata
        >>> file = Microdata.from_frame(pd.DataFrame({"sex": ["m", "f", "m"], "age": [30, 30, 41]}))
        >>> from sdcwidgets.microdata import Variable
        >>> file.put(Variable.of("age", ["0-39", "0-39", "40+"]))["age"].labels
        ('0-39', '40+')
        """
        for variable in variables:
            check_kind("variables", variable, Variable, "variables, such as Variable.of('age', ages)")
        return replace(self, variables={**self.variables, **{var.name: var for var in variables}})

    def without(self, names: Iterable[str]) -> Microdata:
        """Return the file without these variables and their roles.

        Examples
        --------
        >>> import pandas as pd
        >>> from sdcwidgets.microdata import Microdata
        >>> file = Microdata.from_frame(pd.DataFrame({"sex": ["m", "f", "m"], "age": [30, 30, 41]}))
        >>> list(file.without(["age"]).variables)
        ['sex']
        """
        check_texts("names", names)
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
        """Roles of the variables."""
        return Roles(self.weight, self.household, self.strata, self.sensitive, self.left_out)

    def with_roles(self, roles: Roles) -> Microdata:
        """Return the file with these roles of its variables.

        Raises
        ------
        InputError
            If a variable is unknown or cannot be the sampling weight.

        Examples
        --------
        >>> import pandas as pd
        >>> from sdcwidgets.microdata import Microdata
        >>> file = Microdata.from_frame(pd.DataFrame({"sex": ["m", "f", "m"], "age": [30, 30, 41]}))
        >>> from sdcwidgets.microdata import Roles
        >>> file.with_roles(Roles(sensitive=("age",))).sensitive
        ('age',)
        """
        check_kind("roles", roles, Roles, "the roles of variables, such as Roles(weight='w')")
        return replace(self, **vars(roles))

    def take(self, records: Whole) -> Microdata:
        """Return the file with these records, in this order.

        Examples
        --------
        >>> import numpy as np
        >>> import pandas as pd
        >>> from sdcwidgets.microdata import Microdata
        >>> file = Microdata.from_frame(pd.DataFrame({"sex": ["m", "f", "m"], "age": [30, 30, 41]}))
        >>> file.take(np.array([0, 2])).records
        2
        """
        if np.asarray(records).ndim != 1 or (whole_numbers_of("records", records) >= self.records).any():
            raise wrong("records", records, f"an array of positions of records, from 0 to {self.records - 1}")
        taken = {name: replace(var, codes=var.codes[records]) for name, var in self.variables.items()}
        return replace(self, variables=taken)

    def to_frame(self) -> pd.DataFrame:
        """Return the records as a data frame; missing values remain missing.

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
        """Write CSV text with empty cells for missing values; without a path, return the text.

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
        """Write a Parquet file; text variables are dictionary-encoded.

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
        check_kind("path", path, (str, PathLike), "the path of a file")
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
        with writes(path):
            parquet.write_table(pyarrow.table(arrays), path)


def check_keys(file: Microdata, keys: Sequence[str]) -> None:
    """Check that each key is a different variable of the file and can be a key variable.

    Raises
    ------
    InputError
        If a check fails.
    """
    check_texts("keys", keys)
    if not len(list(keys)):
        raise InputError("No key variable is selected; select the variables that an intruder may know.")
    for name in keys:
        if name in (file.weight, file.household):
            raise InputError(
                f"{quoted(name)} is the {ROLE_TITLES[file.roles.of(name)]} and cannot be a key variable; "
                "choose another."
            )
        if name in file.left_out:
            raise InputError(
                f"{quoted(name)} is excluded from the saved file and cannot be a key variable; choose another."
            )
        file[name].check_key()
    if len(set(keys)) < len(keys):
        raise InputError(f"A key variable is named twice in {listed(list(keys))}; name each once.")


def _check_weights(variable: Variable) -> None:
    if not variable.numeric:
        raise InputError(
            f"The weight {quoted(variable.name)} is text; choose a variable with numbers of at least 1."
        )
    values = variable.categories.astype(np.float64)
    wrong = np.append(
        ~(np.isfinite(values) & (values >= 1)), True
    )  # The last element is for code -1 (missing).
    record = int(np.argmax(wrong[variable.codes]))
    if wrong[variable.codes[record]]:
        raise InputError(
            f"The weight {quoted(variable.name)} of record {record + 1:,} is {variable.label(record)};"
            " a weight is the number of people that the record represents, so it must be at least 1."
        )


def _small(codes: NDArray[np.number], categories: int) -> Codes:
    """Return the codes in the smallest integer type that can represent them, for speed."""
    for kind in (np.int8, np.int16, np.int32):
        if categories <= np.iinfo(kind).max:
            return codes.astype(kind, copy=False)
    return codes.astype(np.int64, copy=False)


def microdata_of(file: object) -> Microdata:
    """Return a microdata file unchanged, and raise InputError for other types."""
    if not isinstance(file, Microdata):
        raise InputError(
            f"The file is {type_with_article(file)}; use Microdata.from_frame for a DataFrame, or "
            "read_microdata(path).file for a file."
        )
    return file


def variable_of(variable: object) -> Variable:
    """Return a variable unchanged, and raise InputError for other types."""
    if not isinstance(variable, Variable):
        raise InputError(
            f'The variable is {type_with_article(variable)}; take it from a file, such as file["age"].'
        )
    return variable
