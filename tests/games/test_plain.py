"""The tests of a game need neither Django nor a browser."""

import subprocess
import sys
from pathlib import Path

ALONE = """
import sys
from functools import partial
from importlib.machinery import PathFinder
find, absent = PathFinder.find_spec, {"django", "pytest_django", "celery", "redis", "playwright", "pbem"}
PathFinder.find_spec = partial(lambda name, *more: None if name.split(".")[0] in absent else find(name, *more))
import pytest
sys.exit(pytest.main([*"-p no:django -p no:playwright -p no:xdist".split(), "tests/games/zertz/test_notation.py"]))
"""


def test_a_game_is_tested_without_the_service() -> None:
    root = Path(__file__).parents[2]
    ran = subprocess.run([sys.executable, "-c", ALONE], cwd=root, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout
    assert "passed" in ran.stdout
