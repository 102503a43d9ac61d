"""Totter's study in small: it goes on where it stopped, and what it says follows from its numbers."""

import itertools
import re

import numpy as np
import pandas as pd
import pytest

from screens import named
from sdcwidgets import InputError
from sdcwidgets.cli import main
from sdcwidgets.core.risk.sample import MODELS, modelled_tau
from sdcwidgets.microdata import population
from sdcwidgets.microdata.totter import SCENARIOS, TotterStudy, load, load_sizes
from sdcwidgets.plots import totter as plots
from sdcwidgets.widgets.texts.totter import CONCLUSIONS, compare, report

SMALL = TotterStudy(persons=2000, households=60, samples=2, seed=4)


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    folder = tmp_path_factory.mktemp("study")
    return folder, SMALL.run(folder)


@pytest.mark.slow
def test_there_is_a_line_for_each_sample_and_scenario(done):
    _, results = done
    assert len(results) == 2 * 4 * 3 * 2
    assert results.groupby(["scenario", "cells", "design"]).size().eq(2).all()
    truth = results.groupby(["scenario", "design", "run"])[["uniques", "tau1", "tau2"]]
    assert truth.nunique().eq(1).all(axis=None)
    assert (results["tau1"] <= results["tau2"]).all()
    assert (results["tau2"] <= results["uniques"]).all()
    for model in MODELS:
        assert (results[f"{model} formula tau1"] <= results[f"{model} sdcmicro tau1"] + 1e-9).all()


def test_scenarios_are_those_of_table_14():
    file = population(500)
    number = {one.name: len(one.keys) for one in SCENARIOS}
    assert number == {"1": 5, "2": 7, "3": 5}
    for one in SCENARIOS:
        assert file.codes(one.keys).shape == (500, number[one.name])
        assert all(pair[0] != pair[1] for pair in one.margins)


def test_totter_s_models_have_17_68_and_40_parameters():
    # Section 4.2: a constant, main effects and interactions; a number has one coefficient, a factor one per category
    # but the first. The categories are those of Table 12: 9 regions, 2 sexes, 7 statuses, 3 citizenships, 15 incomes.
    expected = {
        "1": 1 + 8 + 1 + 1 + 1 + 2 + 1 + 1 + 1,
        "2": 1 + 8 + 1 + 1 + 1 + 6 + 2 + 14 + 14 + 14 + 6,
        "3": 1 + 1 + 1 + 1 + 6 + 14 + 1 + 1 + 14,
    }
    assert expected == {"1": 17, "2": 68, "3": 40}
    file = population(20_000)
    for one in SCENARIOS:
        codes = file.codes(one.keys)[:2000]
        tau = modelled_tau(
            codes,
            np.full(len(codes), 10.0),
            one.margins,
            cells="occurring",
            population=file.codes(one.keys),
            numeric=one.numeric(file),
        )
        assert tau.parameters == expected[one.name]


@pytest.mark.slow
def test_a_study_that_was_stopped_goes_on_and_comes_to_the_same(done, tmp_path):
    _, whole = done
    told = []

    def stop(number, total, doing):
        told.append(number)
        if number == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        SMALL.run(tmp_path, stop)
    path = tmp_path / "results.csv"
    path.write_text(path.read_text("utf-8") + "1,srs,9,12", "utf-8")  # a line that was cut off
    again = []
    resumed = SMALL.run(tmp_path, lambda number, *_: again.append(number))
    assert told == [0, 1, 2, 3]
    assert again == [3, 4, 5, 6, 7, 8]
    pd.testing.assert_frame_equal(resumed, whole, check_dtype=False)


def test_a_folder_of_another_study_is_left_alone(done):
    folder, _ = done
    with pytest.raises(InputError, match="holds another study"):
        TotterStudy(persons=7000, households=60, samples=2, seed=4).run(folder)


def test_results_of_an_older_format_are_left_alone(tmp_path):
    (tmp_path / "study.txt").write_text("persons 6000, households 60, seed 4\n", "utf-8")
    results = tmp_path / "results.csv"
    results.write_text("scenario,design,run\n1,srs,1\n", "utf-8")
    before = results.read_bytes()
    with pytest.raises(InputError, match="holds another study"):
        TotterStudy(persons=6000, households=60, samples=2, seed=4).run(tmp_path)
    assert results.read_bytes() == before


def test_a_folder_without_results_and_a_study_of_nothing_are_refused(tmp_path):
    with pytest.raises(InputError, match=r"no results\.csv"):
        load(tmp_path)
    with pytest.raises(InputError, match="at least 1"):
        TotterStudy(samples=0)


