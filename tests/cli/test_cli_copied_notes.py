"""Notes of an input are copied to published files, and `protect` lists them in a caution."""

from sdcwidgets.cli import main

TABLE = "Area,a,b,c\nNorth,20,31,8\nSouth,14,25,36\n\nNote: North c is one less than nine.\n"


def test_protect_lists_the_notes_that_it_copies(tmp_path, capsys):
    table, out = tmp_path / "table.csv", tmp_path / "out.xlsx"
    table.write_text(TABLE, "utf-8")
    assert main(["protect", str(table), "--method", "random-rounding", "-o", str(out)]) == 0
    assert "Text copied from the input" in capsys.readouterr().err


def test_protect_without_notes_lists_none(tmp_path, capsys):
    table, out = tmp_path / "table.csv", tmp_path / "out.xlsx"
    table.write_text(TABLE.partition("\n\n")[0] + "\n", "utf-8")
    assert main(["protect", str(table), "--method", "random-rounding", "-o", str(out)]) == 0
    assert "Text copied from the input" not in capsys.readouterr().err
