"""Whom a letter is for: the language, notation and clock it is written in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db.models import QuerySet

from games.protocol import Notation, Side
from pbem.matches.models import Event, Match, Seat
from pbem.outbox.models import OutboundMail
from pbem.outbox.rendering.theme import Look
from pbem.players.models import Address, Player
from pbem.queue.compiled_query import compiled_query


@dataclass(frozen=True)
class Reader:
    """`player` is None for somebody who has not signed up."""

    address: str
    language: str
    player: Player | None
    written_at: datetime
    about: Match | None = None  # what the letter is about
    at_hand: Mapping[int, Event] = field(
        default_factory=dict, compare=False
    )  # what it tells of, if that is known
    alone: bool = False  # nobody else is known to have this mailbox

    @classmethod
    def of(cls, row: OutboundMail) -> Reader:
        known = row.at_hand or {}
        return cls(
            row.address, row.language, row.player, row.created_at, row.match, known, row.has_one_reader
        )

    @property
    def shared_name(self) -> str:
        """Whom of several players with this mailbox the letter is for; "" where it has one reader."""
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
        """With the board of this match from the side where the reader sits."""
        own = match.game.facing and self.player is not None and self.player.own_side
        seat = self.seat_in(match) if own else None
        return replace(self.look, turned=seat is not None and seat.side == Side.SECOND)

    @property
    def text_only(self) -> bool:
        return self.player is not None and (self.player.text_only or self.player.low_bandwidth)

    @property
    def short(self) -> bool:
        """Whether every byte counts."""
        return self.player is not None and self.player.low_bandwidth

    def match(self, pk: int) -> Match:
        """The one that the letter is about, if it is that."""
        return self.about if self.about is not None and self.about.pk == pk else Match.objects.get(pk=pk)

    def seat_in(self, match: Match) -> Seat | None:
        return next(
            (seat for seat in match.seated if seat.player_id == getattr(self.player, "pk", None)), None
        )


@compiled_query
def _others(email: str, player: int) -> QuerySet[Address]:
    return Address.objects.verified().filter(email=email).exclude(player=player)
