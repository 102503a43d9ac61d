"""What a stranger does with an installed wheel: run, and typed by mypy, by `make outside`."""

from sdcwidgets import FrequencyTable, Release, assess, protect

table = FrequencyTable([[3, 0], [4, 1]], {"Area": "AB", "Sex": "mf"})
risk: float = float(assess(table).whole.r1)
release: Release = protect(table, "random-rounding", seed=1)
read: FrequencyTable = FrequencyTable.from_csv("A,b,c\nx,3,4\ny,4,5\n", empty="zero")
assert 0 < risk < 1
assert set(release.cells.ravel() % 3) == {0}
assert read.total == 16
