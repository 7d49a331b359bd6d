"""Answers to letters with a question of their own: tournament invitations, printed names, the site, what a browser
wants, address changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from pbem.competitions.tournaments import take_part
from pbem.inbox import address_changes, browser_questions, personal
from pbem.inbox.commands.acceptance import read_acceptance
from pbem.inbox.commands.line_parser import read_alone
from pbem.inbox.consent import Answer, PendingQuestion, Stake, first_yes, is_natural, read
from pbem.inbox.handling import talk
from pbem.inbox.handling.context import CommandContext
from pbem.inbox.handling.dispatch import handle_all
from pbem.inbox.interpretation import InterpretedMessage
from pbem.inbox.models import OK
from pbem.inbox.newcomers import first_moves
from pbem.inbox.recipient import LetterRecipient
from pbem.inbox.responder import Responder
from pbem.mail.authentication.policy import Decision
from pbem.mail.parsing.headers import sent_at
from pbem.mail.parsing.redact_addresses import without_secrets
from pbem.matches.models import TournamentInvitation
from pbem.outbox.notifications.direct_messages import welcome
from pbem.outbox.notifications.kinds import refusal
from pbem.outbox.notifications.notify import Section
from pbem.outbox.signed_addresses import letter_address
from pbem.players import services
from pbem.players.models import Player
from pbem.players.services import capitalised, register, suggested_name
from pbem.refusals import Code, Refused


def answer_invitation(
    recipient: LetterRecipient, reading: InterpretedMessage, responder: Responder
) -> str | None:
    """Enters or declines the tournament. None when a player's letter is neither YES nor NO."""
    section = next(each for each in recipient.answered.sections if each["kind"] == "event")
    invitation = TournamentInvitation.objects.select_for_update().filter(pk=section["event"]).first()
    if invitation is None:
        return Code.OFFER_GONE
    player = recipient.player or Player.objects.writing_from(invitation.address).first()
    if player and reading.decision is Decision.HOLD:
        return None
    stake = Stake.CHANGES if player else Stake.SIGNS_UP
    names = (player.name if player else "", reading.summary.sender_name)
    said = read(
        reading.letter.lines, PendingQuestion(stake, vouched=True, names=names), reading.letter.signature
    )
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
        answered = refusal(refused.code, {"reply_to": again} | refused.facts)
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
    reading: InterpretedMessage,
    responder: Responder,
) -> Player:
    """Signs the stranger up, by default under the letter's sender name. Refuses taken names."""
    own = reading.sender == invitation.address
    name = name or suggested_name(reading.summary.sender_name if own else "", invitation.address)
    player = register(
        name=capitalised(name),
        email=invitation.address,
        language=language or recipient.answered.language,
        now=responder.now,
        sent=(sent := sent_at(bytes(responder.letter.raw))),
    )
    responder.letter.player = player
    welcome(player, f"letter:{responder.letter.pk}", sent, now=responder.now)
    return player


def _not_answered(
    recipient: LetterRecipient,
    reading: InterpretedMessage,
    section: Section,
    said: Answer,
    responder: Responder,
    player: Player | None,
) -> str | None:
    """Asks again for an insufficient YES. None for a player, so that the letter is read as usual."""
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
    reading: InterpretedMessage,
    said: Answer,
    responder: Responder,
    player: Player | None,
    *,
    why: str,
) -> None:
    """Passes a player's text on to the organiser; tells a stranger `why` it was not delivered."""
    beside = "\n".join(said.beside)
    if talk.is_only_courtesy(beside, said.name):
        return
    if player:
        answer = replace(reading, answered=recipient.answered.kind)
        personal.take(CommandContext(responder, player, recipient), answer)
    else:
        section: Section = {"kind": "unsaid", "text": without_secrets(beside), "why": why}
        _tell(recipient, section, responder, None)


# Letters that ask. The reply address is proof, as the letter was mailed to one mailbox.

Answered = Callable[[LetterRecipient, InterpretedMessage, Responder], str | None]


def answer_letter(
    recipient: LetterRecipient, reading: InterpretedMessage, responder: Responder
) -> str | None:
    """The verdict of an answer. None when the letter asks nothing, or is not answered."""
    ask = ASKING.get(recipient.answered.kind)
    worthless = recipient.state not in ("player", "current") or recipient.restored
    if ask is None or (worthless and recipient.answered.kind not in UNDOING):
        return None
    return ask(recipient, reading, responder)


def _print_name(recipient: LetterRecipient, reading: InterpretedMessage, responder: Responder) -> str | None:
    player, said = recipient.player, _own_answer(recipient, reading)
    if player is None or said.agreed is None:
        return None
    if said.agreed:
        services.allow(player, now=responder.now)
    else:
        services.withdraw(player)
    context = CommandContext(responder, player, recipient)
    context.reply({"kind": "print_name"})
    _pass_on_talk(context, reading, said)
    return OK


def _site(recipient: LetterRecipient, reading: InterpretedMessage, responder: Responder) -> str | None:
    player, said = recipient.player, _own_answer(recipient, reading)
    if player is None or said.agreed is None:
        return None
    _run("SET SITE yes" if said.agreed else "SET SITE no", player, recipient, reading, responder, said)
    return OK


def _browser(recipient: LetterRecipient, reading: InterpretedMessage, responder: Responder) -> str | None:
    player, line = recipient.player, browser_questions.line_of(recipient.answered)
    if player is None:
        return None
    said = _own_answer(recipient, reading, browser_questions.about(line, player, reading.summary.sender_name))
    if said.agreed:
        _run(line, player, recipient, reading, responder, said)
    return None if said.agreed is None else OK


def _own_answer(
    recipient: LetterRecipient, reading: InterpretedMessage, asked: PendingQuestion | None = None
) -> Answer:
    """Reads what the player answers; the reply address alone, which may be forwarded, is not enough."""
    player = recipient.player
    if player is None or reading.player != player or not reading.surely_theirs:
        return Answer()
    asked = asked or PendingQuestion(
        Stake.CHANGES, vouched=True, names=(player.name, reading.summary.sender_name)
    )
    return read(reading.letter.lines, asked, reading.letter.signature)


def _run(
    line: str,
    player: Player,
    recipient: LetterRecipient,
    reading: InterpretedMessage,
    responder: Responder,
    said: Answer,
) -> None:
    context = CommandContext(responder, player, recipient)
    wish = read_alone(line)
    assert wish
    handle_all(context, [wish], chat="")
    _pass_on_talk(context, reading, said)


def _pass_on_talk(context: CommandContext, reading: InterpretedMessage, said: Answer) -> None:
    """Passes the text on to the organiser, who has asked."""
    if not talk.is_only_courtesy(" ".join(said.beside)):
        personal.take(context, reading)


ASKING: Mapping[str, Answered] = {
    "event": answer_invitation,
    "print_asks": _print_name,
    "site_asks": _site,
    "browser_asks": _browser,
    "after_all": first_moves.invite_anew,
    "new_address": address_changes.answer,
}
UNDOING = {"new_address"}  # NO counts even for an old reply address, or one from before a restore
