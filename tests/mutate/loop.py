"""Instead of running the tests once, runs those that come by a mutation, in a copy of the process for each."""

from __future__ import annotations

import ast
import gc
import os
import signal
import sys
import threading
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from time import process_time
from types import FrameType, ModuleType
from typing import Any, TextIO

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import Phase, settings

from tests.mutate.kinds import Mutation
from tests.mutate.live import NotWhileLoaded, change, functions_of

PATIENCE = 5.0  # times as long as a test takes where nothing is wrong, and some seconds more
SECONDS = 10.0
BUSY = 4  # times as long by the clock on the wall, for others compute as well

Line = tuple[str, int]


@dataclass
class Tally:
    mutants: int = 0
    killed: int = 0
    survived: int = 0


class Loop:
    """A plugin of pytest. `mutants` are those of each module, by its file; `fresh` tries one in a new process."""

    def __init__(
        self, mutants: Mapping[str, Sequence[Mutation]], fresh: Any, out: TextIO, longest: float
    ) -> None:
        self._mutants, self._fresh, self._out, self._longest = mutants, fresh, out, longest
        self._lines: dict[Line, set[pytest.Item]] = defaultdict(set)
        self._seconds: dict[pytest.Item, float] = {}
        self._killers: Counter[pytest.Item] = Counter()
        self._trusted: set[pytest.Item] = set()
        self.tallies: dict[str, Tally] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            raise session.Interrupted("tests cannot be collected")
        items = [item for item in session.items if not item.get_closest_marker("skip")]
        self._run_once(items)
        self._say(f"{len(items)} tests pass, in {sum(self._seconds.values()):.0f} s of computing")
        loaded = {
            str(module.__file__): module
            for module in list(sys.modules.values())
            if hasattr(module, "__file__")
        }
        for file, mutants in self._mutants.items():
            self._try_all(loaded[file], mutants)
        # Nothing of this is to be put away: what was not run by these tests is no business of theirs.
        os._exit(int(any(tally.survived for tally in self.tallies.values())))

    def _run_once(self, items: Sequence[pytest.Item]) -> None:
        """Notes who comes by which line, and leaves everything warm."""
        for number, item in enumerate(items):
            _shrinks_not(item)
            begun = process_time()
            with self._traced(item):
                reports = runtestprotocol(item, log=False, nextitem=_another(items, number))
            self._seconds[item] = process_time() - begun
            if any(report.failed for report in reports):
                self._say(f"{item.nodeid} fails where nothing is wrong")
                os._exit(1)
        long = [item for item in items if self._seconds[item] > self._longest]
        if long:
            self._say(f"left out, for they take long: {', '.join(item.name for item in long)}")
        for item in long:
            for those in self._lines.values():
                those.discard(item)

    @contextmanager
    def _traced(self, item: pytest.Item) -> Iterator[None]:
        files, lines = self._mutants, self._lines

        def trace(frame: FrameType, event: str, _arg: object) -> Any:
            if (file := frame.f_code.co_filename) not in files:
                return None
            lines[file, frame.f_lineno].add(item)
            return trace

        threading.settrace(trace)
        sys.settrace(trace)
        try:
            yield
        finally:
            sys.settrace(None)
            threading.settrace(None)  # type: ignore[arg-type]

    def _try_all(self, module: ModuleType, mutants: Sequence[Mutation]) -> None:
        file = str(module.__file__)
        with open(file) as source:
            lines = source.read().splitlines()
        functions = functions_of(module)
        gc.freeze()
        tally = self.tallies[file] = Tally(len(mutants))
        everybody = {item for (where, _), items in self._lines.items() if where == file for item in items}
        for mutation in mutants:
            items = self._those_by(file, mutation) or (set() if _in_function(mutation) else everybody)
            order = sorted(items, key=lambda item: (-self._killers[item], self._seconds[item]))
            killer = self._killer(order, module, functions, mutation)
            if killer is None:
                tally.survived += 1
                said = lines[mutation.lines.start - 1].strip()
                self._say(f"  {mutation} ({len(order)} tests): {said}")
            else:
                tally.killed += 1
        self._say(
            f"{module.__name__}: {tally.mutants} mutations, {tally.killed} killed, {tally.survived} survived"
        )

    def _those_by(self, file: str, mutation: Mutation) -> set[pytest.Item]:
        return {item for line in mutation.lines for item in self._lines.get((file, line), ())}

    def _killer(
        self, order: Sequence[pytest.Item], module: ModuleType, functions: Any, mutation: Mutation
    ) -> pytest.Item | str | None:
        killer = self._forked(order, lambda: change(module, functions, mutation.tree))
        if killer == "fresh":
            return "fresh" if self._fresh(module, mutation, [item.nodeid for item in order]) else None
        if isinstance(killer, pytest.Item):
            self._killers[killer] += 1
            if killer not in self._trusted:
                if self._forked([killer], lambda: None) is not None:
                    self._say(
                        f"{killer.nodeid} fails in a copy of the process where nothing is wrong: left out"
                    )
                    for those in self._lines.values():
                        those.discard(killer)
                    return self._killer(
                        [item for item in order if item is not killer], module, functions, mutation
                    )
                self._trusted.add(killer)
        return killer

    def _forked(self, order: Sequence[pytest.Item], before: Any) -> pytest.Item | str | None:
        """Which test failed, or how it ended else; None if all is well."""
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            self._child(order, before, writing)
        os.close(writing)
        with os.fdopen(reading, "rb") as told:
            said = told.read().decode().split()
        _, status = os.waitpid(child, 0)
        if said and said[-1] == "fresh":
            return "fresh"
        if status == 0:
            return None
        return order[int(said[-1])] if said else "at once"

    def _child(self, order: Sequence[pytest.Item], before: Any, writing: int) -> None:
        status = 1
        try:
            nowhere = os.open(os.devnull, os.O_RDWR)
            for number in (0, 1, 2):
                os.dup2(nowhere, number)
            before()
            for number, item in enumerate(order):
                os.write(writing, b"%d " % number)
                limit = PATIENCE * self._seconds[item] + SECONDS
                signal.setitimer(signal.ITIMER_PROF, limit)
                signal.setitimer(signal.ITIMER_REAL, BUSY * limit)
                reports = runtestprotocol(item, log=False, nextitem=_another(order, number))
                if any(report.failed for report in reports):
                    return
            status = 0
        except NotWhileLoaded:
            os.write(writing, b"fresh")
        finally:
            os._exit(status)

    def _say(self, text: str) -> None:
        print(text, file=self._out, flush=True)


def _another(items: Sequence[pytest.Item], number: int) -> pytest.Item | None:
    """So that what is there for a whole session stays."""
    return items[(number + 1) % len(items)] if len(items) > 1 else None


def _in_function(mutation: Mutation) -> bool:
    """Else it is something that happens once, when the module is imported: all who use the module may notice."""
    functions = (each for each in ast.walk(mutation.tree) if isinstance(each, ast.FunctionDef))
    return any(each.body[0].lineno <= mutation.lines.start <= (each.end_lineno or 0) for each in functions)


def _shrinks_not(item: pytest.Item) -> None:
    """That an example fails is all that is asked."""
    test = getattr(item, "obj", None)
    if hasattr(test, "hypothesis"):
        given = getattr(test, "_hypothesis_internal_use_settings", None) or settings.default
        test._hypothesis_internal_use_settings = settings(  # type: ignore[union-attr]
            given, phases=(Phase.explicit, Phase.generate), database=None
        )