def test_every_figure_of_the_print_is_drawn(done):
    _, results = done
    results = results[results["cells"] == "occurring"]
    drawn = plots.figures(results)
    assert sorted(drawn) == [*range(9, 13), *range(15, 19), *range(21, 33)]
    assert len(drawn[9]["data"]) == 5
    assert len(drawn[11]["data"]) == 4
    difference = drawn[12]["data"][0]["y"]
    rows = results[results["scenario"] == "1"]
    np.testing.assert_allclose(difference, rows["standard formula tau2"] - rows["tau2"], atol=1e-4)


def test_conclusions_follow_from_the_means():
    designs = ("srs", "proportional", "equal", "oversampling")
    lines = []
    for scenario in "123":
        for design in designs:
            line = {
                "scenario": scenario,
                "design": design,
                "run": 1,
                "uniques": 50,
                "tau1": 10.0,
                "tau2": 20.0,
            }
            for model in MODELS:
                for which in ("tau1", "tau2"):
                    low = 1.0 if model == "weighted" else 9.0
                    line[f"{model} formula {which}"] = low if design != "oversampling" else 99.0
            lines.append(line)
    verdicts = dict(compare(pd.DataFrame(lines)))
    assert all(named(verdicts, "underestimate τ₁").values())
    assert all(named(verdicts, "The weighted").values())
    assert all(named(verdicts, "every model").values())
    assert not any(named(verdicts, "within 15 %").values())


def test_the_report_names_both_scalings_and_every_conclusion(done):
    folder, results = done
    text = report(results, pd.read_csv(folder / "population.csv"))
    assert all(one.text in text for one in CONCLUSIONS)
    assert "| occurring, λ = μ/π | crossing, λ = μ/π | occurring, λ = μ, as sdcMicro |" in text
    chosen = results[results["cells"] == "occurring"]
    held = sum(sum(cases.values()) for _, cases in compare(chosen))
    assert f"| {held} of 129 |" in text
    assert "| 2 | uniques | 24819 |" in text


def test_histograms_count_the_keys_by_their_people(done):
    folder, _ = done
    sizes = load_sizes(folder)
    drawn = plots.histograms(sizes)
    assert sorted(drawn) == [2, 7, 8, 13, 14, 19, 20]
    people = population(SMALL.persons, SMALL.seed).to_frame()
    for scenario, everything, few in zip(SCENARIOS, (7, 13, 19), (8, 14, 20), strict=True):
        count = people.groupby(list(scenario.keys), observed=True).size()
        assert sum(drawn[everything]["data"][0]["y"]) == len(count)
        assert drawn[few]["data"][0]["x"] == list(range(1, 11))
        assert drawn[few]["data"][0]["y"] == [int((count == size).sum()) for size in range(1, 11)]
    # The printed numbers of keys below 6 are of this form: the first five bars.
    printed = pd.read_csv(folder / "population.csv").set_index(["scenario", "what"])["here"]
    assert sum(drawn[14]["data"][0]["y"][:5]) == printed.loc[2, "below 6"]
    in_sample = sizes[sizes["keys"] == "sample"]
    assert (in_sample["size"] * in_sample["cells"]).sum() == load(folder).query(
        "design == 'srs' and run == 1"
    )["records"].iloc[0]


def test_a_folder_without_cell_sizes_gets_them(done):
    folder, results = done
    (folder / "cell-sizes.csv").unlink()
    assert SMALL.run(folder).equals(results)
    assert len(load_sizes(folder))


def test_the_command_writes_all_of_it(done, capsys):
    folder, _ = done
    numbers = {"samples": SMALL.samples, "persons": SMALL.persons, "households": SMALL.households, "seed": 4}
    run = [
        "study",
        "microdata",
        str(folder),
        *(text for key, value in numbers.items() for text in (f"--{key}", str(value))),
    ]
    assert main(run) == 0
    assert "comparison.md" in capsys.readouterr().out
    page = (folder / "figures.html").read_text("utf-8")
    assert all(f"<h2>Like Figure {number}</h2>" in page for number in (2, *range(7, 33)))
    assert main([*run[:-1], "5"]) == 2
    assert "holds another study" in capsys.readouterr().err


def test_the_command_estimates_the_time_that_is_left(monkeypatch, capsys, tmp_path):
    def run(study, folder, progress):
        for done in (2, 3, 5):
            progress(done, 6, "samples")
        raise InputError("stopped")

    minutes = itertools.count(0, 60)
    monkeypatch.setattr(TotterStudy, "run", run)
    monkeypatch.setattr("time.monotonic", lambda: next(minutes))
    main(["study", "microdata", str(tmp_path / "made")])
    stated = re.findall(r"about (-?\d+) minutes left", capsys.readouterr().err)
    # One, two and three minutes have passed, for 1 (at least), 1 and 3 steps.
    assert [int(text) for text in stated] == [4, 6, 1]
