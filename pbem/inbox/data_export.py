"""Data export: the letters of a player and our questions about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime

from django.db import transaction

from pbem.inbox.models import Confirmation, InboundMail, PersonalMessage
from pbem.inbox.rate_limits.slots import take_place
from pbem.inbox.rate_limits.table import CAPS
from pbem.outbox.data_export import File, Rows, as_json, rows
from pbem.outbox.notifications.notify import write_to_player
from pbem.players.models import Player
from pbem.refusals import Code, Refused

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


@transaction.atomic
def send(player: Player, *, now: datetime) -> None:
    """Sends the export to the player's address, as they have asked for on a page. Refuses L05."""
    if take_place("exports", f"player:{player.pk}", now) is None:
        raise Refused(Code.TOO_MANY_EXPORTS, limit=CAPS["exports"].most)
    cause = f"my_data:{player.pk}:{now:%Y%m%dT%H%M%S}"
    write_to_player(player, cause=cause, section={"kind": "my_data"}, now=now, answers=True)
