"""Carries out confirmed commands, in the match and on the board that they were written for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from enum import IntEnum

from pbem.inbox import addresses, personal
from pbem.inbox.commands.command import Command
from pbem.inbox.commands.parser import understand
from pbem.inbox.dialogue import confirmations, leaving, meant_for_opponent, yes_or_no
from pbem.inbox.dialogue.confirmations import OF_A_BOARD
from pbem.inbox.handling import talk
from pbem.inbox.handling.context import CommandContext
from pbem.inbox.handling.dispatch import first_refusal, handle_all
from pbem.inbox.models import MOST_CREDIT, Confirmation
from pbem.inbox.recipient import MessageRecipient, MoveRecipient, PlayRecipient, Recipient, seat_of
from pbem.inbox.resolver import resolve_recipient
from pbem.inbox.responder import Responder
from pbem.inbox.unnumbered import MoveShapes
from pbem.mail.authentication.policy import OWN, Dmarc, TokenState
from pbem.mail.parsing.sent_text import squeeze
from pbem.matches.models import Event, Match
from pbem.refusals import Code, Refused


class Proof(IntEnum):
    """The proof of a letter's sender: none, the reply address of the current turn, or the provider."""

    NONE = 0
    ADDRESS = 1
    PROVIDER = 2


def done(asked: Confirmation, responder: Responder, beside: str = "") -> list[str]:
    """Runs the confirmed commands and returns their verdicts. `beside` is text next to the YES."""
    assert asked.player
    recipient = _as_asked(asked)
    asked_at = None if leaving.asks_how(asked) else asked.asked_at  # leaving applies to later boards too
    context = CommandContext(responder, asked.player, recipient, arrived=_arrival(asked), asked_at=asked_at)
    if recipient is None:  # the seat has another player; a line without a number would apply to another match
        return [context.refuse(Refused(Code.NO_SUCH_MATCH, number=asked.match_id))]
    if not asked.lines and not context.says(asked.message):  # the text was not understood
        return [context.refuse(Refused(Code.NO_MOVE_FOUND, text=asked.message.partition("\n")[0]))]
    commands = _commands(asked, recipient)
    undone = _undone(asked, commands)
    late = [c for c in commands if isinstance(c, OF_A_BOARD) and (c.match or asked.match_id) in undone]
    chat = f"{asked.message}\n{_without(beside, asked.message)}".strip()
    verdicts = handle_all(context, [c for c in commands if c not in late], chat=chat)
    for command in late:
        match = undone[command.match or asked.match_id]
        verdicts.append(context.refuse(Refused(Code.STALE_TURN, match=match, text=command.line)))
    lost = set(asked.lines) - {command.line for command in commands}
    return [*verdicts, *(context.refuse(Refused(Code.NO_MOVE_FOUND, text=line)) for line in sorted(lost))]


def _without(beside: str, message: str) -> str:
    """Drops lines of `beside` that repeat the message."""
    shown = {squeeze(line) for line in message.splitlines()}
    return "\n".join(line for line in beside.splitlines() if not line.strip() or squeeze(line) not in shown)


def tell_unsaid(asked: Confirmation, responder: Responder, beside: str) -> None:
    """Replies that text beside a NO was not delivered."""
    if asked.player and beside:
        context = CommandContext(responder, asked.player, recipient=None)
        if not talk.is_hardly_meant(context, beside):
            context.reply({"kind": "unsaid", "text": beside, "why": "nobody"}, match=asked.match)


def begun(asked: Confirmation, responder: Responder) -> list[str]:
    """Runs the commands below REGISTER or YES for a new player; returns their verdicts."""
    player = responder.letter.player
    assert player
    recipient = PlayRecipient()
    commands = understand(
        asked.lines[1:],
        subject=None,
        language=asked.language,
        is_move=MoveShapes(player, None),
    ).commands
    return handle_all(
        CommandContext(responder, player, recipient, asked_at=asked.asked_at), commands, chat=asked.message
    )


def _as_asked(asked: Confirmation) -> Recipient | None:
    """The recipient of the letter put aside. None when the player has lost the seat."""
    if asked.match is None:
        came_to = resolve_recipient(asked.letter.recipient, asked.letter.received_at)
        return came_to if isinstance(came_to, MessageRecipient) else PlayRecipient()
    seat = asked.match.seats.select_related("match", "player").filter(player=asked.player).first()
    return MoveRecipient(state="current", ply=asked.ply, seat=seat) if seat else None


