"""Describes the reader of a letter, and the standings of their matches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db.models import F, QuerySet, prefetch_related_objects

from games.move_numbers import numbered
from games.protocol import Notation, Side
from games.registry import in_words
from pbem.matches.models import Event, Match, Seat, Turn
from pbem.outbox.models import OutboundMail
from pbem.outbox.rendering.theme import Look
from pbem.players.models import Address, Player
from pbem.queue.sql import compiled_query


@dataclass(frozen=True)
class Reader:
    """The reader of a letter. `player` is None for a stranger."""

    address: str
    language: str
    player: Player | None
    written_at: datetime
    about: Match | None = None  # the match of the letter
    preloaded: Mapping[int, Event] = field(default_factory=dict, compare=False)  # events known in advance
    alone: bool = False  # the mailbox is known not to be shared

    @classmethod
    def of(cls, row: OutboundMail) -> Reader:
        known = row.preloaded or {}
        return cls(
            row.address, row.language, row.player, row.created_at, row.match, known, row.has_one_reader
        )

    @property
    def shared_name(self) -> str:
        """The player's name where several share the mailbox. Empty otherwise."""
        if self.player is None or self.alone:
            return ""
        return self.player.name if _others(self.address.lower(), self.player.pk) else ""

    @property
    def notation(self) -> Notation:
        return Notation(self.language, self.player.coordinates if self.player else "seed")

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.player.zone if self.player else settings.TIME_ZONE)

    @property
    def look(self) -> Look:
        return Look(self.player.theme, self.player.picture_size) if self.player else Look()

    def look_at(self, match: Match) -> Look:
        """Returns the look with the board seen from the reader's side, if they want that."""
        own = match.game.facing and self.player is not None and self.player.own_side
        seat = self.seat_in(match) if own else None
        return replace(self.look, turned=seat is not None and seat.side == Side.SECOND)

    @property
    def text_only(self) -> bool:
        return self.player is not None and (self.player.text_only or self.player.low_bandwidth)

    @property
    def short(self) -> bool:
        """True when the letter should be as small as possible."""
        return self.player is not None and self.player.low_bandwidth

    def match(self, pk: int) -> Match:
        """Returns the match, from the letter when it is about that."""
        return self.about if self.about is not None and self.about.pk == pk else Match.objects.get(pk=pk)

    def seat_in(self, match: Match) -> Seat | None:
        return next(
            (seat for seat in match.seated if seat.player_id == getattr(self.player, "pk", None)), None
        )


@compiled_query
def _others(email: str, player: int) -> QuerySet[Address]:
    return Address.objects.verified().filter(email=email).exclude(player=player)


# Standings

RECENT = 3  # turns: the last move, a pass after it, and the position before


@dataclass(frozen=True)
class Standing:
    """A match in a list. `last` is the last move in the reader's notation, with its number and player."""

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
    """Returns the matches that can be lost on time, regardless of the side to move."""
    playing = Match.objects.of(player).filter(status=Match.Status.PLAYING).order_by("pk")
    return [match for match in playing if match.agreed.control]


def standings(matches: Iterable[Match], reader: Reader) -> list[Standing]:
    """Returns the standings in the order of `matches`."""
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
