"""Recommendations beside an exhaustive search over all settings, on 21 tables: `python benchmarks/recommended.py`.

The baseline judges every setting of every method that is compared, in as many replicates, and takes the one with the
least mean Hellinger distance of 200 replicates, seed 2**52, of those that pass. Settings for teaching only and settings
that leave mostly zeros are left out, and unusual bases of rounding count only if no other setting passes. Measured in
November 2026 on two shared cores:

* 21 of 21 recommendations lose as little as the exhaustive search; 1 to 53 of 134 to 176 settings pass per table.
* Recommending takes 0.12 to 0.98 s of processor time, at most 2 s by design.
"""

from __future__ import annotations

import time

import numpy as np

from sdcwidgets import FrequencyTable, InputError
from sdcwidgets.assessment.recommending import DRAWS, is_for_teaching, is_mostly_zero
from sdcwidgets.assessment.search import candidates, sweep
from sdcwidgets.assessment.verdict import ReleaseLimits, judge
from sdcwidgets.dashboards.protect.recommended import has_unusual_base, recommended
from sdcwidgets.dashboards.protect.state import ProtectState

SEED = 2**52

#: No count of 1 or 2 is published.
LIMITS = ReleaseLimits("Disclosure panel, May 2026", smallest_count=3)


def passes(state: ProtectState, method) -> bool:
    """Return whether nothing stands against a setting in any replicate."""
    for k in range(1 if method.deterministic else DRAWS):
        try:
            release = method.release(state.table, np.random.default_rng((SEED, k) if k else SEED))
        except InputError:
            return False
        if judge(state.table, release, state.applied_limits, settings=state.settings).stops:
            return False
    return True


def table_of(counts: np.ndarray) -> FrequencyTable:
    """Return a table of ages by sizes, whose categories can be merged because they have an order."""
    rows, columns = counts.shape
    ages = [f"{5 * i}-{5 * i + 4}" for i in range(rows)]
    return FrequencyTable(counts, {"Age": ages, "Size": [str(j + 1) for j in range(columns)]})


def main() -> None:
    """Print a line per table."""
    rng = np.random.default_rng(1)
    tables = [np.array([[2, 11, 0], [7, 4, 3], [0, 0, 1], [9, 1, 2]])]
    tables += [rng.poisson(rng.gamma(1, 4, rng.integers(2, 5, 2))) for _ in range(20)]
    same, longest = 0, 0.0
    for counts in tables:
        state = ProtectState(table_of(counts)).set(replications=200, seed=SEED)
        state = state.changed(limits=LIMITS)
        found = {}
        for one in sweep(state.table, state.settings, candidates(table=state.table)):
            if one is not None:
                found[one.method] = one
        points = list(found.values())
        start = time.process_time()
        offers = {one.offer.title: one for one in recommended(state, points)}
        took = time.process_time() - start
        losses = np.array([point.whole_slice[state.loss_measure].mean[0] for point in points])
        passing = np.array([passes(state, point.method) for point in points]) & (losses > 0)
        passing &= [not is_mostly_zero(point) and not is_for_teaching(point.method) for point in points]
        usual = np.array([not has_unusual_base(point.method) for point in points])
        if (passing & usual).any():
            passing &= usual
        best = offers["Least information loss"]
        loss = losses[[point.method for point in points].index(best.method)]
        least = losses[passing].min() if passing.any() else np.nan
        equal = np.isclose(loss, least) if passing.any() else best.offer.against != ""
        same, longest = same + int(equal), max(longest, took)
        print(
            f"{counts.shape}: {best.offer.name}, {loss:.3f}; of {len(points)} settings {passing.sum()} pass, the "
            f"least is {least:.3f}; {took:.2f} s{'' if equal else '  DIFFERENT'}",
            flush=True,
        )
    print(f"{same} of {len(tables)} as the exhaustive search; at most {longest:.2f} s of processor time")


if __name__ == "__main__":
    main()
