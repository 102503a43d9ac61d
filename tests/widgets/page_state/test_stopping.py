"""Interruption of a computation, and the handler of signals after it."""

import signal

import pytest

from sdcwidgets import InputError
from sdcwidgets.widgets.page_state.stopping import stoppable


@pytest.fixture
def handler():
    def received(number, frame):
        pass

    before = signal.signal(signal.SIGINT, received)
    yield received
    signal.signal(signal.SIGINT, before)


def test_the_handler_of_signals_is_the_one_before(handler):
    with stoppable():
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert signal.getsignal(signal.SIGINT) is handler


def test_an_interrupt_ends_the_computation_with_an_error(handler):
    with pytest.raises(InputError), stoppable():
        signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is handler
