"""Release rules of an organisation: a TOML file with limits, violations and a protection method.

```toml
[rule]
name = "Our rule"
source = "Disclosure panel, May 2026"   # who set it, and when

[limits]                                # a verdict needs one of them, or a reason for no-risk-limit
smallest-count = 3
risk = 0.17
loss = 2.5

[stops]                                 # all optional; from how many people on, or true and false
one-cell = 1
recalculable = true

[method]                                # optional: what this house does
name = "cell-key"
```

Sections for the table generator can be in the same file; they are kept for it without checks.
"""

from __future__ import annotations

import json
import re
import textwrap
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from sdcwidgets import methods
from sdcwidgets._util.errors import InputError, described, nearest_names
from sdcwidgets._util.labels import listed
from sdcwidgets._util.parameters import Parameter, declared
from sdcwidgets.assessment.verdict.limits import ReleaseLimits
from sdcwidgets.methods import Method

T = TypeVar("T")

#: Fields of `ReleaseLimits` by section of the rule file, where names have hyphens.
_LIMITS = (
    "smallest_count",
    "small_cells",
    "mean_cell_size",
    "risk",
    "risk_before",
    "loss",
    "no_risk_limit",
    "risk_measure",
    "loss_measure",
)
_STOPS = ("one_cell", "all_but_one", "recalculable", "linked", "seed", "reading")
_SECTIONS: Mapping[str, tuple[str, ...]] = {
    "rule": ("name", "source"),
    "limits": _LIMITS,
    "stops": _STOPS,
    "method": (),
}

#: Keys of rule files of the first version, and the fields that they set.
_OLD_KEYS = {"gaps": "recalculable"}

#: Sections that other modules check.
_OF_OTHERS = ("generator",)


@dataclass(frozen=True)
class Rule:
    """Content of a rule file.

    Attributes
    ----------
    name : str
    limits : ReleaseLimits
        Limits, with their source.
    method : Method or None
        Protection method of the rule.
    others : mapping
        Sections for the table generator, unchanged.
    """

    name: str
    limits: ReleaseLimits
    method: Method | None = None
    others: Mapping[str, Any] = field(default_factory=dict)