def _arrival(asked: Confirmation) -> datetime | None:
    """The moment from which the commands count: the arrival of the letter put aside, limited by the match's
    credit.

    None, that is the arrival of the YES, when it was not the first move of its turn.
    """
    assert asked.used_at
    if asked.match is None:
        return asked.letter.received_at
    of_match = Confirmation.objects.filter(match=asked.match, player=asked.player, has_move=True)
    moves = list(of_match.select_related("letter").defer("letter__raw"))
    if asked.has_move and not _is_first(asked, moves):
        return None
    return max(asked.letter.received_at, asked.used_at - _credit([m for m in moves if m.pk != asked.pk]))


def _is_first(asked: Confirmation, moves: Iterable[Confirmation]) -> bool:
    """Whether no earlier letter of the turn is as well proved. Forged letters do not count."""
    before = [move for move in moves if move.ply == asked.ply and move.pk < asked.pk]
    return all(proof(move) < proof(asked) for move in before)


def proof(asked: Confirmation) -> Proof:
    """How well the sender of the letter put aside is proved."""
    facts = asked.letter.reading
    if asked.doubted:
        return Proof.NONE
    if facts.get("dmarc") == Dmarc.PASS and facts.get("doubt") in OWN:
        return Proof.PROVIDER
    return Proof.ADDRESS if facts.get("token") == TokenState.CURRENT else Proof.NONE


def _credit(others: Sequence[Confirmation]) -> timedelta:
    """The credit left after other confirmed moves."""
    agreed = [move for move in others if move.agreed and move.used_at and _is_first(move, others)]
    spent = sum((move.used_at - move.letter.received_at for move in agreed if move.used_at), timedelta())
    return max(MOST_CREDIT - spent, timedelta())


def _commands(asked: Confirmation, recipient: Recipient) -> tuple[Command, ...]:
    return understand(
        asked.lines,
        subject=None,
        language=asked.language,
        is_move=MoveShapes(asked.player, seat_of(recipient)),
        match=asked.match_id,
    ).commands


def _undone(asked: Confirmation, commands: Sequence[Command]) -> Mapping[int | None, Match]:
    """The matches with turns taken back since the question, where a turn number may mean another board."""
    numbers = {c.match or asked.match_id for c in commands if isinstance(c, OF_A_BOARD)} - {None}
    events = Event.objects.filter(match__in=numbers, happened_at__gte=asked.asked_at)
    taken_back = events.filter(kind=Event.Kind.UNDONE).select_related("match")
    return {event.match_id: event.match for event in taken_back}


# Closing questions


def carry_out(asked: Confirmation, responder: Responder, *, yes: bool, beside: str = "") -> str:
    closed(asked, responder, yes=yes)
    if not yes:
        return _denied(asked, responder, beside)
    assert asked.player
    if yes_or_no.is_over(asked):
        context = CommandContext(responder, asked.player, recipient=None)
        return context.refuse(Refused(Code.OFFER_GONE, match=asked.match))
    if asked.adds_address and asked.player.suspended_at:
        return CommandContext(responder, asked.player, recipient=None).refuse(Refused(Code.SUSPENDED))
    if asked.adds_address:
        return addresses.confirmed(asked, responder)
    return first_refusal(done(asked, responder, beside))


def closed(asked: Confirmation, responder: Responder, *, yes: bool) -> Confirmation:
    asked.used_at, asked.agreed = responder.letter.received_at, yes
    asked.save(update_fields=["used_at", "agreed"])
    return asked


def _denied(asked: Confirmation, responder: Responder, beside: str) -> str:
    """Handles NO: declines the opponent's offer, or tells a player that nothing was done."""
    if line := yes_or_no.declining(asked):
        asked.lines = [line]
        return first_refusal(done(asked, responder, beside))
    tell_unsaid(asked, responder, beside)
    if asked.player and not asked.adds_address:
        context = CommandContext(responder, asked.player, recipient=None)
        if asked.near and not leaving.asks_how(asked) and personal.words_asked_about(asked):
            return personal.take_after_all(context, asked)
        if meant_for_opponent.reader(asked):
            return meant_for_opponent.tell(context, asked)
        if not asked.doubted:  # else their reply addresses change, and letters say so
            lines = asked.lines or [asked.message]
            context.reply({"kind": "answered", "closed": True, "lines": lines}, match=asked.match)
    return confirmations.denied(asked, responder.now)
