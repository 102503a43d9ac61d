"""Columns and rows of percentages beside counts: they are no people, so they are left out, or asked about."""

import numpy as np
import pandas as pd
import pytest
from refusing import sentence
from stating import stating

from sdcwidgets.tables.io.options import ReadOptions
from sdcwidgets.tables.io.proposals import propose_layout
from sdcwidgets.tables.io.sources import Question, read_csv, read_frame

COUNTS = [[5, 7], [4, 8]]
WITH = "Region,m,w,Insgesamt,{}\nNord,5,7,12,{}\nSüd,4,8,12,{}\nInsgesamt,9,15,24,{}\n"
TOTALS = stating("omitted", 'row "Insgesamt"', 'column "Insgesamt"', "sums")


@pytest.mark.parametrize(
    "head", ["in %", "%", "Percent", "per cent", "Prozent", "pct", "Share in %", "% of all", "Pourcentage"]
)
@pytest.mark.parametrize("cells", [("50", "50", "100"), ("33.3", "66.7", "100"), ("50 %", "50 %", ""), "c-."])
def test_percentages_beside_counts_are_left_out_and_the_totals_are_found(head, cells):
    reading = read_csv(WITH.format(head, *cells))
    assert reading.table.counts.tolist() == COUNTS
    assert reading.notes == (
        stating(f'import omitted column "{head}"', "percentages"),
        TOTALS,
    )
    assert [(choice.name, choice.chosen) for choice in reading.choices] == [("margins", ("drop",))]


@pytest.mark.parametrize("head", ["50 % or more", "over 50 per cent", "Percy", "Shareholders"])
def test_a_category_that_names_a_percentage_holds_people(head):
    text = f"Region,none,{head}\nNord,15,37\nSüd,24,8\n"
    reading = read_csv(text)
    assert (reading.table.total, reading.notes) == (84, ())


@pytest.mark.parametrize(
    ("head", "cells"), [("Anteil", "50 50 100"), ("Share of all", "50 50 100"), ("in %", "103 98 100")]
)
def test_whole_numbers_that_may_be_shares_are_asked_about(head, cells):
    text = WITH.format(head, *cells.split())
    with pytest.raises(Question, match=rf'^Column "{head}" contains ') as asked:
        read_csv(text)
    assert [choice.name for choice in asked.value.choices] == ["margins"]
    left = read_csv(text, totals="drop")
    assert left.table.counts.tolist() == COUNTS
    assert f'import omitted column "{head}"' in left.notes[0]


def test_percentages_that_are_kept_are_counted_and_said():
    reading = read_csv(WITH.format("in %", 50, 50, 100), totals="keep")
    assert reading.table.shape == (3, 4)
    assert reading.notes[0] == (stating('import kept column "in %"', "percentages"))


@pytest.mark.parametrize("totals", ["ask", "drop", "keep"])
def test_what_can_be_no_count_is_left_out_in_any_case(totals):
    text = "Region,m,w,Anteil\nNord,5,7,33.3\nSüd,4,20,66.7\n"
    reading = read_csv(text, totals=totals)
    assert reading.table.counts.tolist() == [[5, 7], [4, 20]]
    assert stating('import omitted column "Anteil"', "figures") in reading.notes


def test_percent_signs_tell_what_a_column_holds():
    reading = read_csv("Region;m;w;Quote\nNord;5;7;12,5 %\nSüd;4;20;10,0 %\n")
    assert reading.notes == (stating('import omitted column "Quote"', "figures"),)
    assert reading.table.counts.tolist() == [[5, 7], [4, 20]]


def test_rows_of_percentages_are_left_out():
    reading = read_csv("Region,m,w\nNord,5,7\nSüd,4,8\nNord in %,42,58\nSüd in %,33,67\n")
    assert reading.table.counts.tolist() == COUNTS
    assert reading.notes == (stating('import omitted rows "Nord in %" and "Süd in %"', "percentages"),)


def test_percentages_under_a_heading_of_their_own():
    text = ",Persons,,Percent,\nRegion,m,w,m,w\nNord,5,7,42,58\nSüd,4,8,33,67\n"
    reading = read_csv(text)
    assert [axis.name for axis in reading.table.axes] == ["Region", "Persons"]
    assert reading.table.counts.tolist() == COUNTS
    assert reading.notes == (stating('import omitted columns "Percent"', "percentages"),)


def test_rows_of_a_long_table_that_say_percent():
    text = "Region,Unit,m,w\nNord,Number,5,7\nNord,Percent,41.7,58.3\nSüd,Number,4,8\nSüd,Percent,33.3,66.7\n"
    reading = read_csv(text)
    assert [axis.name for axis in reading.table.axes] == ["Region", "Column"]
    assert reading.table.counts.tolist() == COUNTS


