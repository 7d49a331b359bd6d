"""`python -m tests.bench [SUBJECT ...] [--quick]`: measures, and prints a table for each subject."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping, Sequence

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from tests.bench.alone import alone
from tests.bench.backlog import backlog
from tests.bench.clock import Effort
from tests.bench.counts import counts
from tests.bench.door import door
from tests.bench.figures import Row, table
from tests.bench.floor import floor
from tests.bench.growth import growth
from tests.bench.letters import letters, reading
from tests.bench.mailman import mailman
from tests.bench.million import million
from tests.bench.pictures import pictures
from tests.bench.public import public
from tests.bench.requesters import requesters
from tests.bench.robots import robots
from tests.bench.rules import rules
from tests.bench.season import season
from tests.bench.steady import steady
from tests.bench.storage import storage
from tests.bench.thinking import thinking
from tests.bench.whole import embedded, split, whole
from tests.bench.words import words
from tests.bench.workers import workers

SUBJECTS: Mapping[str, Callable[[Effort], Iterator[Row]]] = {
    "pictures": pictures,
    "words": words,
    "rules": rules,
    "robots": robots,
    "reading": reading,
    "letters": letters,
    "door": door,
    "floor": floor,
    "alone": alone,
    "embedded": embedded,
    "split": split,
    "whole": whole,
    "workers": workers,
    "steady": steady,
    "mailman": mailman,
    "thinking": thinking,
    "requesters": requesters,
    "growth": growth,
    "million": million,
    "site": public,
    "storage": storage,
    "season": season,
    "backlog": backlog,
    "perft": counts,
}
WIDTH = 140  # columns, where nobody says how many there are: the tables are wide
ASKED_FOR = {
    "alone",
    "backlog",
    "mailman",
    "million",
    "perft",
    "season",
    "site",
    "steady",
    "storage",
    "whole",
    "workers",
}  # take minutes


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit status: 0, whether the targets are met or not; what cannot be measured raises."""
    options = _parser().parse_args(arguments)
    chosen = options.subjects or [name for name in SUBJECTS if name not in ASKED_FOR]
    console = Console(width=max(WIDTH, Console().width))
    columns = SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=len(chosen))
        for name in chosen:
            effort = Effort(
                options.quick,
                lambda what, name=name: progress.update(task, description=f"{name}: {what}"),
                against=options.against,
                rounds=1 if options.quick else options.rounds,
            )
            progress.console.print(table(name, SUBJECTS[name](effort)))
            progress.advance(task)
    return 0


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="make bench ARGS=...", description="Every figure beside its peer or ceiling."
    )
    listed = ", ".join(SUBJECTS)
    parser.add_argument("subjects", nargs="*", choices=SUBJECTS, metavar="SUBJECT", help=f"of {listed}")
    parser.add_argument("--quick", action="store_true", help="see that everything runs; figures are rough")
    parser.add_argument(
        "--against",
        metavar="COMMIT",
        default="",
        help="alone, embedded, split, whole: the same at this commit",
    )
    parser.add_argument("--rounds", type=int, default=3, help="of these, new and old in turn (default 3)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
