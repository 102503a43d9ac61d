"""The detector of layouts is small, because a person confirms what it proposes."""

import ast
import tomllib
from pathlib import Path

import sdcwidgets.tables.io as package

FOLDER = Path(package.__path__[0])

#: Modules that decide which cells are labels and counts; readers of formats and layouts are not among them.
DETECTOR = [
    *(FOLDER / "layout").glob("*.py"),
    *(FOLDER / f"{name}.py" for name in ("plausibility", "proposals", "questions", "decisions", "reading")),
    *(
        FOLDER / f"{name}.py"
        for name in (
            "assumptions",
            "layout_draft",
            "printed",
            "named_parts",
            "similar_sheets",
            "hidden_parts",
        )
    ),
    *(FOLDER / f"{name}.py" for name in ("layout_of_reading", "unread_lines", "filled_files", "open_doubts")),
    *(FOLDER / f"{name}.py" for name in ("proposed_questions", "layout_levels")),
    FOLDER.parent / "weight_names.py",
]

#: A third of the words and of the regular expressions that the detector once had.
MOST_WORDS, MOST_EXPRESSIONS = 634 // 3, 52 // 3


def test_the_detector_knows_few_words():
    kinds = tomllib.loads((FOLDER / "layout" / "words.toml").read_text("utf-8"))
    words = [word for lists in kinds.values() for listed in lists.values() for word in listed]
    assert len(words) <= MOST_WORDS


def test_the_detector_has_few_regular_expressions():
    assert all(path.exists() for path in DETECTOR)
    expressions = []
    for path in DETECTOR:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            called = node.func if isinstance(node, ast.Call) else None
            if (
                isinstance(called, ast.Attribute)
                and isinstance(called.value, ast.Name)
                and called.value.id == "re"
            ):
                expressions.append((path.name, node.lineno))
    assert len(expressions) <= MOST_EXPRESSIONS, expressions
