"""The times of a visit: without connection, and without activity."""

import pytest

from sdcwidgets.server.visits import Visit


@pytest.fixture
def clock(monkeypatch):
    """The monotonic clock, which the test sets."""
    now = [100.0]
    monkeypatch.setattr("sdcwidgets.server.visits.time.monotonic", lambda: now[0])
    return now


def test_the_time_without_activity_begins_with_each_new_activity(clock):
    visit = Visit("203.0.113.0")
    assert visit.untouched("first") == 0
    clock[0] += 30
    assert visit.untouched("first") == 30
    clock[0] += 5
    assert visit.untouched("second") == 0
    clock[0] += 7
    assert visit.untouched("second") == 7


def test_the_time_without_connection_begins_when_the_page_is_closed_or_was_sent(clock):
    visit = Visit("203.0.113.0")
    visit.sent()
    clock[0] += 10
    visit.seen(connected=False)
    assert visit.away() == 10, "a page that never connected is away since it was sent"
    visit.seen(connected=True)
    assert visit.away() == 0
    clock[0] += 20
    visit.seen(connected=False)
    clock[0] += 3
    visit.seen(connected=False)
    assert visit.away() == 3
