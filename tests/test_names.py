"""Names say what they hold: words that fit everything are rare in the whole package."""

import ast
from collections.abc import Iterator
from pathlib import Path

import sdcwidgets

WORN = frozenset(
    [
        "told",
        "kept",
        "one",
        "found",
        "shown",
        "given",
        "asked",
        "made",
        "what",
        "thing",
        "place",
        "said",
        "beside",
        "aside",
        "lost",
        "left",
    ]
)

#: Maximum number of these names per 1,000 bindings. Thirteen model code bases have 0 to 2.8.
MAXIMUM_RATE = 3

ROOT = Path(sdcwidgets.__path__[0])


def bindings(tree: ast.AST) -> Iterator[str]:
    """Yield the names of functions, classes, parameters, variables and assigned attributes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr


def is_worn(name: str) -> bool:
    return name.strip("_").lower() in WORN


def test_worn_words_are_rare_in_the_whole_package():
    total = 0
    worn = []
    for path in sorted(ROOT.rglob("*.py")):
        for name in bindings(ast.parse(path.read_text("utf-8"))):
            total += 1
            if is_worn(name):
                worn.append(f"{path.relative_to(ROOT)}: {name}")
    assert total > 10_000
    assert 1000 * len(worn) / total < MAXIMUM_RATE, f"name what these hold: {worn}"


def test_every_kind_of_binding_is_counted():
    code = """
told = 1
for made in []:
    self.lost = made
def found(kept, *, one): pass
async def asked(): pass
class Shown:
    given: int
"""
    worn = {name for name in bindings(ast.parse(code)) if is_worn(name)}
    assert worn == {"told", "made", "lost", "found", "kept", "one", "asked", "Shown", "given"}
