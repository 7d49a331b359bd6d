"""Answers to strangers: how to begin, the question for a sign-up, and text for the organiser."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta
from hashlib import sha256

from pbem.inbox import personal
from pbem.inbox.commands import newcomers
from pbem.inbox.commands.acceptance import REGISTERING, read_name
from pbem.inbox.commands.command import Register
from pbem.inbox.commands.line_parser import read_alone
from pbem.inbox.commands.match_commands import Challenge
from pbem.inbox.commands.signed import addresses_us
from pbem.inbox.commands.verbs import language_of
from pbem.inbox.handling import talk
from pbem.inbox.interpretation import ASKING, InterpretedMessage, meant
from pbem.inbox.models import OK, Confirmation, PersonalMessage
from pbem.inbox.newcomers import sign_up_answers
from pbem.inbox.newcomers.sign_up_answers import AtOnce
from pbem.inbox.rate_limits.slots import is_full, take_place
from pbem.inbox.recipient import LetterRecipient, PlayRecipient
from pbem.inbox.resolver import answer_address
from pbem.inbox.responder import Responder
from pbem.inbox.sketched_wish import OF_PLAYING, game_in, wish_in
from pbem.inbox.understanding.addressee import message_along
from pbem.inbox.understanding.slots.games import absent_in
from pbem.intents import language_of as likely_language
from pbem.mail.authentication.policy import Decision, Dmarc
from pbem.mail.parsing.redact_addresses import relayed_to_stranger, without_secrets
from pbem.outbox.delivery.bounces import complained
from pbem.outbox.notifications.kinds import refusal
from pbem.outbox.notifications.notify import Section, already_notified
from pbem.players.models import Player, fold
from pbem.players.models.address import impossible_address_in
from pbem.players.services import check_name, instead_of, suggested_name
from pbem.refusals import Code, Refused
from pbem.wording import SOURCE

# Text for the organiser. As the sender may be forged, a stranger gets one answer a day and one further line.

_FEWEST = 3  # words; shorter text counts only as a question


def are_for_organiser(reading: InterpretedMessage) -> bool:
    """Whether there is text beside the commands that is no advertising. Links need a proved sender."""
    vouched = reading.dmarc is Dmarc.PASS
    commands = {command.line for command in reading.understood.commands}
    said = [line for line in _written(reading) if line.strip() not in commands]
    fewest = 1 if any("?" in line for line in said) else _FEWEST
    if reading.dmarc is Dmarc.FAIL or not personal.in_sentences(said, fewest):
        return False
    return not newcomers.sells(said, linked=vouched) and not talk.only_thanks(" ".join(said))


def are_answered_by_us(reading: InterpretedMessage) -> bool:
    """Whether they name a game or a friend, or ask about the service."""
    lines = reading.letter.lines
    wish = wish_in(lines, reading.sender, subject=reading.summary.subject)
    return bool(wish.game or wish.friend) or newcomers.asks_about_us(lines) or newcomers.greets(lines)


def pass_to_organiser(reading: InterpretedMessage, responder: Responder) -> str:
    """Passes a letter without commands on to the organiser; returns the verdict."""
    if complained(reading.sender) or not are_for_organiser(reading):
        return Code.UNVERIFIED
    again = is_full("stranger_first", reading.sender, responder.now)
    if not (again or responder.may_tell_stranger(reading.sender)) or not keep(
        reading.sender, reading, responder
    ):
        return Code.UNVERIFIED
    if not again or _is_one_more(reading, responder):
        name = suggested_name(reading.summary.sender_name, reading.sender)
        section: Section = {"kind": "to_organiser", "stranger": True, "again": again, "name": name}
        responder.tell_address(reading.sender, section, language=language(reading))
    return OK


def tell_before(reading: InterpretedMessage, responder: Responder) -> str:
    """Answers a command that was answered this week already; returns the verdict."""
    if reading.dmarc is Dmarc.FAIL:  # the letter is forged
        return Code.DUPLICATE
    again = is_full("stranger_first", reading.sender, responder.now)
    if _is_one_more(reading, responder) if again else responder.may_tell_stranger(reading.sender):
        responder.tell_address(reading.sender, {"kind": "told_before"}, language=language(reading))
    return Code.UNVERIFIED


def take_answer(asked: Confirmation, reading: InterpretedMessage, responder: Responder) -> bool:
    """Passes text that is no answer to our question on to the organiser; returns whether it did."""
    for_organiser = are_for_organiser(reading) and not are_answered_by_us(reading)
    return for_organiser and keep(asked.address, reading, responder)


def keep(address: str, reading: InterpretedMessage, responder: Responder) -> bool:
    """Keeps the text for the organiser. False above the daily cap of the address."""
    if take_place("stranger_words", address, responder.now) is None:
        responder.silenced.add("stranger_words")
        return False
    personal.forward_to_organiser(
        PersonalMessage(letter=responder.letter, address=address),
        subject=reading.summary.subject,
        text=personal.words(reading),
        doubted=reading.dmarc is not Dmarc.PASS,
        now=responder.now,
    )
    return True


def language(reading: InterpretedMessage) -> str:
    """The language in which they ask how to begin, else that of the text."""
    spoken = newcomers.spoken_in(reading.summary.subject, reading.letter.lines)
    return spoken or likely_language(" ".join(_written(reading)))


def _written(reading: InterpretedMessage) -> list[str]:
    subject = () if reading.summary.is_reply else (reading.summary.subject,)
    return [*subject, *reading.letter.lines]


def _is_one_more(reading: InterpretedMessage, responder: Responder) -> bool:
    if take_place("stranger_again", reading.sender, responder.now):
        return True
    responder.silenced.add("stranger_again")
    return False


# The wording is that of any taken name; the organiser sees the difference.
LOST = Code.LOST_PLAYER
_BLANK_RUN = re.compile(r"\n{3,}")
_WEEK, _MOST_REFUSED = timedelta(days=7), 3


def another_name(reading: InterpretedMessage) -> bool:
    """Whether a player's address registers another name."""
    if not isinstance(reading.recipient, PlayRecipient | LetterRecipient):
        return False
    if reading.decision is Decision.HOLD:  # a reply address would permit any From
        return False
    names = {player.folded for player in (reading.player, *reading.sharers) if player}
    wish = _wish(reading)
    return wish is not None and bool(wish.name) and fold(wish.name) not in names


