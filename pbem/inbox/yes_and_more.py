"""A YES to our question with another wish behind it, as `Yes, and my man on h6 takes f8` to a draw: both are meant."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pbem.inbox import commands
from pbem.inbox.commands import Command, Understood, words_of
from pbem.inbox.commands.agreement import agrees, is_beside
from pbem.inbox.commands.bars import Bar
from pbem.inbox.commands.leading_answers import behind_yes, holds_back, leading_answer
from pbem.inbox.commands.playing.grammar import Move, Resign
from pbem.inbox.interpretation import Reading
from pbem.inbox.models import Confirmation
from pbem.inbox.new_wishes import decision, understood_there, wishes
from pbem.inbox.recipient import ConfirmRecipient, PlayRecipient, board_of
from pbem.mail.authentication.policy import Decision
from pbem.wording import wording

_WORDS = wording(commands.__package__)
_CLAUSE = re.compile(rf"[,.!;:…]+\s+|\s+-+\s+|\s+(?=(?:{_WORDS.either('joining')})\s)", re.IGNORECASE)
_BUT = re.compile(rf"(?:{_WORDS.either('contrasting')})[\s,]+", re.IGNORECASE)
_JOINING = re.compile(rf"\s*(?:(?:{_WORDS.repeated('joining')})[\s,]++)*+", re.IGNORECASE)


def beside_yes(recipient: ConfirmRecipient, reading: Reading) -> Reading | None:
    """What is wished behind it, read as in answer to the board that was asked about; None where nothing is, or it may
    take the place of what we asked."""
    asked, board = recipient.confirmation, board_of(recipient.confirmation)
    believed = reading.decision is Decision.APPLY and not asked.doubted
    if asked.player is None or asked.adds_address or not believed:
        return None
    if asked.used_at or recipient.state != "current" or asked.is_orphaned:
        return None
    rest = _behind_yes(asked, reading.letter.lines)
    said = understood_there(asked, rest, guess=Bar.SURE) if rest else Understood()
    if not wishes(said, settings=True) or not _goes_with(said, understood_there(asked, asked.lines).commands):
        return None
    if not said.commands and all(each.reading for each in said.asks):  # then there is nothing to ask about
        said = Understood(said.asks, said.beside)
    return replace(
        reading, understood=said, recipient=board or PlayRecipient(), decision=decision(asked, reading)
    )


def _goes_with(said: Understood, asked: Sequence[Command]) -> bool:
    """Two moves are one in the place of the other, and a YES that says more gives no match up."""
    wished = (*said.commands, *said.asks)
    moves = any(isinstance(each, Move) for each in wished) and any(isinstance(each, Move) for each in asked)
    again = any(type(each) is type(other) for each in wished for other in asked)
    return not (moves or again or any(isinstance(each, Resign) for each in asked))


def _behind_yes(asked: Confirmation, lines: Sequence[str]) -> list[str]:
    """All but the plain yes with which they begin; nothing where there is none, or the next words hold it back."""
    at = next(
        (number for number, line in enumerate(lines) if line.strip() and not is_beside(line)), len(lines)
    )
    if at == len(lines):
        return []
    if behind := behind_yes(lines[at]):
        return [_JOINING.sub("", _BUT.sub("", behind, count=1), count=1), *lines[at + 1 :]]
    first, *rest = _CLAUSE.split(lines[at].strip(), maxsplit=1)
    behind = _JOINING.sub("", rest[0], count=1) if rest else ""
    agreed = agrees(first) or leading_answer([first], words_of(asked.lines))
    if not agreed or "?" in first or holds_back(behind):
        return []
    return [behind, *lines[at + 1 :]] if behind else list(lines[at + 1 :])
