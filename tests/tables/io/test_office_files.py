"""Files in the shapes of ten offices: each is read right, or asked about, or refused with the true reason."""

import re
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from office_files import FILES, Invented

from sdcwidgets import InputError
from sdcwidgets.tables.io.options import Question, ReadOptions
from sdcwidgets.tables.io.reading import read_bytes


def read(content, how=None):
    return read_bytes("it", content.encode() if isinstance(content, str) else content, how=how)


def test_there_are_sixty_files_of_ten_offices():
    many = Counter(file.office for file in FILES if file.office != "spreadsheets")
    assert len(many) >= 10
    assert sum(many.values()) >= 60


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_no_file_is_silently_wrong(file, seed):
    content, must = file.make(Invented(seed))
    if must.said:
        with pytest.raises(InputError, match=must.said) as refused:
            read(content)
        sentence = str(refused.value)
        assert sentence.endswith(".")
        assert "\n" not in sentence
        if must.counts is None:
            return
        assert must.how.changed()
    try:
        reading = read(content, must.how)
    except Question as asked:
        # A file in Windows-1252 may be text in another encoding, too. The counts of men and women are not correlated.
        answers = {"encoding": {"encoding": "cp1252"}, "added": {"doubts": "accept"}}
        if asked.doubt.question not in answers:
            raise
        reading = read(content, replace(must.how or ReadOptions(), **answers[asked.doubt.question]))
    assert np.array_equal(reading.table.counts, must.counts), reading.table.axes
    assert re.search(re.escape(must.notes), " ".join(reading.notes))
