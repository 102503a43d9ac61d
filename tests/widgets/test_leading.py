"""The lead of a page: what of it is read aloud."""

import pytest

from sdcwidgets.widgets.leading import LONGEST_REASON, Lead


def test_where_the_answer_stays_only_what_somebody_changed_is_news():
    lead = Lead("Is it safe?")
    news = []
    lead.observe(lambda change: news.append(change.new), "news")
    start, changed, last = object(), object(), object()
    lead.show("No.", "Two are alone.", "", of=start)
    lead.show("No.", "Three are alone.", "", of=changed)
    # A better answer to the same, and one that is itself read aloud.
    lead.show("No.", "Three are alone, two of them in zeros.", "", of=changed)
    lead.show("Yes.", "Nobody is alone.", "", of=last)
    assert news == ["Three are alone.", ""]


@pytest.mark.parametrize(
    ("sent", "reason"),
    [("it is known", "it is known"), ("  known \n", "known"), (3, ""), (None, ""), (["known"], "")],
)
def test_the_reason_of_an_accepted_violation_is_a_text(sent, reason):
    lead = Lead("Is it safe?", ("it is known anyway",))
    assert lead.reason_in({"type": "accept", "reason": sent}) == reason


def test_a_long_reason_is_cut_and_a_missing_one_is_empty():
    lead = Lead("Is it safe?")
    assert lead.reason_in({"reason": "x" * 10_000}) == "x" * LONGEST_REASON
    assert lead.reason_in({}) == ""
