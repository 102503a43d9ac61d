"""The outcome of a file with a known true table: read at once, after an answer, or after corrections of its preview.

A person who sees the preview is simulated: the person knows the true table, and changes one role or setting at a time.
"""

from __future__ import annotations

import copy
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from collection.score import after_doubts

from sdcwidgets import InputError
from sdcwidgets.tables.io.layout.cells import label_of
from sdcwidgets.tables.io.layout_draft import first_layout
from sdcwidgets.tables.io.layout_reader import opened
from sdcwidgets.tables.io.previews import FilePreview
from sdcwidgets.tables.io.reading import read_bytes

#: Outcomes, from best to worst; of "corrected", fewer changes are better.
OUTCOMES = (
    "right",
    "right after a doubt",
    "corrected",
    "refused rightly",
    "refused",
    "silently wrong",
    "crash",
)

#: Maximum number of changes of a preview.
MOST_CHANGES = 8

#: Maximum number of layouts that are tried in search of a change.
MOST_TRIED = 1500

#: Footnote marks behind a label, and marks of the indentation before it.
_MARKS = re.compile(r"(\s*(\(\d{1,2}\)|\[\w{1,7}( \d+)?\]|[⁰¹²³⁴-⁹*†‡]|\d\)|\.{2,}|…))+$")
_LEAD = re.compile(r"^[\s.·•\-–—…|└├─>]+(?=\w)")

#: Blanks between Chinese or Japanese characters, which only stretch a label.
_STRETCHED = re.compile(r"(?<=[\u3040-\u9fff])\s+(?=[\u3040-\u9fff])")

#: A hyphen between parts of a word, which may be on two lines.
_HYPHEN = re.compile(r"(?<=\w)-\s*(?=\w)")

Change = Mapping[str, object]


def plain(text: object) -> str:
    """Return a label without footnote marks, indentation and capital letters."""
    short = _HYPHEN.sub("", _STRETCHED.sub("", " ".join(str(text).split())).casefold())
    return _LEAD.sub("", _MARKS.sub("", short).rstrip(" :"))


@dataclass(frozen=True)
class Truth:
    """A true table: the accepted spellings of each label on each axis, and the counts, nan if unknown."""

    axes: tuple[tuple[frozenset[str], ...], ...]
    counts: np.ndarray
    is_of_people: bool

    @property
    def labels(self) -> frozenset[str]:
        return frozenset(itertools.chain.from_iterable(itertools.chain.from_iterable(self.axes)))


def truths(description: Mapping[str, object]) -> list[Truth]:
    """Return the true tables of a description; a file can have several, such as one per year."""
    made = []
    for table in [description, *description.get("also", [])]:
        axes = [axis for axis in table.get("axes") or [] if len(axis["labels"]) > 1]
        if not axes or table.get("counts") is None:
            continue
        spellings = []
        for axis in axes:
            accepted = axis.get("accepted") or [[label] for label in axis["labels"]]
            both = zip(axis["labels"], accepted, strict=True)
            spellings.append(tuple(frozenset(map(plain, (label, *others))) for label, others in both))
        counts = np.array([np.nan if count is None else count for count in table["counts"]], float)
        shape = [len(axis) for axis in spellings]
        made.append(Truth(tuple(spellings), counts.reshape(shape), description.get("kind") == "people"))
    return made


def equals(table, truth: Truth) -> bool:
    """Return whether a table has the known counts of the truth, in any order of the axes and labels."""
    axes = [axis for axis in table.axes if len(axis) > 1]
    if len(axes) != len(truth.axes):
        return False
    counts = table.counts.reshape([len(axis) for axis in axes])
    known = ~np.isnan(truth.counts)
    for order in itertools.permutations(range(len(axes))):
        places = [_places(axes[k].labels, true) for k, true in zip(order, truth.axes, strict=True)]
        if all(place is not None for place in places):
            moved = counts.transpose(order)[np.ix_(*places)]
            if np.array_equal(moved[known], np.rint(truth.counts[known])):
                return True
    return False


