"""Data export: the letters of a player and our questions about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.inbox.models import Confirmation, InboundMail, PersonalMessage
from pbem.outbox.data_export import File, Rows, as_json, rows
from pbem.players.models import Player

ROWS: Mapping[str, Rows] = {
    "words.json": {"to_organiser": (PersonalMessage, "player"), "questions": (Confirmation, "player")},
}


def written_by(player: Player) -> Iterator[File]:
    """Yields the player's messages to the organiser, our questions, and every raw letter."""
    for file, named in ROWS.items():
        yield file, as_json(rows(player, named))
    came = InboundMail.objects.filter(player=player).exclude(raw=b"").order_by("pk")
    for letter in came.iterator(chunk_size=20):
        yield f"letters/in/{letter.pk}.eml", bytes(letter.raw)
