"""`python -m tests.fuzz.costly --seconds 60`: looks for letters that take long to read, each grown from a slower one.

A line is made of what people say, said again, and lines of each other. The slowest are kept; one that takes longer than
free wording may is left in var/fuzz, and the command fails.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from time import monotonic, thread_time

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()

from games.protocol import LANGUAGES  # noqa: E402
from games.registry import names  # noqa: E402
from pbem import budget  # noqa: E402
from pbem.inbox.commands.verbs import VERBS_OF  # noqa: E402
from pbem.wording import Wording, wording  # noqa: E402
from tests.boards import Board, read_on  # noqa: E402

FOUND = Path("var/fuzz")
KEPT = 40  # letters
LONGEST_LINE, MOST_LINES = 400, 12
WORDINGS = ("pbem.inbox.commands", "pbem.inbox.commands.account", "pbem.inbox.commands.messages")
SIGNS = (
    " ",
    ", ",
    ". ",
    "! ",
    "? ",
    " - ",
    ": ",
    "; ",
    "\n",
    "b8-b6 ",
    "a1 ",
    "h3 ",
    "12 ",
    "#3 ",
    "'",
    '"',
    "(",
    ":-) ",
    "😀",
    "a@b.de ",
)

Lines = tuple[str, ...]


def pieces() -> list[str]:
    """All words of the tables, the verbs, and what stands between words."""
    said = {phrase for package in WORDINGS for phrase in _phrases(wording(package))}
    return sorted({*(f"{each} " for each in said), *(f"{verb.upper()} " for verb in VERBS_OF), *SIGNS})


def _phrases(of: Wording) -> Iterator[str]:
    stack = list(of.tables.values())
    while stack:
        match stack.pop():
            case Mapping() as table:
                stack.extend(table.values())
            case list() as listed:
                yield from (each for each in listed if isinstance(each, str))


def grown(lines: Lines, others: list[Lines], said: list[str], random: Random) -> Lines:
    """The letter with one thing more, less, or again."""
    at = random.randrange(len(lines))
    line = lines[at]
    middle = random.randint(0, len(line))
    ways: tuple[Callable[[], str], ...] = (
        lambda: line[:middle] + random.choice(said) + line[middle:],
        lambda: line[:middle] + random.choice(said) * random.choice((2, 5, 20, 60)),
        lambda: line[:middle] + line[random.randint(0, len(line)) :],
        lambda: line + line,
        lambda: line[:middle] + random.choice(random.choice(others)),
        lambda: line[:middle] + "xq",
    )
    changed = random.choice(ways)()[:LONGEST_LINE]
    if random.random() < 0.1:
        return (*lines, changed)[-MOST_LINES:]
    return (*lines[:at], changed, *lines[at + 1 :])


def seconds_of(lines: Lines, board: Board | None, language: str) -> float:
    head = "From: Alice <alice@example.net>\nTo: play@pbem.example\nContent-Type: text/plain; charset=utf-8\n"
    raw = (head + "\n" + "\n".join(lines) + "\n").encode()
    begun = thread_time()
    read_on(board, raw, language=language, sent="> " if board else None, own_domain="pbem.example")
    return thread_time() - begun


def search(seconds: float, seed: int) -> int:
    random, said, tried = Random(seed), pieces(), 0
    boards = [
        (None, "en"),
        *((Board.of(name, language), language) for name in names() for language in LANGUAGES),
    ]
    slowest: list[tuple[float, Lines]] = [(0.0, (piece,)) for piece in random.sample(said, KEPT)]
    for board, language in boards:
        seconds_of(("I would like to play with Bruno",), board, language)  # patterns are compiled
    ends = monotonic() + seconds
    while monotonic() < ends:
        letter = grown(random.choice(slowest)[1], [each for _, each in slowest], said, random)
        board, language = random.choice(boards)
        took, tried = seconds_of(letter, board, language), tried + 1
        if took > slowest[-1][0]:
            took = min(took, seconds_of(letter, board, language))
            slowest = sorted({*slowest, (took, letter)}, key=lambda each: -each[0])[:KEPT]
        if took >= budget.WORDING:
            FOUND.mkdir(parents=True, exist_ok=True)
            (FOUND / "costly.txt").write_text("\n".join(letter), "utf-8")
            print(f"{took:.2f} s: {FOUND / 'costly.txt'}")
            return 1
    print(f"{tried:,} letters grown, slowest {1000 * slowest[0][0]:.0f} ms: {slowest[0][1][0][:80]!r}")
    return 0


if __name__ == "__main__":
    parser = ArgumentParser(prog="python -m tests.fuzz.costly", description=__doc__)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--seed", type=int, default=0)
    sys.exit(search(**vars(parser.parse_args())))
