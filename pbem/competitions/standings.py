"""Converts rows to the values that the systems work on: the entrants and games of an edition."""

from __future__ import annotations

from collections.abc import Collection

from pbem.competitions.cross_table import points_of
from pbem.competitions.models import Edition, Entrant
from pbem.competitions.systems import values
from pbem.competitions.systems.values import WON, Game, Line, StandingsInput, without
from pbem.matches.models import Event, Match, Seat

State = Entrant.State
IN_TABLE = (State.PLAYING, State.FINISHED, State.WITHDRAWN, State.ERASED, State.ASLEEP)
_ON_TIME = "time"  # the reason in the record


def seen(edition: Edition) -> StandingsInput:
    """Returns the contest's state, without void matches. Three queries."""
    rows = list(edition.entrants.filter(state__in=IN_TABLE))
    erased = {row.player_id for row in rows if row.state == State.ERASED}
    games = [*_games(edition), *_byes(rows)]
    return StandingsInput(tuple(map(_entrant, rows)), without(games, erased), edition.begun)


def games(edition: Edition) -> list[Game]:
    """Returns the games, also those of withdrawn players."""
    return _games(edition)


def lines(edition: Edition) -> tuple[Line, ...]:
    """Returns the current table, each player once; of a ladder, by positions."""
    if edition.contest.has_order:
        return order_lines(edition)
    return edition.contest.chosen.places(seen(edition))


def order(edition: Edition) -> tuple[int, ...]:
    """Returns the players of a ladder or a hill, from the top."""
    rows = edition.entrants.filter(state=State.PLAYING).order_by("position", "pk")
    return tuple(rows.values_list("player", flat=True))


def order_lines(edition: Edition) -> tuple[Line, ...]:
    """Returns the lines of a ladder or a hill; points are challenges won, as challenger or as challenged."""
    won = dict.fromkeys(order(edition), 0.0)
    for challenge in edition.challenges.filter(settled_at__isnull=False):
        winner = challenge.challenger_id if challenge.succeeded else challenge.challenged_id
        if winner in won:
            won[winner] += 1
    return tuple(Line(player, at, False, won[player]) for at, player in enumerate(won, start=1))


def timed_out(edition: Edition) -> set[tuple[int, int]]:
    """Returns the two players of each match that ended on time, the first to move first."""
    seats = Seat.objects.filter(match__in=edition.matches().filter(reason=_ON_TIME)).order_by("match", "side")
    players = list(seats.values_list("player", flat=True))
    return set(zip(players[::2], players[1::2], strict=True))


def _entrant(row: Entrant) -> values.Entrant:
    return values.Entrant(
        row.player_id,
        row.rating,
        active=row.state in (State.PLAYING, State.FINISHED),
        erased=row.state == State.ERASED,
        division=row.division,
    )


def _games(edition: Edition) -> list[Game]:
    counted: Collection[str] = (Match.Status.PLAYING, Match.Status.OVER)
    seats = Seat.objects.filter(match__tournament__edition=edition, match__status__in=counted)
    rows = seats.order_by("match", "side").values_list(
        "match",
        "player",
        "match__status",
        "match__winner",
        "match__round",
        "match__tournament__label",
        "match__ply",
    )
    seated, entered = iter(rows), _replaced(edition)
    return [
        Game(
            entered.get((match, first), first),
            entered.get((match, second), second),
            points_of(status, winner),
            number or 1,
            label,
            ply,
        )
        for (match, first, status, winner, number, label, ply), (_, second, *_rest) in zip(
            seated, seated, strict=True
        )
    ]


def _replaced(edition: Edition) -> dict[tuple[int, int], int]:
    """Returns the entrant for each substitute, by match: the entrant gets the result."""
    events = Event.objects.filter(match__tournament__edition=edition, kind=Event.Kind.REPLACED)
    found: dict[tuple[int, int], int] = {}
    for match, facts in events.order_by("pk").values_list("match", "facts"):
        before, after = facts["before"], facts["after"]
        found[match, after] = found.pop((match, before), before)
    return found


def _byes(rows: Collection[Entrant]) -> list[Game]:
    return [Game(row.player_id, row.player_id, WON, number) for row in rows for number in row.byes]
