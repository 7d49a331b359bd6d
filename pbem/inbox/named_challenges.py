"""A challenge that a new email names by its player: `accetto la sfida di Bruno`, `cancel my challenge to Carla`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.inbox import commands
from pbem.inbox.commands import Command, Understood
from pbem.inbox.commands.matchmaking.grammar import Accept, Decline
from pbem.inbox.commands.moves_in_talk import words_in
from pbem.inbox.commands.phrases import called
from pbem.inbox.handling.context import CommandContext
from pbem.inbox.interpretation import Reading
from pbem.mail.authentication.policy import Decision
from pbem.matches.models import Match, Seat
from pbem.refusals import Code
from pbem.wording import wording

_WORDS = wording(commands.__package__)
_MOST_WORDS = 24
_CHALLENGES = _WORDS.words("named_challenges", "challenge")
_TAKING, _REFUSING, _WITHDRAWING = (
    _WORDS.words("named_challenges", key) for key in ("taking", "refusing", "withdrawing")
)


def meant(context: CommandContext, reading: Reading) -> Reading:
    """The same with ACCEPT or DECLINE of the challenge that it names, if one waits."""
    said, lines = reading.understood, reading.letter.lines
    words = words_in(lines)
    brief = sum(len(line.split()) for line in lines) <= _MOST_WORDS
    if context.token_seat or said.commands or reading.decision is Decision.HOLD or not brief:
        return reading
    if _CHALLENGES.isdisjoint(words):
        return reading
    found = _withdrawn(context, words) or _answered(context, words)
    if found is None:
        return reading
    beside = "" if isinstance(found, Accept) else "\n".join(filter(str.strip, lines))
    return replace(reading, understood=Understood(asks=(found,), beside=beside, verdict=Code.NO_MOVE_FOUND))


def _withdrawn(context: CommandContext, words: set[str]) -> Command | None:
    """Of one's own."""
    seat = _only(context, words, own=True) if words & _WITHDRAWING else None
    return _command(context, Decline, seat) if seat else None


def _answered(context: CommandContext, words: set[str]) -> Command | None:
    refuses = bool(words & _REFUSING)
    if not refuses and not words & _TAKING:
        return None
    seat = _only(context, words, own=False)
    return _command(context, Decline if refuses else Accept, seat) if seat else None


def _only(context: CommandContext, words: set[str], *, own: bool) -> Seat | None:
    """The one with the player who is named; of no name, the only one."""
    proposed = Match.objects.of(context.player).filter(status=Match.Status.PROPOSED)
    waiting = [match for match in proposed if (match.proposer_id == context.player.pk) is own]
    seats = [seat for match in waiting for seat in match.seated if seat.player_id == context.player.pk]
    named = [seat for seat in seats if seat.opponent.player.folded in words]
    found: Sequence[Seat] = named or seats
    return found[0] if len(found) == 1 else None


def _command(context: CommandContext, kind: type[Accept] | type[Decline], seat: Seat) -> Command:
    word = called("ACCEPT" if kind is Accept else "DECLINE", context.player.language)
    return kind(match=seat.match_id, line=f"{word} {seat.match_id}")
