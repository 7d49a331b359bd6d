"""What somebody who has not signed up writes in words of their own: it goes to the organiser, and they hear so.

An answer to anybody at all may go to somebody who has written nothing: a stranger gets the first of a day, and one line
more, whatever they go on to write.
"""

from __future__ import annotations

from pbem.inbox import personal
from pbem.inbox.commands.account import newcomers
from pbem.inbox.handling import talk
from pbem.inbox.interpretation import Reading
from pbem.inbox.models import OK, Confirmation, PersonalMessage
from pbem.inbox.rate_limits.slots import is_full, take_place
from pbem.inbox.responder import Responder
from pbem.inbox.sketched_wish import wish_in
from pbem.intents import language_of
from pbem.mail.authentication.policy import Dmarc
from pbem.outbox.delivery.bounces import complained
from pbem.outbox.notifications.notify import Section
from pbem.players.suggested_names import suggested_name
from pbem.refusals import Code

_FEWEST = 3  # words: less is a slip, unless it asks


def are_for_organiser(reading: Reading) -> bool:
    """Whether there are words beside the commands, and nothing of what stands in messages that sell; a link only where
    a provider vouches for its sender."""
    vouched = reading.dmarc is Dmarc.PASS
    commands = {command.line for command in reading.understood.commands}
    said = [line for line in _written(reading) if line.strip() not in commands]
    fewest = 1 if any("?" in line for line in said) else _FEWEST
    if reading.dmarc is Dmarc.FAIL or not personal.in_sentences(said, fewest):
        return False
    return not newcomers.sells(said, linked=vouched) and not talk.only_thanks(" ".join(said))


def are_answered_by_us(reading: Reading) -> bool:
    """Whether they name a game or a friend to play with, or ask what our letters say of the service."""
    lines = reading.letter.lines
    wish = wish_in(lines, reading.sender, subject=reading.glance.subject)
    return bool(wish.game or wish.friend) or newcomers.asks_about_us(lines) or newcomers.greets(lines)


def hear(reading: Reading, responder: Responder) -> str:
    """An email that asks for nothing that we do: the verdict."""
    if complained(reading.sender) or not are_for_organiser(reading):
        return Code.UNVERIFIED
    again = is_full("stranger_first", reading.sender, responder.now)
    if not (again or responder.may_tell_stranger(reading.sender)) or not keep(
        reading.sender, reading, responder
    ):
        return Code.UNVERIFIED
    if not again or _is_one_more(reading, responder):
        name = suggested_name(reading.glance.sender_name, reading.sender)
        section: Section = {"kind": "to_organiser", "stranger": True, "again": again, "name": name}
        responder.tell_address(reading.sender, section, language=language(reading))
    return OK


def tell_before(reading: Reading, responder: Responder) -> str:
    """A command that was answered in this week already, in a letter that says how to go on: the verdict."""
    if reading.dmarc is Dmarc.FAIL:  # who has the mailbox has written nothing
        return Code.DUPLICATE
    again = is_full("stranger_first", reading.sender, responder.now)
    if _is_one_more(reading, responder) if again else responder.may_tell_stranger(reading.sender):
        responder.tell_address(reading.sender, {"kind": "told_before"}, language=language(reading))
    return Code.UNVERIFIED


def take_answer(asked: Confirmation, reading: Reading, responder: Responder) -> bool:
    """Whether what a stranger writes in answer to our question, and is no answer, goes to the organiser."""
    for_organiser = are_for_organiser(reading) and not are_answered_by_us(reading)
    return for_organiser and keep(asked.address, reading, responder)


def keep(address: str, reading: Reading, responder: Responder) -> bool:
    """Whether it could go to the organiser: not everything that one address writes in a day does."""
    if take_place("stranger_words", address, responder.now) is None:
        responder.silenced.add("stranger_words")
        return False
    personal.lay_before(
        PersonalMessage(letter=responder.letter, address=address),
        subject=reading.glance.subject,
        text=personal.words(reading),
        doubted=reading.dmarc is not Dmarc.PASS,
        now=responder.now,
    )
    return True


def language(reading: Reading) -> str:
    """In which they ask how to begin, else that which they write."""
    spoken = newcomers.spoken_in(reading.glance.subject, reading.letter.lines)
    return spoken or language_of(" ".join(_written(reading)))


def _written(reading: Reading) -> list[str]:
    subject = () if reading.glance.is_reply else (reading.glance.subject,)
    return [*subject, *reading.letter.lines]


def _is_one_more(reading: Reading, responder: Responder) -> bool:
    if take_place("stranger_again", reading.sender, responder.now):
        return True
    responder.silenced.add("stranger_again")
    return False
