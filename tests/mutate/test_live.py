"""That a mutation gets into a module that is loaded, or into one that is about to be."""

from __future__ import annotations

import ast
import importlib
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.mutate import fresh
from tests.mutate.kinds import mutations
from tests.mutate.live import NotWhileLoaded, change, functions_of

SOURCE = """
from __future__ import annotations

from functools import cache

LIMIT = 3
TWICE = LIMIT + LIMIT
def within(a):
    return a < LIMIT
@cache
def kept(a):
    return (lambda b: b <= a)(2)
class Thing:
    more: int = 1
    def over(self, a):
        return a > TWICE
def less(a, most=7):
    return a - most
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    (tmp_path / "there_to_be_mutated.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "there_to_be_mutated", raising=False)
    return importlib.import_module("there_to_be_mutated")


def mutate(module: ModuleType, kind: str, number: int = 0) -> None:
    change(module, functions_of(module), [m for m in mutations(SOURCE) if m.kind == kind][number].tree)


@pytest.mark.prove
def test_the_code_of_a_function(module: ModuleType) -> None:
    within = module.within
    assert not within(3)
    mutate(module, "< is <=")
    assert within(3)


def test_one_inside_of_another_behind_a_decorator(module: ModuleType) -> None:
    mutate(module, "<= is <")
    assert not module.kept(2)


def test_a_method(module: ModuleType) -> None:
    thing = module.Thing()
    mutate(module, "> is >=")
    assert thing.over(6)


@pytest.mark.prove
def test_a_value_and_what_is_made_of_it(module: ModuleType) -> None:
    mutate(module, "a number is one more")
    assert (module.LIMIT, module.TWICE) == (4, 8)
    assert module.within(3)
    assert not module.Thing().over(8)


@pytest.mark.parametrize("what", ["more: int = 1", "most=7"])
def test_what_was_made_of_it_long_ago_needs_a_new_process(module: ModuleType, what: str) -> None:
    after = ast.parse(SOURCE.replace(what, f"{what}0"))
    with pytest.raises(NotWhileLoaded):
        change(module, functions_of(module), after)


def test_a_module_is_imported_from_another_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "there_to_be_replaced.py").write_text("VALUE = 1")
    (tmp_path / "instead.py").write_text("VALUE = 2")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv(fresh.NAME, "there_to_be_replaced")
    monkeypatch.setenv(fresh.FILE, str(tmp_path / "instead.py"))
    assert importlib.import_module("there_to_be_replaced").VALUE == 2
