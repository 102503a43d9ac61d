"""Recompute the figures of the thesis and of its sample paper."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from sdcwidgets.core.assignment import average_channel, count, enumerate_assignments
from sdcwidgets.core.risk import population as risk
from sdcwidgets.tables import examples
from sdcwidgets.tables.examples.figures import load
from sdcwidgets.teaching.reproduction.figure import Figure

SOURCE = "thesis"
REPLICATIONS = 1000


def y_variables() -> Iterator[Figure]:
    """Table 3.6.1: the Y variables of (0, 2, 4) and (0, 3, 3), and the mean probability after it."""
    location, printed = "Table 3.6.1", load("thesis")["Table 3.6.1"]
    F, G = printed["F"], printed["G"]
    subject = "(0, 2, 4) to (0, 3, 3)"
    yield Figure(SOURCE, location, "Y variables", subject, printed["variables"], count(F, G), digits=0)
    closest = count(F, G, closest=True)
    yield Figure(SOURCE, location, "of these in Ω*", subject, printed["closest"], closest, digits=0)
    # The table numbers the cells from 1.
    listed = {"".join(str(cell + 1) for cell in Y) for Y in enumerate_assignments(F, G)}
    matches = len(listed & set(printed["Y"]))
    yield Figure(
        SOURCE, location, "lines that are Y variables", subject, len(printed["Y"]), matches, digits=0
    )
    mean = float(average_channel(F, G)[1, 1])
    yield Figure(SOURCE, "section 3.6.2", "E(Z22)", subject, printed["mean of Z22"], mean, digits=1)


def third_terms() -> Iterator[Figure]:
    """Tables A.1.1 and A.1.2, and the four figures of section 3.5.1."""
    for row in load("h_functions")["rows"]:
        F, epsilon = row["F"], row["epsilon"]
        location = "Table A.1.1" if epsilon <= 0.5 else "Table A.1.2"
        subject = f"({', '.join(map(str, F))}), ε = {epsilon:g}"
        for name, third_term in risk.THIRD_TERMS.items():
            yield Figure(
                SOURCE,
                location,
                name,
                subject,
                row[name],
                float(third_term(np.array(F), epsilon, None)),
                erratum=row.get(f"{name} erratum", ""),
            )
    printed = load("thesis")["section 3.5.1"]
    F = [1] * printed["N"]
    for name in ("h1", "h2"):
        for epsilon, value in printed[name].items():
            subject = f"ten ones, ε = {epsilon}"
            recomputed = float(risk.THIRD_TERMS[name](np.array(F), float(epsilon), None))
            yield Figure(SOURCE, "section 3.5.1", name, subject, value, recomputed)


def samples() -> Iterator[Figure]:
    """Sample paper, Table 2: original risk of samples, by the thesis' second term."""
    F = examples.load("religion").counts.ravel()
    rng = np.random.default_rng(2015)
    for fraction in (0.1, 0.05):
        mean, deviation = load("sample2015")["Table 2"][f"Real table, {fraction:g}"]["original"]
        row = {"fraction": fraction, "mean": mean, "st. dev.": deviation}
        size = round(fraction * F.sum())
        drawn = rng.multivariate_hypergeometric(F, size, size=REPLICATIONS)
        (after,) = risk.after_slices(F, drawn)
        R2 = after.r2(variant="information")
        deviation = float(R2.std(ddof=1))
        # The paper uses the same number of samples, so both means have this error.
        error = deviation * float(np.sqrt(2 / REPLICATIONS))
        figure = partial(Figure, "sample paper", "Table 2", subject=f"religion, fraction {row['fraction']:g}")
        other = float(after.r2(variant="uncertainty").mean())
        mean = float(R2.mean())
        yield figure("R2, mean", printed=row["mean"], recomputed=mean, error=error, other=other)
        error /= float(np.sqrt(2))
        yield figure("R2, st. dev.", printed=row["st. dev."], recomputed=deviation, error=error)


def estimated() -> Iterator[Figure]:
    """Sample paper, Table 2: means of the simulation study, which was run once.

    `sdcwidgets study sample-paper` repeats the study. The standard errors include the Monte Carlo error of
    the published value and, for generated populations, the variation between populations.
    """
    for line in load("sample_study")["result"]:
        subject = f"{line['population'].lower()}, fraction {line['fraction']:g}"
        risk = "original" if line["risk"] == "original" else f"estimated, {line['risk']}"
        yield Figure(
            "sample paper",
            "Table 2",
            f"R2 {risk}, mean",
            subject,
            line["print, mean"],
            line["mean"],
            error=line["its error"],
        )
