"""Messages of wrong calls of the public interface, compared with a recorded file.

`test_wrong_calls.py` says what each message must contain. After an intended change, `pytest --renew-snapshots
tests/test_recorded_messages.py` writes the file anew, and its differences are read before a commit.
"""

import json
import re
from pathlib import Path

from recording import is_equal_text
from test_wrong_calls import CALLS

from sdcwidgets import InputError

#: A random number in a message.
RANDOM = re.compile(r"\d\.\d{2,}")

FILE = Path(__file__).parent / "recorded_messages.json"


def message(call):
    """Return the message of a wrong call, "" for a call that is accepted."""
    try:
        call()
    except InputError as error:
        return RANDOM.sub("…", str(error))
    return ""


def test_messages_are_recorded(pytestconfig):
    messages = {name: message(call) for name, call in CALLS.items()}
    if pytestconfig.getoption("--renew-snapshots"):
        FILE.write_text(json.dumps(messages, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        return
    known = json.loads(FILE.read_text("utf-8"))
    assert known.keys() == messages.keys()
    assert [
        pair for pair in zip(known.values(), messages.values(), strict=True) if not is_equal_text(*pair)
    ] == []
