"""How each of a player's matches stands, in a line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import F, prefetch_related_objects

from games.move_numbers import numbered
from games.registry import in_words
from pbem.matches.models import Match, Seat, Turn
from pbem.outbox.rendering.recipient import Reader
from pbem.players.models import Player

RECENT = 3  # turns: enough for the last move, a pass after it, and the board that it was played on


@dataclass(frozen=True)
class Standing:
    """`last` is the last move as the reader writes it, after its number and the name of who played it."""

    match: Match
    seat: Seat | None
    title: str
    variant: str
    last: str

    @property
    def players(self) -> tuple[str, str]:
        return self.match.players

    @property
    def opponent(self) -> str:
        return self.seat.opponent.player.name if self.seat else ""

    @property
    def yours(self) -> bool:
        return self.seat is not None and self.seat.is_to_move

    @property
    def open(self) -> bool:
        return self.match.status == Match.Status.PROPOSED

    @property
    def own_challenge(self) -> bool:
        return self.seat is not None and self.match.proposer_id == self.seat.player_id


def under_a_clock(player: Player) -> list[Match]:
    """The matches that can be lost on time, no matter who is to move now."""
    playing = Match.objects.of(player).filter(status=Match.Status.PLAYING).order_by("pk")
    return [match for match in playing if match.agreed.control]


def standings(matches: Iterable[Match], reader: Reader) -> list[Standing]:
    """In the order of `matches`."""
    known = list(matches)
    prefetch_related_objects(known, "seats__player")
    recent = Turn.objects.filter(match__in=known, undone_by=None, ply__gte=F("match__ply") - RECENT)
    turns: dict[int, dict[int, Turn]] = {match.pk: {} for match in known}
    for turn in recent:
        turns[turn.match_id][turn.ply] = turn
    return [
        Standing(
            match=match,
            seat=reader.seat_in(match),
            title=str(match.game.phrases(reader.language)["name"]),
            variant=in_words(match.game_name, reader.language),
            last=_last(match, turns[match.pk], reader),
        )
        for match in known
    ]


def _last(match: Match, turns: Mapping[int, Turn], reader: Reader) -> str:
    moved = [turn for _, turn in sorted(turns.items()) if turn.move != str(match.game.forced_pass)]
    if not moved:
        return ""
    last = moved[-1]
    if last.ply and last.ply - 1 not in turns:
        return ""
    before = match.at(turns[last.ply - 1].position) if last.ply else match.start_position()
    written = match.game.write(before, match.game.move(last.move), reader.notation)
    return numbered(last.ply, f"{match.players[last.side]}: {written}")
