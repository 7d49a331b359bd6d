"""`python -m tests.mutate [MODULE ...]`: prints the mutations that no test finds. It takes minutes for a module.

The tests run once; then each mutation is put into a copy of that process, which runs the tests that come by its
lines, the one that has found most first. Programs that tests start as processes of their own run without it.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from types import ModuleType

import pytest

from tests.mutate import fresh
from tests.mutate.kinds import Mutation, mutations
from tests.mutate.loop import Loop
from tests.processes import ROOT

PATIENCE = 600.0  # seconds for a mutation that needs a process of its own
# What is mutated, and the tests that mirror it.
CLOCK = ("tests/pbem/matches/time", "tests/pbem/players/test_calendar.py", "tests/pbem/inbox/test_barrier.py")
OUTBOX = (
    "tests/pbem/outbox/test_services.py",
    "tests/pbem/outbox/sending",
    "tests/pbem/inbox/test_fairness.py",
)
INBOX = (
    "tests/pbem/inbox/test_services.py",
    "tests/pbem/inbox/test_fairness.py",
    "tests/pbem/inbox/test_shunt.py",
)
QUEUE = ("tests/pbem/queue", "tests/pbem/inbox/test_services.py", "tests/pbem/outbox/test_services.py")
MIRRORS: Mapping[str, Sequence[str]] = {
    "pbem/mail/authentication": ("tests/pbem/inbox/belief",),
    "pbem/matches/clock": CLOCK,
    "pbem/players/calendar.py": CLOCK,
    "pbem/inbox/services.py": INBOX,
    "pbem/inbox/shunt.py": INBOX,
    "pbem/outbox/sending.py": OUTBOX,
    "pbem/outbox/delivery": OUTBOX,
    "pbem/queue": QUEUE,
}


def main() -> int:
    """The exit status: 1 if a mutation survived or tests fail without one."""
    asked = _asked()
    worst = 0
    for tests, modules in groupby(asked.modules or _modules(), key=_tests):
        worst = max(worst, _try_all(list(modules), asked.tests or tests, asked))
    return worst


def _asked() -> Namespace:
    parser = ArgumentParser(prog="make mutate", description="Faults that no test finds.")
    parser.add_argument(
        "modules", nargs="*", type=Path, help="of identity, clock and queue; all, if none is named"
    )
    parser.add_argument("--tests", nargs="+", help="instead of those that mirror the modules")
    parser.add_argument("--most", type=int, help="mutations of a module; drawn by --seed if there are more")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lines", nargs="+", type=int, help="mutations of these lines alone")
    parser.add_argument("--without", nargs="+", default=[], help="tests that are left out")
    parser.add_argument(
        "--longest", type=float, default=60, help="seconds that a test may take, else it is left out"
    )
    return parser.parse_args()


def _modules() -> Iterator[Path]:
    for mirrored in MIRRORS:
        found = Path(ROOT, mirrored)
        for path in sorted(found.glob("*.py")) if found.is_dir() else [found]:
            if path.name != "__init__.py":
                yield path.relative_to(ROOT)


def _tests(module: Path) -> Sequence[str]:
    return next((tests for mirrored, tests in MIRRORS.items() if module.is_relative_to(mirrored)), ())


def _try_all(modules: Sequence[Path], tests: Sequence[str], asked: Namespace) -> int:
    """In a process of its own, for what is loaded once stays."""
    mutants = {str(ROOT / module): _drawn(module, asked) for module in modules}
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        out = os.fdopen(os.dup(1), "w")
        loop = Loop(mutants, _is_killed_afresh, out, asked.longest)
        options = ("-q", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning")
        without = (f"--deselect={test}" for test in asked.without)
        pytest.main([*options, *without, *tests], plugins=[loop])
        os._exit(2)  # for the loop has not ended it
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def _drawn(module: Path, asked: Namespace) -> list[Mutation]:
    made = list(mutations((ROOT / module).read_text()))
    if asked.lines:
        made = [each for each in made if each.lines.start in asked.lines]
    if asked.most is None or len(made) <= asked.most:
        return made
    print(f"{module}: {asked.most} of {len(made)} mutations, drawn by seed {asked.seed}")
    kept = sorted(random.Random(asked.seed).sample(range(len(made)), asked.most))
    return [made[place] for place in kept]


def _is_killed_afresh(module: ModuleType, mutation: Mutation, tests: Sequence[str]) -> bool:
    """By tests of a new process, which imports the module with it."""
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(mutation.source)
        file.flush()
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", fresh.__name__]
        env = {**os.environ, fresh.NAME: module.__name__, fresh.FILE: file.name}
        try:
            done = subprocess.run(
                [*command, *tests], cwd=ROOT, env=env, capture_output=True, timeout=PATIENCE, check=False
            )
        except subprocess.TimeoutExpired:
            return True
    return done.returncode != 0


if __name__ == "__main__":
    sys.exit(main())
