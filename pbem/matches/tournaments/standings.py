"""How the players of a tournament stand now, and what a spreadsheet is told of it."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from io import StringIO

from django.conf import settings
from django.utils.formats import get_format
from django.utils.translation import get_language, gettext

from games.kit.words import speech
from games.protocol import Notation
from pbem.matches.models import Match, Tournament
from pbem.matches.tournaments.sheet import Sheet, sheet_of
from pbem.matches.tournaments.table import WON, Meeting, Row, cross_table
from pbem.players.models import Player

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_COUNTED = (Match.Status.PLAYING, Match.Status.OVER)


def standings(tournament: Tournament, sheet: Sheet | None = None) -> tuple[Row[Player], ...]:
    """The cross-table of this moment, of what was read or is now. A match that is neither played nor over is not in
    it, nor one of a player who has withdrawn early; in later rounds who would have met one who withdrew has the point,
    as in a match that is lost by default."""
    sheet = sheet or sheet_of(tournament)
    players = sheet.players
    erased = sheet.erased
    counted = sorted(
        (m for m in sheet.matches if m.status in _COUNTED and erased.isdisjoint(m.players)),
        key=lambda listed: listed.match,
    )
    entrants = {entry.player_id: entry.player for entry in sheet.entries if not entry.erased}
    entrants |= {player: players[player] for listed in counted for player in listed.players}
    meetings = [
        Meeting(players[m.players[0]], players[m.players[1]], _points(m.status, m.winner), m.match)
        for m in counted
    ]
    meetings += [Meeting(stays, other, WON) for stays, other in sheet.walkovers(tournament.begun)]
    return cross_table(list(entrants.values()), meetings)


Lines = Sequence[Sequence[object]]


def table_lines(rows: Sequence[Row[Player]]) -> Lines:
    """The cross-table for a spreadsheet; the games of two who met more than once stand in one field.

    The columns of results have the numbers of the lines: places are shared, and two columns of one name are one to
    many programs.
    """
    head: list[object] = [
        gettext("Number"),
        gettext("Place"),
        gettext("Name"),
        *map(str, range(1, len(rows) + 1)),
    ]
    head += [gettext("Points"), "Sonneborn-Berger", gettext("Won"), gettext("Drawn"), gettext("Lost")]
    return [head, *(_line(number, row, rows) for number, row in enumerate(rows, start=1))]


def match_lines(tournament: Tournament) -> Lines:
    """One line for each match, by round; the first three columns are a list of pairings."""
    head: list[object] = [
        gettext("First"),
        gettext("Second"),
        gettext("Game"),
        gettext("Round"),
        gettext("Match"),
    ]
    head += [gettext("Result"), gettext("Reason"), gettext("Moves"), gettext("Started"), gettext("Ended")]
    matches = tournament.matches.order_by("round", "pk").prefetch_related("seats__player")
    return [head, *map(_match, matches)]


def _points(status: str, winner: int | None) -> float | None:
    if status != Match.Status.OVER:
        return None
    return 0.5 if winner is None else float(winner == 0)


def _line(number: int, row: Row[Player], rows: Sequence[Row[Player]]) -> list[object]:
    met = ("x" if other is row else row.signs(other.entrant) for other in rows)
    sums = (row.points, row.sonneborn_berger, row.won, row.drawn, row.lost)
    return [number, row.place, row.entrant.name, *met, *sums]


def _match(match: Match) -> list[object]:
    first, second = sorted(match.seats.all(), key=lambda seat: seat.side)
    outcome = match.outcome()
    days = (moment.date() if moment else "" for moment in (match.started_at, match.ended_at))
    notation = Notation(get_language() or settings.LANGUAGE_CODE)
    names = first.player.name, second.player.name
    said = speech(match.game, match.rules, notation, names)
    result = (outcome.score, said.outcome(outcome)) if outcome else ("*", "")
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


def _decimal(number: float) -> str:
    """As the spreadsheets of the language read a number."""
    return f"{number:g}".replace(".", get_format("DECIMAL_SEPARATOR"))


def as_csv(lines: Iterable[Iterable[object]]) -> str:
    """RFC 4180 but for the semicolons, which spreadsheets split at where a comma is in numbers; the mark in front
    tells them that it is UTF-8."""
    sheet = StringIO()
    csv.writer(sheet, delimiter=";").writerows(map(_written, line) for line in lines)
    return f"\ufeff{sheet.getvalue()}"


def _written(field: object) -> object:
    """What a spreadsheet would take for a formula begins with an apostrophe, which it does not show."""
    if isinstance(field, float):
        return _decimal(field)
    return f"'{field}" if isinstance(field, str) and field.startswith(_FORMULA) else field
