"""AWAY with a calendar file in the same letter: the file says when."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from pbem.inbox.commands.absence.grammar import Absences, Away
from pbem.inbox.commands.command import Command
from pbem.inbox.commands.dates import Day
from pbem.mail.parsing.appointments import days_off

MOST = 3


def with_files(commands: Sequence[Command], files: Iterable[str]) -> tuple[Command, ...]:
    """In the place of a bare AWAY one for each of the absences in the `files`, as if they had been typed."""
    if not any(isinstance(command, Absences) for command in commands):
        return tuple(commands)
    found = dict.fromkeys(days for file in files for days in days_off(file))
    away = [_away(*days) for days in sorted(found)[:MOST]]
    return tuple(_replaced(commands, away)) if away else tuple(commands)


def _replaced(commands: Sequence[Command], away: Sequence[Command]) -> Iterator[Command]:
    for command in commands:
        if isinstance(command, Absences):
            yield from away
        else:
            yield command


def _away(first: date, last: date) -> Away:
    begin, end = (Day(day.day, day.month, day.year) for day in (first, last))
    return Away(begin, end, line=f"AWAY {first} TO {last}")
