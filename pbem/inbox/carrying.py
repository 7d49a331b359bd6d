"""Carries out what a letter asks, as far as its sender is believed; the caller's transaction, one verdict."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from pbem.inbox import questions
from pbem.inbox.commands import AnyCommand, read_yes
from pbem.inbox.doing import Doing
from pbem.inbox.identity import Decision
from pbem.inbox.models import InboundMail
from pbem.inbox.reading import Reading
from pbem.matches.models import Match
from pbem.players.services import fall_silent
from pbem.refusals import Refused

OK = "ok"
# What the headers say of an automatic letter: it is kept, and nobody answers.
AUTOMATIC = {
    "bounce": "I03",
    "auto_reply": "I02",
    "list": "I06",
    "loop": "I07",
    "receipt": "I05",
    "complaint": "I04",
    "calendar": "I10",
}


def carry_out(row: InboundMail, reading: Reading, now: datetime) -> None:
    """Do everything, write the verdict. Every path ends in exactly one."""
    row.player = reading.player
    row.match = _match(reading)
    row.reading = reading.facts
    row.verdict = _verdict(row, reading, now)
    row.opened_at, row.leased_until = now, None
    row.save(update_fields=["player", "match", "reading", "verdict", "opened_at", "leased_until"])


def _verdict(row: InboundMail, reading: Reading, now: datetime) -> str:
    addressed = reading.addressed
    if addressed is None:
        return "A03"  # the salt changed while the letter waited
    if addressed.purpose == "b":
        return "I03"
    if reading.glance.automatic:
        return AUTOMATIC[reading.glance.automatic]
    if addressed.purpose == "u" and addressed.player:
        fall_silent(addressed.player, now=now)
        return OK
    if not reading.glance.senders:
        return "I09"
    if addressed.confirmation:
        return _answer(row, reading, now)
    return _decided(row, reading, now)


def _decided(row: InboundMail, reading: Reading, now: datetime) -> str:
    """The decision of `pbem.inbox.identity` and the letter's own verdict, then the commands."""
    player, decision = reading.player, reading.decision
    if decision is Decision.SILENCE:
        return "A11"
    if decision is Decision.SIGN_UP or player is None:
        return questions.answer_stranger(row, reading, now)
    doing = Doing(row, player, reading.addressed, now)
    if decision is Decision.NOTICE:
        doing.tell({"kind": "notice"}, cause=f"revoked:{row.lane}")
        return "A03"
    if player.suspended_at:
        return doing.refuse(Refused("A07"))
    if verdict := reading.letter.verdict or reading.understood.verdict:
        if decision is Decision.HOLD:
            return verdict  # nothing to hold, and its sender is not known
        return doing.refuse(Refused(verdict, nearest=reading.understood.suggestions))
    commands = reading.understood.commands
    wait = [command for command in commands if _waits(command, decision)]
    verdicts = doing.all([c for c in commands if c not in wait], chat="" if wait else reading.understood.chat)
    if wait:
        questions.ask(doing, reading, wait)
        verdicts = [*verdicts, "A09"]
    return _first_refusal(verdicts)


def _waits(command: AnyCommand, decision: Decision) -> bool:
    """Whether the command needs a YES first."""
    if decision is Decision.HOLD:
        return True
    careful = decision in (Decision.CONFIRM, Decision.READING)
    return command.confirms or (careful and not command.reading)


def _answer(row: InboundMail, reading: Reading, now: datetime) -> str:
    """YES or NO to a question of ours. Holding its address is proof enough: it was mailed to one mailbox."""
    assert reading.addressed
    asked = reading.addressed.confirmation
    assert asked
    yes = read_yes(reading.letter.lines)
    if reading.addressed.state != "current":
        return questions.expired(row, asked, now)
    if yes is None:
        return questions.ask_again(row, asked, now)
    asked.used_at = now
    asked.save(update_fields=["used_at"])
    if not yes:
        return OK
    if asked.player is None:
        return questions.sign_up(row, asked, now)
    doing = Doing(row, asked.player, questions.as_asked(asked), now)
    commands = questions.commands_of(asked, doing)
    return _first_refusal(doing.all(commands, chat=asked.message))


def _first_refusal(verdicts: Iterable[str]) -> str:
    return next((verdict for verdict in verdicts if verdict != OK), OK)


def _match(reading: Reading) -> Match | None:
    addressed = reading.addressed
    if addressed and addressed.seat:
        return addressed.seat.match
    return addressed.confirmation.match if addressed and addressed.confirmation else None
