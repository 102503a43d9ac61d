"""List methods, measures, attacks, examples, release rules, keys of a policy or JSON schemas, or show one of them."""

from __future__ import annotations

import argparse
import inspect
import json
import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sdcwidgets._util.errors import InputError, unknown_name
from sdcwidgets.cli._json import VERSIONS, print_json, schema
from sdcwidgets.cli._measures import NEEDS_METHOD, NEEDS_RECORDS, NEEDS_SAMPLE, need_of
from sdcwidgets.cli._options import about, allowed, settings_of, value_name
from sdcwidgets.cli._parser import Parser

if TYPE_CHECKING:
    from sdcwidgets._util.parameters import Parameter

#: The module is not named `list`, because it would hide the built-in in this package.
NAME = "list"

EXAMPLES = ("sdcwidgets list methods", "sdcwidgets list methods random-rounding")

#: Name of the JSON schema of layout files.
LAYOUT = "layout"

#: Rules in the example of a message.
_FIRST_RULES = "minimum-frequency"

#: Maximum length of a matrix that is shown as the default of a setting, in characters.
_LONGEST_MATRIX = 60

#: Width of the text, in characters.
WIDTH = 100


def add(parser: Parser) -> None:
    """Add the kind of names, one name, and JSON output."""
    parser.add_argument(
        "kind", metavar="KIND", choices=tuple(KINDS), help=f"names to list: {', '.join(KINDS)}"
    )
    parser.add_argument(
        "name",
        metavar="NAME",
        nargs="?",
        help="name of one item, which is shown with its settings and defaults, its limits "
        "or its schema (default: list all items)",
    )
    parser.add_argument(
        "--toml",
        action="store_true",
        help="print the rules NAME as a rule file with comments, which can be changed and used with --rules",
    )
    parser.add_argument(
        "--json", action="store_true", help="print JSON by the schema `sdcwidgets list schemas list`"
    )


def run(options: argparse.Namespace) -> None:
    """Print the name and the description of each item, or one item in full."""
    from sdcwidgets.assessment.verdict.rule_file import load, to_toml

    items = KINDS[options.kind]()
    if options.name is not None:
        names = [str(item["name"]) for item in items]
        if options.name not in names:
            kind = "key of a policy" if options.kind == "policy" else options.kind.removesuffix("s")
            raise unknown_name(kind, options.name, names)
        items = [items[names.index(options.name)]]
    if options.kind == "schemas" and options.name is not None:
        print(json.dumps(_schema(options.name), indent=2, ensure_ascii=False))
        return
    if options.toml:
        if options.kind != "rules" or options.name is None:
            raise InputError(
                f"--toml prints release rules; name them, for example `sdcwidgets list rules {_FIRST_RULES} --toml`."
            )
        print(to_toml(load(options.name)), end="")
        return
    if options.json:
        print_json("list", {"kind": options.kind, "items": items})
    elif options.name is not None:
        print(*_entry(options.kind, items[0]), sep="\n")
    else:
        print(*_columns([(str(item["name"]), _summary(item)) for item in items]), sep="\n")


def _summary(item: Mapping[str, object]) -> str:
    """Return the title and description of an item, and the counts that a measure needs."""
    text = f"{item['title']}. {item['description']}" if item["description"] else str(item["title"])
    return f"{text} Needs {item['needs']}." if item.get("needs") else text


def _columns(pairs: Sequence[tuple[str, str]], indent: str = "") -> list[str]:
    """Return the lines of two columns: names, and texts that are wrapped."""
    width = max(len(name) for name, _ in pairs) + 2
    lines = []
    for name, text in pairs:
        first, *more = textwrap.wrap(text, WIDTH - width - len(indent))
        lines.append(f"{indent}{name:<{width}}{first}")
        lines += [f"{indent}{' ' * width}{line}" for line in more]
    return lines


