"""`python -m tests.mutate [MODULE ...]`: prints the mutations that no test finds. It takes minutes for a module."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from time import monotonic

from tests.mutate.kinds import Mutation, mutations
from tests.processes import ROOT

AT_ONCE = 2
PATIENCE = 5.0  # times as long as the tests take where nothing is wrong
COPIED = (
    "games",
    "pbem",
    "templates",
    "tests",
    "deploy",
    "manage.py",
    "pyproject.toml",
    "README.md",
    "CHANGELOG.md",
)
# What is mutated, and the tests that mirror it.
CLOCK = ("tests/pbem/matches/time", "tests/pbem/players/test_calendar.py", "tests/pbem/inbox/test_barrier.py")
MIRRORS: Mapping[str, Sequence[str]] = {
    "pbem/inbox/belief": ("tests/pbem/inbox/belief",),
    "pbem/matches/time": CLOCK,
    "pbem/players/calendar.py": CLOCK,
    "pbem/inbox/services.py": ("tests/pbem/inbox/test_services.py", "tests/pbem/inbox/test_fairness.py"),
    "pbem/outbox/services.py": ("tests/pbem/outbox/test_services.py", "tests/pbem/outbox/sending"),
}


def main() -> int:
    """The exit status: 1 if a mutation survived."""
    parser = ArgumentParser(prog="make mutate", description="Faults that no test finds.")
    parser.add_argument(
        "modules", nargs="*", type=Path, help="of identity, clock and queue; all, if none is named"
    )
    survivors = 0
    with tempfile.TemporaryDirectory(prefix="pbem-mutate-") as folder:
        copies = [_copy(Path(folder, str(number))) for number in range(AT_ONCE)]
        for module in parser.parse_args().modules or list(_modules()):
            survivors += _try_all(module, copies)
    return int(bool(survivors))


def _modules() -> Iterator[Path]:
    for mirrored in MIRRORS:
        found = Path(ROOT, mirrored)
        for path in sorted(found.glob("*.py")) if found.is_dir() else [found]:
            if path.name != "__init__.py":
                yield path.relative_to(ROOT)


def _try_all(module: Path, copies: Sequence[Path]) -> int:
    """How many survived."""
    tests = next(tests for mirrored, tests in MIRRORS.items() if module.is_relative_to(mirrored))
    source = (ROOT / module).read_text()
    begun = monotonic()
    if not _passes(copies[0], tests, timeout=None):
        sys.exit(f"{module}: its tests fail where nothing is wrong")
    timeout = PATIENCE * (monotonic() - begun) + 10
    free: SimpleQueue[Path] = SimpleQueue()
    for copy in copies:
        free.put(copy)

    tried, lines = list(mutations(source)), source.splitlines()
    print(f"{module}: {len(tried)} mutations, each ended after {timeout:.0f} s", flush=True)

    def survives(mutation: Mutation) -> bool:
        copy = free.get()
        try:
            (copy / module).write_text(mutation.source)
            if survived := _passes(copy, tests, timeout):
                print(f"  {mutation}: {lines[mutation.line - 1].strip()}", flush=True)
            return survived
        finally:
            (copy / module).write_text(source)
            free.put(copy)

    with ThreadPoolExecutor(AT_ONCE) as threads:
        survivors = sum(threads.map(survives, tried))
    print(f"{module}: {survivors} survived", flush=True)
    return survivors


def _copy(folder: Path) -> Path:
    folder.mkdir()
    for name in COPIED:
        original = ROOT / name
        if original.is_dir():
            shutil.copytree(original, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        elif original.exists():
            shutil.copy(original, folder / name)
    return folder


def _passes(copy: Path, tests: Sequence[str], timeout: float | None) -> bool:
    there = [test for test in tests if (copy / test).exists()]
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *there]
    try:
        return (
            subprocess.run(command, cwd=copy, capture_output=True, timeout=timeout, check=False).returncode
            == 0
        )
    except subprocess.TimeoutExpired:
        return False


if __name__ == "__main__":
    sys.exit(main())
