"""The last letter of a match to a player who has given his place to another."""

from __future__ import annotations

from django.db.models import prefetch_related_objects

from pbem.matches.models import Event
from pbem.outbox.telling import write_to_player
from pbem.players.models import Player


def part(event: Event) -> None:
    """A subscriber of `pbem.matches.events`: whoever sits at the board is told by `tell`."""
    if event.kind != Event.Kind.REPLACED:
        return
    player = Player.objects.filter(pk=event.facts.get("before")).first()
    if player is None:
        return
    prefetch_related_objects([player], "addresses")
    write_to_player(
        player,
        cause=f"event:{event.pk}",
        section={"kind": "parted", "event": event.pk},
        match=event.match,
        now=event.happened_at,
    )
