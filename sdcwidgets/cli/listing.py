"""List the methods, measures, attacks, examples or release rules that other commands use by name."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Callable

from sdcwidgets.cli._json import print_json
from sdcwidgets.cli._parser import Parser

#: The module is not named `list`, because it would hide the built-in in this package.
NAME = "list"

EXAMPLES = ("sdcwidgets list methods", "sdcwidgets list measures --json")


def add(parser: Parser) -> None:
    """Add the kind of names, and JSON output."""
    parser.add_argument(
        "kind", metavar="KIND", choices=tuple(KINDS), help=f"names to list: {', '.join(KINDS)}"
    )
    parser.add_argument(
        "--json", action="store_true", help="print JSON by the schema `sdcwidgets schema list`"
    )


def run(options: argparse.Namespace) -> None:
    """Print the name and the description of each item."""
    items = KINDS[options.kind]()
    if options.json:
        print_json("list", {"kind": options.kind, "items": items})
        return
    width = max(len(str(item["name"])) for item in items) + 2
    for item in items:
        text = f"{item['title']}. {item['description']}" if item["description"] else str(item["title"])
        lines = textwrap.wrap(text, 100 - width)
        print(f"{item['name']:<{width}}{lines[0]}", *(" " * width + line for line in lines[1:]), sep="\n")


def _methods() -> list[dict[str, object]]:
    """Return the protection methods, each with its settings."""
    from sdcwidgets import methods
    from sdcwidgets._util.parameters import declared

    return [
        _item(name, cls.title, _first_line(cls))
        | {
            "settings": [
                {"name": item.name, "label": item.label, "allowed": item.expected, "default": item.default}
                for item in declared(cls)
            ]
        }
        for name in methods.available()
        for cls in (methods.get(name),)
    ]


def _measures() -> list[dict[str, object]]:
    """Return the measures, each with its symbol, its unit and the meaning of a greater value."""
    from sdcwidgets import measures

    return [
        _item(name, f"{cls.label} ({cls.symbol})" if cls.symbol else cls.label, _first_line(cls))
        | {"symbol": cls.symbol, "unit": cls.unit, "direction": cls.direction}
        for name in measures.available()
        for cls in (measures.get(name),)
    ]


def _attacks() -> list[dict[str, object]]:
    """Return the attacks."""
    from sdcwidgets import attacks

    return [_item(name, name.capitalize(), _first_line(attacks.get(name))) for name in attacks.available()]


def _examples() -> list[dict[str, object]]:
    """Return the example tables, each with its source and its size."""
    from sdcwidgets import examples

    return [
        _item(name, example.title, f"{' × '.join(map(str, example.table.shape))} cells")
        | {"source": example.source, "shape": list(example.table.shape)}
        for name, example in examples.available().items()
    ]


def _rules() -> list[dict[str, object]]:
    """Return the release rules that come with the package, each with its source."""
    from sdcwidgets.assessment.verdict import available, load

    rules = {name: load(name) for name in available()}
    return [
        _item(name, rule.name, f"Source: {rule.limits.source}") | {"source": rule.limits.source}
        for name, rule in rules.items()
    ]


def _item(name: str, title: str, description: str) -> dict[str, object]:
    return {"name": name, "title": title.rstrip("."), "description": description}


def _first_line(documented: object) -> str:
    return (documented.__doc__ or "").strip().partition("\n")[0]


#: Kinds of names, each with the function that describes them.
KINDS: dict[str, Callable[[], list[dict[str, object]]]] = {
    "methods": _methods,
    "measures": _measures,
    "attacks": _attacks,
    "examples": _examples,
    "rules": _rules,
}
