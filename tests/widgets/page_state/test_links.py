"""Texts of links: what is packed comes back, and a damaged text is refused in one sentence."""

import base64
import json
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdcwidgets import InputError
from sdcwidgets.widgets.page_state.links import decode, pack


def packed(content):
    return base64.urlsafe_b64encode(zlib.compress(content)).decode().rstrip("=")


@given(
    st.dictionaries(
        st.text(st.characters(codec="utf-8")), st.integers() | st.text(st.characters(codec="utf-8"))
    )
)
def test_what_is_packed_comes_back(saved):
    assert decode(pack(saved)) == saved


@pytest.mark.parametrize(
    "content",
    [["counts"], [], "counts", 1, None, True],
    ids=["list", "empty", "text", "number", "null", "true"],
)
def test_a_link_holds_an_object(content):
    with pytest.raises(InputError, match="damaged"):
        decode(packed(json.dumps(content).encode()))


@pytest.mark.parametrize(
    "text", ["", "?", "AAAA", packed(b"{"), packed(b"\xff{}"), packed(b'{"a": "\\ud800"}')]
)
def test_a_damaged_link_is_refused(text):
    with pytest.raises(InputError, match="damaged"):
        decode(text)


def test_a_link_that_unpacks_to_too_much_is_refused():
    text = packed(json.dumps({"a": "x" * 1000}).encode())
    assert decode(text, most=2000) == {"a": "x" * 1000}
    with pytest.raises(InputError, match="damaged"):
        decode(text, most=500)


def test_a_table_that_is_too_large_for_a_link_is_refused():
    with pytest.raises(InputError, match="too large for a link"):
        pack({"a": "".join(map(str, range(2000)))}, longest=100)
