"""Private parts of other packages that are patched or used: each is still there."""

import multiprocessing
from multiprocessing import forkserver
from types import SimpleNamespace

import pytest
from tornado.websocket import WebSocketProtocol13

from private_parts import PRIVATE_PARTS
from sdcwidgets.server import rate_limit, temporary_folder


def test_a_websocket_without_the_private_method_of_tornado_is_left_as_it_is():
    connection = SimpleNamespace()
    rate_limit.throttle(connection)
    assert vars(connection) == {}


def test_a_folder_is_made_and_removed_without_the_private_settings_of_a_process(monkeypatch):
    monkeypatch.setattr(temporary_folder.multiprocessing, "current_process", SimpleNamespace)
    with temporary_folder.own() as own:
        assert own.is_dir()
    assert not own.exists()


def test_the_private_parts_of_tornado_and_python_are_there():
    assert callable(WebSocketProtocol13._receive_frame)
    assert isinstance(multiprocessing.current_process()._config, dict)
    assert {"_forkserver_address", "_forkserver_alive_fd"} <= vars(forkserver._forkserver).keys()


@pytest.mark.parametrize(("owner", "names"), PRIVATE_PARTS)
def test_what_is_replaced_or_used_is_there(owner, names):
    assert [name for name in names.split() if name not in dir(owner)] == []
