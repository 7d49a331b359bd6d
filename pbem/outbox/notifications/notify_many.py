"""Tells many players at once: a letter each, written to the database in a few statements."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import prefetch_related_objects

from pbem.matches.models import Event, Match
from pbem.outbox.models import SEND_MAIL, OutboundMail
from pbem.outbox.notifications import digests
from pbem.outbox.notifications.kinds import subscription_of
from pbem.outbox.notifications.notify import SECTIONS, Section, new_letter
from pbem.players.models import Player
from pbem.queue.enqueue import enqueue_on_commit


@dataclass(frozen=True)
class Telling:
    """What one player is told, and why. No letter with this cause was written to them before."""

    player: Player
    cause: str
    section: Section
    now: datetime
    match: Match | None = None
    ply: int | None = None


def tell_all(events: Sequence[Event]) -> None:
    """As `tell`, of events that nobody at a board did."""
    write_to_players(
        Telling(
            seat.player,
            cause=f"event:{event.pk}",
            section={"kind": SECTIONS[event.kind][1], "event": event.pk},
            now=event.happened_at,
            match=event.match,
            ply=event.ply,
        )
        for event in events
        for seat in event.match.seated
    )


def write_to_players(tellings: Iterable[Telling]) -> list[OutboundMail]:
    """Those who want no such letters, or have no address, are left out."""
    tellings = list(tellings)
    prefetch_related_objects([telling.player for telling in tellings], "addresses")
    wanted = [t for t in tellings if t.player.wants(subscription_of(t.section["kind"]))]
    at_once = [telling for telling in wanted if not _kept_for_digest(telling)]
    letters = OutboundMail.objects.bulk_create(
        new_letter(
            email,
            language=telling.player.language,
            cause=telling.cause,
            section=telling.section,
            now=telling.now,
            player=telling.player,
            match=telling.match,
            ply=telling.ply,
        )
        for telling in at_once
        if (email := telling.player.email)
    )
    for letter in letters:
        enqueue_on_commit(SEND_MAIL, letter.pk)
    return letters


def _kept_for_digest(telling: Telling) -> bool:
    """Whether they hear of it in the letter that gathers what has happened."""
    player, match = telling.player, telling.match
    if match is None or not player.email or not digests.waits(player, telling.section):
        return False
    digests.keep(player, telling.section, match=match, ply=telling.ply, now=telling.now)
    return True
