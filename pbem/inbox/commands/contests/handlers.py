"""Handlers for contests."""

from __future__ import annotations

from collections.abc import Mapping
from random import SystemRandom

from django.db import transaction

from pbem.competitions import challenges
from pbem.competitions.models import Contest, Edition, Entrant
from pbem.competitions.tournaments import enter, leave
from pbem.inbox.commands.command import Command
from pbem.inbox.commands.contests.grammar import Climb, Contests, Enter, Ladder, Leave, Table
from pbem.inbox.commands.matchmaking.handlers import player_called
from pbem.inbox.handling.context import CommandContext, Handler, count
from pbem.refusals import Code, Refused

State = Entrant.State


def _contests(context: CommandContext, command: Contests) -> None:
    context.reply({"kind": "contests"})


def _enter(context: CommandContext, command: Enter) -> None:
    contest = _named(command.contest) or _only([c for c in _open() if c.takes_entries()])
    if contest is None:
        context.reply({"kind": "contests"})
        return
    entrant = enter(contest, context.player, always=command.always, now=context.now)
    context.reply({"kind": "contest_entry", "entrant": entrant.pk, "left": False})


def _leave(context: CommandContext, command: Leave) -> None:
    contest = _named(command.contest) or _only(_own(context))
    if contest is None:
        context.reply({"kind": "contests"})
        return
    entrant = leave(contest, context.player, now=context.now)
    if entrant.state == State.LEFT:  # else a letter tells of the withdrawal
        context.reply({"kind": "contest_entry", "entrant": entrant.pk, "left": True})


def _table(context: CommandContext, command: Table) -> None:
    context.reply({"kind": "contest_table", "edition": _edition(_named(command.contest)).pk})


def _ladder(context: CommandContext, command: Ladder) -> None:
    contest = _named(command.contest) or _only(_ladders(context))
    if contest is None:
        context.reply({"kind": "contests"})
        return
    context.reply({"kind": "contest_table", "edition": _edition(contest).pk})


@transaction.atomic
def _climb(context: CommandContext, command: Climb) -> None:
    contest = _named(command.contest) or _only(_ladders(context))
    if contest is None:
        raise Refused(Code.NO_SUCH_CONTEST)
    opponent = player_called(context, command.who)
    count("challenges", context, refusal=Code.TOO_MANY_CHALLENGES)
    match = challenges.challenge(
        contest, context.player, opponent, now=context.now, rng=SystemRandom(), letter=context.row.pk
    )
    context.meets(match)


def _named(number: int | None) -> Contest | None:
    """Returns the contest with this number; None when no number was given. Refuses C26."""
    if number is None:
        return None
    found = Contest.objects.filter(pk=number).first()
    if found is None:
        raise Refused(Code.NO_SUCH_CONTEST, number=number)
    return found


def _edition(contest: Contest | None) -> Edition:
    """Returns the current or last edition. Refuses C26 without a contest, C36 when none has begun."""
    if contest is None:
        raise Refused(Code.NO_SUCH_CONTEST)
    if contest.last is None:
        raise Refused(Code.CONTEST_NOT_BEGUN, text=contest.name)
    return contest.last


def _open() -> list[Contest]:
    return list(Contest.objects.filter(closed_at=None).order_by("pk"))


def _own(context: CommandContext) -> list[Contest]:
    taken = Entrant.objects.filter(player=context.player, state__in=(State.ENTERED, State.PLAYING))
    return list(Contest.objects.filter(closed_at=None, entrants__in=taken).distinct().order_by("pk"))


def _ladders(context: CommandContext) -> list[Contest]:
    """Returns the player's own ladders, else all."""
    known = [contest for contest in _open() if contest.system == Contest.System.LADDER]
    mine = {contest.pk for contest in _own(context)}
    return [contest for contest in known if contest.pk in mine] or known


def _only(contests: list[Contest]) -> Contest | None:
    return contests[0] if len(contests) == 1 else None


HANDLERS: Mapping[type[Command], Handler] = {
    Contests: _contests,
    Enter: _enter,
    Leave: _leave,
    Table: _table,
    Ladder: _ladder,
    Climb: _climb,
}
