"""Answers to confirmation questions, at the question's own reply address."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pbem.inbox import consent, personal
from pbem.inbox.commands import newcomers
from pbem.inbox.commands.command import Command, Help, Set
from pbem.inbox.commands.guest_answers import begins_with_yes
from pbem.inbox.commands.line import typed
from pbem.inbox.commands.line_parser import read_alone
from pbem.inbox.commands.match_commands import Accept, Challenge, Decline, If, Move, Next, Offer
from pbem.inbox.commands.parser import Understood, understand
from pbem.inbox.commands.sketches import robot_in
from pbem.inbox.dialogue import confirmations, leaving, yes_or_no
from pbem.inbox.dialogue.acts import Act, State
from pbem.inbox.dialogue.confirmed_commands import carry_out, closed
from pbem.inbox.handling.context import CommandContext
from pbem.inbox.handling.dispatch import first_refusal
from pbem.inbox.interpretation import InterpretedMessage
from pbem.inbox.models import OK, Confirmation
from pbem.inbox.recipient import ConfirmRecipient, PlayRecipient, Recipient, board_of
from pbem.inbox.responder import Responder
from pbem.inbox.sketched_wish import game_in
from pbem.inbox.understanding.answers import agrees, begins_with_no, says_contrary, sets_condition, without_no
from pbem.inbox.understanding.slots.terms import SIDES, said_terms
from pbem.inbox.unnumbered import MoveShapes, legal_moves
from pbem.intents import Bar
from pbem.mail.authentication.policy import Decision
from pbem.matches.models import Match
from pbem.refusals import Code
from pbem.wording import fold, wording

# Finds what a reply asks for instead of what a question was about: `no, a draw instead`.

_WORDS = wording("pbem.inbox.commands")
_RATHER = re.compile(rf"[,\s]*\b(?:{_WORDS.either('instead_of_that', 'rather')})\b,?", re.IGNORECASE)
_WISH = {
    fold(said): str(_WORDS.of(language, "instead_of_that", "wish"))
    for language in _WORDS.languages
    for said in _WORDS.of(language, "instead_of_that", "preferring")
}
_PREFERRING = re.compile(rf"^\W*({_WORDS.either('instead_of_that', 'preferring')})\b", re.IGNORECASE)
_BUT, _BEGINS = _WORDS.either("instead_of_that", "but"), _WORDS.either("instead_of_that", "begins")
_NO_AND = re.compile(rf"^(\s*no)\s+(?:(?:{_BUT})\s+|(?=(?:{_BEGINS})\b))", re.IGNORECASE)


def parted(lines: Sequence[str]) -> list[str]:
    """Puts a comma after a no that leads to something else: `no but offer a draw`."""
    at = next((number for number, line in enumerate(lines) if line.strip()), len(lines))
    first = [_NO_AND.sub(r"\1, ", typed(line), count=1) for line in lines[at : at + 1]]
    return [*lines[:at], *first, *lines[at + 1 :]]


def preferred(lines: Iterable[str]) -> Iterator[str]:
    """Yields the lines as they would be said alone: `a draw`, `vorrei la patta`."""
    for line in lines:
        text = " ".join(_RATHER.sub(" ", typed(line)).split())
        yield _PREFERRING.sub(lambda found: _WISH[fold(found[1])], text, count=1)


# Other requests in answer to a question, such as `JOIN 1` or `no, I meant against a robot`. They
# are read as a new letter, in the match that was asked about.

_SENTENCE = re.compile(r"(?<=[.!?;])\s+")
_HEARD = (Decision.APPLY, Decision.CONFIRM)


def _requested(asked: Confirmation, reading: InterpretedMessage) -> InterpretedMessage | None:
    """The reading of another request. None when it is only an answer."""
    if asked.doubted or asked.adds_address or reading.decision not in _HEARD or repeats(asked, reading):
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


# Moves in answer to a question, in place of YES or NO or after it

_PLAYED = (Move, If, Next)  # now or later
_BELIEVED = (Decision.APPLY, Decision.STALE_MOVE)  # the latter once the question is answered or expired


def _moved(
    asked: Confirmation, reading: InterpretedMessage, answer: consent.Answer
) -> InterpretedMessage | None:
    """Reads a move on the board that was asked about as an answer to that board. None when there is none.

    A nearly said move is asked about anew, unless it stands beside a YES. After the answer a move for an
    older board is refused with the current one.
    """
    match, board, said = asked.match, board_of(asked), reading.understood
    if match is None or board is None or asked.doubted or reading.decision not in _BELIEVED:
        return None
    near = said.asks if _may_be_meant_anew(asked, reading, answer) or _refuses(asked, reading) else ()
    moves = [each for each in said.commands if not isinstance(each, (Accept, Decline))] or near
    playing = match.status == Match.Status.PLAYING
    on_the_board = playing and (match.ply == asked.ply or asked.used_at is not None)
    here = all(isinstance(each, _PLAYED) and each.match in (None, match.pk) for each in moves)
    moves_there = any(isinstance(each, Move) for each in moves)
    return replace(reading, recipient=board) if on_the_board and moves_there and here else None


def _may_be_meant_anew(asked: Confirmation, reading: InterpretedMessage, answer: consent.Answer) -> bool:
    open_still = asked.near and not asked.used_at
    return open_still and not reading.understood.commands and answer.agreed is None


def _refuses(asked: Confirmation, reading: InterpretedMessage) -> bool:
    """Whether it is a NO with another move, as in `No, I'd rather play b1-b3`."""
    said = reading.understood
    same = any(each.line in asked.lines for each in said.asks)
    return not asked.used_at and not said.commands and not same and begins_with_no(reading.letter.lines)


# Terms beside an answer, as in `yes, but without a clock`


def other_terms(asked: Confirmation, reading: InterpretedMessage) -> list[str]:
    """The lines with the terms of the answer, for the only match asked about. Empty when nothing changes."""
    lines = reading.letter.lines
    terms = said_terms(" ".join(lines), asked.language) if begins_with_yes(lines) else ()
    matches = [line for line in asked.lines if isinstance(read_alone(line), (Challenge, Offer))]
    if not terms or len(matches) != 1:
        return []
    [line] = matches
    kept = [word for word in line.split() if word not in SIDES or not SIDES.intersection(terms)]
    changed = " ".join((*kept, *(term for term in terms if term not in kept)))
    if changed == line or read_alone(changed) is None:
        return []
    return [changed if each == line else each for each in asked.lines]


def ask_about_terms(asked: Confirmation, reading: InterpretedMessage, responder: Responder) -> str:
    asked.lines = other_terms(asked, reading)
    asked.save(update_fields=["lines"])
    return confirmations.ask_again(asked, responder, unclear=False)


# Answers, and what each of them does


@dataclass(frozen=True)
class Reply:
    """An answer of a player. `further`: its other commands, read as a letter of their own."""

    asked: Confirmation
    reading: InterpretedMessage
    said: consent.Answer
    act: Act
    further: InterpretedMessage | None = None


def answer(
    recipient: ConfirmRecipient,
    reading: InterpretedMessage,
    responder: Responder,
    decide: Callable[[InterpretedMessage], str],
) -> str:
    """Carries out a player's answer to a question, then what else it asks for, by `decide`. The reply address
    of the question is proof, as it was mailed to one mailbox."""
    asked, state = lock(recipient)
    reply = _read(asked, reading, state)
    verdict = ANSWERS[state, reply.act](reply, responder)
    return first_refusal((decide(reply.further), verdict)) if reply.further else verdict


def lock(recipient: ConfirmRecipient) -> tuple[Confirmation, State]:
    asked = Confirmation.objects.select_for_update().get(pk=recipient.confirmation.pk)
    is_over = asked.used_at or recipient.state != "current" or asked.is_orphaned
    return asked, State.OVER if is_over else State.OPEN


def _read(asked: Confirmation, reading: InterpretedMessage, state: State) -> Reply:
    said, is_open = answered(asked, reading), state is State.OPEN
    reply = Reply(asked, reading, said, Act.OTHER)
    if is_open and said.agreed and (also := _beside_yes(asked, reading, said)):
        return replace(reply, act=Act.AFFIRM, further=also)
    if played := _moved(asked, reading, said):
        return replace(reply, act=Act.MOVE, further=played)
    if is_open and not said.agreed and (wish := _requested(asked, reading)):
        return replace(reply, act=Act.REQUEST, further=wish)
    if said.agreed is not False and other_terms(asked, reading):
        return replace(reply, act=Act.TERMS)
    return replace(reply, act={True: Act.AFFIRM, False: Act.DENY, None: Act.OTHER}[said.agreed])


def answered(asked: Confirmation, reading: InterpretedMessage) -> consent.Answer:
    """Reads the answer. To repeat the line that was asked about is YES where the request was vouched for."""
    if leaving.asks_how(asked):
        return leaving.read(asked, reading)[1]
    exact = [command.line for command in reading.understood.commands]
    lines, signature = reading.letter.lines, reading.letter.signature
    if repeats(asked, reading) and not consent.speaks_against(signature):
        return consent.Answer(agreed=True)
    return consent.read(lines, consent.question(asked, reading.summary.sender_name, exact=exact), signature)


def repeats(asked: Confirmation, reading: InterpretedMessage) -> bool:
    """Whether the answer only repeats what was asked about, which means YES."""
    if not asked.vouched or asked.player is None:
        return False
    said = [fold(" ".join(line.split())) for line in reading.letter.lines if line.strip()]
    return bool(said) and said == [fold(" ".join(line.split())) for line in asked.lines]


def _beside_yes(
    asked: Confirmation, reading: InterpretedMessage, said: consent.Answer
) -> InterpretedMessage | None:
    """Reads the commands below a YES as an answer to the board asked about. None when there are none."""
    believed = reading.decision is Decision.APPLY and asked.vouched
    if asked.adds_address or leaving.asks_how(asked) or not believed or repeats(asked, reading):
        return None
    commands = tuple(c for c in reading.understood.commands if c.line in map(str.strip, said.beside))
    if not commands or not _go_together(commands, asked):
        return None
    lines = {command.line for command in commands}
    chat = "\n".join(line for line in said.beside if line.strip() not in lines)
    return replace(
        reading,
        understood=Understood(commands, chat),
        recipient=board_of(asked) or PlayRecipient(),
        decision=decision(asked, reading),
    )


def _go_together(commands: Sequence[Command], asked: Confirmation) -> bool:
    """Whether no command is of the same kind as one asked about; two moves exclude each other."""
    before = understood_there(asked, asked.lines).commands
    moves = any(isinstance(each, Move) for each in commands) and any(
        isinstance(each, Move) for each in before
    )
    return not (moves or any(type(each) is type(other) for each in commands for other in before))


def _agree(reply: Reply, responder: Responder) -> str:
    asked = reply.asked
    responder.has_proved(asked.address)
    if leaving.asks_how(asked):
        return _leave(asked, reply.reading, responder)
    kept = asked.vouched and not reply.further  # else the text beside goes with the further commands
    return carry_out(asked, responder, yes=True, beside="\n".join(reply.said.beside) if kept else "")


def _deny(reply: Reply, responder: Responder) -> str:
    beside = "\n".join(reply.said.beside) if reply.asked.vouched else ""
    return carry_out(reply.asked, responder, yes=False, beside=beside)


def _close(reply: Reply, responder: Responder) -> str:
    """Closes the question as not agreed, unless it is answered already."""
    if not reply.asked.used_at:
        closed(reply.asked, responder, yes=False)
    return OK


def _replace(reply: Reply, responder: Responder) -> str:
    """Closes a question that another request replaces. A leading NO also declines the opponent's offer.
    A request that only reads leaves the question open."""
    assert reply.further
    lines, said = reply.reading.letter.lines, reply.further.understood
    if not begins_with_no(lines) and all(each.reading for each in (*said.commands, *said.asks)):
        return OK
    refuses = reply.said.agreed is False and not says_contrary(lines)
    if refuses and yes_or_no.declining(reply.asked):
        return carry_out(reply.asked, responder, yes=False)
    return _close(reply, responder)


def _ask_about_terms(reply: Reply, responder: Responder) -> str:
    return ask_about_terms(reply.asked, reply.reading, responder)


def _ask_again(reply: Reply, responder: Responder) -> str:
    return confirmations.ask_again(reply.asked, responder)


def _expired(reply: Reply, responder: Responder) -> str:
    return confirmations.expired(reply.asked, reply.reading, responder)


ANSWERS: Mapping[tuple[State, Act], Callable[[Reply, Responder], str]] = {
    (State.OPEN, Act.AFFIRM): _agree,
    (State.OPEN, Act.DENY): _deny,
    (State.OPEN, Act.MOVE): _close,
    (State.OPEN, Act.REQUEST): _replace,
    (State.OPEN, Act.TERMS): _ask_about_terms,
    (State.OPEN, Act.OTHER): _ask_again,
    (State.OVER, Act.AFFIRM): _expired,
    (State.OVER, Act.DENY): _expired,
    (State.OVER, Act.MOVE): _close,
    (State.OVER, Act.TERMS): _expired,
    (State.OVER, Act.OTHER): _expired,
}


def _leave(asked: Confirmation, reading: InterpretedMessage, responder: Responder) -> str:
    """Leaves in the way that the answer names."""
    way, _ = leaving.read(asked, reading)
    asked.lines = leaving.lines_of(asked, way)
    asked.save(update_fields=["lines"])
    verdict = carry_out(asked, responder, yes=True)
    if way == leaving.ERASE and asked.player:
        context = CommandContext(responder, asked.player, PlayRecipient())
        return first_refusal((personal.take_wish_to_be_erased(context, asked), verdict))
    return verdict
