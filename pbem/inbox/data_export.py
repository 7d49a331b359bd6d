"""What a player has written, for the archive of all that is kept of them."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.inbox.models import InboundMail, PersonalMessage
from pbem.outbox.data_export import File, as_json, columns
from pbem.players.models import Player


def written_by(player: Player) -> Iterator[File]:
    """Messages to the organiser, and every message as it came."""
    told = PersonalMessage.objects.filter(player=player)
    yield "to_organiser.json", as_json([columns(row) for row in told])
    came = InboundMail.objects.filter(player=player).exclude(raw=b"").order_by("pk")
    for letter in came.iterator(chunk_size=20):
        yield f"letters/in/{letter.pk}.eml", bytes(letter.raw)
