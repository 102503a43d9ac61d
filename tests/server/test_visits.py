"""The times of a visit: without connection, and without activity."""

from types import SimpleNamespace

import pytest

from sdcwidgets.server import visits as visits_of_server
from sdcwidgets.server.visits import TooManyVisitors, Visit, Visits, default_most, memory


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


def test_visits_are_limited_in_total_and_per_address():
    visits = Visits(3, 2)
    first = visits.begin("a")
    visits.begin("a")
    with pytest.raises(TooManyVisitors):
        visits.begin("a")
    visits.begin("b")
    with pytest.raises(TooManyVisitors):
        visits.begin("c")
    visits.end(first)
    assert len(visits) == 2
    last = visits.begin("a")
    last.kernel = "id"
    assert (visits.of("id"), visits.of("other")) == (last, None)


@pytest.mark.parametrize(("bytes_free", "most"), [(0, 1), (10, 1), (50, 4), (125, 10), (10**9, 500)])
def test_visits_fit_into_four_fifths_of_the_memory(bytes_free, most, monkeypatch):
    monkeypatch.setattr("sdcwidgets.server.visits.memory", lambda: bytes_free)
    assert default_most(10) == most


@pytest.mark.parametrize(
    ("group", "limit", "used", "free"),
    [("0::/a/b", "900", "300", 600), ("0::/a/b", "max", "300", 1000), ("1:cpu:/a", "900", "300", 1000)],
)
def test_memory_is_that_of_the_control_group(group, limit, used, free, tmp_path, monkeypatch):
    (tmp_path / "group").write_text(f"{group}\n", "utf-8")
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "memory.max").write_text(f"{limit}\n", "utf-8")
    (tmp_path / "a" / "memory.current").write_text(f"{used}\n", "utf-8")
    limits = {kind: (str(tmp_path), *files) for kind, (_, *files) in visits_of_server._LIMITS.items()}
    monkeypatch.setattr(visits_of_server, "_LIMITS", limits)
    monkeypatch.setattr(visits_of_server, "GROUPS", tmp_path / "group")
    monkeypatch.setattr(visits_of_server.psutil, "virtual_memory", lambda: SimpleNamespace(available=1000))
    assert memory() == free
