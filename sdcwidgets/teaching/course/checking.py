"""Check the goals of a course in a separate process of low priority.

`python -m sdcwidgets.teaching.course.checking` reads one line of JSON per request and answers with one line.
The process ends with the process that started it. `sdcwidgets.server.checker` starts and ends the process.
"""

from __future__ import annotations

import json
import math
import os
import queue
import sys
import threading
from contextlib import suppress
from importlib import import_module

from sdcwidgets._util.errors import InputError
from sdcwidgets.teaching.course.course import Opening

#: Maximum number of bytes that the process may allocate.
MEMORY = 1 << 30


def answer(line: str) -> dict[str, object]:
    """Return the reply to a line: quantities and setting, or the problem.

    Examples
    --------
    >>> answer('{"page": "attack", "start": "", "state": "x"}')
    {'problem': 'This link is damaged; copy it again from the original page.'}
    """
    from sdcwidgets.teaching.course.quantities import quantities, setting

    try:
        request = json.loads(line)
        opening = Opening(request["page"], request["state"])
        measured = quantities(opening, Opening(request["page"], request["start"]))
        values = {name: value for name, value in measured.items() if math.isfinite(value)}
        return {"values": values, "setting": setting(opening)}
    except InputError as error:
        return {"problem": str(error)[:300]}
    except Exception:
        return {"problem": "The solution could not be checked."}


def main() -> None:
    """Answer all lines of standard input."""
    with suppress(OSError, AttributeError):
        os.nice(10)
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    # Solvers print to standard output, so it is redirected; replies use a duplicate.
    output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    lines: queue.Queue[str] = queue.Queue()

    def read() -> None:
        for line in sys.stdin:
            lines.put(line)
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    import_module("sdcwidgets.teaching.course.quantities")
    output.write("\n")
    output.flush()
    while True:
        output.write(json.dumps(answer(lines.get())) + "\n")
        output.flush()


if __name__ == "__main__":
    main()
