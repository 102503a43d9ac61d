"""A generator in a folder as the page Tables of a server asks it."""

import numpy as np
import pandas as pd
import pytest

from sdcwidgets.tableserver import Rules
from sdcwidgets.tableserver.generator import TableGenerator
from sdcwidgets.tableserver.policy import Policy
from serving import free_port, running, serve
from visiting import Visitor, connected, get, kernel_of

pytestmark = pytest.mark.slow


@pytest.fixture(params=[(), ("--agency",)], ids=["users", "agency"])
def asked(request, tmp_path, monkeypatch):
    """Two visitors, each of whom asks for a table; the generator, and all that the second is sent."""
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"Area": rng.choice(list("NES"), 4000), "Age": rng.choice(["old", "young"], 4000)})
    made = TableGenerator.init(
        tmp_path / "made", frame, Policy("public", Rules(mean=0, after=1, utility=0), rate=1)
    )
    monkeypatch.chdir(tmp_path)
    port = free_port()
    address = f"http://127.0.0.1:{port}/"
    command = serve(port)
    with running([*command, "--generator", "made", *request.param], f"{address}health"):
        for _ in range(2):
            with connected(address, kernel_of(get(f"{address}voila/render/tables.ipynb")[2])) as channel:
                visitor = Visitor(channel)
                lead = visitor.widget(lambda state: state.get("ahead") == "Request this table")
                visitor.say(lead, {"type": "next"})
                tabs = {name: state["names"] for name, state in visitor.widgets.items() if "names" in state}
                for tab, names in tabs.items():  # what a tab holds is made when it is opened
                    for place in range(len(names)):
                        visitor.say(tab, {"type": "open", "index": place})
                seen = Visitor(channel).widgets
        yield made, str(seen), bool(request.param)


def test_each_session_asks_as_a_user_of_its_own_and_only_the_agency_sees_who(asked):
    """Takes more than 10 s of processor time, because a server starts and opens two pages."""
    made, seen, agency = asked
    log = made.store.log()
    assert [line["door"] for line in log] == ["dashboard", "dashboard"]
    first, second = (line["user"] for line in log)
    assert first != second
    assert (f"{first}, dashboard" in seen) == agency
