"""Who guesses keys waits in a line of the own address, which has an end; nobody else waits."""

import asyncio
from types import SimpleNamespace

import pytest
from tornado.web import HTTPError

from sdcwidgets.server import access_key
from sdcwidgets.server.access_key import MOST_WRONG, Keys


def come(keys, address, typed):
    """What a visitor from an address is answered."""
    return keys.fits(SimpleNamespace(request=SimpleNamespace(remote_ip=address)), typed)


@pytest.fixture
def keys(monkeypatch):
    monkeypatch.setattr(access_key, "WRONG", 0.02)
    return Keys(key="census-2026")


def test_a_line_of_wrong_keys_has_an_end_and_is_of_one_address(keys):
    async def siege():
        guesses = [asyncio.create_task(come(keys, "192.0.2.1", f"guess {n}")) for n in range(40)]
        await asyncio.sleep(0)
        # While they wait, no key from there is looked at, and all from elsewhere are.
        with pytest.raises(HTTPError, match="429"):
            await come(keys, "192.0.2.1", "census-2026")
        assert await come(keys, "192.0.2.2", "census-2026")
        assert not await come(keys, "2001:db8::1", "mistyped")
        assert not all(guess.done() for guess in guesses)
        answers = await asyncio.gather(*guesses, return_exceptions=True)
        assert await come(keys, "192.0.2.1", "census-2026")
        return answers

    answers = asyncio.run(siege())
    assert answers.count(False) == MOST_WRONG
    assert all(answer is False or answer.status_code == 429 for answer in answers)
    assert keys._lines == {}


def test_neighbours_of_ipv6_are_one_visitor(keys):
    async def siege():
        guesses = [come(keys, f"2001:db8::{n:x}", "guess") for n in range(MOST_WRONG + 1)]
        return await asyncio.gather(*guesses, return_exceptions=True)

    assert sum(answer is not False for answer in asyncio.run(siege())) == 1
