"""Lessons as pages of the documentation: text, code, numbers, questions with answers, and a picture."""

from __future__ import annotations

import ast
import json
import re
from html import escape
from itertools import count
from pathlib import Path
from typing import Any

__all__ = ["lesson_page", "with_static_links"]

#: Remarks that hold in a notebook only.
_IN_NOTEBOOK = re.compile(r'<span class="sdc-in-jupyter">.*?</span>', re.DOTALL)

#: Styles that pandas adds to each table; the site has its own.
_STYLE = re.compile(r"<style scoped>.*?</style>", re.DOTALL)


def with_static_links(markdown: str) -> str:
    """Return Markdown whose links to notebooks lead to pages of the documentation."""
    markdown = re.sub(r"\]\(\.\./notebooks/(\w+)\.ipynb[^)]*\)", r"](../pages.md#\1)", markdown)
    return re.sub(r"\]\((\d\db?-[\w-]+)\.ipynb\)", r"](\1.md)", markdown)


def lesson_page(notebook: Path, picture: str = "") -> str:
    """Return a lesson as Markdown.

    Parameters
    ----------
    notebook : Path
        File of the lesson.
    picture : str
        Address of the picture, relative to the page, or "" without one.
    """
    parts: list[str] = []
    for cell in json.loads(notebook.read_text("utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(_markdown(source))
        elif "exercise" in cell["metadata"].get("tags", ()):
            parts.append(_question(source, cell["metadata"].get("answers", {})))
        else:
            parts.append(f"```python\n{source.strip()}\n```\n")
            parts += [_output(output) for output in cell.get("outputs", ())]
            if picture and "widget" in cell["metadata"].get("tags", ()):
                title = _title(parts)
                parts.append(f"![{title}: interactive part of the lesson]({picture})\n")
                picture = ""
    intro = (
        f"Run this lesson with live widgets: `sdcwidgets serve` shows it in a browser, and `sdcwidgets lessons "
        f"course` copies `{notebook.name}` for a notebook program.\n"
    )
    head, _, rest = "\n".join(part for part in parts if part.strip()).partition("\n")
    # Each table is a landmark, which needs a unique name.
    numbers = count(1)
    rest = re.sub(r'aria-label="Table"', lambda _: f'aria-label="Table {next(numbers)}"', rest)
    return f"{head}\n\n{intro}\n{rest}"


def _title(parts: list[str]) -> str:
    return parts[0].splitlines()[0].removeprefix("# ")


def _markdown(source: str) -> str:
    text = _IN_NOTEBOOK.sub("", source)
    # A heading whose text was a remark for a notebook is empty now.
    text = re.sub(r"^#+ *$", "", text, flags=re.MULTILINE)
    # Python-Markdown needs an empty line before a list.
    text = re.sub(r"(?m)^(?!\s*(?:[-*>|#]|\d+\.))(.*\S.*)\n(?=(?:- |\* |1\. ))", r"\1\n\n", text)
    return with_static_links(text).strip() + "\n"


def _text(node: ast.expr | None) -> str:
    """Return the value of a string, or "" if it depends on a computation."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _question(source: str, answers: dict[str, str]) -> str:
    """Return a question with its answer, which is folded."""
    calls = [
        node.value
        for node in ast.parse(source).body
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    ]
    if not calls or not calls[-1].args or not (question := _text(calls[-1].args[0])):
        return "*The notebook has a question here, which depends on its numbers.*\n"
    call = calls[-1]
    lines = [f"**Question.** {escape(question, quote=False)}\n"]
    if isinstance(call.func, ast.Name) and call.func.id == "choice":
        options = [option.elts for option in call.args[1].elts]
        lines += [f"- {escape(_text(texts[0]), quote=False)}" for texts in options] + [""]
        right = options[int(answers.get("right", 0))]
        answer = f"{_text(right[0])}. {_text(right[1])}"
    else:
        explanation = next((_text(word.value) for word in call.keywords if word.arg == "right"), "")
        answer = f"{answers.get('right', '')}. {explanation}"
    folded = f"<details><summary>Answer</summary><p>{escape(answer, quote=False)}</p></details>\n"
    return "\n".join([*lines, folded])


def _output(output: dict[str, Any]) -> str:
    """Return numbers that a cell printed, or a table or picture that it displayed."""
    if output["output_type"] == "stream":
        return f"```text\n{''.join(output['text']).rstrip()}\n```\n"
    html = "".join(output.get("data", {}).get("text/html", ()))
    if "<table" in html:
        table = _STYLE.sub("", html).replace(' border="1" class="dataframe"', ' class="frame"')
        # An empty heading is an ordinary cell for a screen reader.
        table = table.replace("<th></th>", "<td></td>")
        rows = "".join(line.strip() for line in table.splitlines())
        # A wide table scrolls, with the keyboard, too.
        return f'<div class="frame" tabindex="0" role="region" aria-label="Table">{rows}</div>\n'
    picture = "".join(output.get("data", {}).get("image/svg+xml", ()))
    if picture:
        return f"<div>{picture}</div>\n"
    plain = "".join(output.get("data", {}).get("text/plain", ()))
    return f"```text\n{plain}\n```\n" if plain else ""