def test_a_long_table_with_percentages_beside_its_counts():
    text = "Region,Sex,Persons,in %\nNord,m,5,42\nNord,w,7,58\nSüd,m,4,33\nSüd,w,8,67\n"
    reading = read_csv(text)
    assert [axis.name for axis in reading.table.axes] == ["Region", "Sex"]
    assert reading.table.counts.tolist() == COUNTS


def test_a_frame_with_percentages():
    frame = pd.DataFrame({"m": [5, 4], "w": [7, 8], "pct": [50.0, 50.0]}, index=["Nord", "Süd"])
    assert read_frame(frame).table.counts.tolist() == COUNTS


def test_percentages_alone_are_refused():
    said = sentence(read_csv, "Region,m %,w %\nNord,42,58\nSüd,33,67\n")
    assert said == stating("percentages", '"m %"')
    kept = read_csv("Region,m %,w %\nNord,42,58\nSüd,33,67\n", totals="keep")
    assert np.array_equal(kept.table.counts, [[42, 58], [33, 67]])


BESIDE = "Area,m,w,{}\nNord,5,7,{}\nSud,4,8,{}\n"


@pytest.mark.parametrize(
    "head",
    [
        "Median age",
        "Average household size",
        "Household size (mean)",
        "Durchschnittsalter",
        "Âge moyen",
        "Edad media",
        "Gemiddelde leeftijd",
        "Rate per 1000",
        "Fälle je 100.000",
        "Rank",
        "Standard error",
        "95% CI",
        "Lower bound",
        "Population (thousands)",
        "Bevölkerung in 1 000",
        "Area km2",
        "Bevölkerungsdichte",
        "Mean",
        "Income",
        "Households",
        "Anteil",
    ],
)
def test_whole_numbers_of_what_is_no_people_are_asked_about(head):
    text = BESIDE.format(head, 34, 41)
    with pytest.raises(Question, match=r"\(margins: drop or keep\)\.$") as asked:
        read_csv(text)
    assert asked.value.doubt.facts["named"] == head
    assert read_csv(text, totals="drop").table.counts.tolist() == COUNTS
    assert read_csv(text, totals="keep").table.total == 24 + 75


@pytest.mark.parametrize(
    "head", ["Median age", "Rate per 1000", "Bevölkerungsdichte", "Population (thousands)"]
)
def test_decimals_of_what_is_no_people_are_left_out_and_said(head):
    reading = read_csv(BESIDE.format(head, 34.5, 41.2))
    assert reading.table.counts.tolist() == COUNTS
    assert len(reading.notes) == 1


@pytest.mark.parametrize("head", ["lat", "Ø", "Ikä"])
def test_decimals_that_no_word_explains_are_asked_about(head):
    text = BESIDE.format(head, 34.5, 41.2)
    with pytest.raises(Question, match="decimal numbers"):
        read_csv(text)
    assert read_csv(text, totals="drop").table.counts.tolist() == COUNTS


@pytest.mark.parametrize(
    "head",
    ["Thousand Oaks", "Lower", "Upper class", "Ranked", "Meaning", "Mediation", "Averages Ltd", "Perth"],
)
def test_a_category_whose_name_begins_so_holds_people(head):
    reading = read_csv(BESIDE.format(head, 3, 4))
    assert (reading.table.total, reading.notes) == (31, ())


def test_households_beside_persons_are_asked_about_and_kinds_of_households_are_categories():
    text = "Area,Persons,Households\nA,10,4\nB,20,8\n"
    with pytest.raises(Question, match="units other than people"):
        read_csv(text)
    assert read_csv(text, totals="drop").table.counts.tolist() == [10, 20]
    kinds = read_csv("Area,Households with children,Families\nA,10,4\nB,20,8\n")
    assert kinds.table.total == 42


def test_the_ends_of_an_interval_are_known_by_what_lies_between():
    text = "Area,Estimate,Lower,Upper\nA,10,8,14\nB,20,18,21\n"
    with pytest.raises(Question, match="intervals"):
        read_csv(text)
    assert read_csv(text, totals="drop").table.counts.tolist() == [10, 20]
    classes = read_csv("Area,Lower,Middle,Upper\nA,10,8,14\nB,20,18,21\n")
    assert classes.table.total == 91


def test_where_every_column_is_something_else_the_file_is_refused():
    assert "Load counts" in sentence(read_csv, "Area,Population (thousands)\nA,10\nB,20\n")


