"""The guide for contributors has a row for each folder, and all that it names exists."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.processes import ROOT

GUIDE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
ROOTS = ("pbem", "games", "docs", "templates", "tests", "deploy")
NAMED = re.compile(r"`([\w./*<>-]+)`")


def rows() -> Iterator[tuple[str, list[str]]]:
    """What is looked for, and the paths that its row names."""
    for line in GUIDE.splitlines():
        if line.count("|") == 3 and not line.startswith(("| ---", "| what", "| word")):
            _, what, where, _ = line.split("|")
            yield what.strip(), NAMED.findall(where)


ROWS = list(rows())


def missing(paths: list[str]) -> Iterator[str]:
    """Those that are nowhere: neither as they are written, nor in or below a folder that stands before them."""
    folders = [ROOT]
    for path in paths:
        whole = ROOT / path
        if path.split("/")[0] in ROOTS:
            if "*" not in path and "<" not in path and not whole.exists():
                yield path
            folders += [whole, whole.parent] if whole.is_dir() else [whole.parent]
        elif (
            path.endswith((".py", ".txt", ".md"))
            and "*" not in path
            and not any((folder / path).exists() for folder in folders)
        ):
            yield path


@pytest.mark.parametrize(("what", "paths"), ROWS, ids=[what for what, _ in ROWS])
def test_what_the_guide_names_is_there(what: str, paths: list[str]) -> None:
    assert list(missing(paths)) == []


def test_each_folder_has_a_row() -> None:
    """Either the folder itself, or folders in it."""
    named = [path for _, paths in ROWS for path in paths]
    folders = sorted(module.parent.name for module in ROOT.joinpath("pbem").glob("*/__init__.py"))
    assert [name for name in folders if not any(path.startswith(f"pbem/{name}/") for path in named)] == []


@pytest.mark.parametrize(
    ("what", "where"),
    [
        ("DMARC", "pbem/mail/authentication/"),
        ("bounces", "pbem/outbox/delivery/"),
        ("Your turn", "parts.txt"),
        ("the flag falls", "time_forfeits.py"),
        ("rate limits", "pbem/inbox/rate_limits/"),
    ],
)
def test_what_a_newcomer_looks_for_is_one_step_away(what: str, where: str) -> None:
    assert any(where in line for line in GUIDE.splitlines() if line.startswith("|") and what in line)
