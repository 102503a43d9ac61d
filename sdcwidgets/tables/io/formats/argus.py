"""Files of τ-ARGUS: microdata with fixed columns (.rda and .asc), and hierarchies with a lead string."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

from sdcwidgets._util.csv_writing import csv_text
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import listed, quoted

#: First bytes of .rda files that the program R writes, which have another content.
_FILES_OF_R = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"RDX", b"RDA")

#: A word, or a text between double quotes.
_WORD = re.compile(r'"([^"]*)"|(\S+)')

#: Keywords of metadata that state the role of a variable.
_ROLES = {
    "<RECODEABLE>": "category",
    "<RECODABLE>": "category",
    "<NUMERIC>": "amount",
    "<WEIGHT>": "weight",
    "<HOLDING>": "contributor",
    "<RECORDKEY>": "record key",
    "<REQUEST>": "request",
}


@dataclass(frozen=True)
class ArgusVariable:
    """Variable of a microdata file of τ-ARGUS.

    Attributes
    ----------
    name : str
    start : int
        First column of the variable, from 1; 0 in a file with a separator.
    width : int
        Number of characters.
    missing : tuple of str
        Codes of missing values.
    role : str
        Role by the metadata: "category", "amount", "weight", "contributor", "record key", "request" or "".
    hierarchy : str
        Name of the file with the hierarchy of the codes; "" if there is none.
    lead : str
        Text before a label in the file with the hierarchy, once for each level below the first.
    """

    name: str
    start: int
    width: int
    missing: tuple[str, ...] = ()
    role: str = ""
    hierarchy: str = ""
    lead: str = "@"


def read_rda(text: str, name: str = "The metadata") -> tuple[tuple[ArgusVariable, ...], str]:
    r"""Read the metadata of a microdata file of τ-ARGUS.

    Parameters
    ----------
    text : str
        Content of the .rda file.
    name : str
        Name of the file in messages.

    Returns
    -------
    tuple of ArgusVariable
    str
        Separator of the values; "" for fixed columns.

    Raises
    ------
    InputError
        If a line is not valid, or describes tabular data.

    Examples
    --------
    >>> variables, separator = read_rda('area 1 2 99\n <RECODEABLE>\n <TOTCODE> "Total"\nsize 4 3\n <NUMERIC>\n')
    >>> [(variable.name, variable.start, variable.width, variable.missing) for variable in variables]
    [('area', 1, 2, ('99',)), ('size', 4, 3, ())]
    """
    variables: list[ArgusVariable] = []
    separator = ""
    for number, line in enumerate(text.splitlines(), 1):
        words = [match[1] if match[2] is None else match[2] for match in _WORD.finditer(line)]
        where = f"Line {number} of {quoted(name)}"
        if not words or words[0].startswith("//"):
            continue
        keyword = words[0].upper()
        if not words[0].startswith("<"):
            variables.append(_variable(words, bool(separator), where))
        elif keyword == "<SEPARATOR>" and not variables:
            separator = words[1] if len(words) > 1 else ","
        elif keyword == "<SPSS>":
            raise InputError(f"{where} names an SPSS file as the data; read the SPSS file itself.")
        elif not variables:
            raise InputError(
                f"{where} has {quoted(words[0])} before the first variable; name a variable first."
            )
        else:
            if keyword in ("<FREQUENCY>", "<STATUS>", "<MAXSCORE>", "<LOWERPL>", "<UPPERPL>"):
                raise InputError(f"{where} describes a table; give the metadata of a microdata file.")
            variables[-1] = _with_property(variables[-1], keyword, words[1:])
    if not variables:
        raise InputError(
            f"{quoted(name)} describes no variable; each line must have a name, a position and a width."
        )
    names = [variable.name for variable in variables]
    if len(set(names)) < len(names):
        raise InputError(f"{quoted(name)} describes a variable twice; its variables are {listed(names)}.")
    return tuple(variables), separator


def _variable(words: list[str], is_separated: bool, where: str) -> ArgusVariable:
    """Return the variable that a line describes; in a file with a separator, the line has no position."""
    numbers = words[1:2] if is_separated else words[1:3]
    needed = "a name and a width" if is_separated else "a name, a position and a width"
    if len(numbers) < 2 - is_separated or not all(word.isdigit() and int(word) > 0 for word in numbers):
        raise InputError(f"{where} is {quoted(' '.join(words))}; a variable needs {needed}.")
    start, width = (0, int(numbers[0])) if is_separated else map(int, numbers)
    return ArgusVariable(words[0], start, width, tuple(words[1 + len(numbers) :][:2]))


def _with_property(variable: ArgusVariable, keyword: str, words: list[str]) -> ArgusVariable:
    """Return a variable with a property; properties that do not concern the records are ignored."""
    if keyword in _ROLES:
        return replace(variable, role=variable.role or _ROLES[keyword])
    if keyword == "<HIERCODELIST>" and words:
        return replace(variable, hierarchy=words[0])
    if keyword == "<HIERLEADSTRING>" and words:
        return replace(variable, lead=words[0])
    return variable


def is_metadata(path: Path, content: bytes) -> bool:
    """Return whether a file is the metadata of microdata of τ-ARGUS."""
    return path.suffix.lower() == ".rda" and not content.startswith(_FILES_OF_R)


def metadata_of(path: Path) -> Path | None:
    """Return the .rda file in the folder of an .asc file; None if there is no such file."""
    if path.suffix.lower() != ".asc":
        return None
    beside = (path.with_suffix(suffix) for suffix in (".rda", ".RDA"))
    return next((file for file in beside if file.is_file()), None)


def records_as_csv(metadata: Path, data: Path | None = None) -> bytes:
    r"""Read the records of microdata of τ-ARGUS, and return them as CSV text with a header row.

    Parameters
    ----------
    metadata : Path
        The .rda file.
    data : Path, optional
        The .asc file; default: the .asc file in the folder of the metadata.

    Returns
    -------
    bytes
        A value of a missing code is blank.

    Raises
    ------
    InputError
        If a file cannot be read, or a record is too short or has another number of values.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "people.rda"
    ...     _ = path.write_text("area 1 2 99\n  <RECODEABLE>\nsex 4 1\n  <RECODEABLE>\n")
    ...     _ = path.with_suffix(".asc").write_text("01 f\n99 m\n")
    ...     records_as_csv(path)
    b'area,sex\n01,f\n,m\n'
    """
    variables, separator = read_rda(decoded(_bytes(metadata), metadata.name), metadata.name)
    if data is None:
        beside = [metadata.with_suffix(suffix) for suffix in (".asc", ".ASC")]
        data = next((file for file in beside if file.is_file()), beside[0])
        if not data.is_file():
            raise InputError(
                f"{quoted(metadata.name)} describes the file {quoted(data.name)}, which does not exist in the same "
                "folder; copy it there."
            )
    rows: list[list[str]] = [[variable.name for variable in variables]]
    for number, line in enumerate(decoded(_bytes(data), data.name).splitlines(), 1):
        if line.strip():
            where = f"Line {number} of {quoted(data.name)}"
            values = (
                _separated(line, separator, variables, where) if separator else _fixed(line, variables, where)
            )
            rows.append(
                [
                    "" if value in variable.missing else value
                    for value, variable in zip(values, variables, strict=True)
                ]
            )
    return csv_text(rows, escape=False).encode()


def _fixed(line: str, variables: tuple[ArgusVariable, ...], where: str) -> list[str]:
    """Return the values of a record with fixed columns."""
    values = []
    for variable in variables:
        end = variable.start + variable.width - 1
        if len(line) < end:
            raise InputError(
                f"{where} has {len(line)} characters, but {quoted(variable.name)} is in the columns {variable.start} "
                f"to {end}; correct the record or the metadata."
            )
        values.append(line[variable.start - 1 : end].strip())
    return values


def _separated(line: str, separator: str, variables: tuple[ArgusVariable, ...], where: str) -> list[str]:
    """Return the values of a record with a separator."""
    values = [value.strip().strip('"') for value in line.split(separator)]
    if len(values) != len(variables):
        raise InputError(
            f"{where} has {len(values)} values, but the metadata describe {len(variables)} variables."
        )
    return values


def hierarchy_file(metadata: Path, axis: str) -> tuple[Path, str]:
    """Return the file with the hierarchy of a variable, and its lead string.

    Parameters
    ----------
    metadata : Path
        The .rda file.
    axis : str
        Name of the variable.

    Raises
    ------
    InputError
        If there is no such variable, or it has no file with a hierarchy.
    """
    variables, _ = read_rda(decoded(_bytes(metadata), metadata.name), metadata.name)
    described = {variable.name: variable for variable in variables}
    if axis not in described or not described[axis].hierarchy:
        hierarchical = [name for name, variable in described.items() if variable.hierarchy]
        raise InputError(
            f"{quoted(metadata.name)} names no file with a hierarchy of {quoted(axis)}; it names one of "
            f"{listed(hierarchical) if hierarchical else 'no variable'}."
        )
    named = described[axis].hierarchy
    path = metadata.parent / named
    if not path.is_file():
        # The metadata of another computer can have the path of a folder that does not exist here.
        path = metadata.parent / re.split(r"[\\/]", named)[-1]
    return path, described[axis].lead


def decoded(content: bytes, name: str) -> str:
    """Return a file of τ-ARGUS as text."""
    from sdcwidgets.tables.io.formats.delimited import DelimitedText

    return content.decode(DelimitedText(content, quoted(name)).encoding).removeprefix("\ufeff")


def _bytes(path: Path) -> bytes:
    """Return the content of a file."""
    try:
        return path.read_bytes()
    except OSError as error:
        why = (error.strerror or "it cannot be opened").lower()
        raise InputError(f"The file {quoted(path.name)} cannot be read: {why}.") from None
