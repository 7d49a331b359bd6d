"""Bare YES and NO: finds the question that an answer without a match number belongs to.

The opponent's text may be what it answers, so a question is only carried out when a provider vouches for both
messages. Otherwise it is asked again, with its reply address.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pbem.inbox import commands, consent
from pbem.inbox.commands.command import Command
from pbem.inbox.commands.match_commands import Accept, Decline
from pbem.inbox.commands.parser import Understood
from pbem.inbox.commands.phrases import called
from pbem.inbox.dialogue import confirmations, confirmed_commands
from pbem.inbox.dialogue.confirmation_replies import answered
from pbem.inbox.dialogue.confirmed_commands import Proof
from pbem.inbox.handling.context import CommandContext
from pbem.inbox.interpretation import InterpretedMessage
from pbem.inbox.models import Confirmation
from pbem.inbox.recipient import MessageRecipient, answered_by
from pbem.inbox.resolver import answer_address
from pbem.inbox.unnumbered import only_match
from pbem.mail.authentication.policy import Decision
from pbem.matches.models import Event
from pbem.matches.offers import CHALLENGE, PendingOffer, asked_in, asked_of, asks
from pbem.refusals import Code, Refused
from pbem.wording import wording

_WORDS = wording(commands.__package__)
_MOST_AGAIN = 5  # questions repeated after one YES


@dataclass
class Bare:
    """A letter without its bare answers. `ask`: commands to confirm first; `unclear`: insufficient YES."""

    commands: list[Command] = field(default_factory=list)
    chat: str = ""
    ask: list[Command] = field(default_factory=list)
    unclear: list[Command] = field(default_factory=list)
    verdicts: list[str] = field(default_factory=list)


def bare(context: CommandContext, reading: InterpretedMessage) -> Bare:
    """Applies each bare answer to the only open question of the match, or else of the player."""
    left = Bare(chat=reading.understood.chat)
    for command in reading.understood.commands:
        if isinstance(command, Accept) and not _is_consent(context, reading, command):
            left.unclear.append(command)
            continue
        if not isinstance(command, (Accept, Decline)) or command.match is not None:
            left.commands.append(command)
        elif isinstance(context.recipient, MessageRecipient):  # it is addressed to the sender of the message
            left.chat = f"{command.line}\n{left.chat}".strip()
        elif _is_about_its_match(context, command) or reading.decision is Decision.HOLD:
            left.commands.append(command)
            if reading.decision is Decision.STALE_MOVE:  # the offer in that letter may be over
                left.ask.append(command)
        else:
            _look_for_question(context, reading, command, left)
    return left


def meant(context: CommandContext, reading: InterpretedMessage) -> InterpretedMessage:
    """Adds the YES that the grammar does not read: `Yes, please`, `YES DRAW`, or a sentence that accepts."""
    said, seat, found = reading.understood, context.token_seat, consent.first_yes(reading.letter.lines)
    if any(isinstance(each, (Accept, Decline)) for each in said.commands) or (said.commands and not found):
        return reading
    if not _may_be_answered(context):
        return reading
    question = asked_in(seat) if seat else None
    if not found and question and _accepts_naturally(question, reading):
        accept = Accept(line=called("ACCEPT", context.player.language))
        return replace(reading, understood=Understood((accept,), "\n".join(reading.letter.lines)))
    if not found or isinstance(context.recipient, MessageRecipient):
        return reading
    chat = "\n".join(line for line in said.chat.splitlines() if line.strip() not in found)
    commands = (Accept(line=" ".join(found)), *said.commands)
    return replace(reading, understood=replace(said, commands=commands, chat=chat, asks=(), verdict=None))


def _may_be_answered(context: CommandContext) -> bool:
    seat = context.token_seat
    if seat and asked_in(seat):
        return True
    return Confirmation.objects.open(context.now).filter(player=context.player, adds_address=False).exists()


def _accepts_naturally(question: PendingOffer, reading: InterpretedMessage) -> bool:
    """Whether a sentence accepts an unrated challenge or rematch."""
    begins = question.what == CHALLENGE and not question.seat.match.agreed.rated
    return begins and consent.is_natural(reading.letter.lines)


def _is_consent(context: CommandContext, reading: InterpretedMessage, accept: Accept) -> bool:
    """Whether the YES is sufficient for the opponent's question, or is checked elsewhere.

    An unvouched YES is confirmed anyway; `pbem.inbox.dialogue.confirmation_replies` checks answers to our questions.
    """
    seat, player = context.token_seat, context.player
    question = asked_in(seat) if seat else None
    if not reading.surely_theirs or (accept.match is None and question is None):
        return True
    number = accept.match or (seat.match_id if seat else None)
    exact = [command.line for command in reading.understood.commands]
    names = (player.name, reading.summary.sender_name)
    asked = consent.of_commands([accept], player, number, vouched=True, names=names, exact=exact)
    if accept.match is not None and not asked.deeds:
        return True
    if accept.match is None and question and _accepts_naturally(question, reading):
        return True
    return consent.read(reading.letter.lines, asked, reading.letter.signature).agreed is True


def _is_about_its_match(context: CommandContext, command: Accept | Decline) -> bool:
    seat = context.token_seat
    if seat is None:
        return False
    return asked_in(seat) is not None or (isinstance(command, Decline) and asks(seat))


def _look_for_question(
    context: CommandContext, reading: InterpretedMessage, command: Accept | Decline, left: Bare
) -> None:
    seat, player = context.token_seat, context.player
    asked = Confirmation.objects.open(context.now).filter(player=player, adds_address=False).order_by("pk")
    questions = [each for each in asked.select_related("player", "match") if not each.is_orphaned]
    here = _asked_there(context, questions) or [
        each for each in questions if seat and each.match_id == seat.match_id
    ]
    in_matches = [] if here else asked_of(player)
    if len(here or questions) + len(in_matches) > 1:
        left.verdicts.append(_list(context, here or questions, in_matches, command))
    elif here or questions:
        left.verdicts.append(_to_question(context, reading, (here or questions)[0], command))
    elif in_matches:
        [question] = in_matches
        number = question.seat.match_id
        found = replace(command, match=number, line=_line(context, command, number))
        if isinstance(found, Accept) and not _is_consent(context, reading, found):
            left.unclear.append(found)
            return
        left.commands.append(found)
        if seat:  # the YES may be about the match of that letter
            left.ask.append(found)
    elif seat or only_match(player):
        left.commands.append(command)
    else:
        left.verdicts.append(context.refuse(Refused(Code.OFFER_GONE)))


def _to_question(
    context: CommandContext, reading: InterpretedMessage, asked: Confirmation, command: Accept | Decline
) -> str:
    sure = reading.vouched and reading.decision is Decision.APPLY and not _may_answer_an_offer(context)
    agreed = answered(asked, reading).agreed is isinstance(command, Accept)
    if sure and agreed and asked.vouched and confirmed_commands.proof(asked) is Proof.PROVIDER:
        locked = Confirmation.objects.select_for_update().get(pk=asked.pk)
        return confirmed_commands.carry_out(locked, context.responder, yes=isinstance(command, Accept))
    ask_again(context, asked)
    return Code.CONFIRM_NEEDED


def _may_answer_an_offer(context: CommandContext) -> bool:
    """Whether the YES may be for an offer that the opponent made in the last turn."""
    seat = context.token_seat
    if seat is None:
        return False
    offered = seat.match.events.filter(kind=Event.Kind.OFFERED, side=seat.opponent.side)
    return offered.filter(ply__gte=seat.match.ply - 1).exists()


def ask_again(context: CommandContext, asked: Confirmation, cause: str = "") -> None:
    section = {"kind": "confirm", "waits": True, "near": asked.near} | confirmations.told(asked)
    context.reply(section | {"reply_to": answer_address(asked)}, match=asked.match, cause=cause)


def _asked_there(context: CommandContext, questions: Sequence[Confirmation]) -> list[Confirmation]:
    """The questions that the answered letter has asked."""
    answered = answered_by(context.recipient)
    asks_there = {section.get("reply_to") for section in answered.sections} if answered else set()
    return [each for each in questions if answer_address(each) in asks_there]


def _list(
    context: CommandContext,
    questions: Sequence[Confirmation],
    in_matches: Sequence[PendingOffer],
    command: Accept | Decline,
) -> str:
    """Asks which question is meant: repeats each of ours in its own letter, and lists those in matches."""
    for asked in questions[-_MOST_AGAIN:]:
        ask_again(context, asked, cause=f"letter:{context.row.pk}:question:{asked.pk}")
    rows = [
        {
            "line": _line(context, command, question.seat.match_id),
            "what": question.what,
            "name": question.seat.opponent.player.name,
            "game": question.seat.match.game.key,
        }
        for question in in_matches
    ]
    return context.refuse(Refused(Code.WHICH_QUESTION, questions=rows)) if rows else Code.WHICH_QUESTION


def _line(context: CommandContext, command: Accept | Decline, number: int) -> str:
    """The answer as a command line with the number of the match."""
    said = "confirming" if isinstance(command, Accept) else "refusing"
    word = _WORDS.of(context.player.language, said)[0].upper()
    reason = command.reason if isinstance(command, Decline) else ""
    return f"{word} {number} {reason}".strip()