def answer_stranger(reading: InterpretedMessage, responder: Responder) -> str:
    """Asks the address to confirm a REGISTER, or explains how to register, as often as `_how_often` allows.

    The answer also covers further players of a mailbox.
    """
    wish = _wish(reading)
    name = _called(wish, reading) if wish else ""
    section, verdict = _reply_to_stranger(name, reading) if wish else _how_to_begin(reading)
    others = [player.name for player in (reading.player, *reading.sharers) if player]
    taken = section.get("taken", "")
    often = _how_often(wish, reading, responder, taken)
    refused = section.get("code") or (Code.NAME_TAKEN if taken else "")
    cause = f"stranger:{section['kind']}:{refused}:{often}:{len(others)}"
    if complained(reading.sender):  # a forged sender, who has called our question spam
        return Code.UNVERIFIED
    asks = are_for_organiser(reading)
    if already_notified(cause, reading.sender):
        answer = pass_to_organiser if asks else tell_before
        return answer(reading, responder)
    if not responder.may_reply(reading.sender, section):
        return verdict
    if not others and not responder.may_tell_stranger(reading.sender):
        return verdict
    asks = asks and section["kind"] == "invitation" and not are_answered_by_us(reading)
    if asks and keep(reading.sender, reading, responder):
        section, verdict = section | {"organiser": True}, OK
    language = language_of(wish.line) if wish and wish.line else _language(reading)
    if section["kind"] in ("signup", "invitation"):
        section |= {"others": others} | _asked(reading, responder, wish, section["name"], language)
        section["game"] = section.get("game") or game_in(reading.letter.lines)
        if other := absent_in([reading.summary.subject, *reading.letter.lines]):
            section |= other.section()
    responder.tell_address(reading.sender, section, language=language, cause=cause)
    if impossible := impossible_address_in(reading.letter.lines):
        name = impossible if reading.dmarc is Dmarc.PASS else ""  # else the text may be forged
        refusal: Section = {"kind": "refused", "code": Code.BAD_ADDRESS, "name": name}
        responder.tell_address(reading.sender, refusal, language=language, cause=cause)
    if lost := _lost(reading, section):
        unsaid: Section = {"kind": "unsaid", "text": lost, "why": "no_invitation"}
        responder.tell_address(reading.sender, unsaid, language=language, cause=cause)
    return verdict


