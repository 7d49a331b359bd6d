"""Other requests in answer to a question, such as `JOIN 1` or `no, I meant against a robot`.

They are read as a new letter, in the match that was asked about.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pbem.inbox.commands import Understood, understand
from pbem.inbox.commands.account import newcomers
from pbem.inbox.commands.agreement import agrees, begins_with_no, without_no
from pbem.inbox.commands.bars import Bar
from pbem.inbox.commands.general.grammar import Help
from pbem.inbox.commands.instead_of_that import parted, preferred
from pbem.inbox.commands.line_parser import read_alone
from pbem.inbox.commands.matchmaking.grammar import Accept, Challenge, Decline
from pbem.inbox.commands.matchmaking.guest_answers import begins_with_yes
from pbem.inbox.commands.offers.grammar import Offer
from pbem.inbox.commands.playing.grammar import Move
from pbem.inbox.commands.preferences.grammar import Set
from pbem.inbox.commands.probable_answers import sets_condition
from pbem.inbox.commands.sketches import robot_in
from pbem.inbox.interpretation import InterpretedMessage
from pbem.inbox.models import Confirmation
from pbem.inbox.recipient import PlayRecipient, Recipient, board_of
from pbem.inbox.sketched_wish import game_in
from pbem.inbox.unnumbered import MoveShapes, legal_moves
from pbem.mail.authentication.policy import Decision
from pbem.refusals import Code

_SENTENCE = re.compile(r"(?<=[.!?;])\s+")
_HEARD = (Decision.APPLY, Decision.CONFIRM)


def wished_instead(
    asked: Confirmation, reading: InterpretedMessage, *, agreed: bool | None
) -> InterpretedMessage | None:
    """The reading of another request, given what the answer `agreed` to. None when it is only an answer."""
    if (
        asked.player is None
        or asked.doubted
        or asked.adds_address
        or agreed
        or reading.decision not in _HEARD
    ):
        return None
    lines = parted(reading.letter.lines)
    refuses = begins_with_no(lines)
    said = reading.understood
    reads = all(each.reading for each in (*said.commands, *said.asks))
    word = next(iter(" ".join(lines).split()), "")
    holds_back = (agrees(word) and sets_condition(lines)) if reads else begins_with_yes(lines)
    if _agrees_first(lines, said) or (not refuses and holds_back):
        return None  # an insufficient yes does not close the question
    plain = begins_with_no(reading.letter.lines)
    said = _behind_no(asked, without_no(lines), plain=plain) if refuses else reading.understood
    if (
        not wishes(said, settings=refuses)
        or _moves_there(said, asked)
        or (refuses and _is_meant(said, asked))
    ):
        return None
    if not said.commands and all(each.reading for each in said.asks):  # nothing to ask about
        said = Understood(said.asks)
    recipient: Recipient = board_of(asked) or PlayRecipient()
    return replace(reading, understood=said, recipient=recipient, decision=decision(asked, reading))


def _agrees_first(lines: Sequence[str], said: Understood) -> bool:
    """Whether it is a yes, such as `Yes please start`, or one before another sentence."""
    sentences = [each for line in lines for each in _SENTENCE.split(line) if each.strip()]
    only_helps = not said.commands and all(isinstance(each, Help) for each in said.asks)
    first = len(sentences) > 1 and agrees(sentences[0]) is True
    return first or (only_helps and begins_with_yes(lines))


def _behind_no(asked: Confirmation, lines: Sequence[str], *, plain: bool) -> Understood:
    """The request behind a No. `plain`: it is read as it was written."""
    said = understood_there(asked, lines, guess=Bar.SURE)
    if not said.commands and all(isinstance(each, Help) for each in said.asks):
        said = _of_robot(asked, lines) or said
    if not wishes(said, settings=True):
        return _asked(understood_there(asked, list(preferred(lines)), guess=Bar.REFUSED))
    return said if plain else _asked(said)


def _asked(said: Understood) -> Understood:
    """The same as a request to ask about."""
    return Understood(asks=(*said.commands, *said.asks), chat=said.chat, verdict=Code.NO_MOVE_FOUND)


def drops(wish: InterpretedMessage) -> bool:
    """Whether the request answers the question: it begins with No, or changes something."""
    said = wish.understood
    return begins_with_no(wish.letter.lines) or not all(each.reading for each in (*said.commands, *said.asks))


def understood_there(asked: Confirmation, lines: Sequence[str], guess: Bar | None = None) -> Understood:
    """Reads the lines as an answer to the board that was asked about, or as a new letter."""
    assert asked.player
    board = board_of(asked)
    seat, ply = (board.seat, board.ply) if board else (None, None)
    return understand(
        lines,
        subject=None,
        language=asked.player.language,
        is_move=MoveShapes(asked.player, seat),
        match=asked.match_id if board else None,
        legal=legal_moves(asked.player, seat, ply),
        guess=guess,
    )


def wishes(said: Understood, *, settings: bool = False) -> bool:
    """Whether they request more than an answer; `settings` counts SET as well."""
    wished = (*said.commands, *said.asks)
    others = (Accept, Decline) if settings else (Accept, Decline, Set)
    return bool(wished) and not any(isinstance(each, others) for each in wished)


def _is_meant(said: Understood, asked: Confirmation) -> bool:
    """Whether it repeats what was asked about, as in `no, I don't want to resign`."""
    return any(each.line in asked.lines for each in (*said.commands, *said.asks))


def _moves_there(said: Understood, asked: Confirmation) -> bool:
    """Whether it moves in the match that was asked about, which is another kind of answer."""
    moves = (each for each in (*said.commands, *said.asks) if isinstance(each, Move))
    return any(asked.match_id and each.match in (None, asked.match_id) for each in moves)


def _of_robot(asked: Confirmation, lines: Sequence[str]) -> Understood | None:
    """The match that was asked about, against a robot. None when the lines name no robot."""
    before = [each for line in asked.lines if (each := read_alone(line))]
    [match] = before if len(before) == 1 else [None]
    if not isinstance(match, (Challenge, Offer)) or not any(map(newcomers.names_machine, lines)):
        return None
    robot, game = robot_in(" ".join(lines)), game_in(lines) or match.game
    command = read_alone(f"CHALLENGE {robot} {game}")
    return Understood(asks=(command,), verdict=Code.NO_MOVE_FOUND) if command else None


def decision(asked: Confirmation, reading: InterpretedMessage) -> Decision:
    """The decision for the board's letter, lowered to CONFIRM for an older board or an unproved sender."""
    board = board_of(asked)
    if board and asked.match and asked.match.ply != asked.ply:
        return Decision.CONFIRM
    if board is None and not reading.vouched and reading.decision is Decision.APPLY:
        return Decision.CONFIRM if asked.player and asked.player.strict else Decision.MEETING
    return reading.decision
