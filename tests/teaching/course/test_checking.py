import os
import subprocess
import sys

import psutil
import pytest

from sdcwidgets.teaching.course import checking


@pytest.mark.parametrize("line", ["", "[]", "{}", '{"page": 3, "state": "", "start": ""}', '{"page": "who"}'])
def test_a_bad_question_is_answered(line):
    assert "problem" in checking.answer(line)


@pytest.mark.skipif(not hasattr(os, "nice"), reason="Windows has no nice values")
def test_the_process_gives_way_to_participants():
    own = psutil.Process().nice()
    command = [sys.executable, "-m", checking.__name__]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "\n"
        assert psutil.Process(process.pid).nice() == min(own + 10, 19)
        process.stdin.write("{}\n")
        process.stdin.flush()
        assert "problem" in process.stdout.readline()
        process.stdin.close()
