"""What follows from one change goes to the browser as one message."""

import comm
import ipywidgets
import pytest
import traitlets

from sdcwidgets.widgets import batch_sender as senders
from sdcwidgets.widgets import message_batch
from sdcwidgets.widgets.base import Widget
from sdcwidgets.widgets.batch_sender import batch_sender
from sdcwidgets.widgets.message_batch import batched
from sdcwidgets.widgets.page import Text


class Shown(Widget):
    _esm = "export default {}"

    words = traitlets.Unicode("").tag(sync=True)
    number = traitlets.Int(0).tag(sync=True)
    data = traitlets.Dict().tag(sync=True)


@pytest.fixture
def sent(monkeypatch):
    """What is sent: the widget, the message and its bytes."""
    found = []

    def send(widget, message, buffers=None):
        found.append((widget, message, [bytes(one) for one in buffers or []]))

    # Where a kernel was imported, but none runs, widgets would be silent.
    monkeypatch.setattr(comm, "create_comm", lambda **about: comm.DummyComm(**about))
    monkeypatch.setattr(senders, "_SENDERS", [])
    monkeypatch.setattr(ipywidgets.Widget, "_send", send)
    return found


@pytest.fixture
def heard(sent, monkeypatch):
    """A sender whose browser side has said that it is there; what was before comes back."""
    monkeypatch.setattr(message_batch._BATCH, "send_batch", message_batch._BATCH.send_batch)
    one = batch_sender()
    one._handle_msg({"content": {"data": {"method": "custom", "content": {"type": "ready"}}}, "buffers": []})
    return one


def changes(messages):
    """What one message of the sender says: widget by widget."""
    ((_, message, buffers),) = messages
    assert message["method"] == "custom"
    return [(one, state, paths) for one, state, paths in message["content"]["changes"]], buffers


def test_what_follows_from_one_change_is_one_message(heard, sent):
    first, second, text = Shown(), Shown(), Text()
    sent.clear()
    with batched():
        first.words = "one"
        with batched():
            second.number = 2
        text.show("three")
        first.number = 4
        assert sent == []
    assert changes(sent) == (
        [
            (second.model_id, {"number": 2}, []),
            (text.model_id, {"value": "three"}, []),
            (first.model_id, {"words": "one", "number": 4}, []),
        ],
        [],
    )
    assert sent[0][0] is heard


def test_bytes_go_along_and_only_the_last_of_a_trait(heard, sent):
    first, second = Shown(), Shown()
    sent.clear()
    with batched():
        first.data = {"size": 1, "cells": b"old"}
        second.data = {"parts": {"cells": b"other"}}
        first.data = {"size": 2, "cells": b"new"}
    said, buffers = changes(sent)
    assert said == [
        (second.model_id, {"data": {"parts": {}}}, [["data", "parts", "cells"]]),
        (first.model_id, {"data": {"size": 2}}, [["data", "cells"]]),
    ]
    assert buffers == [b"other", b"new"]


def test_bytes_that_are_no_more_do_not_go_along(heard, sent):
    first, second = Shown(), Shown()
    sent.clear()
    with batched():
        first.data, second.number = {"cells": b"old"}, 1
        first.data = {}
    assert changes(sent) == ([(second.model_id, {"number": 1}, []), (first.model_id, {"data": {}}, [])], [])


def test_a_message_of_its_own_comes_after_what_it_may_speak_of(heard, sent):
    first, second = Shown(), Shown()
    sent.clear()
    with batched():
        first.words, second.words = "a", "b"
        first.send({"type": "look"})
        first.words = "c"
    assert [(one, message["method"]) for one, message, _ in sent] == [
        (heard, "custom"),
        (first, "custom"),
        (first, "update"),
    ]


def test_without_a_browser_side_that_hears_each_widget_speaks_for_itself(sent, monkeypatch):
    monkeypatch.setattr(message_batch._BATCH, "send_batch", lambda changes: False)
    first, second = Shown(), Shown()
    sent.clear()
    with batched():
        first.data, second.words = {"cells": b"bytes"}, "b"
    assert sent == [
        (first, {"method": "update", "state": {"data": {}}, "buffer_paths": [["data", "cells"]]}, [b"bytes"]),
        (second, {"method": "update", "state": {"words": "b"}, "buffer_paths": []}, []),
    ]


def test_a_closed_sender_sends_nothing(heard, sent):
    first, second = Shown(), Shown()
    heard.close()
    sent.clear()
    with batched():
        first.words, second.words = "a", "b"
    assert [one for one, *_ in sent] == [first, second]
    assert batch_sender() is not heard


def test_what_is_closed_meanwhile_is_not_spoken_of(heard, sent):
    first, second, third = Shown(), Shown(), Shown()
    sent.clear()
    with batched():
        first.words = second.words = third.words = "a"
        second.close()
    assert [one for one, *_ in changes([one for one in sent if one[0] is heard])[0]] == [
        first.model_id,
        third.model_id,
    ]


def test_what_waits_is_sent_also_where_something_fails(heard, sent):
    first, second = Shown(), Shown()
    sent.clear()

    def fail():
        with batched():
            first.words, second.words = "a", "b"
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert len(changes(sent)[0]) == 2
    sent.clear()
    first.words = "c"  # and the bundle is closed
    assert [one for one, *_ in sent] == [first]


def test_all_that_follows_from_a_message_of_the_browser_is_one_message(heard, sent):
    first, second = Shown(), Shown()

    def both(*_):
        first.words, second.words = "x", "y"

    first.hear("go", both)
    sent.clear()
    first._handle_msg({"content": {"data": {"method": "custom", "content": {"type": "go"}}}, "buffers": []})
    assert [one for one, *_ in changes(sent)[0]] == [first.model_id, second.model_id]


def test_traits_of_a_message_are_in_the_order_of_their_names(heard, sent):
    first, second = Shown(), Shown()
    sent.clear()
    with batched():
        first.words, first.number, first.data, second.words = "a", 1, {"x": 1}, "b"
    assert [list(state) for _, state, _ in changes(sent)[0]] == [["data", "number", "words"], ["words"]]


def test_what_one_widget_cannot_say_does_not_keep_others_from_speaking(heard, sent, monkeypatch):
    first, second = Shown(), Shown()
    said = []

    def send(widget, message, buffers=None):
        if widget is heard or message["state"].get("words") == "\ud800":
            raise UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogates not allowed")
        said.append((widget, message["state"]))

    monkeypatch.setattr(ipywidgets.Widget, "_send", send)

    def change():
        with batched():
            first.words, second.words = "\ud800", "b"

    with pytest.raises(UnicodeEncodeError):
        change()
    assert said == [(second, {"words": "b"})]
    second.words = "c"
    assert said[1:] == [(second, {"words": "c"})]
