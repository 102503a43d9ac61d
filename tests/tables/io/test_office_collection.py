"""A collection of files in shapes of statistical offices, each with its true table."""

from collections import Counter

import pytest
from collection.catalogue import collection
from collection.producers import PRODUCERS
from collection.score import outcome

FILES = collection()

#: Files that are read without a doubt, but not as their true table.
SILENTLY_WRONG = 0.03

#: Files that neither an answer nor the proposed layout reads as their true table.
REFUSED = 0.1


def test_the_collection_is_broad():
    formats = {file.make()[0].rsplit(".", 1)[1] for file in FILES}
    assert len(FILES) >= 120
    assert len({file.office for file in FILES}) >= 15
    assert len({producer.words.language for producer in PRODUCERS}) >= 8
    assert formats >= {"csv", "tsv", "xlsx", "ods", "html", "px", "json"}


def test_few_files_of_offices_are_silently_wrong():
    outcomes = {str(file): outcome(file)[0] for file in FILES}
    number = Counter(outcomes.values())
    assert not number["crash"]
    wrong = sorted(file for file, name in outcomes.items() if name == "silently wrong")
    assert len(wrong) <= SILENTLY_WRONG * len(FILES), wrong
    refused = sorted(file for file, name in outcomes.items() if name == "refused")
    assert len(refused) <= REFUSED * len(FILES), refused


@pytest.mark.parametrize("shape", ["px_thousands", "sdmx_multiplier", "marks", "json_secret", "per_thousand"])
def test_files_without_counts_of_people_are_not_read_silently(shape):
    files = [file for file in FILES if file.shape == shape]
    assert files
    assert not [str(file) for file in files if outcome(file)[0] in ("right", "silently wrong", "crash")]


@pytest.mark.parametrize("shape", ["blank_total_label", "blank_total_heading"])
def test_a_total_without_a_label_is_left_out(shape):
    files = [file for file in FILES if file.shape == shape]
    # One of the files is in Windows-1252, and has only one word with another letter than those of ASCII.
    assert [outcome(file)[0] for file in files].count("right") >= len(files) - 1
    assert {outcome(file)[0] for file in files} <= {"right", "right after a doubt"}
