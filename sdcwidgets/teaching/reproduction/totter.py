"""Recompute the figures of Totter's thesis that follow from other printed figures."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import comb
from typing import Any

from sdcwidgets.tables.examples.figures import load
from sdcwidgets.teaching.reproduction.figure import Figure

SOURCE = "Totter"

#: A record: gender, citizenship, occupation and weight. A suppressed value is None.
Record = tuple[str | None, str | None, str | None, int]

VARIABLES = ("Gender", "Citizenship", "Occupation")


def designs() -> Iterator[Figure]:
    """Section 1.3: the number of samples, and the inclusion probabilities by household size."""
    printed = load("totter2014")
    example = printed["Example 1.7"]
    samples = comb(example["records"], example["sample"])
    yield Figure(SOURCE, "Example 1.7", "samples", "5 of 100 records", example["samples"], samples, digits=0)
    example = printed["Example 1.10"]
    total = sum(int(size) * people for size, people in example["people"].items())
    for size, probability in example["probabilities"].items():
        recomputed = example["sample"] * int(size) / total
        subject = f"household size {size}"
        yield Figure(
            SOURCE, "Example 1.10", "inclusion probability", subject, probability, recomputed, digits=14
        )


def toy_file() -> Iterator[Figure]:
    """Recompute the counts and sums of weights of the 14 records in Example 2.3 and Table 6."""
    printed, records = load("totter2014"), _records()
    example = printed["Example 2.3"]
    for gender in ("m", "w"):
        for k, occupation in enumerate(example["occupations"]):
            weights = [record[3] for record in records if (record[0], record[2]) == (gender, occupation)]
            figure = partial(Figure, SOURCE, "Example 2.3", subject=f"{gender}, {occupation}", digits=0)
            yield figure("count", printed=example["counts"][gender][k], recomputed=len(weights))
            yield figure("sum of weights", printed=example["weights"][gender][k], recomputed=sum(weights))
    for k, record in enumerate(records):
        same = [other[3] for other in records if (other[0], other[2]) == (record[0], record[2])]
        figure = partial(Figure, SOURCE, "Table 6", subject=f"record {k + 1}", digits=0)
        yield figure("f", printed=printed["Table 6"]["counts"][k], recomputed=len(same))
        yield figure("estimated F", printed=printed["Table 6"]["estimates"][k], recomputed=sum(same))


def anonymity() -> Iterator[Figure]:
    """Tables 4 and 5: class sizes of 12 records before and after local suppression."""
    printed = load("totter2014")
    before, after = printed["Table 4"], printed["Table 5"]
    records = _records()[: before["records"]]
    sizes = _class_sizes(records)
    for k, value in enumerate(before["counts"]):
        yield Figure(SOURCE, "Table 4", "class size", f"record {k + 1}", value, sizes[k], digits=0)
    for least, value in before["violations"].items():
        violations = sum(size < int(least) for size in sizes)
        yield Figure(
            SOURCE, "Table 4", "records in violation", f"{least}-anonymity", value, violations, digits=0
        )
    suppressed = [_suppressed(record, after["suppressed"].get(str(k))) for k, record in enumerate(records, 1)]
    sizes = _class_sizes(suppressed)
    for k, value in enumerate(after["counts"]):
        yield Figure(SOURCE, "Table 5", "class size", f"record {k + 1}", value, sizes[k], digits=0)
    empty = {name: sum(record[k] is None for record in suppressed) for k, name in enumerate(VARIABLES)}
    for name, value in after["suppressions"].items():
        yield Figure(SOURCE, "Table 5", "suppressed values", name, value, empty[name], digits=0)
    yield Figure(SOURCE, "Table 5", "suppressed values", "all", after["total"], sum(empty.values()), digits=0)


def simulations() -> Iterator[Figure]:
    """Section 4.2: the differences of Table 16, and the shares of population uniques."""
    printed = load("totter2014")
    table = printed["Table 16"]
    for model, differences in table["differences"].items():
        for k, value in enumerate(differences):
            difference = table["estimated"][model][k] - table["matches"][k]
            subject = f"{model}, run {k + 1}"
            # Both printed terms of the difference are rounded to two decimals.
            yield Figure(SOURCE, "Table 16", "η2", subject, value, difference, 2, input_rounding=0.01)
    section = printed["section 4.2"]
    for scenario, unique in section["unique people"].items():
        share = 100 * unique / section["people"]
        value = section["percent"][scenario]
        yield Figure(SOURCE, "section 4.2", "% population unique", scenario, value, share, digits=5)


def _records() -> list[Record]:
    records: Any = load("totter2014")["Table 3"]
    return [(gender, citizenship, occupation, weight) for gender, citizenship, occupation, weight in records]


def _suppressed(record: Record, variables: list[str] | None) -> Record:
    """Return the record without the values of these variables."""
    names = variables or []
    gender, citizenship, occupation = (
        None if name in names else value for name, value in zip(VARIABLES, record[:3], strict=True)
    )
    return gender, citizenship, occupation, record[3]


def _class_sizes(records: list[Record]) -> list[int]:
    """Return for each record the number of records that agree with it; a suppressed value agrees with all."""
    return [sum(_agree(record, other) for other in records) for record in records]


def _agree(record: Record, other: Record) -> bool:
    pairs = zip(record[:3], other[:3], strict=True)
    return all(one is None or two is None or one == two for one, two in pairs)
