"""The moves of a match with their dates: who played what, when, and how long it took."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.translation import gettext, ngettext

from games.move_numbers import mark
from games.protocol import Notation
from pbem.matches.models import Match


@dataclass(frozen=True)
class Played:
    """A turn; `mark` is its number, `took` since the turn before it, None for a pass that the rules forced."""

    mark: str
    player: str
    move: str
    at: datetime
    took: timedelta | None


def history(match: Match, ply: int, notation: Notation) -> Iterator[Played]:
    """The first `ply` turns, as the reader writes them."""
    forced, before, since = str(match.game.forced_pass), match.start_position(), match.started_at
    for turn in match.live_turns().filter(ply__lt=ply):
        written = match.game.write(before, match.game.move(turn.move), notation)
        took = None if turn.move == forced or since is None else max(turn.played_at - since, timedelta())
        yield Played(mark(turn.ply), match.players[turn.side], written, turn.played_at, took)
        before, since = match.at(turn.position), turn.played_at


def length(time: timedelta) -> str:
    """The two largest units: 2 days 3 hours, 40 minutes."""
    minutes, hours = int(time.total_seconds()) // 60 % 60, int(time.total_seconds()) // 3600 % 24
    parts = (
        ngettext("%(number)s day", "%(number)s days", time.days) % {"number": time.days} if time.days else "",
        ngettext("%(number)s hour", "%(number)s hours", hours) % {"number": hours} if hours else "",
        ngettext("%(number)s minute", "%(number)s minutes", minutes) % {"number": minutes} if minutes else "",
    )
    return " ".join([part for part in parts if part][:2]) or gettext("less than a minute")
