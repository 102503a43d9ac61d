import inspect
import pydoc

import pytest

from sdcwidgets import measures, methods
from sdcwidgets._util.parameters import declared
from sdcwidgets.tables.io.options import ReadOptions


@pytest.mark.parametrize(
    "cls", [ReadOptions, *map(methods.get, methods.available()), *map(measures.get, measures.available())]
)
def test_help_tells_each_setting_in_plain_words(cls):
    text = pydoc.plain(pydoc.render_doc(cls))
    assert "Annotated" not in str(inspect.signature(cls))
    for parameter in declared(cls):
        assert f"{parameter.name} : " in text
        if cls is not ReadOptions:  # it describes its fields itself
            assert f"{parameter.label}. {parameter.help}".strip() in text
