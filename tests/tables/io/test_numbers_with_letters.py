"""School classes are no counts with flags, weights are no counts, and messages have the rows of the file."""

import pytest

from sdcwidgets._util.errors import InputError
from sdcwidgets.tables.io.options import ReadOptions
from sdcwidgets.tables.io.previews import FilePreview
from sdcwidgets.tables.io.reading import read_bytes

CLASSES = "Pupil,Class,Sex\n" + "".join(
    f"{i},{name},{sex}\n"
    for i, (name, sex) in enumerate(
        [(name, sex) for name in ("1a", "1b", "2a", "2b") for sex in "mmmfff"], start=1
    )
)
WEIGHTS = "id,Area,Sex,Weight\n" + "".join(
    f"{i},{'ABC'[i % 3]},{'mf'[i % 2]},{100 + i * 7 % 50}\n" for i in range(1, 55)
)


def test_classes_of_pupils_are_no_counts_with_flags():
    preview = FilePreview(CLASSES.encode())
    assert not any(doubt.question == "flag" for _, doubt in preview._doubts if doubt)
    assert preview.counts_people
    preview.change({"name": "by:Class", "value": "yes"})
    preview.change({"name": "by:Sex", "value": "yes"})
    assert preview.reading.table.shape == (4, 2)


def test_counts_with_flags_still_lead_to_a_question():
    with pytest.raises(InputError, match="count with a flag"):
        read_bytes("The file", b"Area,n,m\nA,12p,14\nB,13r,9\nC,9,15\n")


def test_a_column_of_weights_is_no_column_of_counts():
    preview = FilePreview(WEIGHTS.encode())
    assert preview.counts_people
    for name in ("Area", "Sex"):
        preview.change({"name": f"by:{name}", "value": "yes"})
    assert preview.reading.table.total == 54
    (weight,) = (d for d in preview.decisions() if "sampling weight" in d.text)
    preview.change(dict(weight.answers[0].change))
    assert preview.reading.table.total > 5_000


def test_the_row_of_a_mark_is_that_of_the_file():
    text = "Table 1\n\nArea,Sex,n\nA,m,3\nA,f,4\nB,m,c\nB,f,9\n"
    with pytest.raises(InputError, match=r'Row 6 .*"c" marks a count that was not published'):
        read_bytes("The file", text.encode(), how=ReadOptions(by=("Area", "Sex"), count="n"))
