"""Public names say what they hold: the ten words that stood for everything get no more bearers."""

import ast
from pathlib import Path

import sdcwidgets

WORN = {"asked", "found", "given", "kept", "made", "one", "shown", "thing", "told", "what"}

ROOT = Path(sdcwidgets.__path__[0])

#: So many public names are such a word today; this number only falls.
MOST = 96


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
