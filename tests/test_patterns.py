"""No regular expression of ours takes long for any text: one that does holds all of the service."""

import json
import re
import signal
import subprocess
import sys

import pytest

from tests import patterns


@pytest.fixture(autouse=True)
def clock():
    before = signal.signal(signal.SIGVTALRM, patterns._stop)
    yield
    signal.signal(signal.SIGVTALRM, before)


@pytest.mark.prove
def test_none_is_slow():
    """In a process of its own: there they are compiled for the first time."""
    command = [sys.executable, "-m", "tests.patterns", "--all"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=patterns.ROOT)
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    assert found["slow"] == []
    assert found["tried"] > 500


@pytest.mark.parametrize(
    "slow",
    [
        r"(?:(?:please|thanks|please)[ ,]+)+$",
        r"(?:(?:no|no no)(?: |$))+",
        r"hi (?:(?:and|then|and then)\s)*(?:x|y)",
        r"(?:[\u2600-\u27bf]+\ufe0f?)+$",
        r"\s*(?:\W*)*,end",
        r"(.+?)\s*[,;]+\s*(?:note|memo)",
    ],
)
def test_what_would_be_slow_is_found(slow, monkeypatch):
    """At the first try: only what a busy machine has made slow is better at another."""
    monkeypatch.setattr(patterns, "TRIES", 1)
    assert patterns.slow(re.compile(slow))


def test_a_pattern_that_reads_in_one_way_is_not():
    assert patterns.slow(re.compile(r"(?:(?:please|thanks)[ ,]++)++$")) is None
