"""A widget rejects an argument that it does not have, and names the nearest one."""

import pytest

from sdcwidgets import FrequencyTable, InputError
from sdcwidgets.widgets import Grid, Page

TABLE = FrequencyTable([[4, 0], [1, 7]], {"Area": "AB", "Sex": "mf"})


@pytest.mark.parametrize(
    ("make", "wrong", "nearest"),
    [
        (Grid, "titel", "title"),
        (Grid, "row_names", "row_name"),
        (Grid, "edtable", "editable"),
        (Page, "tilte", "title"),
        (Page, "lesson", "lessons"),
    ],
)
def test_an_unknown_argument_is_rejected(make, wrong, nearest):
    with pytest.raises(InputError, match=rf"'{wrong}'.*{nearest}"):
        make(**{wrong: "x"})


def test_an_argument_of_another_kind_is_rejected():
    for make in (Grid, Page):
        with pytest.raises(InputError, match="no argument 'foo'"):
            make(foo=1)


def test_update_and_show_reject_unknown_traits_and_keep_the_grid():
    grid = Grid(TABLE, title="People")
    for call in (lambda: grid.update(titel="x"), lambda: grid.show(TABLE, hnt="x")):
        with pytest.raises(InputError):
            call()
    assert grid.title == "People"
    assert grid.table == TABLE
