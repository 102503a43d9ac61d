"""What reproduces and what does not: the same table that the notebook shows."""

import re

import pytest

from sdcwidgets import examples
from sdcwidgets.teaching import reproduction
from sdcwidgets.teaching.reproduction import __main__
from sdcwidgets.teaching.reproduction.figure import DIFFERS, NEITHER, WITHIN_ERROR, WRONG


@pytest.fixture(scope="module")
def found():
    return reproduction.check()


def test_each_figure_is_there_once(found):
    assert len(found) == 1296
    assert not found.duplicated(["source", "location", "quantity", "subject"]).any()


def test_every_difference_is_explained(found):
    assert not (found["verdict"] == DIFFERS).any()


#: Source, location, quantity, subject, print and what is right, of every figure that is misprinted.
ERRATA = [
    ("thesis", "Table A.1.1", "h3", "(5, 5, 5, 5, 5, 5, 5, 5, 5, 5), ε = 0.3", 0.9812, 0.9150),
    ("FTG 2015", "Table 2", "% of cells", "output table 1, sixes and over", 31.8, 31.7460),
    ("FTG 2015", "Table 2", "% of cells", "output table 4, ones", 3.9, 3.8462),
    ("FTG 2015", "Table 2", "% of cells", "output table 4, sixes and over", 53.9, 53.8462),
    ("FTG 2015", "Table 3", "sum of row", "count 1", 0.75, 1),
    ("FTG 2015", "Table 3", "sum of row", "count 2", 0.875, 1),
    ("handbook", "Table 5.19", "total, rounded", "row 3", 35, 30),
    ("handbook", "Table 5.17", "key in the text", "A", 0.5, 0.9),
    ("O&DF", "Table 2", "total", "column 1", 1148, 1448),
    ("FTG 2015", "section 5.4", "mean diagonal", "stochastic perturbation, small", 0.75, 0.7667),
]


def test_these_prints_are_wrong_and_no_others(found):
    wrong = found[found["verdict"].str.startswith(WRONG)]
    columns = ["source", "location", "quantity", "subject", "print", "recomputed"]
    lines = wrong[columns].round({"print": 4, "recomputed": 4}).itertuples(index=False, name=None)
    assert [tuple(line) for line in lines] == ERRATA
    assert wrong["verdict"].str.fullmatch(f"{WRONG}: .{{20,}}").all()


def test_599_of_the_600_values_of_the_third_term_reproduce(found):
    values = found[found["location"].str.startswith("Table A.1")]
    assert values["location"].value_counts().to_dict() == {"Table A.1.1": 360, "Table A.1.2": 240}
    assert (values["verdict"] == "reproduces").sum() == 599


def psd(found, quantity):
    return found[(found["source"] == "PSD 2014") & found["quantity"].str.match(quantity)]


def test_risk_before_protection_reproduces_in_every_row_column_and_table(found):
    R1 = psd(found, "R1")
    assert len(R1) == 22 + 13 + 20
    assert (R1["verdict"] == "reproduces").all()


@pytest.mark.parametrize(("quantity", "number"), [("HD, ", 110), ("DR", 6), ("W?GAD", 24)])
def test_what_depends_on_a_method_reproduces_but_for_chance(found, quantity, number):
    figures = psd(found, quantity)
    assert len(figures) == number
    assert figures["verdict"].str.startswith("reproduces").all()


def test_the_distances_are_compared_with_draws_and_not_with_themselves(found):
    distances = psd(found, "HD, ")
    chance = distances["verdict"] == WITHIN_ERROR
    # Area 6 has only multiples of 3, so rounding leaves it as it is.
    assert distances.loc[~chance, "subject"].tolist() == ["sex, area 6"]
    assert (distances.loc[chance, "difference"] != 0).all()


def test_r2_reproduces_for_sex_and_for_columns_of_small_counts_only(found):
    R2 = psd(found, "R2")
    assert len(R2) == 110
    assert set(R2["verdict"].str.partition(":")[0]) == {NEITHER, WITHIN_ERROR, "reproduces"}
    differ = R2["verdict"] == NEITHER
    assert not differ[R2["subject"].str.startswith("sex")].any()
    # All rows and both whole tables, whatever the method.
    whole = R2["subject"].str.match("(travel|religion), (area|whole)")
    assert whole.sum() == 44
    assert differ[whole].all()
    for name, columns in (("travel", [4]), ("religion", [7])):
        of = R2["subject"].isin([f"{name}, column {column}" for column in columns])
        assert of.sum() == 2
        assert not differ[of].any()


def test_where_neither_formula_gives_r2_the_print_lies_between_them(found):
    neither = found[found["verdict"] == NEITHER]
    assert len(neither) == 71
    assert (neither["recomputed"] < neither["print"]).all()
    assert (neither["print"] < neither["other formula"]).all()


def test_both_figures_are_stated_where_two_formulas_are_in_print(found):
    assert (found["other formula"].notna() == found["quantity"].str.match("R2, (rounded|swapped|mean)")).all()


def test_the_summary_counts_every_figure(found):
    summary = reproduction.summary()
    assert summary["figures"].sum() == len(found)
    assert (summary.drop(columns="figures").sum(axis=1) == summary["figures"]).all()
    assert summary.loc[("thesis", "Table A.1.1"), WRONG] == 1


def test_the_copies_in_table_3_6_1_are_20_different_lines():
    lines = reproduction.load("thesis")["Table 3.6.1"]["Y"]
    assert len(set(lines)) == 20
    assert all(re.fullmatch("[23]{6}", line) for line in lines)


def test_data_without_figures_of_a_table_that_is_not_there():
    assert set(reproduction.load("psd2014")["tables"]) <= set(examples.available())


def test_the_sample_paper_follows_the_formula_of_the_thesis(found):
    means = found[found["quantity"] == "R2, mean"]
    assert (means["verdict"] == WITHIN_ERROR).all()
    assert (means["other formula"] < 0.5 * means["print"]).all()


def test_a_table_has_a_line_a_figure_and_their_digits(found):
    table = reproduction.as_table(found)
    assert len(table) == len(found)
    [total] = table[(table["source"] == "FTG 2015") & (table["print"] == "245,700")][:1].to_dict("records")
    assert total["recomputed"] == "245,700"
    assert "-0.0" not in set(table["difference"])
    first = table.iloc[0][["print", "recomputed", "difference", "verdict"]]
    assert first.tolist() == ["0.6365", "0.6365", "-0.00001", "reproduces"]


def test_the_module_prints_each_source_and_each_error_of_print(capsys):
    __main__.main()
    text = capsys.readouterr().out
    found = reproduction.check()
    assert text.startswith(f"{len(found):,} published figures")
    for source in found["source"].unique():
        assert source in text
    assert text.count("print is wrong: ") == found["verdict"].str.startswith("print is wrong").sum()
