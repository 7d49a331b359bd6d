"""How the players of a tournament stand now, and what a spreadsheet is told of it."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from io import StringIO

from django.utils.translation import gettext

from pbem.matches.models import Match, Seat, Tournament
from pbem.matches.tournaments.table import Meeting, Row, cross_table
from pbem.players.models import Player

_COUNTED = (Match.Status.PLAYING, Match.Status.OVER)


def standings(tournament: Tournament) -> tuple[Row[Player], ...]:
    """The cross-table of this moment, in two questions. A match that is neither played nor over is not in it."""
    players = {player.pk: player for player in tournament.players()}
    seats = Seat.objects.filter(match__tournament=tournament, match__status__in=_COUNTED)
    facts = list(
        seats.order_by("match", "side").values_list("match", "player", "match__status", "match__winner")
    )
    if others := {player for _, player, _, _ in facts} - players.keys():
        players |= Player.objects.in_bulk(others)  # whoever took a place otherwise than by `replace`
    seated = iter(facts)
    meetings = [
        Meeting(players[first], players[second], _points(status, winner), match)
        for (match, first, status, winner), (_, second, _, _) in zip(seated, seated, strict=True)
    ]
    return cross_table(list(players.values()), meetings)


def table_csv(rows: Sequence[Row[Player]]) -> str:
    """The cross-table for a spreadsheet; the games of two who met more than once stand in one field."""
    head = [gettext("Place"), gettext("Name"), *(str(row.place) for row in rows)]
    head += [gettext("Points"), "Sonneborn-Berger", gettext("Won"), gettext("Drawn"), gettext("Lost")]
    return _sheet([head, *(_line(row, rows) for row in rows)])


def matches_csv(tournament: Tournament) -> str:
    """One line for each match, by round; the first three columns are a list of pairings."""
    head = [gettext("First"), gettext("Second"), gettext("Game"), gettext("Round"), gettext("Match")]
    head += [gettext("Result"), gettext("Reason"), gettext("Moves"), gettext("Started"), gettext("Ended")]
    matches = tournament.matches.order_by("round", "pk").prefetch_related("seats__player")
    return _sheet([head, *map(_match, matches)])


def _points(status: str, winner: int | None) -> float | None:
    if status != Match.Status.OVER:
        return None
    return 0.5 if winner is None else float(winner == 0)


def _line(row: Row[Player], rows: Sequence[Row[Player]]) -> list[object]:
    met = ("x" if other is row else row.signs(other.entrant) for other in rows)
    numbers = (row.points, row.sonneborn_berger, row.won, row.drawn, row.lost)
    return [row.place, row.entrant.name, *met, *(f"{number:g}" for number in numbers)]


def _match(match: Match) -> list[object]:
    first, second = sorted(match.seats.all(), key=lambda seat: seat.side)
    outcome = match.outcome()
    days = (moment.date().isoformat() if moment else "" for moment in (match.started_at, match.ended_at))
    result = (outcome.score, outcome.reason) if outcome else ("*", "")
    return [
        first.player.name,
        second.player.name,
        match.game_name,
        match.round,
        match.pk,
        *result,
        match.ply,
        *days,
    ]


def _sheet(lines: Iterable[Iterable[object]]) -> str:
    """RFC 4180. No field can be taken for a formula: names of players begin with a letter."""
    sheet = StringIO()
    csv.writer(sheet).writerows(lines)
    return sheet.getvalue()
