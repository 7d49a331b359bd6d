"""What a letter says to another player: without addresses, trimmed, and not without end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.inbox.letters.relaying import relayed
from pbem.inbox.places import take_place
from pbem.inbox.recipient import MessageRecipient
from pbem.matches.models import Seat
from pbem.matches.services import say
from pbem.outbox.corresponding import are_strangers, write
from pbem.players.models import Player
from pbem.players.refusing import may_write_to
from pbem.refusals import Refused

if TYPE_CHECKING:
    from pbem.inbox.doing.doing import Doing


def riding(doing: Doing, seat: Seat) -> str:
    """The talk of the letter, for the move of `seat` to take along; "" if there was enough of it today."""
    try:
        return _allowed(doing, seat, doing.chat) if doing.chat else ""
    except Refused as refused:
        doing.chat = ""
        doing.refuse(refused)
        return ""


def rest(doing: Doing) -> None:
    """What no command has taken along: to whoever the letter answers. Refuses V07, V08 and V09."""
    addressed = doing.addressed
    if isinstance(addressed, MessageRecipient):
        write_to(doing, addressed.message.sender, doing.chat)
    else:
        tell_opponent(doing, doing.seat(None), doing.chat)


def with_answer(seat: Seat, text: str) -> str:
    """Words that go with an answer; "" where the opponent wants to hear none of them."""
    return relayed(text) if text and may_write_to(seat.player, seat.opponent.player) else ""


def tell_opponent(doing: Doing, seat: Seat, text: str) -> None:
    """Refuses V09."""
    say(seat, _allowed(doing, seat, text), now=doing.now, letter=doing.row.pk)


def write_to(doing: Doing, reader: Player, text: str) -> None:
    """A message beside any match. Refuses V07 (the other wants none) and V08 (enough for today)."""
    sender = doing.player
    if reader == sender or not may_write_to(sender, reader):
        raise Refused("V07", name=reader.name)
    caps = ["messages", "strangers"] if are_strangers(sender, reader) else ["messages"]
    if not all(take_place(cap, f"player:{sender.pk}", doing.now) for cap in caps):
        raise Refused("V08", name=reader.name)
    message = write(sender, reader, relayed(text), now=doing.now)
    doing.tell({"kind": "passed_on", "message": message.pk})


def _allowed(doing: Doing, seat: Seat, text: str) -> str:
    """What the opponent gets to read. Refuses V09."""
    if not may_write_to(seat.player, seat.opponent.player):
        raise Refused("V07", match=seat.match, name=seat.opponent.player.name)
    if not take_place("chat", f"seat:{seat.pk}", doing.now):
        raise Refused("V09", match=seat.match, text=text)
    return relayed(text)