def test_a_row_of_households_below_areas_is_asked_about():
    text = "Area,m,f\nBath,31,47\nHull,118,72\nYork,64,93\nHouseholds,99,12\n"
    with pytest.raises(Question, match="units other than people"):
        read_csv(text)
    assert read_csv(text, totals="drop").table.total == 425


def test_decimals_beside_a_year_are_the_only_numbers():
    text = "Area,Sex,Period,Estimate\nA,m,2020,72.6\nA,f,2020,22.8\nB,m,2020,13.4\nB,f,2020,19.2\n"
    assert "whole number" in sentence(read_csv, text)


UNITS = "Средна заплата\n{}\nA;Мъже;Жени\nСелско;2501;2045\nСтроителство;2031;1963\n"


def test_an_unknown_unit_in_brackets_is_a_question():
    with pytest.raises(Question) as question:
        read_csv(UNITS.format("(Левове)"))
    assert question.value.doubt.question == "unknown unit"
    accepted = read_csv(UNITS.format("(Левове)"), how=ReadOptions(doubts="accept"))
    assert accepted.table.total == 8540


@pytest.mark.parametrize(
    "text",
    [
        "Monthly wages in EUR\nRegion,Men,Women\nNorth,2431,2100\nSouth,2987,2655\n",
        "Bruttoverdienste in Euro\nRegion,Männer,Frauen\nNord,2431,2100\nSüd,2987,2655\n",
        "Region,Netto CHF,Brutto CHF\nBern,5987,6431\nUri,5300,6120\n",
        "Canton,Milk [kg],Meat [kg]\nBern,5987,6431\nUri,5300,6120\n",
        "Month,Index (2015=100)\nJanuary,104\nMay,107\n",
        "geo,sex,unit,value\nAT,M,EUR,2431\nAT,F,EUR,2987\nDE,M,EUR,3120\nDE,F,EUR,3222\n",
    ],
)
def test_an_amount_without_a_known_word_is_a_question(text):
    with pytest.raises(Question) as question:
        read_csv(text)
    assert question.value.doubt.question == "unknown unit"
    assert read_csv(text, how=ReadOptions(doubts="accept")).table.total > 0


def test_a_title_of_other_figures_and_more_people_than_the_world_has_are_questions():
    texts = {
        "other figures": "Mean age at marriage\nRegion,Men,Women\nNorth,31,29\nSouth,33,30\n",
        "world": "Sector,Exports\nFood,24310000000\nCars,31200000\nOther,881234\n",
    }
    for name, text in texts.items():
        with pytest.raises(Question) as question:
            read_csv(text)
        assert question.value.doubt.question == name
        assert read_csv(text, how=ReadOptions(doubts="accept")).table.total > 0


@pytest.mark.parametrize(
    "text",
    [
        "Births in Berlin\nDistrict,Boys,Girls\nMitte,2431,2100\nPankow,2987,2655\n",
        "Mean age of persons\nDistrict,Number of persons\nMitte,2431\nPankow,2987\n",
        "District,Men (15+),Women (15+)\nMitte,2431,2100\nPankow,2987,2655\n",
        "District,Boys (M),Girls (F)\nMitte,2431,2100\nPankow,2987,2655\n",
        "geo,sex,unit,value\nAT,M,NR,2431\nAT,F,NR,2987\nDE,M,NR,3120\nDE,F,NR,3222\n",
    ],
)
def test_headings_and_titles_that_name_no_other_unit_are_no_question(text):
    assert read_csv(text).table.total > 0


@pytest.mark.parametrize("unit", ["(persons)", "(2023)", "Number of persons", "(households)"])
def test_a_known_unit_is_no_question(unit):
    assert read_csv(UNITS.format(unit)).table.total == 8540


FIRMS = "Branch;Size;{};Content\nFarming;0-9;{};48\nFarming;10+;{};103\nTrade;0-9;{};51\nTrade;10+;{};75\n"


@pytest.mark.parametrize("how", [ReadOptions(), ReadOptions(doubts="accept"), ReadOptions(margins="keep")])
def test_a_column_of_one_year_beside_counts_is_left_out_and_said(how):
    reading = read_csv(FIRMS.format("TID", *[2024] * 4), how=how)
    assert (reading.table.total, reading.table.shape) == (277, (2, 2))
    assert [stating("omitted", '"TID"', "years")] == list(reading.notes)


def test_equal_numbers_that_are_rounded_as_the_others_may_be_counts():
    text = "Area,m,f\nBath,2000,3000\nHull,2000,9000\nYork,2000,1000\n"
    assert read_csv(text, how=ReadOptions(doubts="accept")).table.total == 19000


