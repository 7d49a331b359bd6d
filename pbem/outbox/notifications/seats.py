"""The last letter of a match to a player who has given their place to another."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import prefetch_related_objects

from pbem.matches.models import Event
from pbem.outbox.models import DigestItem, OutboundMail
from pbem.outbox.notifications.notify import write_to_player
from pbem.players.models import Player
from pbem.refusals import Code

Status = OutboundMail.Status


def part(events: Sequence[Event]) -> None:
    """A subscriber of `pbem.matches.events`: everybody who sits at the board is told by `tell`."""
    for event in events:
        if event.kind == Event.Kind.REPLACED:
            _part(event)


def _part(event: Event) -> None:
    player = Player.objects.filter(pk=event.facts.get("before")).first()
    if player is None:
        return
    prefetch_related_objects([player], "addresses")
    # What still waits for them would show a board that is another's now.
    DigestItem.objects.filter(player=player, match=event.match_id).delete()
    waiting = OutboundMail.objects.filter(match=event.match_id, player=player, leased_until__isnull=True)
    waiting.filter(status__in=(Status.WAITING, Status.HELD)).update(
        status=Status.SUPPRESSED, verdict=Code.SUPPRESSED
    )
    write_to_player(
        player,
        cause=f"event:{event.pk}",
        section={"kind": "parted", "event": event.pk},
        match=event.match,
        now=event.happened_at,
    )
