"""How long a report takes, from a release and its verdict to the text of its page, as a ratio to its table in HTML.

The baseline writes the cells of the same published table, escaped, and nothing else.
"""

from html import escape

import numpy as np
import pytest

from sdcwidgets import FrequencyTable, examples, methods
from sdcwidgets.assessment.report import Alternative, Report
from sdcwidgets.assessment.report.html import html
from sdcwidgets.assessment.verdict import ReleaseLimits, judge

RNG = np.random.default_rng(1)
TABLES = {
    "religion": examples.load("religion"),
    "25 x 12": FrequencyTable(RNG.poisson(RNG.gamma(0.7, 9, size=(25, 12)))),
    "300 x 10": FrequencyTable(RNG.poisson(RNG.gamma(0.7, 9, size=(300, 10)))),
}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("internal", [False, True])
def test_report(record, seconds, name, internal):
    table, method = TABLES[name], methods.get("random-rounding")(base=3)
    release = method.release(table, 1)
    verdict = judge(table, release, ReleaseLimits("Panel", smallest_count=3))
    tried = [Alternative(f"Setting {i}", 0.2 + i / 1000, i / 50) for i in range(155)]

    def plain():
        return "".join(
            f"<tr>{''.join(f'<td>{escape(str(value))}</td>' for value in line)}</tr>"
            for line in release.lines()
        )

    def report():
        return html(
            Report(
                release,
                verdict,
                method,
                name,
                table=table,
                seed=1,
                alternatives=tried,
                internal=internal,
            )
        )

    record(report, seconds(plain), rounds=10)