def _entry(kind: str, item: Mapping[str, Any]) -> list[str]:
    """Return the lines of one item: title, description, facts, settings or limits, and a call."""
    lines = [f"{item['name']}: {item['title']}", ""]
    for paragraph in str(item.get("explanation") or item["description"]).split("\n\n"):
        lines += [*textwrap.wrap(paragraph, WIDTH), ""]
    facts = [
        (name.capitalize(), str(item[name]))
        for name in ("unit", "direction", "needs", "method")
        if item.get(name)
    ]
    lines += [*_columns(facts), ""] if facts else []
    if item.get("settings"):
        lines += [
            "Settings:",
            *_columns([(_flag(kind, row), _setting(row)) for row in item["settings"]], "  "),
            "",
        ]
    limits = item.get("limits", ())
    if kind == "rules":
        source = f"{item['source']}. Required: who set the limits, and when."
        lines += ["[rule]", *_columns([("name", f"{item['title']}."), ("source", source)], "  "), ""]
    for section in dict.fromkeys(row["section"] for row in limits):
        rows = [(row["name"], _setting(row)) for row in limits if row["section"] == section]
        lines += [f"[{section}]", *_columns(rows, "  "), ""]
    if kind == "methods" and not item["settings"]:
        lines += ["The method has no settings.", ""]
    method = _METHODS_OF_MEASURES.get(item.get("needs", ""), "")
    return [*lines, f"Example: {_CALLS[kind].format(option=method, **item)}"]


def _flag(kind: str, row: Mapping[str, Any]) -> str:
    """Return the option of a setting of a method; the name of a setting of a measure."""
    return str(row["option"] if kind == "methods" else row["name"])


def _setting(row: Mapping[str, Any]) -> str:
    """Return a setting with its default, or a limit with its value, in words."""
    if "value" in row:
        value = "not set" if row["value"] in (None, "") else row["value"]
        return f"{_word(value)}. {row['label']}. {row['help']}"
    default = row["default"]
    shown = "none" if default in ("", []) or default == () else _word(default)
    return f"{row['label']}: {row['allowed']} (default: {shown}). {row['help']}".rstrip()


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple | list) and value and isinstance(value[0], tuple | list):
        text = ";".join(",".join(f"{number:.4g}" for number in row) for row in value)
        return text if len(text) <= _LONGEST_MATRIX else f"a matrix with {len(value)} rows"
    return ",".join(map(str, value)) if isinstance(value, tuple | list) else str(value)


#: A call for each kind of item.
_CALLS = {
    "methods": "sdcwidgets protect table.csv --method {name} -o protected.csv",
    "measures": "sdcwidgets assess table.csv {option}--measure {name}",
    "attacks": "sdcwidgets attack table.csv --method random-rounding --attack {name}",
    "examples": "sdcwidgets assess example:{name}",
    "rules": "sdcwidgets protect table.csv --rules {name} -o protected.csv\n"
    "To change the rules: sdcwidgets list rules {name} --toml > rules.toml",
    "policy": "sdcwidgets tables init census --source people.parquet --policy policy.toml",
}


#: Option of the example of a measure, by what the measure needs.
_METHODS_OF_MEASURES = {
    NEEDS_METHOD: "--method random-rounding ",
    NEEDS_RECORDS: "--method record-swapping ",
    NEEDS_SAMPLE: "--method simple-random-sampling ",
}


def _methods() -> list[dict[str, object]]:
    """Return the protection methods, each with its settings."""
    from sdcwidgets import methods
    from sdcwidgets.cli import protect

    parser = Parser(prog="protect")
    protect.add(parser)
    flags = parser.flags
    return [
        _documented(name, cls.title, cls)
        | {
            "settings": [
                _settings(item) | {"option": f"{flag} {value_name(item)}"}
                for flag, item in settings_of(name, flags).items()
            ]
        }
        for name in methods.available()
        for cls in (methods.get(name),)
    ]


def _measures() -> list[dict[str, object]]:
    """Return the measures, each with its settings, symbol, unit and the meaning of a greater value."""
    from sdcwidgets import measures

    return [
        _documented(name, f"{cls.label} ({cls.symbol})" if cls.symbol else cls.label, cls)
        | {"symbol": cls.symbol, "unit": cls.unit, "direction": cls.direction, "needs": need_of(cls)}
        | {"settings": [_settings(item) for item in cls.own_settings()]}
        for name in measures.available()
        for cls in (measures.get(name),)
    ]


