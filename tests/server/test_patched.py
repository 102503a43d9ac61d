"""Private parts of other packages that are patched or used: each is still there, and once."""

import multiprocessing
import re
from multiprocessing import forkserver
from types import SimpleNamespace

import pytest
from tornado.websocket import WebSocketProtocol13

from private_parts import PRIVATE_PARTS
from sdcwidgets.server import folder, frontend, pace


@pytest.mark.parametrize("hasty", frontend.PATIENCE)
def test_what_gives_up_within_seconds_is_found_once_and_replaced(hasty):
    before = b"".join(file.read_bytes() for file in frontend.installed().files)
    assert len(re.findall(hasty, before)) == 1
    assert not re.search(hasty, frontend.installed().source())


def test_what_no_page_uses_is_found_where_it_is_offered_and_where_it_is_asked_for():
    entry = frontend.installed().files[-1].read_text("utf-8")
    names = [place.split('"')[1] for place in frontend.UNUSED.findall(entry)]
    assert sorted(names) == sorted(2 * list(dict.fromkeys(names)))
    assert len(names) == 2 * 15
    assert frontend.installed().source().count(b"(()=>sdcUnused)") == len(names)


def test_a_websocket_without_the_private_method_of_tornado_is_left_as_it_is():
    connection = SimpleNamespace()
    pace.throttle(connection)
    assert vars(connection) == {}


def test_a_folder_is_made_and_removed_without_the_private_settings_of_a_process(monkeypatch):
    monkeypatch.setattr(folder.multiprocessing, "current_process", SimpleNamespace)
    with folder.own() as own:
        assert own.is_dir()
    assert not own.exists()


def test_the_private_parts_of_tornado_and_python_are_there():
    assert callable(WebSocketProtocol13._receive_frame)
    assert isinstance(multiprocessing.current_process()._config, dict)
    assert {"_forkserver_address", "_forkserver_alive_fd"} <= vars(forkserver._forkserver).keys()


@pytest.mark.parametrize(("owner", "names"), PRIVATE_PARTS)
def test_what_is_replaced_or_used_is_there(owner, names):
    assert [name for name in names.split() if name not in dir(owner)] == []
