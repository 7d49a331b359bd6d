"""Moves in answer to a question, in place of YES or NO or after it."""

from __future__ import annotations

from dataclasses import replace

from pbem.inbox.commands.agreement import begins_with_no
from pbem.inbox.commands.conditional.grammar import If, Next
from pbem.inbox.commands.matchmaking.grammar import Accept, Decline
from pbem.inbox.commands.playing.grammar import Move
from pbem.inbox.confirmation_replies import answered
from pbem.inbox.interpretation import InterpretedMessage
from pbem.inbox.models import Confirmation
from pbem.inbox.recipient import ConfirmRecipient, board_of
from pbem.mail.authentication.policy import Decision
from pbem.matches.models import Match

_PLAYED = (Move, If, Next)  # now or later
_BELIEVED = (
    Decision.APPLY,
    Decision.STALE_MOVE,
)  # the latter once the question is answered or expired


def plays_instead(recipient: ConfirmRecipient, reading: InterpretedMessage) -> InterpretedMessage | None:
    """Reads a move on the board that was asked about as an answer to that board. None when there is none.

    A nearly said move is asked about anew, unless it stands beside a YES. After the answer a move for an
    older board is refused with the current one.
    """
    asked, said = recipient.confirmation, reading.understood
    match, board = asked.match, board_of(asked)
    if match is None or board is None or asked.doubted or reading.decision not in _BELIEVED:
        return None
    near = said.asks if _may_be_meant_anew(asked, reading) or _refuses(asked, reading) else ()
    moves = [each for each in said.commands if not isinstance(each, (Accept, Decline))] or near
    playing = match.status == Match.Status.PLAYING
    on_the_board = playing and (match.ply == asked.ply or asked.used_at is not None)
    here = all(isinstance(each, _PLAYED) and each.match in (None, match.pk) for each in moves)
    moves_there = any(isinstance(each, Move) for each in moves)
    return replace(reading, recipient=board) if on_the_board and moves_there and here else None


def _may_be_meant_anew(asked: Confirmation, reading: InterpretedMessage) -> bool:
    open_still = asked.near and not asked.used_at
    return open_still and not reading.understood.commands and _is_unclear(asked, reading)


def _refuses(asked: Confirmation, reading: InterpretedMessage) -> bool:
    """Whether it is a NO with another move, as in `No, I'd rather play b1-b3`."""
    said = reading.understood
    same = any(each.line in asked.lines for each in said.asks)
    return not asked.used_at and not said.commands and not same and begins_with_no(reading.letter.lines)


def _is_unclear(asked: Confirmation, reading: InterpretedMessage) -> bool:
    return answered(asked, reading).agreed is None
