"""Unclear answers to an opponent's offer: asks whether they mean YES; NO declines. The text goes along."""

from __future__ import annotations

from dataclasses import replace

from pbem.inbox.commands.guest_answers import speaks_of_terms
from pbem.inbox.commands.line import names_cell
from pbem.inbox.commands.line_parser import read_alone
from pbem.inbox.commands.match_commands import Accept
from pbem.inbox.commands.parser import Understood
from pbem.inbox.commands.phrases import called
from pbem.inbox.handling.context import CommandContext
from pbem.inbox.interpretation import InterpretedMessage
from pbem.inbox.models import Confirmation
from pbem.matches.models import Seat
from pbem.matches.offers import CHALLENGE, PendingOffer, asked_in
from pbem.outbox.notifications.notify import Section
from pbem.refusals import Code


def unclear(context: CommandContext, reading: InterpretedMessage) -> InterpretedMessage | None:
    """The reading as a YES to ask about. None when nothing is offered, or the text may hold a move."""
    seat, said = context.token_seat, reading.understood.chat
    question = asked_in(seat) if seat else None
    if question is None or not context.says(said) or names_cell(said):
        return None
    line = called("ACCEPT", context.player.language)
    asked = Understood(asks=(Accept(line=line),), beside=said, verdict=Code.NO_MOVE_FOUND)
    return replace(reading, understood=asked)


def question_of(asked: Confirmation) -> PendingOffer | None:
    """The opponent's offer that this question asks about, if it still stands. None otherwise."""
    seat = _seat(asked)
    question = asked_in(seat) if seat else None
    since = question.since() if question else None
    return None if since and since > asked.asked_at else question


def is_over(asked: Confirmation) -> bool:
    """Whether the offer that this question asks about is over."""
    return _seat(asked) is not None and question_of(asked) is None


def _seat(asked: Confirmation) -> Seat | None:
    """The seat of the player that was asked about an offer. None for other questions."""
    if not asked.near or asked.match is None or len(asked.lines) != 1:
        return None
    if not isinstance(read_alone(asked.lines[0]), Accept):
        return None
    return next((each for each in asked.match.seated if each.player_id == asked.player_id), None)


def section(asked: Confirmation) -> Section:
    """The facts of the offer for the question. Empty when it is over."""
    question = question_of(asked)
    if question is None:
        return {}
    otherwise = question.what == CHALLENGE and any(map(speaks_of_terms, asked.message.splitlines()))
    name = question.seat.opponent.player.name
    return {"unsure": {"what": question.what, "name": name, "otherwise": otherwise}}


def declining(asked: Confirmation) -> str:
    """The line that NO stands for. Empty when NO only closes the question."""
    return called("DECLINE", asked.language) if question_of(asked) else ""
