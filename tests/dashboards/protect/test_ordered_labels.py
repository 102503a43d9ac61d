"""Only categories of axes with an order are merged by a recommendation before other settings are tried."""

import pytest

from sdcwidgets.dashboards.protect.ordered_labels import is_ordered


@pytest.mark.parametrize(
    "labels",
    [
        ["0-4", "5-9", "10+"],
        ["under 15", "15 to 64", "65 and over"],
        ["unter 15 Jahre", "15-64 Jahre", "65 Jahre und älter"],
        ["under 65", "65 and over"],
        ["0-64", "65 or more"],
        ["Age 15-24", "Age 25-34", "Age 35-44"],
        ["80+", "65-79", "15-64", "0-14"],
        ["1", "2", "3", "4 or more"],
        ["20", "21", "22"],
        ["2011", "2016", "2022"],
        ["0-999", "1,000-4,999", "5,000 and more"],
        ["low", "middle", "high"],
        ["High income", "Middle income", "Low income"],
        ["Very good", "Good", "Fair", "Bad", "Very bad"],
    ],
)
def test_classes_times_and_degrees_have_an_order(labels):
    assert is_ordered(labels)


@pytest.mark.parametrize(
    "labels",
    [
        ["1", "2", "11"],
        ["01", "02", "03"],
        ["1 Farming", "2 Trade"],
        ["1 Farming", "2 Industry", "11 Services"],
        ["District 1", "District 2", "District 3"],
        ["Positive", "Not determined", "Negative"],
        ["15-24", "25+", "under 15"],
        ["high", "low", "middle"],
        ["men", "women"],
        ["all"],
    ],
)
def test_codes_and_names_have_no_order(labels):
    assert not is_ordered(labels)
