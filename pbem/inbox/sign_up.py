"""Strangers: what they are told, and how they sign up, by a YES from the mailbox that the name is for."""

from __future__ import annotations

import re

from pbem.inbox.commands.acceptance import read_acceptance
from pbem.inbox.commands.account import newcomers
from pbem.inbox.commands.account.grammar import Register, language_of
from pbem.inbox.handling import talk
from pbem.inbox.interpretation import Reading
from pbem.inbox.models import OK, Confirmation
from pbem.inbox.recipient import LetterRecipient, PlayRecipient
from pbem.inbox.resolver import answer_address
from pbem.inbox.responder import Responder
from pbem.mail.authentication.policy import Decision
from pbem.outbox.delivery.bounces import complained
from pbem.outbox.notifications.notify import Section, told, write_to_player
from pbem.players.models import Player, fold
from pbem.players.services import check_name, register
from pbem.refusals import Code, Refused

# The same words as for any other name that is taken; the organiser sees the difference.
LOST = Code.LOST_PLAYER
_NAME_ALONE = re.compile(r"[^\W\d_][\w.'-]{1,23}")
_MOST_AT_ONCE = 5  # commands that come with REGISTER


def another_name(reading: Reading) -> bool:
    """Whether somebody wants to register from the address of a player, under a name that is not theirs."""
    if not isinstance(reading.recipient, PlayRecipient | LetterRecipient):
        return False
    if reading.decision is Decision.HOLD:  # whoever has a reply address would have us write to any From
        return False
    names = {player.folded for player in (reading.player, *reading.sharers) if player}
    wish = _wish(reading)
    return wish is not None and bool(wish.name) and fold(wish.name) not in names


def answer_stranger(reading: Reading, responder: Responder) -> str:
    """REGISTER: ask at the address whether they wrote it. Anything else: how to register. Once a week each.

    Whoever has signed up may be followed by the next of their family at once.
    """
    wish = _wish(reading)
    section, verdict = _reply_to_stranger(wish)
    year, week, _ = responder.now.isocalendar()
    others = [player.name for player in (reading.player, *reading.sharers) if player]
    cause = f"stranger:{section['kind']}:{section.get('code', '')}:{year}-{week}:{len(others)}"
    if told(cause, reading.sender):
        responder.silenced.add("stranger")
        return Code.DUPLICATE
    if complained(reading.sender):  # somebody wrote in their name, and our question was called spam
        return Code.UNVERIFIED
    if not responder.may_tell(reading.sender, section):
        return verdict
    if not others and not responder.may_tell_strangers():
        return verdict
    language = (
        language_of(wish) if wish else newcomers.language_of(reading.glance.subject, reading.letter.lines)
    )
    if section["kind"] in ("signup", "invitation"):
        lines = _beside(reading) if wish else []
        asked = Confirmation.objects.create(
            letter=responder.letter,
            address=reading.sender,
            lines=[wish.name, *lines] if wish else [],  # they have not said yet how they want to be called
            language=language,
            asked_at=responder.now,
        )
        section["reply_to"] = answer_address(asked)
        section |= {"others": others, "lines": lines}
    responder.tell_address(reading.sender, section, language=language, cause=cause)
    return verdict


def take_name(asked: Confirmation, reading: Reading, responder: Responder) -> str:
    """The answer of somebody who was told how to begin: YES or REGISTER with a name signs them up, a name alone is
    asked about, for it may be a greeting."""
    said = read_acceptance(reading.letter.lines)
    written = [line.strip() for line in reading.letter.lines if line.strip()]
    alone = written[:1] if said.agreed is None else []
    name = said.name or "".join(line for line in alone if _NAME_ALONE.fullmatch(line))
    if said.agreed is False:
        asked.used_at = responder.letter.received_at
        asked.save(update_fields=["used_at"])
        return OK
    section: Section = {"reply_to": answer_address(asked)}
    if not name or talk.is_greeting(name):
        section |= {"kind": "invitation", "unclear": True}
        responder.tell_address(asked.address, section, language=asked.language)
        return Code.NO_MOVE_FOUND
    asked.language = said.language or asked.language
    try:
        check_name(name)
    except Refused as refused:
        section |= {"kind": "refused", "code": refused.code} | refused.facts
        responder.tell_address(asked.address, section, language=asked.language)
        return refused.code
    asked.lines, asked.agreed = [name], bool(said.agreed)
    asked.used_at = responder.letter.received_at if said.agreed else None
    asked.save(update_fields=["lines", "language", "agreed", "used_at"])
    if said.agreed:
        return sign_up(asked, responder)
    responder.tell_address(asked.address, section | {"kind": "signup", "name": name}, language=asked.language)
    return Code.CONFIRM_NEEDED


def sign_up(asked: Confirmation, responder: Responder) -> str:
    """The stranger said YES from the mailbox that we asked. Only once, so that their welcome is never capped.

    What was written below REGISTER is for the caller to do: the first line is the name.
    """
    name, row, now = asked.lines[0], responder.letter, responder.now
    try:
        player = register(name=name, email=asked.address, language=asked.language, now=now)
    except Refused as refused:
        section = {"kind": "refused", "code": refused.code} | refused.facts
        responder.tell_address(asked.address, section, language=asked.language)
        return refused.code
    write_to_player(player, cause=f"letter:{row.pk}", section={"kind": "welcome"}, now=now, answers=True)
    row.player = player
    return OK


def _wish(reading: Reading) -> Register | None:
    return next((c for c in reading.understood.commands if isinstance(c, Register)), None)


def _beside(reading: Reading) -> list[str]:
    """The lines of what is to be done once they are in; what asks for a YES of its own can wait until then."""
    others = (c for c in reading.understood.commands if not isinstance(c, Register) and not c.confirms)
    return [command.line for command in others][:_MOST_AT_ONCE]


def _reply_to_stranger(wish: Register | None) -> tuple[Section, str]:
    """What they are told, and the verdict."""
    if wish is None:
        return {"kind": "invitation"}, Code.UNVERIFIED
    try:
        check_name(wish.name)
    except Refused as refused:
        section: Section = {"kind": "refused", "code": refused.code} | refused.facts
        if refused.code != Code.NAME_TAKEN:
            return section, refused.code
        lost = Player.objects.resembling(wish.name).filter(unreachable_since__isnull=False)
        return section | {"lost": True}, LOST if lost.exists() else Code.NAME_TAKEN
    return {"kind": "signup", "name": wish.name}, Code.CONFIRM_NEEDED