def _attacks() -> list[dict[str, object]]:
    """Return the attacks of the command `attack`."""
    from sdcwidgets import attacks
    from sdcwidgets.cli.attack import names_of_attacks

    return [_documented(name, name.capitalize(), attacks.get(name)) for name in names_of_attacks()]


def _examples() -> list[dict[str, object]]:
    """Return the example tables, each with its source and its size."""
    from sdcwidgets import examples

    return [
        _item(name, example.title, f"{' × '.join(map(str, example.table.shape))} cells")
        | {"source": example.source, "shape": list(example.table.shape)}
        | {"explanation": _explained(example)}
        for name, example in examples.available().items()
    ]


def _explained(example: Any) -> str:
    """Return the axes, the note and the source of an example."""
    table = example.table
    axes = "; ".join(f"{axis.name}: {', '.join(axis.labels)}" for axis in table.axes)
    parts = [f"{table.total:,} people. {axes}.", example.note, f"Source: {example.source}."]
    return "\n\n".join(filter(None, parts))


def _rules() -> list[dict[str, object]]:
    """Return the release rules that come with the package, each with its source, limits and method."""
    from sdcwidgets._util.parameters import declared
    from sdcwidgets.assessment.verdict import ReleaseLimits, available, load
    from sdcwidgets.assessment.verdict.rule_file import section_of
    from sdcwidgets.methods.describing import describe

    rules = {name: load(name) for name in available()}
    return [
        _item(name, rule.name, f"Source: {rule.limits.source}")
        | {"source": rule.limits.source, "method": describe(rule.method) if rule.method else ""}
        | {
            "limits": [
                {
                    "name": item.name.replace("_", "-"),
                    "section": section_of(item.name),
                    "label": item.label,
                    "help": item.help,
                    "value": getattr(rule.limits, item.name),
                }
                for item in declared(ReleaseLimits)
                if item.name != "source"
            ]
        }
        for name, rule in rules.items()
    ]


def _policy() -> list[dict[str, object]]:
    """Return the keys of a policy of the table generator."""
    from sdcwidgets.tableserver.policy import policy_keys

    return [
        _item(key.name, f"{_capital(key.allowed)} ({_default(key.default)})", key.help)
        | {"allowed": key.allowed, "default": key.default}
        for key in policy_keys()
    ]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _default(value: object) -> str:
    """Return the default of a key in a TOML file, in words."""
    if value is None:
        return "required"
    return f"default: {'none' if value in ('', [], {}) else json.dumps(value)}"


def _schemas() -> list[dict[str, object]]:
    """Return the JSON schemas, by the command whose output they describe, and that of layout files."""
    from sdcwidgets.tables.io import layouts

    versions = {**VERSIONS, LAYOUT: layouts.VERSION}
    return [
        _item(name, f"Version {version}", str(_schema(name)["title"])) for name, version in versions.items()
    ]


def _schema(name: str) -> dict[str, object]:
    """Return the JSON schema of the output of a command, or of layout files."""
    from sdcwidgets.tables.io.layouts import layout_schema

    return layout_schema() if name == LAYOUT else schema(name)


def _settings(item: Parameter) -> dict[str, object]:
    """Return a setting of a method or measure."""
    return {
        "name": item.name,
        "label": item.label,
        "allowed": allowed(item),
        "default": item.default,
        "help": about(item),
    }


def _documented(name: str, title: str, documented: object) -> dict[str, object]:
    """Return an item with the first line of its docstring, and the text before its first section."""
    text = inspect.getdoc(documented) or ""
    prose = re.split(r"\n\n[A-Z][A-Za-z ]+\n-{3,}|\n\n>>> ", text)[0]
    explanation = "\n\n".join(" ".join(paragraph.split()) for paragraph in prose.split("\n\n"))
    return _item(name, title, prose.partition("\n")[0]) | {"explanation": explanation}


def _item(name: str, title: str, description: str) -> dict[str, object]:
    return {"name": name, "title": title.rstrip("."), "description": description}


#: Kinds of names, each with the function that describes them.
KINDS: dict[str, Callable[[], list[dict[str, object]]]] = {
    "methods": _methods,
    "measures": _measures,
    "attacks": _attacks,
    "examples": _examples,
    "rules": _rules,
    "policy": _policy,
    "schemas": _schemas,
}
