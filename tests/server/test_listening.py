"""Where a server says that it is."""

import socket

import pytest

from sdcwidgets.server import listening


@pytest.mark.parametrize("host", ["", "0.0.0.0", "::"])
def test_the_address_that_is_said_is_one_of_this_machine(host):
    said = listening.public_host(host)
    kind = socket.AF_INET6 if ":" in said else socket.AF_INET
    if said != socket.gethostname():  # without a network, its name is all there is
        with socket.socket(kind) as server:
            server.bind((said.strip("[]"), 0))


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_without_a_network_it_is_the_name_of_the_machine(host, monkeypatch):
    def none(*_):
        raise OSError("Network is unreachable")

    monkeypatch.setattr(listening.socket.socket, "connect", none)
    assert listening.public_host(host) == socket.gethostname()


@pytest.mark.parametrize(
    ("host", "said"), [("127.0.0.1", "localhost"), ("::1", "[::1]"), ("office", "office")]
)
def test_one_address_is_said_as_it_was_given(host, said):
    assert listening.public_host(host) == said
