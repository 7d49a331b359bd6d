"""YES and NO to an invitation to a tournament: a YES signs up, where that is needed, and enters at once."""

from __future__ import annotations

from dataclasses import replace

from pbem.inbox import personal
from pbem.inbox.commands.acceptance import read_acceptance
from pbem.inbox.consent import Answer, Asked, Stake, first_yes, is_natural, read
from pbem.inbox.handling import talk
from pbem.inbox.handling.context import CommandContext
from pbem.inbox.interpretation import Reading
from pbem.inbox.models import OK
from pbem.inbox.recipient import LetterRecipient
from pbem.inbox.responder import Responder
from pbem.mail.authentication.policy import Decision
from pbem.mail.parsing.redact_addresses import without_secrets
from pbem.matches.models import TournamentInvitation
from pbem.matches.tournaments.entries import take_part
from pbem.outbox.notifications.notify import Section, write_to_player
from pbem.outbox.rendering.reply import letter_address
from pbem.players.models import Player
from pbem.players.services import register
from pbem.players.suggested_names import capitalised, suggested_name
from pbem.refusals import Code, Refused


def answer(recipient: LetterRecipient, reading: Reading, responder: Responder) -> str | None:
    """None: it is neither, and comes from a player, whose other words and commands are heard as ever."""
    section = next(each for each in recipient.answered.sections if each["kind"] == "event")
    invitation = TournamentInvitation.objects.select_for_update().filter(pk=section["event"]).first()
    if invitation is None:
        return Code.OFFER_GONE
    player = recipient.player or Player.objects.writing_from(invitation.address).first()
    if player and reading.decision is Decision.HOLD:
        return None
    stake = Stake.CHANGES if player else Stake.SIGNS_UP
    names = (player.name if player else "", reading.glance.sender_name)
    said = read(reading.letter.lines, Asked(stake, vouched=True, names=names), reading.letter.signature)
    agreed, name = said.agreed, said.name
    language = read_acceptance(reading.letter.lines).language if player is None else ""
    if agreed is None:
        return _not_answered(recipient, reading, section, said, responder, player)
    try:
        if agreed:
            player = player or _signed_up(recipient, invitation, name, language, reading, responder)
            take_part(invitation.tournament, player)
    except Refused as refused:
        again = letter_address(recipient.answered)
        answered: Section = {"kind": "refused", "code": refused.code, "reply_to": again} | refused.facts
        _tell(recipient, answered, responder, player)
        _pass_on(recipient, reading, said, responder, player, why="refused")
        return refused.code
    invitation.agreed, invitation.answered_at = agreed, responder.now
    invitation.save(update_fields=["agreed", "answered_at"])
    answered = {"kind": "takes_part", "tournament": invitation.tournament_id, "agreed": agreed}
    _tell(recipient, answered, responder, player)
    _pass_on(recipient, reading, said, responder, player, why="stranger")
    return OK


def _signed_up(
    recipient: LetterRecipient,
    invitation: TournamentInvitation,
    name: str,
    language: str,
    reading: Reading,
    responder: Responder,
) -> Player:
    """Anyone who is new, and writes no name, is called as their emails call them. Refuses a name that is taken."""
    own = reading.sender == invitation.address
    name = name or suggested_name(reading.glance.sender_name if own else "", invitation.address)
    player = register(
        name=capitalised(name),
        email=invitation.address,
        language=language or recipient.answered.language,
        now=responder.now,
    )
    responder.letter.player = player
    cause = f"letter:{responder.letter.pk}"
    write_to_player(player, cause=cause, section={"kind": "welcome"}, now=responder.now, answers=True)
    return player


def _not_answered(
    recipient: LetterRecipient,
    reading: Reading,
    section: Section,
    said: Answer,
    responder: Responder,
    player: Player | None,
) -> str | None:
    """A YES that is held back, or in other words, is asked for again; a player's words are heard as ever."""
    lines = reading.letter.lines
    if player is None or first_yes(lines) or is_natural(lines):
        _tell(recipient, {**section, "unclear": True}, responder, player)
    if player:
        return None
    _pass_on(recipient, reading, said, responder, None, why="stranger")
    return Code.NO_MOVE_FOUND


def _tell(recipient: LetterRecipient, section: Section, responder: Responder, player: Player | None) -> None:
    language = player.language if player else recipient.answered.language
    responder.tell_address(recipient.answered.address, section, language=language, player=player)


def _pass_on(
    recipient: LetterRecipient,
    reading: Reading,
    said: Answer,
    responder: Responder,
    player: Player | None,
    *,
    why: str,
) -> None:
    """A player's words beside a yes or a no are for the organiser; anyone who is none is told that they reached
    nobody, and why."""
    beside = "\n".join(said.beside)
    if talk.is_only_courtesy(beside, said.name):
        return
    if player:
        answer = replace(reading, answered=recipient.answered.kind)
        personal.take(CommandContext(responder, player, recipient), answer)
    else:
        section: Section = {"kind": "unsaid", "text": without_secrets(beside), "why": why}
        _tell(recipient, section, responder, None)
