"""Labels that a total does not include may be its parts, and are asked about wherever they are."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from sdcwidgets.tables.io.previews import FilePreview
from sdcwidgets.tables.io.sources import Question, ReadOptions, read_csv

AREAS = ("Bath", "Hull", "York", "Leeds")
PARTS = np.array([[301, 201, 100], [410, 244, 100], [610, 395, 200], [1807, 900, 400]])
OF_WHICH = np.array([57, 81, 133, 290])


def table(order, across=True, noise=0):
    """Return a file with a total T, its parts L, M and S, and a column or row x, in an order of these labels."""
    columns = dict(zip("LMS", PARTS.T, strict=True)) | {
        "T": PARTS.sum(axis=1),
        "x": OF_WHICH,
        "y": OF_WHICH // 3,
    }
    if noise:
        columns = {name: column * 7 for name, column in columns.items()}
        columns["T"] = columns["T"] + np.array([1, -2, 2, -1])
    rows = [
        ["Area", *order],
        *([area, *(columns[name][i] for name in order)] for i, area in enumerate(AREAS)),
    ]
    rows = rows if across else [list(row) for row in zip(*rows, strict=True)]
    return "\n".join(",".join(map(str, row)) for row in rows) + "\n"


ORDERS = ["TLMSx", "TxLMS", "TLxMS", "LMSxT", "xLMST", "LMSTx", "LxMST"]


def cells(reading):
    axes = [axis.labels for axis in reading.table.axes]
    return {frozenset(key): int(reading.table.counts[at]) for at, key in _places(axes)}


def _places(axes):
    positions = itertools.product(*(range(len(labels)) for labels in axes))
    return [(at, [labels[i] for labels, i in zip(axes, at, strict=True)]) for at in positions]


@pytest.mark.parametrize("across", [True, False])
@pytest.mark.parametrize("order", ORDERS)
def test_a_label_that_a_total_does_not_include_is_asked_about(order, across):
    text = table(order, across)
    with pytest.raises(Question) as asked:
        read_csv(text)
    assert (asked.value.doubt.question, asked.value.doubt.facts["label"]) == ("outside", "x")
    dropped = read_csv(text, how=ReadOptions(margins="drop"))
    assert cells(dropped) == {
        frozenset((area, part)): PARTS[i, j] for i, area in enumerate(AREAS) for j, part in enumerate("LMS")
    }


@pytest.mark.parametrize("across", [True, False])
@pytest.mark.parametrize("order", ["TLMSxy", "TxLMSy", "TxyLMS"])
def test_each_of_several_such_labels_is_a_decision(order, across):
    preview = FilePreview(table(order, across).encode())
    decisions = {one.text.partition(" is not")[0][-2]: one for one in preview.decisions() if one.answers}
    assert {"x", "y"} <= decisions.keys()
    for name in "xy":
        read = next(answer for answer in decisions[name].answers if answer.words.startswith("Read"))
        preview.change(read.change)
    assert preview.reading.table.cells == 20
    assert not [one for one in preview.decisions() if one.is_open and "not included" in one.text]


def test_a_rounded_total_leads_to_the_same_question():
    text = table("TLMSx", noise=1)
    with pytest.raises(Question) as asked:
        read_csv(text)
    assert (asked.value.doubt.question, asked.value.doubt.facts["label"]) == ("outside", "x")
    assert read_csv(text, how=ReadOptions(margins="drop")).table.shape == (4, 3)


def test_a_layout_that_reads_the_label_is_asked_about():
    content = table("TLMSx").encode()
    proposed = FilePreview(content).layout()
    columns = tuple(replace(one, role="count") if one.heading == "x" else one for one in proposed.columns)
    preview = FilePreview(content, layout=replace(proposed, columns=columns))
    assert any('"x" is not included' in text for text in preview.open_questions)


def test_a_label_of_which_some_counts_are_larger_than_the_sum_is_no_part():
    larger = "Area,T,L,M,S,x\nBath,602,301,201,100,857\nHull,754,410,244,100,81\nYork,1205,610,395,200,133\n"
    assert read_csv(larger).table.shape == (3, 4)


def test_a_grand_total_settles_which_labels_are_categories():
    rows = [
        f"{area},{3 * a + a // 2},{2 * a},{a},{a},{a},{a // 2}"
        for area, a in zip(AREAS, (60, 75, 41, 90), strict=True)
    ]
    reading = read_csv("Area,Total,Employed,Full,Part,Unemployed,Inactive\n" + "\n".join(rows) + "\n")
    assert reading.table.rows.labels == AREAS
    assert list(reading.table.axes[1]) == ["Full", "Part", "Unemployed", "Inactive"]


def test_a_part_in_a_row_does_not_hide_the_sum_of_the_columns():
    """The row "of which city" was perturbed, so that its total differs from the sum of its parts."""
    text = table("TLMSx") + "of which city,77,40,21,15,9\n"
    reading = read_csv(text, how=ReadOptions(margins="drop"))
    assert reading.table.shape == (4, 3)
    preview = FilePreview(text.encode())
    assert any('"x" is not included' in decision.text for decision in preview.decisions())


@pytest.mark.parametrize("order", ["TxyLMS", "LMxSTy"])
def test_a_rounded_total_may_be_apart_from_its_parts(order):
    text = table(order, noise=1)
    with pytest.raises(Question):
        read_csv(text)
    assert read_csv(text, how=ReadOptions(margins="drop")).table.shape == (4, 3)


def test_a_total_is_omitted_if_a_row_of_its_parts_is_omitted():
    """Without the row of an unpublished count, the total is not the sum of the other rows."""
    text = "Area,0-14,15-64,65+\nLand,385,666,701\nAachen,136,214,157\nBonn,122,84,324\nCelle,c,368,220\n"
    assert read_csv(text, how=ReadOptions(flags="out")).table.rows.labels == ("Aachen", "Bonn")