def _places(labels, true) -> list[int] | None:
    """Return the place of each true label among labels, None if one is missing; a label can have a code beside it."""
    shown = [plain(label) for label in labels]
    if len(shown) != len(true):
        return None
    places = list[int]()
    for spellings in true:
        same = [k for k, label in enumerate(shown) if label in spellings]
        same = same or [k for k, label in enumerate(shown) if any(_is_part(s, label) for s in spellings)]
        same = same or [k for k, label in enumerate(shown) if any(_is_part(label, s) for s in spellings)]
        # A raised mark of a footnote is a digit in a spreadsheet.
        same = same or [k for k, label in enumerate(shown) if re.sub(r"(\d|, )+$", "", label) in spellings]
        free = [k for k in same if k not in places]
        if len(free) > 1:
            free = [k for k in free if not any(shown[k] in other for other in true)] or free
        if len(free) != 1:
            return None
        places += free
    return places


def _is_part(short: str, long: str) -> bool:
    """Return whether a text is some whole words of another one."""
    return len(short) > 1 and re.search(rf"(?<!\w){re.escape(short)}(?!\w)", long) is not None


@dataclass(frozen=True)
class Outcome:
    """What becomes of a file: one of `OUTCOMES`, the changes of its preview, and a sentence or the labels."""

    name: str
    changes: tuple[Change, ...] = ()
    detail: str = ""

    @property
    def rank(self) -> tuple[int, int]:
        """How bad the outcome is."""
        return OUTCOMES.index(self.name), len(self.changes)


def outcome(
    name: str, content: bytes, description: Mapping[str, object], known: Outcome | None = None
) -> Outcome:
    """Return the outcome of a file, by default after a search for changes of its preview.

    Parameters
    ----------
    name : str
    content : bytes
    description : mapping
        The kind of the file, its axes and its counts; see `truths`.
    known : Outcome, optional
        An outcome that is tried again before other changes are searched for.
    """
    right = truths(description)
    try:
        table = read_bytes(name, content).table
    except InputError as error:
        return _outcome_of_refused(name, content, error, right, description["kind"], known)
    except Exception as error:  # reported with the name of the file
        return Outcome("crash", (), repr(error))
    if any(equals(table, truth) for truth in right):
        return Outcome("right")
    labels = "; ".join(f"{axis.name}: {', '.join(axis.labels)}" for axis in table.axes)
    return Outcome("silently wrong", (), f"{labels} = {table.total}")


def _outcome_of_refused(
    name: str, content: bytes, error: InputError, right: list[Truth], kind: object, known: Outcome | None
) -> Outcome:
    """Return the outcome of a file that is not read at once."""
    if not right:
        return Outcome("refused rightly", (), str(error))
    if known is not None and any(Person(content, truth).repeat(known.changes) for truth in right):
        return replace(known, detail=str(error))
    if any(equals(answer, truth) for answer in after_doubts(name, content, error) for truth in right):
        return Outcome("right after a doubt", (), str(error))
    best = min((Person(content, truth).correct() for truth in right), key=len)
    if len(best) <= MOST_CHANGES:
        return Outcome("corrected" if best else "right after a doubt", tuple(best), str(error))
    return Outcome("refused rightly" if kind in ("not counts", "several") else "refused", (), str(error))


