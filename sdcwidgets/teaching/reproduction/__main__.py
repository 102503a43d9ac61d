"""Print verdicts on published figures per table: `python -m sdcwidgets.teaching.reproduction`."""

from __future__ import annotations

from sdcwidgets.teaching.reproduction import as_table, check, summary


def main() -> None:
    """Print the number of figures per table and verdict, and the published figures that are wrong."""
    found = check()
    print(f"{len(found):,} published figures were recomputed.\n")
    print(summary().to_string())
    wrong = found[found["verdict"].str.startswith("print is wrong")]
    columns = ["source", "location", "quantity", "subject", "print", "recomputed", "verdict"]
    print(f"\n{len(wrong)} figures are wrong in print:\n")
    print(as_table(wrong)[columns].to_string(index=False))


if __name__ == "__main__":
    main()
