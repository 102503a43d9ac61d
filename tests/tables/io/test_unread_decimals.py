"""A column of coordinates with three decimals is no column of counts that was not read."""

from sdcwidgets.tables.io.previews import FilePreview


def test_latitudes_are_not_asked_about_as_counts():
    lines = [f"Place {k},47.{100 + 37 * k},{sex},{(k * 37) % 91 + 3}" for k in range(9) for sex in "mf"]
    preview = FilePreview("\n".join(["Place,Latitude,Sex,Persons", *lines]).encode())
    assert (preview.open_questions, preview.layout().thousands) == ((), "")


def test_other_numbers_with_a_mark_are_asked_about():
    lines = [f"Place {k},{k * k + 1}.204,{sex},{(k * 37) % 91 + 3}" for k in range(9) for sex in "mf"]
    preview = FilePreview("\n".join(["Place,Residents,Sex,Persons", *lines]).encode())
    assert len(preview.open_questions) > 0
