"""What becomes of a question of ours once it is answered: it is closed, and its YES or its NO is carried out."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.inbox import (
    addresses,
    confirmations,
    confirmed_commands,
    leaving,
    meant_for_opponent,
    personal,
    yes_or_no,
)
from pbem.inbox.handling.context import CommandContext
from pbem.inbox.models import OK, Confirmation
from pbem.inbox.responder import Responder
from pbem.refusals import Code, Refused


def close(asked: Confirmation, responder: Responder) -> None:
    """Another answer came in its place, unless it was answered before."""
    locked = Confirmation.objects.select_for_update().get(pk=asked.pk)
    if not locked.used_at:
        closed(locked, responder, yes=False)


def agree(asked: Confirmation, responder: Responder) -> str:
    """Do what was asked about, as a plain YES does."""
    locked = Confirmation.objects.select_for_update().get(pk=asked.pk)
    return carry_out(locked, responder, yes=True)


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
    return first_refusal(confirmed_commands.done(asked, responder, beside))


def closed(asked: Confirmation, responder: Responder, *, yes: bool) -> Confirmation:
    asked.used_at, asked.agreed = responder.letter.received_at, yes
    asked.save(update_fields=["used_at", "agreed"])
    return asked


def _denied(asked: Confirmation, responder: Responder, beside: str) -> str:
    """What was asked about is not done; a player hears so, and strangers are left in peace. What the opponent asks is
    declined."""
    if line := yes_or_no.declining(asked):
        asked.lines = [line]
        return first_refusal(confirmed_commands.done(asked, responder, beside))
    confirmed_commands.tell_unsaid(asked, responder, beside)
    if asked.player and not asked.adds_address:
        context = CommandContext(responder, asked.player, recipient=None)
        if asked.near and not leaving.asks_how(asked) and personal.words_asked_about(asked):
            return personal.take_after_all(context, asked)
        if meant_for_opponent.reader(asked):
            return meant_for_opponent.tell(context, asked)
        if not asked.doubted:  # else their addresses change, and letters say so
            lines = asked.lines or [asked.message]
            context.reply({"kind": "answered", "closed": True, "lines": lines}, match=asked.match)
    return confirmations.denied(asked, responder.now)


def first_refusal(verdicts: Iterable[str]) -> str:
    return next((verdict for verdict in verdicts if verdict != OK), OK)
