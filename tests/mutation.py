"""Faults that mutmut puts into the functions of a module, and that none of its tests finds.

`make mutate ARGS=pbem/inbox/consent.py`. The tests of a module are those that import it, those named after it, and
others that are named: `ARGS='pbem/inbox/consent.py tests/journeys/test_by_mail_consent.py'`. Names of mutants
leave out all others: `pbem.inbox.consent.x_read*`. mutmut leaves constants and decorated functions as they are.
"""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "var" / "mutmut"  # everything of ours is linked there, but for the settings
TABLE = "[tool.mutmut]\n"


def main(*arguments: str) -> int:
    """The exit status: 1 if a fault survived."""
    named = [each for each in arguments if each.startswith("tests/")]
    modules = [each for each in arguments if each.endswith(".py") and each not in named]
    mutants = [each for each in arguments if each not in (*named, *modules)]
    tests = dict.fromkeys([*(test for module in modules for test in tests_of(module)), *named])
    lay_out(modules, list(tests))
    print("tests:", *tests)
    if ended := _mutmut("run", *mutants).returncode:
        return ended
    found = _mutmut("results", capture_output=True).stdout.splitlines()
    survivors = [line.split(":")[0].strip() for line in found if line.endswith(": survived")]
    for mutant in survivors:
        _mutmut("show", mutant)
    untested = sorted(
        {line.partition("__mutmut_")[0].strip() for line in found if line.endswith(": no tests")}
    )
    print(f"{len(survivors)} survived; no test comes by {', '.join(untested) or 'none'}")
    return int(bool(survivors))


def tests_of(module: str) -> Iterator[str]:
    """The files of tests that import the module, or mirror it."""
    path = Path(module)
    dotted = ".".join(path.with_suffix("").parts)
    mirrors = set(Path(ROOT, "tests", path.parent).glob(f"test_{path.stem}*.py"))
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        if file in mirrors or dotted in imported(file.read_text("utf-8")):
            yield str(file.relative_to(ROOT))


def imported(source: str) -> set[str]:
    """Modules, and what is taken out of them, dotted."""
    names = set[str]()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.update((node.module, *(f"{node.module}.{alias.name}" for alias in node.names)))
    return names


def lay_out(modules: Sequence[str], tests: Sequence[str]) -> None:
    """Makes a new folder for mutmut: in an old one it would not run new tests."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    for path in subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True).splitlines():
        link = FOLDER / path.partition("/")[0]
        if not link.is_symlink():
            link.symlink_to(ROOT / link.name)
    settings = FOLDER / "pyproject.toml"
    settings.unlink()
    chosen = {"only_mutate": modules, "pytest_add_cli_args_test_selection": tests}
    lines = "".join(f"{name} = {json.dumps(value)}\n" for name, value in chosen.items())
    settings.write_text((ROOT / "pyproject.toml").read_text("utf-8").replace(TABLE, TABLE + lines), "utf-8")


def _mutmut(*arguments: str, capture_output: bool = False) -> subprocess.CompletedProcess[str]:
    """Runs the mutmut that lies beside this Python."""
    command = [str(Path(sys.executable).with_name("mutmut")), *arguments]
    sys.stdout.flush()
    return subprocess.run(command, cwd=FOLDER, check=False, text=True, capture_output=capture_output)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
