"""Lines of outputs in the documentation: sentences are wrapped, and cut rows of tables end in a mark."""

import importlib.util
from pathlib import Path

import pytest

import sdcwidgets

FILE = Path(sdcwidgets.__path__[0]).parent / "docs/site/outputs.py"
SPEC = importlib.util.spec_from_file_location("outputs", FILE)
outputs = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(outputs)

SENTENCE = " ".join(f"word{k}" for k in range(60))


@pytest.mark.parametrize("indent", ["", "    ", " |  |    "])
def test_a_long_sentence_is_wrapped_between_words(indent):
    printed = outputs.with_outputs(f"```python\nprint({indent + SENTENCE!r})\n```\n").splitlines()
    lines = printed[printed.index('```text title="Output"') + 1 : -1]
    assert len(lines) > 1
    assert all(len(line) <= outputs.WIDTH and line.startswith(indent) for line in lines)
    assert " ".join(line.lstrip(" |") for line in lines) == SENTENCE


def test_a_cut_row_of_a_table_and_a_cut_output_have_marks():
    printed = outputs.with_outputs('```python\nprint("a  b" * 100)\nfor k in range(40):\n    print(k)\n```\n')
    lines = printed.splitlines()
    row = lines[lines.index('```text title="Output"') + 1]
    assert row.endswith("…")
    assert len(row) <= outputs.WIDTH
    assert lines[-2].startswith("…")
    assert str(41 - outputs.MOST_LINES) in lines[-2]


def test_a_frame_is_as_wide_as_a_line():
    code = "import pandas as pd\nprint(pd.DataFrame({f'column_{k}': [k] for k in range(9)}))"
    assert "..." not in outputs.with_outputs(f"```python\n{code}\n```\n")
