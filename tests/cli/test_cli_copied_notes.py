"""Notes of an input are copied to published files, and `protect` lists them in a caution."""

import zipfile

from sdcwidgets.cli import main

TABLE = "Area,a,b,c\nNorth,20,31,8\nSouth,14,25,36\n\nNote: preliminary figures of the survey.\n"


def test_protect_lists_the_notes_that_it_copies(tmp_path, capsys):
    table, out = tmp_path / "table.csv", tmp_path / "out.xlsx"
    table.write_text(TABLE, "utf-8")
    assert main(["protect", str(table), "--method", "random-rounding", "-o", str(out)]) == 0
    assert "Text copied from the input" in capsys.readouterr().err


def test_no_output_repeats_the_name_of_the_file(tmp_path, capsys):
    table = tmp_path / "t3.csv"
    table.write_text(TABLE, "utf-8")
    for ending in ("csv", "xlsx", "px", "json", "sdmx.csv"):
        out = tmp_path / f"out.{ending}"
        assert main(["protect", str(table), "--method", "random-rounding", "-o", str(out)]) == 0
        printed = capsys.readouterr().err
        assert '"t3.csv"' not in printed
        # Files for exchange do not repeat the lines of the input.
        assert ("Text copied from the input" in printed) == (ending in ("csv", "xlsx"))
        content = out.read_bytes()
        if ending == "xlsx":
            with zipfile.ZipFile(out) as book:
                content = b"".join(map(book.read, book.namelist()))
        assert b"t3.csv" not in content
        assert (b"preliminary figures" in content) == (ending in ("csv", "xlsx"))


def test_protect_without_notes_lists_none(tmp_path, capsys):
    table, out = tmp_path / "table.csv", tmp_path / "out.xlsx"
    table.write_text(TABLE.partition("\n\n")[0] + "\n", "utf-8")
    assert main(["protect", str(table), "--method", "random-rounding", "-o", str(out)]) == 0
    assert "Text copied from the input" not in capsys.readouterr().err
