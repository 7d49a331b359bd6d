"""What players write to each other beside their matches: relayed, so that nobody learns an address."""

from __future__ import annotations

from datetime import datetime

from pbem.matches.models import Match
from pbem.outbox.notifications.notify import write_to_player
from pbem.outbox.sealed_addresses import sealed_address
from pbem.players.models import Message, Player
from pbem.players.tokens import Purpose, Token, expiry


def write(sender: Player, reader: Player, text: str, *, now: datetime) -> Message:
    """A letter to `reader`, who can answer it."""
    message = Message.objects.create(sender=sender, reader=reader, text=text, written_at=now)
    write_to_player(
        reader,
        cause=f"message:{message.pk}",
        section={"kind": "relayed", "message": message.pk, "reply_to": _answer_address(message)},
        now=now,
    )
    return message


def are_strangers(sender: Player, reader: Player) -> bool:
    """Whether they neither play nor played with each other, and the reader has never written to the sender."""
    if Message.objects.between(reader, sender).exists():
        return False
    common = Match.objects.of(sender).filter(seats__player=reader)
    return not common.exclude(status__in=(Match.Status.PROPOSED, Match.Status.DECLINED)).exists()


def _answer_address(message: Message) -> str:
    expires = expiry(Purpose.WRITE, message.written_at.date())
    return sealed_address(Token(Purpose.WRITE, message.pk, 0, expires), message.salt)
