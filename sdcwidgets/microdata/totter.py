"""Simulation study of Totter: three scenarios, four designs and four models, for repeated samples of one population.

The models are fitted twice. Totter uses the keys that occur in the population, and age and household size are numbers.
The other fit uses the full crossing of categories, as a data holder without a population would.

Each sample is written to a CSV file when it is finished, so that an interrupted study can be continued.

Source: Totter 2014, section 4.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sdcwidgets._util.arrays import Whole
from sdcwidgets._util.errors import InputError
from sdcwidgets.core.microdata.keys import cell_size_indices, distinct, frequencies
from sdcwidgets.core.microdata.population import SURVEY
from sdcwidgets.core.microdata.sampling import DESIGNS, Households
from sdcwidgets.core.risk.sample import CELLS, SCALINGS, modelled_taus
from sdcwidgets.microdata.data import Microdata
from sdcwidgets.microdata.sampling import frame, sample
from sdcwidgets.microdata.synthetic import population

if TYPE_CHECKING:
    import pandas as pd

#: Number of people in Totter's population.
PERSONS = 8_182_010

#: Key variables that enter Totter's models as numbers (Tables 8 to 11).
NUMERIC = ("age", "household size")


#: File of the study with the number of keys by their number of records or people.
SIZES = "cell-sizes.csv"

#: Key variables of Totter's Figure 2.
SAMPLE_KEYS = ("region", "household size", "citizenship")


@dataclass(frozen=True)
class Scenario:
    """Key variables of an intruder, and the log-linear model that Totter fits.

    Attributes
    ----------
    name : str
    keys : tuple of str
        Key variables (Table 14).
    terms : tuple of (str, str)
        Two-way interactions of the model, which also contains all main effects.
    printed : dict of str to int
        Values in Totter's study: number of keys, of population uniques, and of keys with fewer than six people.
    """

    name: str
    keys: tuple[str, ...]
    terms: tuple[tuple[str, str], ...]
    printed: dict[str, int]

    @property
    def margins(self) -> tuple[tuple[int, int], ...]:
        """Interactions as pairs of key indices."""
        return tuple((self.keys.index(key), self.keys.index(other)) for key, other in self.terms)

    def numeric(self, file: Microdata) -> dict[int, Any]:
        """Return the number of each code of age and household size, by the index of the key variable."""
        return {number: file[key].categories for number, key in enumerate(self.keys) if key in NUMERIC}


#: Table 14 and the formulas of sections 4.2.1 to 4.2.3, with the variable names of `population`.
SCENARIOS = (
    Scenario(
        "1",
        ("region", "household size", "sex", "age", "citizenship"),
        (("age", "sex"), ("age", "household size"), ("household size", "sex")),
        {"keys": 8448, "uniques": 33, "below 6": 149},
    ),
    Scenario(
        "2",
        ("region", "household size", "sex", "age", "status", "citizenship", "income"),
        (("income", "sex"), ("income", "age"), ("age", "status")),
        {"keys": 138158, "uniques": 24819, "below 6": 60326},
    ),
    Scenario(
        "3",
        ("household size", "sex", "age", "status", "income"),
        (("age", "sex"), ("age", "household size"), ("income", "age")),
        {"keys": 32414, "uniques": 2607, "below 6": 7598},
    ),
)

_FIELDS = ("scenario", "cells", "design", "run", "records", "uniques", "tau1", "tau2")


def _column(model: str, scaling: str, which: str) -> str:
    return f"{model} {scaling} {which}"


@dataclass(frozen=True)
class TotterStudy:
    """Settings of a replication of the study.

    Attributes
    ----------
    persons, households, samples : int
        Number of people in the population, of households per sample, and of samples per design.
    seed : int
        Random seed; a sample depends only on this seed, its design and its number.
    """

    persons: int = PERSONS
    households: int = SURVEY
    samples: int = 100
    seed: int = 1

    def __post_init__(self) -> None:
        if self.samples < 1 or self.persons < 1 or self.households < 1:
            raise InputError(
                "The numbers of persons, households and samples of a study must each be at least 1."
            )

    def run(self, folder: Path, progress: Callable[[int, int, str], None] | None = None) -> pd.DataFrame:
        """Draw the samples missing in `results.csv` of the folder, and return all results.

        Parameters
        ----------
        folder : Path
            Folder for the results; created if it does not exist.
        progress : callable, optional
            Function called with the number of finished samples, the total number, and the current step.

        Raises
        ------
        InputError
            If the folder contains results of a study with other settings.
        """
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "results.csv"
        self._claim(folder)
        done = _done(path)
        wanted = [
            (design, run)
            for run, design in product(range(1, self.samples + 1), DESIGNS)
            if (design, run) not in done
        ]
        total = self.samples * len(DESIGNS)
        tell = progress or (lambda *_: None)
        if wanted or not (folder / SIZES).exists():
            tell(total - len(wanted), total, "generating the population")
            known = _Known.of(population(self.persons, self.seed))
            known.describe(folder / "population.csv")
            self._write_sizes(known, folder / SIZES)
            for number, (design, run) in enumerate(wanted, total - len(wanted) + 1):
                _append(path, self._sample(known, design, run))
                tell(number, total, f"{design}, sample {run}")
        return load(folder)

    def _claim(self, folder: Path) -> None:
        """Write the settings into the folder, and raise InputError if it contains other settings."""
        note = folder / "study.txt"
        # A folder of another choice of cells has other columns, which must not be taken for incomplete results.
        cells = " and ".join(CELLS)
        mine = f"persons {self.persons}, households {self.households}, seed {self.seed}, cells {cells}\n"
        if note.exists() and note.read_text("utf-8") != mine:
            raise InputError(
                f"The folder holds another study ({note.read_text('utf-8').strip()}); choose an empty folder, or the"
                " same settings to continue it."
            )
        note.write_text(mine, "utf-8")

    def _write_sizes(self, known: _Known, path: Path) -> None:
        """Write the cell size indices of the first simple random sample, and of each scenario in the population."""
        rng = np.random.default_rng([self.seed, DESIGNS.index("srs"), 1])
        first = sample(known.file, "srs", self.households, seed=rng, drawn_from=known.households)
        files = {"sample": (first, SAMPLE_KEYS)} | {one.name: (known.file, one.keys) for one in SCENARIOS}
        lines = ["keys,size,cells"]
        for name, (file, keys) in files.items():
            sizes = cell_size_indices(distinct(file.codes(keys))[2])
            lines += [f"{name},{size},{cells}" for size, cells in enumerate(sizes.tolist()) if cells]
        path.write_text("\n".join(lines) + "\n", "utf-8")

    def _sample(self, known: _Known, design: str, run: int) -> Iterator[dict[str, object]]:
        """Draw one sample, and yield one row per scenario and choice of cells."""
        rng = np.random.default_rng([self.seed, DESIGNS.index(design), run])
        drawn = sample(known.file, design, self.households, seed=rng, drawn_from=known.households)
        places = known.places(drawn)
        for scenario in SCENARIOS:
            codes = drawn.codes(scenario.keys)
            alone = frequencies(codes) == 1
            F = known.counts[scenario.name][places[alone]]
            truth = (drawn.records, int(alone.sum()), int((F == 1).sum()), float((1 / F).sum()))
            for cells in CELLS:
                line: dict[str, object] = dict(
                    zip(_FIELDS, (scenario.name, cells, design, run, *truth), strict=True)
                )
                known_keys: dict[str, Any] = {}
                if cells == "occurring":
                    known_keys = {
                        "population": known.keys[scenario.name],
                        "numeric": scenario.numeric(known.file),
                    }
                taus = modelled_taus(
                    codes,
                    drawn.weights,
                    scenario.margins,
                    scalings=SCALINGS,
                    cells=cells,
                    **known_keys,
                )
                line["parameters"] = taus["standard", "formula"].parameters
                for (model, scaling), tau in taus.items():
                    line[_column(model, scaling, "tau1")] = tau.tau1
                    line[_column(model, scaling, "tau2")] = tau.tau2
                    line[f"{model} exists"], line[f"{model} converged"] = tau.exists, tau.converged
                yield line


@dataclass(frozen=True)
class _Known:
    """Population, with its keys and the number of people who share the key of each person."""

    file: Microdata
    households: Households
    counts: dict[str, Any]
    keys: dict[str, Any]

    @classmethod
    def of(cls, file: Microdata) -> _Known:
        person = np.arange(file.records)
        from sdcwidgets.microdata.data import Variable

        counts = {case.name: frequencies(file.codes(case.keys)).astype(np.int32) for case in SCENARIOS}
        numbered = file.put(Variable("person", person, person))
        keys = {case.name: _keys(file, case) for case in SCENARIOS}
        return cls(numbered, frame(file), counts, keys)

    def places(self, drawn: Microdata) -> Whole:
        return drawn["person"].codes

    def describe(self, path: Path) -> None:
        """Write the values in Totter's study next to the values of this population."""
        lines = ["scenario,what,printed,here"]
        for scenario in SCENARIOS:
            sizes = cell_size_indices(distinct(self.file.codes(scenario.keys))[2])
            here = {"keys": int(sizes.sum()), "uniques": int(sizes[1]), "below 6": int(sizes[1:6].sum())}
            lines += [
                f"{scenario.name},{statistic},{scenario.printed[statistic]},{here[statistic]}"
                for statistic in here
            ]
        path.write_text("\n".join(lines) + "\n", "utf-8")


