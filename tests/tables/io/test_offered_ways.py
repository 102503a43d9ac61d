"""Each question about a file offers a way that leads to a table: an answer, or a corrected layout."""

from contextlib import suppress
from dataclasses import replace

import pytest
from collection.catalogue import collection
from office_files import FILES, Invented

from sdcwidgets import FrequencyTable, InputError
from sdcwidgets.tables.io.layout_reader import read
from sdcwidgets.tables.io.options import Question
from sdcwidgets.tables.io.previews import FilePreview
from sdcwidgets.tables.io.proposals import propose_layout

#: Maximum numbers of answers to a question, and of questions one after the other.
MOST_ANSWERS, MOST_QUESTIONS = 6, 4

THOUSANDS = "אוכלוסייה,,\nאלפים,,\n,יהודים,אחרים\nצפון,262.2,13.1\nדרום,120.9,44.6\nמרכז,98.3,27.2\n"


def is_answered(content, how, depth=MOST_QUESTIONS):
    """Return whether the file is read with these options, or after answers to further questions."""
    try:
        FrequencyTable.from_csv(content, **how)
    except Question as question:
        return depth > 0 and any(
            is_answered(content, more, depth - 1) for more in ways(content, question, how)
        )
    except InputError:
        return False
    return True


def ways(content, question, how):
    """Yield the options with each offered answer; columns to count by, which the user knows, end the search."""
    if question.proposal is not None and question.proposal.layout is not None:
        layout, texts = question.proposal.layout, dict.fromkeys(question.proposal.texts, "zero")
        with suppress(InputError):
            if layout.of_role("count"):
                read(content, replace(layout, texts={**layout.texts, **texts}, rounded=True))
                yield {}, True
    for choice in question.choices:
        for value in list(choice.options)[:MOST_ANSWERS]:
            yield {**how, choice.name: (value,) if choice.several else value}


def settled(content):
    """Return whether a file is read, is refused without a question, or has a way that is offered."""
    try:
        FrequencyTable.from_csv(content)
    except Question as question:
        if any(choice.name == "by" and not choice.chosen for choice in question.choices):
            return True
        return any(isinstance(way, tuple) or is_answered(content, way) for way in ways(content, question, {}))
    except InputError:
        return True
    return True


def contents(file):
    made = file.make(Invented(0))[0] if file in FILES else file.make()[1]
    return made.encode() if isinstance(made, str) else made


@pytest.mark.slow
@pytest.mark.parametrize("file", [*FILES, *collection()], ids=lambda file: getattr(file, "name", str(file)))
def test_a_question_offers_a_way_that_leads_to_a_table(file):
    assert settled(contents(file))


def test_decimals_are_asked_about_without_a_word_for_thousands():
    with pytest.raises(Question) as raised:
        FrequencyTable.from_csv(THOUSANDS)
    question = raised.value
    assert question.doubt.question == "decimal counts"
    assert "decimals" in {choice.name for choice in question.choices}
    assert FrequencyTable.from_csv(THOUSANDS, decimals="thousands").total == 566_300
    assert FrequencyTable.from_csv(THOUSANDS, decimals="round").total == 566
    assert read(THOUSANDS, replace(question.proposal.layout, unit=1000)).table.total == 566_300
    assert read(THOUSANDS, replace(question.proposal.layout, rounded=True)).table.total == 566


def test_estimates_with_many_decimals_are_rounded():
    text = "AGE;SEX;OBS_VALUE\nY1;F;2510.90351191\nY1;M;5644.86368666\nY2;F;12.5\nY2;M;7.25000001\n"
    with pytest.raises(Question, match="decimals: thousands or round"):
        FrequencyTable.from_csv(text)
    assert FrequencyTable.from_csv(text, decimals="round").total == 2511 + 5645 + 12 + 7
    assert read(text, replace(propose_layout(text).layout, rounded=True)).table.total == 2511 + 5645 + 12 + 7


def test_a_page_offers_both_meanings_of_decimals():
    preview = FilePreview(THOUSANDS.encode())
    (decision,) = [one for one in preview.decisions() if "262.2" in one.text]
    for answer, total in zip(decision.answers, (566_300, 566), strict=True):
        other = FilePreview(THOUSANDS.encode())
        other.change(dict(answer.change))
        assert other.reading.table.total == total
        assert not [one for one in other.decisions() if "262.2" in one.text]


def test_a_constant_with_decimals_is_no_count():
    text = "Area,Mid,Age,Men,Women\n" + "".join(
        f"{area},2026.5,{age},{31.25 + k},{12.5 + 2 * k}\n"
        for k, (area, age) in enumerate((a, b) for a in "AB" for b in ("0-4", "5-9"))
    )
    layout = propose_layout(text).layout
    assert [column.heading for column in layout.of_role("count")] == ["Men", "Women"]


def test_a_rate_with_underscores_is_not_multiplied():
    text = "Area,Value,Units\n" + "".join(f"A{k},{700.5 + 31 * k},PER_100000_BIRTHS\n" for k in range(4))
    assert propose_layout(text).layout.unit == 1