class Person:
    """A person who sees the preview of a file, and corrects it toward the true table."""

    def __init__(self, content: bytes, truth: Truth) -> None:
        self.content, self.truth = content, truth
        self.changes: list[Change] = []
        self.tried = 0

    def correct(self) -> list[Change]:
        """Return the changes that lead to the true table, too many if there are none."""
        self.preview = self._opened([])
        if self.preview is None:
            return [{}] * (MOST_CHANGES + 1)
        if self._is_right() or any(self._make(change) for change in self._by_sight()):
            return self.changes
        by_sight = self.changes
        for kept in range(len(by_sight) + 1) if len(by_sight) < MOST_CHANGES else [0]:
            if self._search(by_sight[:kept]):
                return self.changes
        return [{}] * (MOST_CHANGES + 1)

    def repeat(self, changes: Sequence[Change]) -> bool:
        """Make changes, and return whether they lead to the true table."""
        preview = self._opened(changes)
        if preview is None:
            return False
        self.preview = preview
        return self._is_right()

    def _opened(self, changes: Sequence[Change]) -> FilePreview | None:
        try:
            preview = FilePreview(self.content)
            for change in changes:
                preview.change(change)
        except InputError:
            return None
        return preview

    def _is_right(self) -> bool:
        reading = self.preview.reading
        return reading is not None and equals(reading.table, self.truth)

    def _make(self, change: Change) -> bool:
        """Make a change, and return whether the table is right now."""
        try:
            self.preview.change(change)
        except InputError:
            return False
        self.changes.append(change)
        return self._is_right()

    def _settings(self) -> dict[str, dict[str, object]]:
        return {setting["name"]: setting for setting in self.preview.shown()["settings"]}

    def _rows(self, changes: Change | None = None) -> list[list[str]]:
        """Return the cells of the file, with other settings of its text or another sheet."""
        try:
            layout = self.preview.layout()
        except InputError:  # no column is chosen yet
            layout = first_layout(self.content)
        layout = replace(layout, **(changes or {}))
        file, _ = opened(self.content, layout)
        sheet = file.sheet(layout.sheet or file.names()[0])
        return [[plain(label_of(cell)) for cell in row] for row in sheet.rows]

    def _hits(self, changes: Change | None = None, unit: int = 1) -> int:
        """Return the number of true labels and counts among the cells."""
        try:
            cells = set(itertools.chain.from_iterable(self._rows(changes)))
        except (InputError, UnicodeError, LookupError):
            return 0
        numbers = {number for number in map(_number, cells) if number is not None}
        counts = {round(count / unit, 3) for count in self.truth.counts[~np.isnan(self.truth.counts)].ravel()}
        return len(cells & self.truth.labels) + 3 * len(numbers & counts)

    def _by_sight(self) -> Iterator[Change]:
        """Yield the changes that a look at the file suggests."""
        for name in ("sheet", "encoding", "delimiter"):
            setting = self._settings().get(name)
            options = [value for value, _ in setting["options"]] if setting else []
            hits = {value: self._hits({name: value}) for value in options}
            best = max(options, key=hits.__getitem__, default="")
            if setting and hits[best] > hits.get(setting["chosen"], 0):
                yield {"name": name, "value": best}
        units = [int(value) for value, _ in self._settings()["unit"]["options"]]
        hits = {unit: self._hits(unit=unit) for unit in units}
        unit = max(units, key=hits.__getitem__)
        chosen = int(self._settings()["unit"]["chosen"])
        if hits[unit] > hits[chosen]:
            yield {"name": "unit", "value": str(unit)}
        if (self.truth.counts != np.rint(self.truth.counts))[~np.isnan(self.truth.counts)].any():
            yield {"name": "rounded", "value": "True"}
        if self.truth.is_of_people:
            yield from self._roles_of_people()
        for _ in range(2):
            for name, setting in self._settings().items():
                if name.startswith("meaning:") and not setting["chosen"]:
                    has_gaps = np.isnan(self.truth.counts).any()
                    yield {"name": name, "value": "leave out" if has_gaps else "zero"}

    def _roles_of_people(self) -> Iterator[Change]:
        """Yield the roles of columns, if each row is a person."""
        columns = list(itertools.zip_longest(*self._rows(), fillvalue=""))
        wanted = [frozenset().union(*axis) for axis in self.truth.axes]
        labels = {
            max(range(len(columns)), key=lambda j: len(labels & set(columns[j]))) + 1 for labels in wanted
        }
        shown = self.preview.shown()
        asked = next((decision["answers"] for decision in shown["decisions"] if decision["several"]), [])
        headings = {column["heading"] for column in shown["columns"] if column["number"] in labels}
        if headings and headings <= {answer["words"] for answer in asked}:
            yield from (
                answer["change"] for answer in asked if answer["chosen"] != (answer["words"] in headings)
            )
            return
        now = {column["number"]: column["role"] for column in shown["columns"]}
        for role, numbers in (("label", labels), ("other", set(now) - labels)):
            for number in sorted(numbers):
                if now[number] != role:
                    yield {"column": number, "role": role}

    def _search(self, start: list[Change]) -> bool:
        """Make the best change again and again, and return whether the table becomes right."""
        preview = self._opened(start)
        if preview is None:
            return False
        self.preview, self.changes = preview, list(start)
        score = self._score(preview)
        while len(self.changes) < MOST_CHANGES:
            best, best_score = None, score
            for change in self._offered():
                if self.tried > MOST_TRIED:
                    return False
                self.tried += 1
                tried = self._score(self._changed(change))
                if tried > best_score:
                    best, best_score = change, tried
            if best is None:
                return False
            score = best_score
            if self._make(best):
                return True
        return False

    def _changed(self, change: Change) -> FilePreview | None:
        preview = copy.deepcopy(self.preview)
        try:
            preview.change(change)
        except InputError:
            return None
        return preview

    def _offered(self) -> Iterator[Change]:
        """Yield the changes that the preview offers, and that may matter."""
        shown = self.preview.shown()
        for setting in shown["settings"]:
            if setting["name"] not in ("encoding", "sheet", "delimiter", "unit", "rounded"):
                for value, _ in setting["options"]:
                    if value != setting["chosen"]:
                        yield {"name": setting["name"], "value": value}
        for column in shown["columns"]:
            for role in ("label", "count", "other"):
                if role != column["role"]:
                    yield {"column": column["number"], "role": role}
        for row in shown["rows"]:
            for role, _ in shown["row_options"]:
                if role != row["role"] and any(row["cells"]) and role != "other":
                    yield {"row": row["number"], "role": role}

    def _score(self, preview: FilePreview | None) -> float:
        """Return how near what is read is to the true table."""
        if preview is None or preview.reading is None:
            return -1.0
        table = preview.reading.table
        if equals(table, self.truth):
            return 100.0
        true = Counter(np.rint(self.truth.counts[~np.isnan(self.truth.counts)]).astype(int).ravel().tolist())
        counts = Counter(table.counts[table.counts > 0].ravel().tolist())
        common = (true & counts).total()
        axes = [axis for axis in table.axes if len(axis) > 1]
        alike = sum(any(_places(axis.labels, true_axis) for axis in axes) for true_axis in self.truth.axes)
        nearest = sum(
            max((_share(axis.labels, true_axis) for axis in axes), default=0.0)
            for true_axis in self.truth.axes
        )
        excess = 0.1 * abs(len(axes) - len(self.truth.axes))
        return 2 * common / max(true.total() + counts.total(), 1) + 0.2 * alike + 0.2 * nearest - excess


def _share(labels, true) -> float:
    """Return the share of labels and true labels that are the same."""
    shown = set(map(plain, labels))
    same = sum(bool(spellings & shown) for spellings in true)
    return 2 * same / (len(shown) + len(true))


def _number(text: str) -> float | None:
    """Return the number in a cell, with a point or comma of thousands or decimals."""
    match = re.fullmatch(r"(\d{1,3}(?:[.,'’٬\s]\d{3})*|\d+)(?:[.,٫](\d{1,3}))?", text)
    if match is None:
        return None
    return round(float(re.sub(r"\D", "", match[1]) + "." + (match[2] or "0")), 3)
