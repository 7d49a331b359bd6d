"""Celery's command line as our processes use it."""

from __future__ import annotations

import subprocess
import sys

LOADED = """
import runpy, sys
sys.argv = ["celery", "--version"]
try:
    runpy.run_module({!r}, run_name="__main__")
except SystemExit as ended:
    assert not ended.code
print("prompt_toolkit" in sys.modules)
"""


def said(module: str) -> list[str]:
    program = [sys.executable, "-c", LOADED.format(module)]
    return subprocess.run(program, capture_output=True, text=True, check=True).stdout.split()


def test_no_process_of_ours_has_the_library_of_an_interactive_prompt() -> None:
    assert said("celery")[-1] == "True", "then nothing need be done any more"
    *version, loaded = said("pbem.celery_command")
    assert version, "it is Celery's own command line"
    assert loaded == "False"
