"""A plain yes or no in words, in answer to a letter of a match in which a question of ours still waits: a newer letter
came after the one that asks, and that is the one which is answered."""

from __future__ import annotations

from pbem.inbox.commands import Command
from pbem.inbox.commands.leading_answers import plain_answer
from pbem.inbox.commands.matchmaking.grammar import Accept, Decline
from pbem.inbox.handling.context import CommandContext
from pbem.inbox.interpretation import Reading
from pbem.inbox.models import Confirmation
from pbem.matches.questions import asked_in, asks


def answer_to(context: CommandContext, reading: Reading) -> Command | None:
    """YES or NO, as it would be read without a match's number; None where it says more, or nothing of ours waits."""
    seat, agreed = context.token_seat, plain_answer(reading.letter.lines)
    if seat is None or agreed is None or asked_in(seat) or asks(seat):
        return None
    waiting = Confirmation.objects.open(context.now).filter(
        player=context.player, match=seat.match, adds_address=False
    )
    if all(asked.is_orphaned for asked in waiting.select_related("letter", "match")):
        return None
    line = " ".join(reading.understood.chat.split())
    return Accept(line=line) if agreed else Decline(line=line)
