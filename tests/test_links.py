"""Links of earlier days still open, and open what they opened then.

`data/links.json` holds what pages wrote, each with what it held on that day; a state may know more by now.
"""

import json
from pathlib import Path

import pytest

from plain import plain
from sdcwidgets.dashboards.attack.state import AttackState
from sdcwidgets.dashboards.cell_key.state import CellKeyState
from sdcwidgets.dashboards.divergences.state import DivergencesState
from sdcwidgets.dashboards.literature.state import LiteratureState
from sdcwidgets.dashboards.microdata.state import MicrodataState
from sdcwidgets.dashboards.protect.state import ProtectState
from sdcwidgets.dashboards.rounding.state import RoundingState
from sdcwidgets.dashboards.sample.state import SampleState
from sdcwidgets.dashboards.suppression.state import SuppressionState
from sdcwidgets.dashboards.tables.state import TablesState
from sdcwidgets.dashboards.third_term.state import ThirdTermState
from sdcwidgets.dashboards.who.state import WhoState
from sdcwidgets.methods.rounding import ControlledRounding
from sdcwidgets.widgets.studies.base import TableState
from sdcwidgets.widgets.studies.links import decode, encode

OPENS = {
    "attack": AttackState,
    "cell_key": CellKeyState,
    "divergences": DivergencesState,
    "explore": TableState,
    "literature": LiteratureState,
    "microdata": MicrodataState,
    "protect": ProtectState,
    "rounding": RoundingState,
    "sample": SampleState,
    "suppression": SuppressionState,
    "tables": TablesState,
    "third_term": ThirdTermState,
    "weights": TableState,
    "who": WhoState,
}

#: What a state no longer knows: whether a decision without limits of anybody was told, and limits that nobody set;
#: and by two names what its gaps belong to.
GONE = {
    "cell_key": {"given"},
    "protect": {"judged", "thresholds", "begun"},
    "suppression": {"begun", "levels"},
}

#: Fields that have another name now.
RENAMED = {
    "attack": {"kept": "combinations", "machine": "automated"},
    "suppression": {"linked": "pattern_a", "beside": "pattern_b", "asked": "requirements"},
}

LINKS = json.loads((Path(__file__).parent / "data" / "links.json").read_text("utf-8"))


def still(held, now):
    """Whether everything that was held then is held now; what has come since is left out."""
    if isinstance(held, dict) and isinstance(now, dict):
        return all(name in now and still(value, now[name]) for name, value in held.items())
    if isinstance(held, list) and isinstance(now, list):
        return len(held) == len(now) and all(map(still, held, now))
    return held == now and type(held) is type(now)


def test_there_are_200_of_all_pages():
    assert len(LINKS) == 200
    assert {link["page"] for link in LINKS} == set(OPENS)


@pytest.mark.parametrize("page", OPENS)
def test_a_link_opens_what_it_opened_when_it_was_made(page):
    for link in (link for link in LINKS if link["page"] == page):
        state = OPENS[page].from_state(decode(link["link"]))
        now = json.loads(json.dumps(plain(state)))
        names = RENAMED.get(page, {})
        held = {
            names.get(name, name): value
            for name, value in link["state"].items()
            if name not in GONE.get(page, ())
        }
        assert still(held, now), link["link"]
        # What it writes now opens the same again.
        assert OPENS[page].from_state(decode(encode(state))) == state


def test_what_differs_is_seen():
    held = LINKS[0]["state"]
    assert still(held, held | {"new": 1})
    assert not still(held, held | {"table": LINKS[-1]["state"]})
    assert not still(held, {})


#: Written when controlled rounding was limited to 7 seconds, and by default, and in base 5 and 7; work limits it now.
LIMITED_IN_SECONDS = {
    "protect": (
        "eNotj11qwzAQhO-yz6qRQ02Kr2JCUK2NLVhphbRJAyF376TNm9j55kcPunHrSQvNo6POZqlsnebH0xHfQ67CNFNjSdsLcrSyCPTl"
        "5Ciz7Rohr1qsqQjHj6bXEhEBsoYWgCAecfQdOpImdBhXXLyjTYPArdVSxgsHuOt7CDIjsOPgsaTv-lP-PJJysve-sK5cjeP_Gtsb"
        "g5OXa_HD-DU5PxzGyX0OHnK4cz_r5ZwDGhZqB_Tt-Au2cqPT8xc2bVbX"
    ),
    "tables": (
        "eNotkMFOwzAQRH8F7dmtUlCFyA3xB1yrCjnJJrVwvMZeI5Uq_844yW0nO555mwf9cspOArUnQ92d2gu9T0yGPpy6Pw755iJdDUWJ"
        "xVtdnRf65KlOZh-eTtXiedQvKQoD1JSkRB42kfincNa8KS_yXTcHVKbiGZ8fNLgZbQiDejGU2XOvm4Qt4HV9oqkwYFiiZyyapjE0"
        "swXU-Ygxz9Z7apvjs0HgOHLi0MMI2fEoieuuORuyo3LajUWdd3qv6m2pcXqTyk29BE3iPQ8HHBMGFyYyD-psRs4r2pQj8NA7iUUt"
        "SVQHAtqvX8kzI2bIa_FyrVoVQdvNIoCgksFS4yz-fLuzLcs_iMGE8A"
    ),
}


@pytest.mark.parametrize(("page", "base"), [("protect", 5), ("tables", 7)])
def test_a_link_with_a_limit_in_seconds_opens(page, base):
    saved = decode(LIMITED_IN_SECONDS[page])
    assert '"seconds"' in json.dumps(saved)
    state = OPENS[page].from_state(saved)
    assert state.method == ControlledRounding(base=base)
    assert OPENS[page].from_state(decode(encode(state))) == state
