"""Groups of rows with the same parts lead to the question whether groups and parts are two axes."""

import pytest

from sdcwidgets.tables.io.options import Question
from sdcwidgets.tables.io.previews import FilePreview
from sdcwidgets.tables.io.reading import read_bytes

PIVOT = """Site,Riverside,,,
,,,,
Row Labels,Q1,Q2,Q3,Grand Total
Day Surgery,46,42,58,146
  Cataract,17,18,18,53
  Hernia repair,29,24,40,93
Inpatient,301,282,319,902
  Hernia repair,123,86,113,322
  Hip replacement,74,76,69,219
  Cholecystectomy,104,120,137,361
Grand Total,347,324,377,1048
"""

PROVINCES = """จังหวัดและเพศ,ผู้มีงานทำ,ผู้ว่างงาน
เชียงใหม่,94,46
   ชาย,38,35
   หญิง,56,11
เชียงราย,169,222
   ชาย,12,155
   หญิง,157,67
ลำพูน,240,110
   ชาย,80,73
   หญิง,160,37
"""


def question(text):
    with pytest.raises(Question) as raised:
        read_bytes("The file", text.encode())
    return raised.value.doubt.question


def test_groups_of_a_pivot_table_with_the_same_parts_can_be_an_axis():
    assert question(PIVOT) == "groups"
    preview = FilePreview(PIVOT.encode())
    (decision,) = preview.decisions()
    preview.change(dict(decision.answers[0].change))
    axes = preview.reading.table.axes
    assert [axis.labels for axis in axes[:2]] == [
        ("Day Surgery", "Inpatient"),
        ("Cataract", "Cholecystectomy", "Hernia repair", "Hip replacement"),
    ]
    assert preview.reading.table.total == 1048
    assert len(preview.open_questions) == 1  # combinations without a line


def test_labels_with_marks_of_tones_are_combinations_of_two_axes():
    assert question(PROVINCES) == "combined"
    assert FilePreview(PROVINCES.encode()).reading.table.shape == (3, 2, 2)


def test_one_part_that_few_groups_share_is_no_second_axis():
    lines = ["Job,n,m", "Health,60,30", "  Nurse,30,10", "  Doctor,20,15", "  Other,10,5"]
    lines += ["Trade,100,55", "  Baker,50,20", "  Smith,20,15", "  Cook,20,15", "  Other,10,5"]
    table = read_bytes("The file", "\n".join(lines).encode(), totals="drop").table
    assert (len(table.axes[0]), table.total) == (7, 245)


def test_groups_whose_parts_do_not_sum_to_them_offer_no_axis():
    preview = FilePreview(PIVOT.encode())
    preview.change({"name": "label:1", "value": "Cataract", "role": "omit"})
    assert not any("groups" in answer.change.values() for d in preview.decisions() for answer in d.answers)


def test_labels_with_groups_in_front_lead_to_the_same_question():
    assert question("Row,m,f\nDay: Hernia,3,4\nStay: Hernia,5,9\nStay: Hip,7,2\n") == "groups"
