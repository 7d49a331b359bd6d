"""Things have the names of the field: none of those that they had before is back."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.processes import ROOT

LINES = Path(__file__).with_name("former_names.txt").read_text("utf-8").splitlines()
ROWS = [line.split(" -> ") for line in LINES if not line.startswith("#")]


def defined(path: Path) -> Iterator[str]:
    """The names at the top of a module."""
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (
                each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)
            )


def test_no_module_has_the_name_that_it_had() -> None:
    moved = [(was, now) for was, now in ROWS if ":" not in was]
    assert [was for was, _ in moved if (ROOT / was).exists()] == []
    assert [now for _, now in moved if not (ROOT / now).exists()] == []


def test_nothing_in_a_module_has_the_name_that_it_had() -> None:
    back, lost = [], []
    for row, now in ROWS:
        path, _, was = row.partition(": ")
        if was:
            names = set(defined(ROOT / path))
            back += [row] if was in names else []
            lost += [row] if now not in names else []
    assert (back, lost) == ([], [])
