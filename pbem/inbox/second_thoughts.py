"""A guest who has declined and would like to play after all: the player who invited them hears it, and may invite them
anew. The match was theirs to propose, so nothing begins by itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pbem.inbox import confirmations, first_move, strangers_words
from pbem.inbox.commands import Command, Understood
from pbem.inbox.commands.line_parser import read_alone
from pbem.inbox.commands.matchmaking.grammar import Accept
from pbem.inbox.commands.matchmaking.guest_answers import begins_with_yes, reconsiders
from pbem.inbox.commands.phrases import called
from pbem.inbox.consent import first_yes
from pbem.inbox.handling.context import CommandContext
from pbem.inbox.interpretation import Reading
from pbem.inbox.recipient import LetterRecipient, PlayRecipient
from pbem.inbox.responder import Responder
from pbem.inbox.sketched_wish import wish_in
from pbem.mail.authentication.policy import Decision, Dmarc
from pbem.matches.models import Invitation
from pbem.outbox.delivery.bounces import may_be_disturbed
from pbem.outbox.notifications.notify import Section, told, write_to_player
from pbem.outbox.rendering.reply import invitation_address
from pbem.refusals import Code


def may_be_heard(invitation: Invitation) -> bool:
    """Whether it was declined, and another one could go where it went."""
    declined = invitation.answered_at is not None and invitation.match_id is None
    return declined and may_be_disturbed(invitation.address)


def pass_on(invitation: Invitation, reading: Reading, responder: Responder) -> str:
    """Once for each invitation, however often they write. The invitation is over all the same."""
    said = first_move.Answer(True, "", "", tuple(reading.letter.lines))
    words = first_move.words_for_host(invitation, said)
    cause = f"invitation:{invitation.pk}:after_all"
    if told(cause, invitation.challenger.email):
        _tell_guest(invitation, responder, {"heard": True, "lost": words})
        return Code.INVITATION_OVER
    section: Section = {"kind": "after_all", "invitation": invitation.pk, "message": words}
    write_to_player(invitation.challenger, cause=cause, section=section, now=responder.now)
    _tell_guest(invitation, responder, {"heard": True})
    return Code.INVITATION_OVER


def invite_anew(recipient: LetterRecipient, reading: Reading, responder: Responder) -> str | None:
    """The yes of the player who has heard it, in whatever words: they are asked whether to invite anew."""
    player, said = recipient.player, reading.understood.commands
    heard = next((each for each in recipient.answered.sections if each["kind"] == "after_all"), None)
    if player is None or heard is None or reading.decision is Decision.HOLD:
        return None
    if any(not isinstance(each, Accept) for each in said) or not _agrees(reading.letter.lines):
        return None
    command = _challenge(heard, player.language)
    if command is None:
        return None
    meant = Understood(asks=(command,))
    context = CommandContext(responder, player, PlayRecipient())
    confirmations.ask_what_is_meant(context, replace(reading, player=player, understood=meant))
    return Code.CONFIRM_NEEDED


def _agrees(lines: Sequence[str]) -> bool:
    return begins_with_yes(lines) or bool(first_yes(lines))


def _challenge(heard: Mapping[str, Any], language: str) -> Command | None:
    invitation = Invitation.objects.get(pk=heard["invitation"])
    game = heard.get("game") or invitation.game_name
    return read_alone(f"{called('CHALLENGE', language)} {invitation.address} {game}")


def regretted(reading: Reading) -> Invitation | None:
    """The invitation that a new email, of somebody who is no player, comes back to."""
    if not isinstance(reading.recipient, PlayRecipient) or reading.player or reading.sharers:
        return None
    lines = reading.letter.lines
    wish = wish_in(lines, reading.sender, subject=reading.glance.subject)
    if reading.understood.commands or wish.friend or wish.robot or not reconsiders(lines):
        return None
    if reading.dmarc is Dmarc.FAIL:
        return None
    declined = Invitation.objects.filter(address=reading.sender.lower(), match=None)
    invitation = declined.filter(answered_at__isnull=False).order_by("-answered_at").first()
    return invitation if invitation and may_be_heard(invitation) else None


def answer(invitation: Invitation, reading: Reading, responder: Responder) -> str:
    """Where nobody vouches for the email, the reader of the mailbox is asked: anybody may have written it."""
    if reading.dmarc is Dmarc.PASS:
        return pass_on(invitation, reading, responder)
    cause = f"invitation:{invitation.pk}:asked:{responder.now:%Y-%m}"
    if told(cause, invitation.address):
        return strangers_words.tell_before(reading, responder)
    if responder.may_tell_stranger(invitation.address):
        _tell_guest(invitation, responder, {"reply_to": invitation_address(invitation)}, cause=cause)
    return Code.CONFIRM_NEEDED


def _tell_guest(invitation: Invitation, responder: Responder, section: Section, cause: str = "") -> None:
    said = {"kind": "reconsidered", "invitation": invitation.pk} | section
    language = invitation.challenger.language
    responder.tell_address(invitation.address, said, language=language, cause=cause)
