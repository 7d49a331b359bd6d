"""How matches of a game end and how long they last, of the latest ones."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from statistics import median_low

from django.core.cache import cache

from games.move_numbers import moves_of
from games.protocol import Side
from pbem.matches.models import Match

LATEST = 1000  # matches that are looked at: a count of all would take as long as there are matches
FEWEST = 20  # matches: of fewer the figures say nothing, or what one of them was like
KEPT = 3600  # seconds


@dataclass(frozen=True)
class Figures:
    """Of so many matches: the percentages that the first player won and that were drawn, the median of their moves."""

    matches: int
    first: int
    drawn: int
    moves: int


def figures(game_name: str) -> Figures | None:
    """Returns the figures of a game, which are up to an hour old. None when hardly any match is over. One query."""
    found: Figures | None = cache.get_or_set(f"figures:{game_name}", partial(_figures, game_name), KEPT)
    return found


def _figures(game_name: str) -> Figures | None:
    over = Match.objects.filter(status=Match.Status.OVER, game_name=game_name).order_by("-pk")
    rows = [(winner, ply) for winner, ply in over.values_list("winner", "ply")[:LATEST] if ply > 1]
    if len(rows) < FEWEST:
        return None
    won = [winner for winner, _ in rows]
    return Figures(
        len(rows),
        round(100 * won.count(Side.FIRST) / len(rows)),
        round(100 * won.count(None) / len(rows)),
        moves_of(median_low([ply for _, ply in rows])),
    )
