"""Lines of the input file that a user publishes or edits one after the other."""

from types import SimpleNamespace

from sdcwidgets.dashboards.protect.withheld import WithheldLines


class Study:
    """A study that stores its texts."""

    def __init__(self):
        self.state = SimpleNamespace(texts=())

    def change(self, texts):
        self.state.texts = texts


def test_each_withheld_line_has_its_last_text():
    study = Study()
    lines = WithheldLines(study)
    lines._lines = ["In all 5 people", "See table 7"]
    for k in (0, 1):
        lines._add_row(k)
        _, put_back, _ = lines._rows[k]
        put_back._press(0)
    lines._publish(0, " All ")
    assert dict(study.state.texts) == {"In all 5 people": "All", "See table 7": "See table 7"}
    assert len(study.state.texts) == 2
