"""Each picture that is saved says what it shows, what it was made from, and by whom; its text can be read."""

import re
from copy import deepcopy
from importlib import import_module

import pytest

from screens import inside
from sdcwidgets.dashboards import explore, notebook_pages
from sdcwidgets.widgets.base import STATIC
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.tabs import Tabs

THEME = (STATIC / "theme.css").read_text("utf-8")

#: The colours of the page by their names, each in light and in dark.
TOKENS = {name: pair for name, *pair in re.findall(r"(--sdc-[\w-]+): light-dark\((#\w+), (#\w+)\)", THEME)}


def luminance(colour):
    """The relative luminance of WCAG 2."""
    digits = colour[1:] if len(colour) == 7 else "".join(2 * one for one in colour[1:])
    parts = [int(digits[k : k + 2], 16) / 255 for k in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(text, ground="var(--sdc-card)"):
    """The lower one of the contrasts in light and in dark."""
    found = []
    for theme in (0, 1):
        pair = [TOKENS[one[4:-1]][theme] if one.startswith("var(") else one for one in (text, ground)]
        light, dark = sorted(map(luminance, pair), reverse=True)
        found.append((light + 0.05) / (dark + 0.05))
    return min(found)


def texts(value, path=()):
    """Yield the colours of each text of a figure, one or a list, and what they stand on."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key.endswith("font") and "color" in item:
                ground = value["marker"]["color"] if key == "insidetextfont" else "var(--sdc-card)"
                yield (*path, key), item["color"], ground
            yield from texts(item, (*path, key))
    elif isinstance(value, list | tuple):
        for k, item in enumerate(value):
            yield from texts(item, (*path, k))


def filled(chart):
    """A figure as the browser puts it together."""
    whole = deepcopy(chart.frame)
    for path, value in chart.arrays.items():
        *steps, last = path.split("/")
        at = whole
        for step in steps:
            at = at[int(step)] if isinstance(at, list) else at.setdefault(step, {})
        at[last] = value
    return whole


def test_contrast_is_what_wcag_says():
    assert (luminance("#fff") + 0.05) / (luminance("#000") + 0.05) == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)
    assert contrast("var(--sdc-size)") < 4.5 < contrast("var(--sdc-ink)")


@pytest.mark.parametrize("name", [entry.name for entry in notebook_pages.dashboards()])
def test_every_picture_has_a_title_and_a_source_and_text_that_can_be_read(name):
    screen = import_module(f"sdcwidgets.dashboards.{name}").app()
    for tabs in inside(screen, Tabs):
        for index in range(len(tabs._parts)):
            tabs.turn_to(index)
    for chart in inside(screen, Chart):
        assert chart.label
        assert len(chart.caption) > 40
        for path, colours, ground in texts(filled(chart)):
            colours = [colours] if isinstance(colours, str) else colours
            grounds = ground if isinstance(ground, list | tuple) else [ground] * len(colours)
            for pair in set(zip(colours, grounds, strict=True)):
                assert contrast(*pair) >= 4.5, f"{chart.label}: {path}, {pair}"


def test_a_caption_follows_the_settings():
    screen = explore.app()
    chart = inside(screen, Chart)[0]
    assert "Religion by output area, 2,449 people in 90 cells. Weights 0.1/0.8/0.1" in chart.caption
    assert "Antal, Shlomo and Elliot 2014, section 2" in chart.caption
    for elsewhere in ("after protection", "Replications", "Seed", "stays in this session"):
        assert elsewhere not in chart.caption
    epsilon = next(
        one for one in inside(screen, Control) if one.spec["label"] == "Exponent of table size (ε)"
    )
    epsilon.request = {"value": 0.25}
    assert "(ε) 0.25" in chart.caption