@pytest.mark.parametrize("unit", ["Thousand", "(thousands)", "'000"])
def test_a_unit_in_a_line_above_the_headings_is_a_question(unit):
    text = f"Employed by province\n,{unit},,\nProvince,A,B,C\nCape,210,325,101\nNatal,478,520,199\n"
    with pytest.raises(Question) as question:
        read_csv(text)
    assert question.value.doubt.question == "thousands"
    assert propose_layout(text).layout.unit == 1000


@pytest.mark.parametrize("corner", ["Median sale price ($)", "in euros", "In %"])
def test_an_amount_in_the_corner_is_a_question(corner):
    text = f"{corner},Flats,Houses\nAuckland,98,81\nOtago,64,65\n"
    with pytest.raises(Question) as question:
        read_csv(text)
    assert question.value.doubt.question == "unknown unit"
    assert read_csv(text, how=ReadOptions(doubts="accept")).table.total == 308


@pytest.mark.parametrize(
    "text",
    [
        "Income in thousands,Men,Women\n0-9,98,81\n10-19,64,65\n",
        "Rate,Men,Women\n0-9,98,81\n10-19,64,65\n",
        "Mean income,Number of persons\nlow,98\nhigh,64\n",
    ],
)
def test_a_unit_of_the_categories_is_none_of_the_counts(text):
    assert read_csv(text).table.total > 0


SHARES = "{};None;School;Total\nWomen;20,15;{};{}\nMen;22,4;77,6;100\nOthers;21,3;78,7;100\n"


@pytest.mark.parametrize("corner", ["In %", "Sex"])
@pytest.mark.parametrize(("part", "total"), [("79,85", "100,0"), ("31,85", "52")])
def test_a_total_of_decimals_that_are_not_read_is_no_column_of_counts(corner, part, total):
    text = SHARES.format(corner, part, total)
    for how in (ReadOptions(), ReadOptions(doubts="accept"), ReadOptions(margins="drop")):
        sentence(read_csv, text, how=how)
    with pytest.raises(Question) as question:
        read_csv(SHARES.format(corner, part, "731"))
    assert question.value.doubt.question == "decimals"


def test_a_unit_in_the_heading_of_a_column_that_is_not_read_is_no_unit_of_the_file():
    rows = [
        "VT,31-33,Trade,small,712,40",
        "VT,31-33,Trade,large,812,90",
        "VT,72,Food,small,N,60",
        "VT,72,Food,large,612,11",
    ]
    text = "\n".join(["Area,Code,Industry,Size,Mean pay (thousands),Employees", *rows, ""])
    layout = propose_layout(text).layout
    assert [column.heading for column in layout.of_role("count")] == ["Employees"]
    assert layout.unit == 1


def test_a_column_of_another_unit_that_a_sum_needs_is_a_category():
    text = "Area,Total,Lives in a household,Lives elsewhere\nBath,97,90,7\nHull,85,77,8\nYork,66,61,5\n"
    reading = read_csv(text)
    assert reading.table.total == 248
    assert reading.table.axes[1].labels == ("Lives in a household", "Lives elsewhere")


def test_the_unit_of_each_row_may_be_in_a_column_with_one_label():
    rows = [f"{area},Jobs (thousands),{sex},{n}" for area, n in (("A", 31), ("B", 47)) for sex in ("m", "f")]
    with pytest.raises(Question) as asked:
        read_csv("\n".join(["Area,Indicator,Sex,obs_value", *rows]))
    assert asked.value.doubt.question == "thousands"


def test_columns_of_codes_with_leading_zeros_are_no_counts():
    text = "Name,m,f,state,county\nAutauga,12739,1085,01,001\nBaldwin,10749,1819,01,003\nBarbour,4347,2984,01,005\n"
    reading = read_csv(text)
    assert [axis.labels for axis in reading.table.axes] == [("Autauga", "Baldwin", "Barbour"), ("m", "f")]
    assert any("state" in note and "county" in note for note in reading.notes)
    padded = read_csv("Area,m,f\nBath,0031,0059\nHull,0053,0097\n").table
    assert padded.total == 240


def test_dwellings_that_are_parts_of_a_total_are_read_although_a_count_is_suppressed():
    text = "Locality,Flat,House,Other dwelling,Total\nA,53,156,21,230\nB,143,57,u,204\nC,60,88,42,190\n"
    columns = {column.heading: column.role for column in propose_layout(text).layout.columns}
    assert columns == {
        "Locality": "label",
        "Flat": "count",
        "House": "count",
        "Other dwelling": "count",
        "Total": "total",
    }
