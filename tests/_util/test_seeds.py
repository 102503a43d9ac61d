"""Seeds that an intruder can guess are recognised, and random ones are not."""

import re
import secrets
import warnings
from pathlib import Path

import numpy as np
import pytest

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.seeds import is_guessable
from sdcwidgets.assessment.verdict import ReleaseLimits, judge
from sdcwidgets.cli import main
from sdcwidgets.methods import protect
from sdcwidgets.microdata import population, sample
from sdcwidgets.tables.table import FrequencyTable

PATTERNS = [
    *(2**power + step for power in (48, 53, 63, 64, 100, 127) for step in (-1, 0, 1)),
    2**128 - 1,
    3 * 2**100,
    10**20,
    10**38 - 1,
    int("123" * 10),
    int("20261125" * 4),
    int("12345678901234567890"),
    int("98765432109876543210"),
    0xDEADBEEFDEADBEEFDEADBEEFDEADBEEF,
    0x0123456789ABCDEF,
]


@pytest.mark.parametrize("seed", [0, 1, 2**40, *PATTERNS])
def test_patterns_are_guessable(seed):
    assert is_guessable(seed)


def test_random_seeds_are_not_guessable():
    assert not any(is_guessable(secrets.randbits(128)) for _ in range(2000))


TABLE = FrequencyTable([[12, 30], [25, 40]])


@pytest.mark.parametrize("seed", [1, 2**64, 2**128 - 1])
def test_a_guessable_seed_is_a_violation(seed):
    limits = ReleaseLimits("Panel", smallest_count=3)
    release = protect(TABLE, "random-rounding", seed=3**60)
    verdict = judge(TABLE, release, limits, seed=seed)
    assert "seed" in {stop.kind for stop in verdict.stops}


COMMANDS = {
    "protect": ["protect", "example:religion", "--method", "random-rounding"],
    "suppress": ["suppress", "people.csv", "--by", "sex,area", "--contributor", "id", "--amount", "money"],
    "swap": ["microdata", "swap", "people.csv", "--hierarchy", "area", "--risk", "sex", "-o", "swapped.csv"],
    "microdata": ["microdata", "people.csv", "--keys", "sex", "--pram", "sex=0.5"],
    "keys": ["microdata", "keys", "people.csv", "-o", "keys.csv"],
    "tables": ["tables", "people.csv", "--by", "sex", "--method", "random-rounding"],
    "tables init": ["tables", "init", "folder", "--source", "people.csv"],
}


@pytest.mark.parametrize("seed", [2**64, 2**128 - 1, int("123" * 10)])
@pytest.mark.parametrize("command", COMMANDS)
def test_commands_reject_seeds_with_a_pattern(command, seed, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "people.csv").write_text("sex,area,id,money\nf,a,1,5\nm,b,2,9\nf,b,3,2\nm,a,4,6\n")
    (tmp_path / "secret.txt").write_text(str(seed))
    for option in (["--seed", str(seed)], ["--secret-file", "secret.txt"]):
        assert main([*COMMANDS[command], *option]) == 2
        printed = capsys.readouterr()
        assert not printed.out
        assert "pattern" in printed.err
        assert str(seed) not in printed.err


def test_a_small_seed_is_reported(capsys):
    assert main(["protect", "example:religion", "--method", "random-rounding", "--seed", "7"]) == 0
    assert "seed 7 is guessable" in capsys.readouterr().err


@pytest.mark.parametrize("seed", [1, 42, 2**40])
@pytest.mark.parametrize("of", [int, np.int64, np.random.default_rng])
def test_protect_cautions_against_a_small_seed(of, seed):
    (caution,) = protect(TABLE, "random-rounding", seed=of(seed)).cautions
    assert f"seed {seed} is guessable" in caution


@pytest.mark.parametrize("seed", [2**64, 2**128 - 1, int("123" * 10)])
@pytest.mark.parametrize("of", [int, np.random.default_rng])
def test_protect_rejects_seeds_with_a_pattern(of, seed):
    with pytest.raises(InputError) as caught:
        protect(TABLE, "random-rounding", seed=of(seed))
    assert "pattern" in str(caught.value)
    assert str(seed) not in str(caught.value)


def test_protect_accepts_random_seeds():
    for _ in range(50):
        assert protect(TABLE, "random-rounding", seed=secrets.randbits(128)).cautions == ()
    assert protect(TABLE, "random-rounding").cautions == ()


def test_methods_without_random_numbers_need_no_secret():
    assert protect(TABLE, "conventional-rounding", seed=2**64).cautions == ()


def test_a_small_seed_has_one_caution_in_python_and_on_the_command_line(capsys):
    main(["protect", "example:religion", "--method", "random-rounding", "--seed", "42"])
    (caution,) = protect(TABLE, "random-rounding", seed=42).cautions
    assert caution in capsys.readouterr().err


def test_a_secret_that_is_not_stored_is_a_caution():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        release = protect(TABLE, "cell-suppression", threshold=20)
    assert [str(warning.message) for warning in caught] == list(release.cautions)
    assert len(release.cautions) == 1


def test_files_do_not_contain_the_caution_of_a_seed(tmp_path):
    release = protect(TABLE, "random-rounding", seed=42)
    assert "guessable" not in release.to_csv() + release.to_json_stat() + release.to_px()
    assert "guessable" not in " ".join(release.notes)


def test_every_seed_that_is_printed_in_documents_or_examples_is_guessable():
    root = Path(__file__).parents[2]
    files = [root / "README.md"]
    for folder, ending in (
        ("docs", "md"),
        ("tutorials", "ipynb"),
        ("notebooks", "ipynb"),
        ("sdcwidgets", "py"),
    ):
        files += (root / folder).rglob(f"*.{ending}")
    printed = set()
    for file in files:
        text = file.read_text("utf-8")
        for number in re.findall(r"(?:seed|rng)[ =]+(\d+(?:\*\*\d+)?)\b(?!\.)", text):
            base, _, power = number.partition("**")
            printed.add(int(base) ** int(power or 1))
        printed |= {int(number) for number in re.findall(r"(?<![\d.])(\d{38,39})(?!\d)", text)}
    assert printed >= {1, 3**60, 240282366920938463463374607431768211297}
    assert [seed for seed in printed if not is_guessable(seed)] == []


def test_a_documented_seed_blocks_a_release_and_is_accepted_with_a_caution():
    table = FrequencyTable([[20, 31], [14, 9]])
    release = protect(table, "random-rounding", seed=240282366920938463463374607431768211297)
    assert len(release.cautions) == 1
    limits = ReleaseLimits("Panel", no_risk_limit="the counts are public")
    verdict = judge(table, release, limits, seed=240282366920938463463374607431768211297)
    assert "seed" in {stop.kind for stop in verdict.stops}


def test_a_sample_of_records_draws_new_secret_bits_by_default():
    people = population(3000)
    drawn = [sample(people, households=50)["household"].codes.tolist() for _ in range(2)]
    assert drawn[0] != drawn[1]
    again = [sample(people, households=50, seed=1)["household"].codes.tolist() for _ in range(2)]
    assert again[0] == again[1]
