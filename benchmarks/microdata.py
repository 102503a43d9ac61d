"""How long microdata take: wall clock, processor time, and the same by a plain library; run it as a script.

Aims: frequencies of a million records x 5 keys in 0.3 s; the four models of a sample of 5,000 with five keys and age in
years in 0.2 s; suppression of 100,000 records in 2 s; special uniques of 100,000 records x 6 keys in 10 s; a key added
on the screen with 100,000 records in 0.2 s; a population of 100,000 in 1 s and of 8 million in 60 s.
"""

import os
import statistics
import time
from itertools import combinations

import numpy as np
import pandas as pd

from sdcwidgets.core.microdata.grouped_suppression import blank_out
from sdcwidgets.core.microdata.keys import frequencies
from sdcwidgets.core.microdata.population import people
from sdcwidgets.core.microdata.sampling import Households, draw
from sdcwidgets.core.microdata.suda import special_uniques
from sdcwidgets.core.risk.sample import modelled_taus, two_way
from sdcwidgets.dashboards import microdata
from sdcwidgets.microdata import population
from sdcwidgets.widgets.controls import Control


def timed(call, times=5):
    """Return the median wall clock and processor time of a call, in seconds."""
    walls, processor = [], []
    for _ in range(times):
        wall, used = time.perf_counter(), time.process_time()
        call()
        walls.append(time.perf_counter() - wall)
        processor.append(time.process_time() - used)
    return statistics.median(walls), statistics.median(processor)


def tell(name, aim, ours, plain=None):
    beside = "" if plain is None else f", plain {plain[0]:.3f} s: ratio {ours[1] / plain[1]:.2f}"
    print(f"{name}: {ours[0]:.3f} s ({ours[1]:.3f} s of processor), aim {aim} s{beside}", flush=True)


def columns(made, names):
    return np.column_stack([getattr(made, name) for name in names])


def grouped(codes):
    """The frequency of each record's key by pandas."""
    frame = pd.DataFrame(codes)
    return frame.groupby(list(frame.columns), sort=False)[0].transform("size")


def subsets(codes):
    """Which records are unique on each set of keys by pandas: what a search for special uniques must know."""
    frame = pd.DataFrame(codes)
    for size in range(1, codes.shape[1] + 1):
        for chosen in combinations(frame.columns, size):
            frame.duplicated(list(chosen), keep=False)


def controls(widget):
    """Return the controls of a page."""
    found = [widget] if isinstance(widget, Control) else []
    return found + [one for child in getattr(widget, "children", ()) for one in controls(child)]


def main():
    print("load", os.getloadavg(), "on", os.cpu_count(), "processors")
    tell("population of 100,000", 1, timed(lambda: people(100_000, np.random.default_rng(1))))
    tell("population of 8 million", 60, timed(lambda: people(8_000_000, np.random.default_rng(1)), 1))
    million = columns(
        people(1_000_000, np.random.default_rng(1)), ("region", "size", "age", "sex", "citizenship")
    )
    tell(
        "frequencies, 10^6 x 5", 0.3, timed(lambda: frequencies(million)), timed(lambda: grouped(million), 3)
    )
    made = people(100_000, np.random.default_rng(1))
    drawn = draw(Households.of(made.household), 1976, "srs", np.random.default_rng(1))
    keys = columns(made, ("region", "size", "age", "sex", "citizenship"))[drawn.records]
    pairs = [(1, 2), (2, 3), (1, 3)]
    for name, margins in (("main effects", []), ("three pairs with age", pairs), ("all pairs", two_way(5))):
        tell(
            f"four models, {len(keys):,} x 5, {name}",
            0.2,
            timed(lambda margins=margins: modelled_taus(keys, drawn.weights, margins)),
        )
    six = columns(made, ("region", "size", "age", "sex", "status", "citizenship"))
    tell(
        "special uniques, 10^5 x 6",
        10,
        timed(lambda: special_uniques(six), 3),
        timed(lambda: subsets(six), 1),
    )
    for names in (("region", "size", "age", "sex"), ("region", "size", "age", "sex", "citizenship")):
        of_all = columns(made, names)
        tell(
            f"suppression to 3, 10^5 x {len(names)}",
            2,
            timed(lambda of_all=of_all: blank_out(of_all, 3), 3),
        )
    file = population(100_000)
    screen = microdata.app(file)
    of = {one.spec["label"]: one for one in controls(screen)}
    of["Terms of the log-linear model"].request = {"value": "main"}
    of["age (98)"].request = {"value": False}

    def switch() -> None:
        of["age (98)"].request = {"value": not of["age (98)"].value}

    tell("a key added or left out, 10^5 records, the whole page", 0.2, timed(switch, 7))
    many = population(1_000_000)
    tell("the page with 10^6 records", 5, timed(lambda: microdata.app(many), 1))


if __name__ == "__main__":
    main()
