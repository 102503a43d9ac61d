"""Public names say what they hold: the ten words that stood for everything get no more bearers."""

import ast
from pathlib import Path

import sdcwidgets

WORN = {"asked", "found", "given", "kept", "made", "one", "shown", "thing", "told", "what"}

ROOT = Path(sdcwidgets.__path__[0])

#: So many public names are such a word today; this number only falls.
MOST = 65


#: Where functions call nothing so, either; this list only grows.
CLEAN = (
    "cli",
    "tables/io",
    "microdata",
    "tables/release.py",
    "tables/intervals.py",
    "tables/table*.py",
    "tableserver",
    "assessment/verdict",
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


def modules():
    """Return the code of each module, by its name."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts): ast.parse(path.read_text("utf-8"))
        for path in ROOT.rglob("*.py")
    }


def bases(trees):
    """Return the names of the base classes of each class; of another package they have a point."""
    nodes = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    return {node.name: [ast.unparse(base).partition("[")[0] for base in node.bases] for node in nodes}


def place(owner, name):
    """Return the class or module that a name stands in, and what it is there."""
    if owner.endswith("()"):
        owner, _, function = owner.rpartition(".")
        name = f"{function}.{name}"
    return owner.rpartition(".")[2], name


def bearers(trees):
    """Return where a worn word is a public name; one that overrides is named where its base class is."""
    worn = [
        (owner, name)
        for module, tree in trees.items()
        for owner, name in public(tree.body, module)
        if name in WORN
    ]
    above, named = bases(trees.values()), {place(*one) for one in worn}

    def inherited(cls, name):
        return any((base, name) in named or inherited(base, name) for base in above.get(cls, ()))

    return {f"{owner}.{name}" for owner, name in worn if not inherited(*place(owner, name))}


def test_worn_words_get_no_more_bearers():
    found = bearers(modules())
    assert len(found) <= MOST, f"call it by what it is; CONTRIBUTING.md has a page of names: {sorted(found)}"


def test_a_worn_word_is_seen_wherever_it_stands():
    code = "told = 1\ndef f(kept, *, one): pass\nclass C:\n    shown: int\n    def found(self): pass\n"
    names = {name for _, name in public(ast.parse(code).body, "m")}
    assert names >= {"told", "kept", "one", "shown", "found"}


def test_a_word_of_a_base_class_is_counted_there_only():
    code = (
        "class A:\n    told = 1\n    def f(self, kept): pass\nclass B(A): pass\n"
        "class C(B):\n    told = 2\n    def f(self, kept): pass\n    def g(self, kept): pass\n"
    )
    assert bearers({"m": ast.parse(code)}) == {"m.A.told", "m.A.f().kept", "m.C.g().kept"}


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
