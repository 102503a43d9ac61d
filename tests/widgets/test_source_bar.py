"""The bar of sources: what is offered where, and what is said of tables that do not count people."""

from sdcwidgets.sources import Example
from sdcwidgets.studies.attack_cases import CASES
from sdcwidgets.studies.base import Study, TableState
from sdcwidgets.widgets.source import AMOUNTS, SourceBar
from sdcwidgets.words import caption


def bar(name, **asked):
    return SourceBar(Study(TableState.of_example(name), lambda state: state), **asked)


def offered(one):
    return {name for kind in one.kinds for name, _ in kind["names"]}


def test_amounts_are_offered_only_where_a_page_can_speak_of_them():
    assert offered(bar("sex", amounts=True)) - offered(bar("sex")) == {"odf-1"}


def test_amounts_that_come_along_are_told_and_not_called_people():
    one = bar("odf-1")
    assert (one.size, one.chosen, one.notes) == ("20,139 of turnover in 25 cells", "", AMOUNTS)
    here = bar("odf-1", amounts=True)
    assert (here.size, here.chosen, here.notes) == ("20,139 of turnover in 25 cells", "odf-1", "")
    assert "20,139 of turnover in 25 cells" in caption.told(TableState.of_example("odf-1"))
    assert bar("sex").notes == ""


def test_one_table_has_one_name():
    (place, _), *_ = CASES["gaps"].publish["published"]
    assert place.title == Example("odf-1").title
