"""Competitions: lists, entries, withdrawals, tables, ladders."""

from __future__ import annotations

from random import SystemRandom

from django.db import transaction

from pbem.competitions import challenges
from pbem.competitions.entries import enter, leave
from pbem.competitions.models import Competition, Entrant
from pbem.competitions.tournaments import by_hand_of, withdraw
from pbem.inbox.commands.line import CommandLine, number_of
from pbem.inbox.commands.match_commands import Climb, Contests, Enter, Ladder, Leave, Table
from pbem.inbox.commands.matchmaking import player_called
from pbem.inbox.handling.context import CommandContext, Verbs, count
from pbem.refusals import Code, Refused
from pbem.wording import fold, wording

_WORDS = wording(__name__)
ONCE, ALWAYS, RATINGS = (frozenset(map(fold, _WORDS.words(key))) for key in ("once", "always", "ratings"))


def _read_contests(line: CommandLine) -> Contests | None:
    alone = not line.rest and line.match is None
    return Contests() if alone and (line.clear or line.own is None) else None


def _read_enter(line: CommandLine) -> Enter | None:
    found = _numbered(line)
    if found is None:
        return None
    contest, words = found
    match [fold(word) for word in words]:
        case []:
            return Enter(contest)
        case [word] if word in ONCE | ALWAYS:
            return Enter(contest, word in ALWAYS)
    return None


def _read_leave(line: CommandLine) -> Leave | None:
    found = _numbered(line)
    return Leave(found[0]) if found and not found[1] else None


def _read_table(line: CommandLine) -> Table | None:
    found = _numbered(line)
    if not found or found[1] or (found[0] is None and line.word in RATINGS):
        return None
    return Table(found[0])


def _read_ladder(line: CommandLine) -> Ladder | None:
    found = _numbered(line)
    return Ladder(found[0]) if found and not found[1] else None


def _read_climb(line: CommandLine) -> Climb | None:
    found = _numbered(line)
    if found is None or len(found[1]) != 1:
        return None
    return Climb(found[1][0], found[0])


def _numbered(line: CommandLine) -> tuple[int | None, list[str]] | None:
    """Returns the contest and the words behind it. None without a number or capitals ("Leave it")."""
    number, rest = (line.match, line.rest) if line.match is not None else number_of(line.rest)
    if number is None and not line.clear:
        return None
    return number, rest.removesuffix(".").split()


State = Entrant.State


def _contests(context: CommandContext, command: Contests) -> None:
    context.reply({"kind": "contests"})


def _enter(context: CommandContext, command: Enter) -> None:
    contest = _named(command.contest) or _only([c for c in _open() if c.takes_entries()])
    if contest is None:
        context.reply({"kind": "contests"})
        return
    if contest.is_by_hand:  # an organiser invites into it
        raise Refused(Code.ENTRIES_CLOSED, text=contest.name)
    entrant = enter(contest, context.player, always=command.always, now=context.now)
    context.reply({"kind": "contest_entry", "entrant": entrant.pk, "left": False})


def _leave(context: CommandContext, command: Leave) -> None:
    contest = _named(command.contest) or _only(_own(context))
    if contest is None:
        context.reply({"kind": "contests"})
        return
    if contest.is_by_hand:
        withdraw(contest.tournaments.get(), context.player, reason="", now=context.now)
        return
    entrant = leave(contest, context.player, now=context.now)
    if entrant.state == State.LEFT:  # else a letter tells of the withdrawal
        context.reply({"kind": "contest_entry", "entrant": entrant.pk, "left": True})


def _table(context: CommandContext, command: Table) -> None:
    contest = _named(command.contest) or _only(_own(context))
    _show_table(context, contest)


def _ladder(context: CommandContext, command: Ladder) -> None:
    _show_table(context, _named(command.contest) or _only(_ladders(context)))


def _show_table(context: CommandContext, contest: Competition | None) -> None:
    """Shows the table, or the list of competitions for None. Refuses C36 (not begun) and C26 (of others, by hand)."""
    if contest is None:
        context.reply({"kind": "contests"})
    elif contest.is_by_hand:
        tournament = contest.tournaments.get()
        if not tournament.entries.filter(player=context.player).exists():
            raise Refused(Code.NO_SUCH_CONTEST, number=contest.pk)
        if not tournament.begun:
            raise Refused(Code.CONTEST_NOT_BEGUN, text=contest.name)
        context.reply({"kind": "contest_table", "tournament": tournament.pk})
    elif contest.last is None:
        raise Refused(Code.CONTEST_NOT_BEGUN, text=contest.name)
    else:
        context.reply({"kind": "contest_table", "edition": contest.last.pk})


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


def _named(number: int | None) -> Competition | None:
    """Returns the contest with this number; None when no number was given. Refuses C26."""
    if number is None:
        return None
    found = Competition.objects.filter(pk=number).first()
    if found is None:
        raise Refused(Code.NO_SUCH_CONTEST, number=number)
    return found


def _open() -> list[Competition]:
    return list(Competition.objects.automatic().filter(closed_at=None).order_by("pk"))


def _own(context: CommandContext) -> list[Competition]:
    taken = Entrant.objects.filter(player=context.player, state__in=(State.ENTERED, State.PLAYING))
    by_hand = [tournament.competition for tournament in by_hand_of(context.player)]
    return [
        *Competition.objects.filter(closed_at=None, entrants__in=taken).distinct().order_by("pk"),
        *by_hand,
    ]


def _ladders(context: CommandContext) -> list[Competition]:
    """Returns the player's own ladders, else all."""
    known = [contest for contest in _open() if contest.system == Competition.System.LADDER]
    mine = {contest.pk for contest in _own(context)}
    return [contest for contest in known if contest.pk in mine] or known


def _only(contests: list[Competition]) -> Competition | None:
    return contests[0] if len(contests) == 1 else None


VERBS: Verbs = {
    Contests: (_read_contests, _contests),
    Enter: (_read_enter, _enter),
    Leave: (_read_leave, _leave),
    Table: (_read_table, _table),
    Ladder: (_read_ladder, _ladder),
    Climb: (_read_climb, _climb),
}
