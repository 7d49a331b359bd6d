"""The whole of it over a small module: what is found, what survives, what nobody comes by."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import PATIENCE, ROOT

SOURCE = """
LIMIT = 3
def within(a):
    return a < LIMIT
def over(a, b):
    return a > b
def never(a):
    return a + 1
"""
TESTS = """
from mutated_for_a_test import over, within
def test_within():
    assert within(2) and not within(3)
def test_over():
    assert over(2, 1) and not over(1, 2)
"""


@pytest.mark.prove
def test_what_no_test_finds_is_named(tmp_path: Path) -> None:
    module, tests = tmp_path / "mutated_for_a_test.py", tmp_path / "test_it.py"
    module.write_text(SOURCE)
    tests.write_text(TESTS)
    command = [sys.executable, "-m", "tests.mutate", str(module), "--tests", str(tests)]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=2 * PATIENCE, check=False
    )
    found = [line.strip() for line in done.stdout.splitlines() if line.startswith("  ")]
    assert done.returncode == 1, done.stdout + done.stderr
    assert set(found) == {
        "line 6: > is >= (1 tests): return a > b",
        "line 8: + is - (0 tests): return a + 1",
        "line 8: a number is one more (0 tests): return a + 1",
        "line 8: return is return None (0 tests): return a + 1",
    }
    assert done.stdout.splitlines()[-1] == "mutated_for_a_test: 8 mutations, 4 killed, 4 survived"
