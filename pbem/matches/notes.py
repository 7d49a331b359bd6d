"""A player's private notes about a match."""

from __future__ import annotations

from datetime import datetime

from django.db import models, transaction

from pbem.matches.models import Match, Note, Seat
from pbem.players.models import Player
from pbem.refusals import Code, Refused

MOST = 100  # of a player in a match
LONGEST = 2_000  # characters


@transaction.atomic
def write_note(seat: Seat, text: str, *, now: datetime) -> Note:
    if notes_of(seat.player, seat.match).count() >= MOST:
        raise Refused(Code.TOO_MANY_NOTES, match=seat.match, limit=MOST)
    return Note.objects.create(
        match=seat.match, player=seat.player, ply=seat.match.ply, text=text[:LONGEST], written_at=now
    )


def clear_notes(seat: Seat) -> None:
    notes_of(seat.player, seat.match).delete()


def notes_of(player: Player | None, match: Match) -> models.QuerySet[Note]:
    """Returns the player's notes on the match, the oldest first. Empty without a player."""
    return Note.objects.filter(player=player, match=match) if player else Note.objects.none()
