"""What a browser is given for each widget: one text, made of modules that name each other."""

import re
from collections import Counter
from pathlib import Path

import pytest

import sdcwidgets
from sdcwidgets.widgets.base import browser_side

WIDGETS = sorted(
    file
    for file in Path(sdcwidgets.__path__[0]).glob("**/static/*.js")
    if "export default" in file.read_text("utf-8")
)


@pytest.mark.parametrize("file", WIDGETS, ids=lambda file: file.stem)
def test_a_widget_is_one_module_with_each_name_once(file):
    text = browser_side(file.stem, file.parent)
    assert not re.search(r"^import ", text, re.MULTILINE)
    assert re.findall(r"^export .*", text, re.MULTILINE) in (
        ["export default { render };"],
        ["export default { initialize };"],
    )
    names = Counter(re.findall(r"^(?:const|let|function|class) (\w+)", text, re.MULTILINE))
    assert names["render"] + names["initialize"] == 1
    assert [name for name, times in names.items() if times > 1] == []


def test_what_is_imported_stands_first():
    text = browser_side("grid")
    assert text.index("const within =") < text.index("const at =") < text.index("const render =")
