"""Lines that statistical packages and DOS programs print around a table: frames, types, and names of slices."""

from __future__ import annotations

from collections.abc import Sequence

#: Beginning of the line above a slice that R prints, as in ", , Area = North".
_SLICE = ", , "

#: First and last character for drawing frames, and those that begin or end a vertical line.
_FIRST_OF_FRAMES, _LAST_OF_FRAMES = "\u2500", "\u257f"
_VERTICAL = "│┃║┆┇┊┋╎╏"

#: Minimum number of equal characters of a drawn line, and lines of such characters in the encodings of DOS.
_LEAST_LINE, _DOS_LINES = 4, (b"\xc4" * 8, b"\xcd" * 8)


def has_frames(text: str) -> bool:
    """Return whether a text has a line drawn with characters for frames.

    Examples
    --------
    >>> has_frames("┌──────┬────┐"), has_frames("+------+----+")
    (True, False)
    """
    return any(line * _LEAST_LINE in text for line in "─━═")


def is_of_dos(content: bytes) -> bool:
    """Return whether bytes have a line that is drawn with characters for frames in an encoding of DOS."""
    return any(line in content for line in _DOS_LINES)


def without_frames(text: str) -> str:
    r"""Return a text with vertical bars in place of drawn ones, and with blank lines in place of drawn lines.

    Examples
    --------
    >>> without_frames("┌──────┬────┐\n│ Bath │ 12 │\n└──────┴────┘")
    '\n Bath | 12 \n'
    """
    lines = list[str]()
    for line in text.split("\n"):
        drawn = [sign for sign in line if _FIRST_OF_FRAMES <= sign <= _LAST_OF_FRAMES]
        if drawn and all(sign in drawn or sign.isspace() for sign in line):
            lines.append("")
        elif drawn:
            bars = "".join("|" if sign in _VERTICAL else sign for sign in line).strip()
            lines.append(bars.removeprefix("|").removesuffix("|"))
        else:
            lines.append(line)
    return "\n".join(lines)


def lines_of_one_cell(lines: Sequence[str]) -> dict[int, str]:
    """Return the texts of lines that are not divided into columns: names of slices, and commands above a table.

    Examples
    --------
    >>> lines_of_one_cell([", , Area = North", "", "Sex  m  f"])
    {0: 'North'}
    """
    texts = {k: line.strip() for k, line in enumerate(lines) if is_command(line)}
    texts |= {k: slice_label(line) for k, line in enumerate(lines) if is_slice(line)}
    if any(map(is_rule_with_bars, lines)):
        texts |= {k: line.strip() for k, line in enumerate(lines) if line.strip() and is_outside(line)}
    return texts


def is_rule_with_bars(line: str) -> bool:
    """Return whether a line is a rule between rows that bars divide, as in a table that Stata prints.

    Examples
    --------
    >>> is_rule_with_bars("-------+-----------+------"), is_rule_with_bars("+--------+")
    (True, False)
    """
    rule = line.strip()
    return set(rule) == {"-", "+"} and not rule.startswith("+")


def is_outside(line: str) -> bool:
    """Return whether a line is outside such a table: it has no bar between texts."""
    text = line.strip()
    return "|" not in text.strip("|") and not is_rule_with_bars(line)


def is_command(line: str) -> bool:
    """Return whether a line is a call of a function after the prompt of R.

    Examples
    --------
    >>> is_command("> table(area, sex)"), is_command("> 65   12   31")
    (True, False)
    """
    return line.startswith("> ") and "(" in line and line.rstrip().endswith(")")


def is_slice(line: str) -> bool:
    """Return whether a line names a slice of a table that R prints."""
    return line.startswith(_SLICE) and " = " in line


def slice_label(line: str) -> str:
    """Return the label of a slice of a table.

    Examples
    --------
    >>> slice_label(", , Area = North"), slice_label(", , Area = North, Year = 2021")
    ('North', 'North, 2021')
    """
    parts = line.removeprefix(_SLICE).split(", ")
    return ", ".join(part.partition(" = ")[2].strip() or part.strip() for part in parts)


def without_types(lines: Sequence[str]) -> list[str]:
    """Return lines without the line of types that R prints below the header of a tibble, and without its remarks.

    Examples
    --------
    >>> without_types(["# A tibble: 1 × 2", "  area  n", "  <chr> <int>", "1 Bath  12"])
    ['', '  area  n', '', '1 Bath  12']
    """
    typed = [_is_of_types(line) for line in lines]
    if not any(typed):
        return list(lines)
    return [
        "" if is_typed or line.startswith("# ") else line for line, is_typed in zip(lines, typed, strict=True)
    ]


def _is_of_types(line: str) -> bool:
    words = line.split()
    return len(words) > 1 and all(word.startswith("<") and word.endswith(">") for word in words)


def with_one_header(lines: Sequence[str]) -> list[str]:
    """Return lines with one header in place of two, of which the lower one only names the columns of labels.

    Examples
    --------
    >>> for line in with_one_header(["         Age 0-14 15+", "Area Sex            ", "Bath m         3   4"]):
    ...     print(line)
                 Age
    Area Sex     0-14 15+
    Bath m         3   4
    """
    joined = list(lines)
    for k in range(len(lines) - 2):
        upper, lower = lines[k], lines[k + 1].rstrip()
        words = upper.split()
        start = len(upper) - len(upper.lstrip())
        numbers = sum(word[0].isdigit() for word in lines[k + 2][start:].split())
        if not lower.strip() or len(lower) > start or numbers < 2 or len(words) != numbers + 1:
            continue
        name, rest = words[0], upper[start + len(words[0]) :]
        before = len(upper) - len(rest.lstrip())
        joined[k] = " " * before + name
        joined[k + 1] = lower.ljust(before) + rest.lstrip()
    return joined
