"""Calls into sdcwidgets when the rounding base on the Protect page moves by one step (example of religion).

Run by hand: `python benchmarks/slider_calls.py [--functions 40]`. A count of calls does not depend on the load of the
machine. Calls are counted by `sys.setprofile`: each function, generator step, comprehension and property of the
package counts. The first step is not counted, because it imports modules and fills caches.

Before settings were resolved once, a step made 7,805 calls; the limit is 3,500.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
import sdcwidgets
from screens import ask, control
from sdcwidgets.assessment.replications import Run
from sdcwidgets.dashboards import protect

PACKAGE = str(Path(sdcwidgets.__file__).parent)

#: Bases of the counted steps. None of them is set before, so that each step computes its replicates anew.
BASES = (6, 7, 8, 9, 11)


def count(step: Callable[[], object]) -> Counter[tuple[str, str, int]]:
    """Return how often each function of the package is called during a step, by module, name and line."""
    calls: Counter[tuple[str, str, int]] = Counter()

    def profile(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(PACKAGE):
            calls[code.co_filename[len(PACKAGE) + 1 :], code.co_qualname, code.co_firstlineno] += 1

    sys.setprofile(profile)
    try:
        step()
    finally:
        sys.setprofile(None)
    return calls


def main() -> None:
    """Count the calls of each step, and print totals, modules and the most frequent functions."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--functions", type=int, default=15, help="functions to list (default: 15)")
    options = parser.parse_args()
    # Replicates are drawn in parts that fit into a time. With a clock that stands still, all fit into one part, so that
    # the count does not depend on the load.
    Run.__init__.__defaults__ = (*Run.__init__.__defaults__[:-1], lambda: 0.0)
    screen = protect.app()
    base = control(screen, "Rounding base b")
    ask(base, 5)
    steps = []
    for value in BASES:
        steps.append(count(lambda value=value: ask(base, value)))
        assert base.value == value
    for value, calls in zip(BASES, steps, strict=True):
        modules = {module for module, _, _ in calls}
        print(f"base {value}: {calls.total():,} calls, {len(modules)} modules")
    print(f"median: {statistics.median(calls.total() for calls in steps):,.0f} calls")
    print("\nCalls of the last step, by function:")
    for (module, name, line), number in steps[-1].most_common(options.functions):
        print(f"{number:6,}  {module}:{line} {name}")
    by_module: Counter[str] = Counter()
    for (module, _, _), number in steps[-1].items():
        by_module[module] += number
    print("\nCalls of the last step, by module:")
    for module, number in by_module.most_common():
        print(f"{number:6,}  {module}")


if __name__ == "__main__":
    main()
