"""The lead of a page: what of it is read aloud."""

from sdcwidgets.widgets.leading import Lead


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
