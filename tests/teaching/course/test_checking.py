import pytest

from sdcwidgets.teaching.course import checking


@pytest.mark.parametrize("line", ["", "[]", "{}", '{"page": 3, "state": "", "start": ""}', '{"page": "who"}'])
def test_a_bad_question_is_answered(line):
    assert "problem" in checking.answer(line)
