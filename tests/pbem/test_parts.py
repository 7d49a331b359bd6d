"""What a process is made of: it ends with any of its parts, and does not wait for those that hang."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest

from pbem import parts
from pbem.parts import wait


@pytest.fixture
def lasting() -> threading.Thread:
    thread = threading.Thread(target=threading.Event().wait, name="it lasts", daemon=True)
    thread.start()
    return thread


def test_it_goes_on_while_all_of_them_live(
    lasting: threading.Thread, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "GLANCE", 0.01)
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    wait([lasting], stop)


HUNG = """
import threading
from pbem import parts
parts.GLANCE, parts.PATIENCE = 0.05, 0.5
def end():
    raise ValueError("why it ended")
thread = threading.Timer(0.3, end)
thread.name = "one of two"
thread.start()
try:
    parts.wait([threading.main_thread(), thread], threading.Event())
finally:
    threading.Event().wait()
"""


def test_one_that_hangs_keeps_no_process_and_the_log_says_why_the_other_ended() -> None:
    done = subprocess.run(
        [sys.executable, "-c", HUNG], stderr=subprocess.PIPE, text=True, timeout=60, check=False
    )
    assert done.returncode == os.EX_SOFTWARE
    assert "one of two has ended" in done.stderr
    assert "ValueError: why it ended" in done.stderr
    assert "so does all of it: one of two" in done.stderr
