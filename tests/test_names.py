"""Public names say what they hold: the ten words that stood for everything get no more bearers."""

import ast
from pathlib import Path

import sdcwidgets

WORN = {"asked", "found", "given", "kept", "made", "one", "shown", "thing", "told", "what"}

ROOT = Path(sdcwidgets.__path__[0])

#: So many public names are such a word today; this number only falls.
MOST = 83


#: Where functions call nothing so, either; this list only grows.
CLEAN = (
    "cli",
    "formats",
    "microdata",
    "release",
    "sources",
    "table*.py",
    "tableserver",
    "tabulate",
    "verdict",
)


def public(body, owner):
    """Yield (owner, name) of each public function, class, parameter and field."""
    for node in body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield owner, node.name
            yield from public(node.body, f"{owner}.{node.name}")
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield owner, node.name
            for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
                yield f"{owner}.{node.name}()", argument.arg
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield owner, node.target.id
        elif isinstance(node, ast.Assign):
            yield from ((owner, target.id) for target in node.targets if isinstance(target, ast.Name))


def bearers():
    """Return where a worn word is a public name, by module."""
    return {
        f"{owner}.{name}"
        for path in ROOT.rglob("*.py")
        for owner, name in public(
            ast.parse(path.read_text("utf-8")).body,
            ".".join(path.relative_to(ROOT).with_suffix("").parts),
        )
        if name in WORN
    }


def test_worn_words_get_no_more_bearers():
    found = bearers()
    assert len(found) <= MOST, f"call it by what it is; CONTRIBUTING.md has a page of names: {sorted(found)}"


def test_a_worn_word_is_seen_wherever_it_stands():
    code = "told = 1\ndef f(kept, *, one): pass\nclass C:\n    shown: int\n    def found(self): pass\n"
    names = {name for _, name in public(ast.parse(code).body, "m")}
    assert names >= {"told", "kept", "one", "shown", "found"}


def bound(tree):
    """Yield the names that the functions of a module bind."""
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    for node in (inner for function in functions for inner in ast.walk(function)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def test_functions_of_clean_folders_bind_no_worn_word():
    paths = [path for place in CLEAN for path in (*ROOT.glob(place), *ROOT.glob(f"{place}/**/*.py"))]
    worn = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in paths
        if path.suffix
        for name in bound(ast.parse(path.read_text("utf-8")))
        if name in WORN - {"made", "thing", "what"}
    }
    assert len(paths) > 100
    assert not worn, f"call it by what it is: {sorted(worn)}"
