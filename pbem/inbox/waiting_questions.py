"""A plain yes or no in words, in answer to a letter of a match in which a question of ours still waits: a newer letter
came after the one that asks, and that is the one which is answered."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.inbox.commands.leading_answers import plain_answer
from pbem.inbox.commands.line_parser import read_alone
from pbem.inbox.commands.matchmaking.grammar import Accept, Decline
from pbem.inbox.commands.playing.grammar import Resign
from pbem.inbox.handling.context import CommandContext
from pbem.inbox.interpretation import Reading
from pbem.inbox.models import Confirmation
from pbem.matches.questions import asked_in, asks


@dataclass(frozen=True)
class Answer:
    """`command` is YES or NO, as it would be read without a match's number. It is `grave` where its yes gives the match
    up: words that may have been meant for the opponent must not do that."""

    command: Accept | Decline
    waiting: tuple[Confirmation, ...]

    @property
    def grave(self) -> bool:
        lines = [line for asked in self.waiting for line in asked.lines]
        return isinstance(self.command, Accept) and any(
            isinstance(read_alone(each), Resign) for each in lines
        )


def answer_to(context: CommandContext, reading: Reading) -> Answer | None:
    """None where it says more than yes or no, or nothing of ours waits."""
    seat, agreed = context.token_seat, plain_answer(reading.letter.lines)
    if seat is None or agreed is None or asked_in(seat) or asks(seat):
        return None
    found = Confirmation.objects.open(context.now).filter(
        player=context.player, match=seat.match, adds_address=False
    )
    waiting = tuple(asked for asked in found.select_related("player", "match") if not asked.is_orphaned)
    line = " ".join(reading.understood.chat.split())
    return Answer(Accept(line=line) if agreed else Decline(line=line), waiting) if waiting else None
