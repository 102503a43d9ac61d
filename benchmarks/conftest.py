"""What every benchmark needs: the best time of a baseline, and a figure noted as a ratio to it."""

import time

import pytest


def best_of(function, repeats):
    """Return the shortest of several times, in seconds: the one that the machine disturbed least."""
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        best = min(best, time.perf_counter() - start)
    return best


@pytest.fixture
def seconds():
    """Time a function: `seconds(function, repeats)`."""
    return lambda function, repeats=20: best_of(function, repeats)


@pytest.fixture
def record(benchmark):
    """Run a function under the benchmark and note its ratio to a baseline, both at their best."""

    def run(function, baseline, rounds=30, warmup=2):
        benchmark.pedantic(function, rounds=rounds, warmup_rounds=warmup)
        ratio = benchmark.stats.stats.min / baseline
        benchmark.extra_info["ratio to the baseline"] = round(ratio, 3)
        print(f"\n{benchmark.name}: {benchmark.stats.stats.min * 1e3:.2f} ms, {ratio:.3g} times the baseline")

    return run
