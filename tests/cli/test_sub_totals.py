"""Sub-totals of FILE in the command line: cell suppression keeps them if the hierarchy is detected."""

import json

import pytest

from sdcwidgets.cli import main

#: Tables with sub-totals: the reader has a question on the first, and omits the sub-totals of the others.
FILES = {
    "question": "Place,Men,Women\nNorth,123,251\nBath,40,141\nHull,83,110\nSouth,57,209\nYork,1,89\nEly,56,120\n",
    "indented": "Place,Men,Women\nNorth,123,251\n- Bath,40,141\n- Hull,83,110\nSouth,57,209\n- York,1,89\n- Ely,56,120",
    "totals": (
        "Place,Men,Women,Total\nNorth,123,251,374\nBath,40,141,181\nHull,83,110,193\nSouth,57,209,266\nYork,1,89,90\n"
        "Ely,56,120,176\nTotal,180,460,640\n"
    ),
}
CALL = ["--method", "cell-suppression", "--seed", str(3**60)]


@pytest.fixture(params=FILES)
def table(request, tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(FILES[request.param], "utf-8")
    return path


def test_a_detected_hierarchy_keeps_the_sub_totals(table, capsys):
    assert main(["protect", str(table), *CALL, "--hierarchy", "Place=detected", "--json"]) == 0
    output = capsys.readouterr()
    axes = {axis["name"]: axis["labels"] for axis in json.loads(output.out)["axes"]}
    assert {"North", "South"} <= set(axes["Place"])
    assert len(axes["Place"]) == 4 + 2 + 1
    assert len(axes["Column"]) == 2 + 1
    assert "640 people" in output.err
    assert '"North" and "South"' in output.err
    assert main(["attack", str(table), *CALL, "--hierarchy", "Place=detected", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["score"]["contained"] == 8


@pytest.mark.parametrize("name", ["indented", "totals"])
def test_omitted_sub_totals_are_named_with_the_option_that_keeps_them(name, tmp_path, capsys):
    path = tmp_path / "table.csv"
    path.write_text(FILES[name], "utf-8")
    assert main(["protect", str(path), *CALL]) == 0
    lines = [line for line in capsys.readouterr().err.splitlines() if "--hierarchy" in line]
    assert len(lines) == 1
    assert '"North" and "South"' in lines[0]
    assert "Place=detected" in lines[0]
    # A decision of the user, another method and a table with grand totals only have no such note.
    path.write_text("Place,Men,Women,Total\nBath,40,141,181\nHull,83,110,193\nTotal,123,251,374\n", "utf-8")
    for call in ([*CALL], [*CALL, "--margins", "drop"], ["--method", "threshold-suppression"]):
        assert main(["protect", str(path), *call]) == 0
        assert "--hierarchy" not in capsys.readouterr().err