def _language(reading: InterpretedMessage) -> str:
    """The language of the question how to begin, else of the wish."""
    subject, lines = reading.summary.subject, reading.letter.lines
    if not newcomers.asks(subject, lines) and (wishes := meant(reading.understood, (subject, *lines))):
        return language_of(wishes[0].line)
    return newcomers.language_of(subject, lines)


def _asked(
    reading: InterpretedMessage, responder: Responder, signs_up: Register | None, name: str, language: str
) -> Section:
    """Creates the question and returns its section."""
    wish = wish_in(reading.letter.lines, reading.sender, subject=reading.summary.subject)
    found = sign_up_answers.commands_in(reading, language) if signs_up else AtOnce()
    lines = [line for line in found.lines if not impossible_address_in([line])]
    words = "" if _are_with_robots(lines) else words_beside(found.beside, lines)
    proposal = sign_up_answers.proposed(reading, language, signs_up=bool(signs_up), said=found.said)
    lines = [proposal] if proposal else lines
    asked = Confirmation.objects.create(
        letter=responder.letter,
        address=reading.sender,
        lines=[name if signs_up else "", *lines] if signs_up or lines else [],  # "" until they give a name
        near=bool(proposal),
        message="" if proposal else relayed_to_stranger(words),  # a YES covers the text shown here
        language=language,
        asked_at=responder.now,
    )
    rest = words_beside(reading.understood.chat.split("\n"), reading.letter.lines, name)
    named: Section = {"game": wish.game} if wish.near else {}
    return named | {
        "reply_to": answer_address(asked),
        "lines": lines,
        "example": found.example,
        "near": wish.near,
        "proposed": asked.near,
        "unread": bool(signs_up in reading.understood.commands and not lines and rest),
        "message": asked.message,
        "is_actor": True,
    }


def _are_with_robots(lines: Sequence[str]) -> bool:
    """Whether all lines challenge robots, who read nothing."""
    commands = [read_alone(line) for line in lines]
    return all(isinstance(each, Challenge) and newcomers.names_machine(each.who) for each in commands)


def _lost(reading: InterpretedMessage, section: Section) -> str:
    """Text for a friend that no invitation carries."""
    told = [message_along(line) for line in reading.letter.lines]
    taken = section.get("message", "")
    return without_secrets("\n".join(said for said in told if said and said not in taken))


def _how_often(wish: Register | None, reading: InterpretedMessage, responder: Responder, taken: str) -> str:
    """A key that allows one answer a week, and one with commands.

    A proved sender gets one for each different REGISTER or taken name, and HELP and REGISTER once a day.
    """
    year, week, day = responder.now.isocalendar()
    refused = _refused(reading.sender, responder)
    lines = sign_up_answers.commands_in(reading, SOURCE).lines if wish else []
    written = {
        reading.summary.subject,
        *map(str.strip, reading.letter.lines),
    }  # else it is asked in a sentence
    said = any(isinstance(c, ASKING) and c.line in written for c in reading.understood.commands)
    if reading.dmarc is not Dmarc.PASS or not said:
        return f"{year}-{week}-{'more' if lines else ''}{refused}"
    wanted = [*filter(None, [taken]), *lines]
    digest = sha256("\n".join(wanted).casefold().encode()).hexdigest()[:16] if wanted else ""
    return f"{year}-{week}-{day}-{digest}{refused}"