@cache
def available() -> tuple[str, ...]:
    """Return the names of the supplied rules.

    Examples
    --------
    >>> available()
    ('census-cell-key', 'fifteen-steps', 'minimum-frequency')
    """
    files = resources.files("sdcwidgets.assessment.verdict.rules").iterdir()
    return tuple(sorted(file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml")))


def load(name: str | Path) -> Rule:
    """Return the rule of a file, or a supplied rule by its name.

    Raises
    ------
    InputError
        If the file cannot be read or contains an invalid entry; the message has file, line and key.

    Examples
    --------
    >>> rule = load("minimum-frequency")
    >>> rule.limits.smallest_count, rule.limits.recalculable, rule.method.threshold
    (3, True, 3)
    """
    if not isinstance(name, str | Path):
        raise InputError(
            f"The rules are {described(name)}; they must be a name of rules or the path of a file."
        )
    if str(name) in available():
        return _load_supplied(str(name))
    try:
        return read_content(Path(name).read_bytes(), Path(name).name)
    except FileNotFoundError:
        near = nearest_names(name, available(), 1)
        supplied = f"such as {near[0]}" if near else f"one of {', '.join(available())}"
        raise InputError(
            f"There is no rule file {name}; give the path of a file, or the name of supplied rules, {supplied}."
        ) from None
    except OSError as error:
        raise InputError(f"{name} cannot be read: {(error.strerror or str(error)).lower()}.") from None


@cache
def _load_supplied(name: str) -> Rule:
    """Return a supplied rule; cached because the interface loads all rules at each update."""
    folder = resources.files("sdcwidgets.assessment.verdict.rules")
    return read(folder.joinpath(f"{name}.toml").read_text("utf-8"), f"{name}.toml")


def read_content(content: bytes, file: str) -> Rule:
    """Return the rule in the content of a file; `file` is its name for error messages."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{file} is not UTF-8 text; choose a rule file in TOML format.") from None
    return read(text, file)


def read(text: str, file: str = "rule.toml") -> Rule:
    """Return the rule in a text; `file` is the file name for error messages.

    Examples
    --------
    >>> read('''[rule]
    ... source = "Panel"
    ... [limits]
    ... risk = 17
    ... ''')
    Traceback (most recent call last):
        ...
    sdcwidgets.InputError: rule.toml, line 4, [limits] risk: Maximum residual risk is 17; it must be a number from \
0 to 1.
    """
    try:
        sections = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{file} is not valid TOML: {error}.") from None
    page = _Page(text, file)
    _check_sections(page, sections)
    rule = sections.get("rule", {})
    if not str(rule.get("source", "")).strip():
        page.wrong("rule", "source", "the source is missing; state who set the limits and when")
    for key, value in rule.items():
        if not isinstance(value, str):
            page.wrong("rule", key, f"the value {value} is not text; put the value in quotes")
    values = {"source": rule["source"], **_limit_values(page, sections)}
    limits = page.build("limits", "risk-measure", ReleaseLimits, values)
    method = page.method(sections["method"]) if "method" in sections else None
    others = {name: sections[name] for name in _OF_OTHERS if name in sections}
    return Rule(str(rule.get("name", file)), limits, method, others)


def _check_sections(page: _Page, sections: Mapping[str, Any]) -> None:
    """Raise InputError for a section or a key that rule files do not have."""
    known = (*_SECTIONS, *_OF_OTHERS)
    for name, section in sections.items():
        if name not in known or not isinstance(section, dict):
            page.wrong(
                "", name, f"rule files have no section of this name; the sections are {', '.join(known)}"
            )
        for key in section if name not in ("method", *_OF_OTHERS) else ():
            if _OLD_KEYS.get(key) in _SECTIONS[name]:
                continue
            if key.replace("-", "_") not in _SECTIONS[name] or "_" in key:
                right = section_of(key.replace("-", "_"))
                if right and right != name:
                    page.wrong(name, key, f"this key belongs to the section [{right}]")
                names = ", ".join(key.replace("_", "-") for key in _SECTIONS[name])
                near = nearest_names(key, (key.replace("_", "-") for key in _SECTIONS[name]), 1)
                if near:
                    page.wrong(
                        name, key, f"the section has no key of this name; the nearest key is {near[0]}"
                    )
                page.wrong(name, key, f"the section has no key of this name; the keys are {names}")


def section_of(name: str) -> str:
    """Return the section of a limit or of another key of rule files, "" if there is no such key.

    Parameters
    ----------
    name : str
        Name with underscores, as in `ReleaseLimits`.

    Examples
    --------
    >>> section_of("one_cell"), section_of("smallest_count")
    ('stops', 'limits')
    """
    return next((section for section, names in _SECTIONS.items() if name in names), "")


def to_toml(rule: Rule) -> str:
    """Return a rule file with all keys and comments, which can be changed.

    Keys without a value are comments. Sections for the table generator are left out.

    Parameters
    ----------
    rule : Rule

    Returns
    -------
    str

    Examples
    --------
    >>> rule = load("minimum-frequency")
    >>> read(to_toml(rule)) == rule
    True
    """
    lines = [
        "# Release rules for --rules. Change the values and the source.",
        "[rule]",
        f"name = {_toml(rule.name)}",
        "# The source is required: who set the limits, and when.",
        f"source = {_toml(rule.limits.source)}",
    ]
    limits = {item.name: item for item in declared(ReleaseLimits)}
    for section in ("limits", "stops"):
        lines += ["", f"[{section}]"]
        for name in _SECTIONS[section]:
            item, value = limits[name], getattr(rule.limits, name)
            about = f"{item.label}: {item.expected}. {item.help}"
            lines += textwrap.wrap(about, 100, initial_indent="# ", subsequent_indent="# ")
            key = name.replace("_", "-")
            has_value = value not in (None, "")
            lines.append(f"{key} = {_toml(value)}" if has_value else f"# {key} =")
    if rule.method is not None:
        lines += [
            "",
            "# Required method and its settings; without this section, any method is allowed.",
            "[method]",
        ]
        lines.append(f"name = {_toml(rule.method.name)}")
        for setting in declared(type(rule.method)):
            value = getattr(rule.method, setting.name)
            if value != setting.default:
                lines.append(f"{setting.name.replace('_', '-')} = {_toml(value)}")
    return "\n".join(lines) + "\n"


def _toml(value: object) -> str:
    """Return a value in TOML; numbers, texts and lists are written as in JSON."""
    return json.dumps(value, ensure_ascii=False)


def _limit_values(page: _Page, sections: Mapping[str, Any]) -> dict[str, object]:
    """Return the values of the limits and violations of a rule file."""
    values: dict[str, object] = {}
    for limit in declared(ReleaseLimits):
        section = "limits" if limit.name in _LIMITS else "stops"
        key = limit.name.replace("_", "-")
        for old, name in _OLD_KEYS.items():
            if name == limit.name and old in sections.get(section, {}):
                key = old
        if limit.name in (*_LIMITS, *_STOPS) and key in sections.get(section, {}):
            values[limit.name] = page.checked(section, key, limit, sections[section][key])
    return values


class _Page:
    """Lines of a rule file, for error messages with positions."""

    def __init__(self, text: str, file: str) -> None:
        self.lines, self.file = text.splitlines(), file

    def wrong(self, section: str, key: str, problem: str) -> NoReturn:
        line = self.line(section, key)
        where = [self.file]
        if line:
            where.append(f"line {line}")
        where.append(f"[{section}] {key}" if section else f"[{key}]")
        raise InputError(f"{', '.join(where)}: {problem.rstrip('.')}.") from None

    def line(self, section: str, key: str) -> int:
        """Return the line number of a key in a section, of the section if it has no such key, or 0."""
        inside, at = "", 0
        for number, line in enumerate(self.lines, start=1):
            if head := re.match(r"\s*\[\s*[\"']?([^\]\"']+?)[\"']?\s*\]", line):
                inside = head[1]
                if inside == (section or key):
                    at = number
            elif inside == section and re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=", line):
                return number
        return at

    def checked(self, section: str, key: str, parameter: Parameter, value: object) -> Any:
        try:
            return parameter.check(value)
        except InputError as error:
            self.wrong(section, key, str(error))

    def build(self, section: str, key: str, cls: Callable[..., T], settings: Mapping[str, object]) -> T:
        try:
            return cls(**settings)
        except InputError as error:
            self.wrong(section, key, str(error))

    def method(self, section: Mapping[str, object]) -> Method:
        """Return the method of a section; names of settings have hyphens in the file."""
        if not isinstance(section.get("name"), str) or section["name"] not in methods.available():
            self.wrong("method", "name", f"the method must be one of {', '.join(methods.available())}")
        cls = methods.get(section["name"])
        known = {setting.name.replace("_", "-"): setting for setting in declared(cls)}
        settings = {}
        for key, value in section.items():
            if key == "name":
                continue
            if key not in known:
                self.wrong(
                    "method",
                    key,
                    f"the method {cls.name} has no setting of this name; the settings are {listed(list(known))}",
                )
            settings[known[key].name] = self.checked("method", key, known[key], value)
        return self.build("method", "name", cls, settings)