def _keys(file: Microdata, scenario: Scenario) -> Any:
    """Return the keys that occur in the population."""
    codes = file.codes(scenario.keys)
    return codes[distinct(codes)[0]]


def load(folder: Path) -> pd.DataFrame:
    """Return the results in a folder, one row per sample, scenario and choice of cells.

    Raises
    ------
    InputError
        If the folder contains no results.
    """
    import pandas as pd

    path = folder / "results.csv"
    if not path.exists():
        raise InputError(f"{folder} contains no results.csv; run the study first.")
    return pd.read_csv(path, dtype={"scenario": str}).sort_values(
        ["scenario", "cells", "design", "run"], ignore_index=True
    )


def load_sizes(folder: Path) -> pd.DataFrame:
    """Return the cell size indices in a folder: columns `keys` (sample or scenario), `size` and `cells`."""
    import pandas as pd

    return pd.read_csv(folder / SIZES, dtype={"keys": str})


def _done(path: Path) -> set[tuple[str, int]]:
    """Return the samples with rows for all scenarios and cells, and remove incomplete samples from the file."""
    if not path.exists():
        return set()
    with path.open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    whole = [line for line in lines if None not in line and None not in line.values()]
    count: dict[tuple[str, int], int] = {}
    for line in whole:
        key = (line["design"], int(line["run"]))
        count[key] = count.get(key, 0) + 1
    done = {key for key, number in count.items() if number == len(SCENARIOS) * len(CELLS)}
    complete = [line for line in whole if (line["design"], int(line["run"])) in done]
    if len(complete) < len(lines):
        path.unlink()
        if complete:
            _append(path, complete)
    return done


def _append(path: Path, lines: Iterator[dict[str, object]] | Sequence[dict[str, object]]) -> None:
    rows = list(lines)
    new = not path.exists()
    with path.open("a", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        if new:
            writer.writeheader()
        writer.writerows(rows)