def _refused(address: str, responder: Responder) -> str:
    """Allows further answers after a NO, some times a week."""
    answered = Confirmation.objects.filter(address=address, player=None, agreed=False)
    times = answered.filter(used_at__gt=responder.now - _WEEK)[:_MOST_REFUSED].count()
    return f"-{times}" if times else ""


def _wish(reading: InterpretedMessage) -> Register | None:
    """The REGISTER that is given or meant, as by a person who wants to play. None when there is none."""
    said = next((c for c in reading.understood.commands if isinstance(c, Register)), None)
    if not said and _only_asks(reading):
        return None
    alone = newcomers.is_only_game(reading.summary.subject, reading.letter.lines)
    if said or reading.player or reading.sharers or alone:
        return said
    meant = next((c for c in reading.understood.commands if isinstance(c, OF_PLAYING)), None)
    language = newcomers.language_of(reading.summary.subject, reading.letter.lines)
    said_to_be = read_name(reading.letter.lines)
    if said_to_be is None and (meant or sign_up_answers.names_opponent(reading, language)):
        return Register(line=meant.line if meant else "") if _called(Register(), reading) else None
    if said_to_be is None or not (meant or newcomers.asks(reading.summary.subject, reading.letter.lines)):
        return None
    verb = REGISTERING.get(said_to_be.language, REGISTERING[SOURCE])[0]
    return Register(said_to_be.name, line=f"{verb} {said_to_be.name}")


def _only_asks(reading: InterpretedMessage) -> bool:
    """Whether they only ask about the service."""
    lines, subject = reading.letter.lines, reading.summary.subject
    wish = wish_in(lines, reading.sender, subject=subject)
    return newcomers.asks_about_us(lines) and not wish.game and not wish.friend


def _called(wish: Register, reading: InterpretedMessage) -> str:
    """The first word of the given name, or the first name of the sender."""
    if not wish.name:
        return suggested_name(reading.summary.sender_name, reading.sender)
    return wish.name.split()[0]


def words_beside(written: Sequence[str], lines: Sequence[str], name: str = "") -> str:
    """The text that goes along with the commands. Empty when there are none, or it is only courtesy."""
    lines_said = (line for line in written if not (sign_up_answers.is_answer(line) or addresses_us(line)))
    said = _BLANK_RUN.sub("\n\n", "\n".join(lines_said)).strip()
    return said if lines and not talk.is_only_courtesy(said, name) else ""


def _how_to_begin(reading: InterpretedMessage) -> tuple[Section, str]:
    said = read_name((reading.summary.subject, *reading.letter.lines))
    name = said.name if said else suggested_name(reading.summary.sender_name, reading.sender)
    wish = sketched(reading)
    if reading.dmarc is not Dmarc.PASS:  # a forged letter could put any address into ours
        wish |= {"friend": ""}
    return {"kind": "invitation", "name": name} | wish, Code.UNVERIFIED


def sketched(reading: InterpretedMessage) -> Section:
    """The friend and the game of a wish in free wording, and whether they ask about the service."""
    wish = wish_in(reading.letter.lines, reading.sender, subject=reading.summary.subject)
    explains = newcomers.asks_about_us(reading.letter.lines)
    return {"friend": wish.friend, "game": wish.game, "explains": explains}


def _reply_to_stranger(name: str, reading: InterpretedMessage) -> tuple[Section, str]:
    """The section for a sign-up, and the verdict."""
    try:
        check_name(name)
    except Refused as refused:
        section = refusal_of_name(refused, name, reading.summary.sender_name, reading.sender)
        if refused.code != Code.NAME_TAKEN:
            return section, refused.code
        lost = Player.objects.resembling(name).filter(unreachable_since__isnull=False)
        return section | {"lost": True}, LOST if lost.exists() else Code.NAME_TAKEN
    return {"kind": "signup", "name": name}, Code.CONFIRM_NEEDED


def refusal_of_name(refused: Refused, name: str, *sources: str) -> Section:
    """Proposes another name for one that is taken, from `sources`, or refuses it."""
    if refused.code == Code.NAME_TAKEN and (free := instead_of(name, *sources)):
        return {"kind": "signup", "name": free, "taken": name}
    return refusal(refused.code, refused.facts)
