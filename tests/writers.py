"""Every function of the project that writes or hands over a file, found in its source code."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import sdcwidgets

#: Functions and methods that write a file or hand one over, by the name in the call.
WRITES = {
    "put",
    "put_too",
    "file",
    "write_text",
    "write_bytes",
    "to_excel",
    "to_parquet",
    "savefig",
    "to_stata",
    "workbook",
    "release_workbook",
    "in_memory",
}

#: Functions that write only if a path is given: the number of arguments before the path.
WITH_PATH = {"csv_text": 1, "to_csv": 0, "px": 1, "json_stat": 1, "sdmx_csv": 1}

ROOT = Path(sdcwidgets.__file__).parent


def writers() -> set[str]:
    """Return "module:function" of each function of the project in which a file is written."""
    found = set()
    for path in sorted(ROOT.rglob("*.py")):
        module = ".".join(path.relative_to(ROOT.parent).with_suffix("").parts)
        found |= {f"{module}:{name}" for name in _in(ast.parse(path.read_text("utf-8")), "")}
    return found


def browser_writers() -> set[str]:
    """Return the modules of the browser side that save a file, a picture or a link."""
    writes = re.compile(r"\bsave\(|downloadImage\(|clipboard\w*\??\.(writeText|setData)|\bprint\(\)")
    return {
        path.relative_to(ROOT.parent).as_posix()
        for path in sorted((ROOT.parent / "js").rglob("*.js"))
        if writes.search(path.read_text("utf-8"))
    }


def _in(node: ast.AST, name: str) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from _in(child, f"{name}.{child.name}".lstrip("."))
            continue
        if isinstance(child, ast.Call) and _writes(child):
            yield name
        yield from _in(child, name)


def _writes(call: ast.Call) -> bool:
    function = call.func
    name = getattr(function, "attr", getattr(function, "id", ""))
    # `study.put(state)` changes a state; the function `put` of `sdcwidgets._util.files` is called by its name.
    if name in ("put", "put_too") and not isinstance(function, ast.Name):
        return False
    if name in WITH_PATH:
        by_name = any(one.arg == "path" for one in call.keywords)
        return len(call.args) > WITH_PATH[name] or by_name
    if name == "open":
        modes = [*call.args[:2], *(one.value for one in call.keywords if one.arg == "mode")]
        texts = [one.value for one in modes if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        return any(set(text) <= set("wabx+t") and set(text) & set("wax") for text in texts)
    if name == "send" and call.args and isinstance(call.args[0], ast.Dict):
        values = [one.value for one in call.args[0].values if isinstance(one, ast.Constant)]
        return bool({"file", "save"} & set(values))
    return name in WRITES
