"""A challenge that a new email names by its player, and what an answer takes back: `accetto la sfida di Bruno`."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from pbem.inbox.commands import Command, Understood
from pbem.inbox.commands.bars import has_intent
from pbem.inbox.commands.challenges_in_talk import Deed, deeds
from pbem.inbox.commands.matchmaking.grammar import Accept, Decline
from pbem.inbox.commands.phrases import called
from pbem.inbox.handling.context import CommandContext
from pbem.inbox.interpretation import Reading
from pbem.mail.authentication.policy import Decision
from pbem.matches.models import Match, Seat
from pbem.matches.questions import asks
from pbem.refusals import Code


def meant(context: CommandContext, reading: Reading) -> Reading:
    """The same with ACCEPT or DECLINE of the challenge that it names, or of what it takes back, if one waits."""
    said, lines = reading.understood, reading.letter.lines
    if said.commands or reading.decision is Decision.HOLD:
        return reading
    if seat := context.token_seat:
        withdraws = asks(seat) and has_intent("WITHDRAW", " ".join(filter(None, map(str.strip, lines))))
        return replace(reading, understood=_taken_back(context, said.chat)) if withdraws else reading
    words, wanted = deeds(lines)
    for deed in wanted:
        if seat := _only(context, words, own=deed is Deed.WITHDRAW):
            command = _command(context, Accept if deed is Deed.ACCEPT else Decline, seat)
            beside = "\n".join(filter(str.strip, lines)) if deed is Deed.DECLINE else ""
            understood = Understood(asks=(command,), beside=beside, verdict=Code.NO_MOVE_FOUND)
            return replace(reading, understood=understood)
    return reading


def _taken_back(context: CommandContext, words: str) -> Understood:
    """What they have asked their opponent for in the match of the letter, who reads how it is put."""
    decline = Decline(line=called("DECLINE", context.player.language))
    return Understood(asks=(decline,), beside=words, verdict=Code.NO_MOVE_FOUND)


def _only(context: CommandContext, words: Collection[str], *, own: bool) -> Seat | None:
    """The seat in the challenge of the player who is named, or in `own` to them; of nobody named, in the only one."""
    proposed = Match.objects.of(context.player).filter(status=Match.Status.PROPOSED)
    waiting = [match for match in proposed if (match.proposer_id == context.player.pk) is own]
    seats = [seat for match in waiting for seat in match.seated if seat.player_id == context.player.pk]
    found = [seat for seat in seats if seat.opponent.player.folded in words] or seats
    return found[0] if len(found) == 1 else None


def _command(context: CommandContext, kind: type[Accept] | type[Decline], seat: Seat) -> Command:
    word = called("ACCEPT" if kind is Accept else "DECLINE", context.player.language)
    return kind(match=seat.match_id, line=f"{word} {seat.match_id}")
