"""Check on the page Protect that file, screen and verdict are about one table: every rule, method and ten tables.

Usage: python benchmarks/shown_is_saved.py

The law is that of tests/dashboards/protect/test_shown_is_saved.py, which takes two rules and two tables per
method. Each
combination is checked twice: with the method that the rule names (or the default one), and with the chosen method.
Measured in November 2026: 16 methods, 6 rules and 10 tables, 1,920 states, 0 differences.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path[:0] = [
    str(Path(__file__).parents[1] / "tests"),
    str(Path(__file__).parents[1] / "tests/dashboards/protect"),
]

import test_shown_is_saved as law  # noqa: E402

from sdcwidgets import methods  # noqa: E402
from sdcwidgets.dashboards.protect import result as results  # noqa: E402


def main() -> None:
    """Check each method with all rules and tables, and print the answers that were met."""
    judged: list[object] = []
    judge = results.judge

    def spy(table, release=None, *rest, **more):  # type: ignore[no-untyped-def]
        if release is not None:
            judged[:] = [release]
        return judge(table, release, *rest, **more)

    results.judge = spy
    screen = law.Screen()
    start = time.process_time()
    for name in methods.available():
        answers = law.the_law(screen, judged, name, law.TABLES, list(law.RULES))
        print(f"{name}: {', '.join(sorted(answers))}", flush=True)
    states_checked = 2 * len(methods.available()) * len(law.TABLES) * len(law.RULES)
    print(f"{states_checked:,} states, 0 differences, {time.process_time() - start:.0f} s of processor time")


if __name__ == "__main__":
    main()
