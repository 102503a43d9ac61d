"""What a page hands to its tab leads back to the same state, and what comes from a tab is checked."""

import asyncio

import pytest
from stating import stating

from sdcwidgets.dashboards.protect.state import ProtectState
from sdcwidgets.dashboards.suppression.state import SuppressionState
from sdcwidgets.tables.io.sources import File, InMemorySource
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets import tab_storage
from sdcwidgets.widgets.page import Page
from sdcwidgets.widgets.page_state.links import encode
from sdcwidgets.widgets.page_state.recomputation import Study
from sdcwidgets.widgets.page_state.table_state import TableState

BIG = FrequencyTable([[row * 100 + column for column in range(1, 100)] for row in range(100)])


def page_of(start):
    study, page, sent = Study(start, lambda state: state), Page(title="x", links=[], here="x.ipynb"), []
    page.send = sent.append
    page.bind(study, type(start).from_state, lambda state: "")
    return study, page, sent


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """Changes are stored as soon as nothing else happens."""
    monkeypatch.setattr(tab_storage, "WAIT", 0)


async def changed(study, *states):
    for state in states:
        study.put(state)
    for _ in range(3):  # the timer, and what it calls
        await asyncio.sleep(0)


def kept(sent):
    return [message for message in sent if message["type"] == "keep"]


@pytest.mark.parametrize("table", [FrequencyTable([[1, 2], [3, 4]]), BIG], ids=["small", "large"])
def test_what_is_kept_leads_back(table):
    first, own = TableState.of_example("religion"), TableState(table).set(epsilon=0.3)
    study, _, sent = page_of(first)
    asyncio.run(changed(study, TableState.of_example("travel"), own))
    (message,) = kept(sent)
    again, page, _ = page_of(first)
    page._hear(page, {"type": "restore", "state": message["state"]}, [])
    assert again.state == own
    assert page.problem == ""


def test_the_table_alone_goes_along_to_another_dashboard():
    study, _, sent = page_of(TableState.of_example("religion"))
    asyncio.run(
        changed(study, TableState(FrequencyTable([[1, 2], [3, 4]]), InMemorySource("Mine")).set(epsilon=0.3))
    )
    first = ProtectState.of_example("religion")
    there, page, _ = page_of(first)
    page._hear(page, {"type": "bring", "table": kept(sent)[0]["table"], "from": "Explore"}, [])
    assert there.state.table == FrequencyTable([[1, 2], [3, 4]])
    assert (there.state.title, there.state.settings) == ("Mine", first.settings)
    assert page.came == stating("“Mine”", "Explore")
    page._hear(page, {"type": "example"}, [])
    assert there.state == first
    assert page.came == ""


def test_a_table_of_ones_own_is_not_the_one_that_came_along():
    study, _, sent = page_of(TableState.of_example("religion"))
    asyncio.run(
        changed(study, TableState(FrequencyTable([[1, 2], [3, 4]]), InMemorySource("Anna’s village")))
    )
    there, page, _ = page_of(TableState.of_example("religion"))
    page._hear(page, {"type": "bring", "table": kept(sent)[0]["table"], "from": "Protect"}, [])
    assert page.came
    there.change(table=there.state.table.with_count((0, 0), 7))
    assert page.came
    there.load(TableState(FrequencyTable([[5, 6]]), InMemorySource("Mine")))
    assert page.came == ""


def test_what_the_tab_kept_is_named_and_can_be_forgotten():
    first = TableState.of_example("religion")
    study, _, sent = page_of(first)
    asyncio.run(changed(study, TableState(FrequencyTable([[1, 2], [3, 4]]), InMemorySource("Mine"))))
    there, page, said = page_of(first)
    page._hear(page, {"type": "restore", "state": kept(sent)[0]["state"]}, [])
    assert page.came.startswith("“Mine” was restored")
    page._hear(page, {"type": "forget"}, [])
    assert (there.state, there.can_undo, page.came) == (first, False, "")
    assert {"type": "say", "text": "Deleted"} in said


def test_the_table_that_a_page_begins_with_does_not_go_along():
    study, _, sent = page_of(TableState.of_example("religion"))
    asyncio.run(changed(study, study.state.set(epsilon=0.3)))
    assert kept(sent)[0]["table"] is None


@pytest.mark.parametrize("kind", ["restore", "bring"])
@pytest.mark.parametrize(
    "text", [None, "", "x", 7, encode(TableState.of_example("religion"))[:-9], "A" * 100_000]
)
def test_what_is_damaged_is_told_and_changes_nothing(kind, text):
    study, page, _ = page_of(TableState.of_example("religion"))
    before = study.state
    page._hear(page, {"type": kind, "state": text, "table": text}, [])
    assert study.state == before
    assert "damaged" in page.problem or "another version" in page.problem


def test_a_table_that_is_too_large_is_named_and_the_example_stays():
    study, _, sent = page_of(TableState.of_example("religion"))
    asyncio.run(changed(study, TableState(FrequencyTable([[1] * 20] * 25), InMemorySource("Mine"))))
    start = SuppressionState()
    there, page, _ = page_of(start)
    page._hear(page, {"type": "bring", "table": kept(sent)[0]["table"]}, [])
    assert there.state == start
    assert 'table "Mine"' in page.problem
    assert "500 cells; the page accepts at most 400" in page.problem
    assert page.came == ""


def test_a_table_is_brought_that_neither_the_page_nor_its_address_began_with():
    """A course keeps none of these, and checks none; its own table may come with a link."""
    course = TableState(FrequencyTable([[1, 2], [3, 4]]), InMemorySource("The course's"))
    file = TableState(FrequencyTable([[5, 6], [7, 8]]), File("ours.csv"))
    study, _, sent = page_of(TableState.of_example("religion"))

    async def used():
        study.begin(course)
        await changed(study, course.edited([[1, 2], [3, 5]]))
        await changed(study, TableState.of_example("travel"))
        study.load(file)
        await changed(study, file.edited([[5, 6], [7, 9]]))
        study.undo()
        study.undo()
        await changed(study)

    asyncio.run(used())
    assert [message["brought"] for message in kept(sent)] == [False, False, True, False]
