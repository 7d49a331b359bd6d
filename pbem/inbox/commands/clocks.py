"""Clocks, and claims of a win on time."""

from __future__ import annotations

from pbem.inbox.commands.line import CommandLine, match_of
from pbem.inbox.commands.match_commands import Claim, Clock
from pbem.inbox.handling.context import CommandContext, Verbs
from pbem.matches.clock import deadlines


def _read_clock(line: CommandLine) -> Clock | None:
    match, rest = match_of(line)
    return None if rest else Clock(match)


def _read_claim(line: CommandLine) -> Claim | None:
    match, rest = match_of(line)
    return None if rest else Claim(match)


def _clock(context: CommandContext, clock: Clock) -> None:
    """Shows all clocks when neither the command nor the letter names a match."""
    at = context.now.isoformat()
    if clock.match is None and context.token_seat is None:
        context.reply({"kind": "clock", "at": at})
        return
    match = context.seat(clock.match).match
    context.reply({"kind": "clock", "match": match.pk, "at": at}, match=match)


def _claim(context: CommandContext, claim: Claim) -> None:
    deadlines.claim(context.seat(claim.match), now=context.now, letter=context.row.pk)


VERBS: Verbs = {
    Clock: (_read_clock, _clock),
    Claim: (_read_claim, _claim),
}
