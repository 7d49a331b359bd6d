"""Standings of a tournament, and their export to spreadsheets."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cached_property
from io import BytesIO, StringIO
from itertools import groupby
from typing import Generic, TypeVar
from xml.sax.saxutils import escape, quoteattr
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from django.conf import settings
from django.utils.formats import get_format
from django.utils.translation import get_language, gettext

from games.kit.words import speech
from games.protocol import Notation
from pbem.matches.models import Entry, Match, Seat, Tournament
from pbem.matches.tournaments.pairings import Rounds, rounds
from pbem.players.models import Player

# Cross-table

Entrant = TypeVar("Entrant")
WON, DRAWN, LOST = 1.0, 0.5, 0.0


@dataclass(frozen=True)
class Meeting(Generic[Entrant]):
    """A game: `points` are those of the first to move, None while it goes on; `match` 0 is a walkover."""

    first: Entrant
    second: Entrant
    points: float | None
    match: int = 0


@dataclass(frozen=True)
class Cell:
    """The result of one game for the player of the row."""

    points: float | None
    match: int

    @property
    def sign(self) -> str:
        return {WON: "1", DRAWN: "½", LOST: "0", None: "·"}[self.points]


@dataclass(frozen=True)
class Row(Generic[Entrant]):
    """A player's line: `met` holds the games by opponent; tied players share a `place`."""

    entrant: Entrant
    place: int
    tied: bool
    points: float
    sonneborn_berger: float
    won: int
    drawn: int
    lost: int
    met: Mapping[Entrant, tuple[Cell, ...]] = field(default_factory=dict)

    @property
    def played(self) -> int:
        return self.won + self.drawn + self.lost

    def signs(self, other: Entrant) -> str:
        """Returns the results against `other`, a sign each: `1½`, `·` for a game that goes on."""
        return "".join(cell.sign for cell in self.met.get(other, ()))


def cross_table(
    entrants: Sequence[Entrant], meetings: Iterable[Meeting[Entrant]]
) -> tuple[Row[Entrant], ...]:
    """Returns the rows, best first, by points, Sonneborn-Berger and wins; ties keep the given order."""
    met: dict[Entrant, dict[Entrant, list[Cell]]] = {entrant: defaultdict(list) for entrant in entrants}
    for game in meetings:
        met[game.first][game.second].append(Cell(game.points, game.match))
        theirs = None if game.points is None else WON - game.points
        met[game.second][game.first].append(Cell(theirs, game.match))
    scores = {entrant: _Score(met[entrant]) for entrant in entrants}
    points = {entrant: score.points for entrant, score in scores.items()}

    def rank(entrant: Entrant) -> tuple[float, float, int]:
        score = scores[entrant]
        return -score.points, -score.sonneborn_berger(points), -score.count(WON)

    rows: list[Row[Entrant]] = []
    for _rank, equals in groupby(sorted(entrants, key=rank), key=rank):
        together = list(equals)
        place, tied = len(rows) + 1, len(together) > 1
        rows += [_row(entrant, scores[entrant], points, place, tied) for entrant in together]
    return tuple(rows)


@dataclass(frozen=True)
class _Score(Generic[Entrant]):
    met: Mapping[Entrant, Sequence[Cell]]

    @cached_property
    def over(self) -> list[tuple[Entrant, float]]:
        cells = ((other, cell.points) for other, cells in self.met.items() for cell in cells)
        return [(other, points) for other, points in cells if points is not None]

    @cached_property
    def points(self) -> float:
        return sum(points for _, points in self.over)

    def count(self, points: float) -> int:
        return sum(1 for _, each in self.over if each == points)

    def sonneborn_berger(self, points: Mapping[Entrant, float]) -> float:
        """Returns the points of beaten opponents, and half the points of those drawn with."""
        return sum(scored * points[other] for other, scored in self.over)


def _row(
    entrant: Entrant, score: _Score[Entrant], points: Mapping[Entrant, float], place: int, tied: bool
) -> Row[Entrant]:
    return Row(
        entrant,
        place,
        tied,
        score.points,
        score.sonneborn_berger(points),
        score.count(WON),
        score.count(DRAWN),
        score.count(LOST),
        {other: tuple(cells) for other, cells in score.met.items()},
    )


# Sheet: entries and matches, read once

System = Tournament.System


@dataclass(frozen=True)
class Listed:
    """A match as stored; `players` by side."""

    match: int
    round: int | None
    game_name: str
    status: str
    winner: int | None
    ply: int
    to_move: int | None
    deadline: datetime | None
    players: tuple[int, int]


@dataclass(frozen=True)
class TournamentSheet:
    """Entries and matches of a tournament. `players` by key: entered ones by number, then others seated."""

    system: str
    entries: tuple[Entry, ...]
    matches: tuple[Listed, ...]
    players: Mapping[int, Player]

    def rounds(self) -> Rounds[Player]:
        return made_of(self.entries, self.system)

    def walkovers(self, begun: int) -> Iterator[tuple[Player, Player]]:
        """Yields (player, withdrawn opponent) for pairings of begun rounds that were not played."""
        # Only for withdrawn players with results that count.
        left = {entry.player_id for entry in self.entries if entry.withdrawn_at}
        gone = left - self.erased
        seated = {(match.round, player) for match in self.matches for player in match.players}
        everybody = all_of(self.entries, self.system)[:begun] if gone else ()
        for number, pairs in enumerate(everybody, start=1):
            for pair in pairs:
                for stays, other in (pair, pair[::-1]):
                    free = not seated & {(number, stays.pk), (number, other.pk)}
                    if free and other.pk in gone and stays.pk not in left:
                        yield stays, other

    @property
    def erased(self) -> set[int]:
        """Returns the players without results in the table."""
        return {entry.player_id for entry in self.entries if entry.erased}


def made_of(entries: Iterable[Entry], system: str) -> Rounds[Player]:
    """Returns the rounds for entries in the order of their numbers, without withdrawn players."""
    entries = list(entries)
    left = {entry.player_id for entry in entries if entry.withdrawn_at}
    return tuple(
        tuple(pair for pair in pairs if left.isdisjoint(player.pk for player in pair))
        for pairs in all_of(entries, system)
    )


def all_of(entries: Iterable[Entry], system: str) -> Rounds[Player]:
    """Returns the rounds, also of withdrawn players. Empty for a list of pairings."""
    paired = [] if system == System.PAIRINGS else [entry.player for entry in entries if not entry.guest]
    return rounds(paired, double=system == System.DOUBLE) if len(paired) > 1 else ()


def sheet_of(tournament: Tournament) -> TournamentSheet:
    """Reads the sheet. Two queries; a third when a seated player is not entered."""
    entries = tuple(tournament.entries.select_related("player").order_by("number"))
    matches = _matches(tournament)
    players = {entry.player_id: entry.player for entry in entries}
    if others := {player for match in matches for player in match.players} - players.keys():
        players |= Player.objects.in_bulk(others)  # players seated without an entry
    return TournamentSheet(tournament.system, entries, matches, players)


def _matches(tournament: Tournament) -> tuple[Listed, ...]:
    columns = ("round", "game_name", "status", "winner", "ply", "to_move", "deadline")
    seats = Seat.objects.filter(match__tournament=tournament).order_by("match__round", "match", "side")
    seated = iter(seats.values_list("player", "match", *(f"match__{name}" for name in columns)))
    return tuple(
        Listed(match, number, game, status, winner, ply, to_move, deadline, (first, second))
        for (first, match, number, game, status, winner, ply, to_move, deadline), (second, *_rest) in zip(
            seated, seated, strict=True
        )
    )


_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_COUNTED = (Match.Status.PLAYING, Match.Status.OVER)


def standings(tournament: Tournament, sheet: TournamentSheet | None = None) -> tuple[Row[Player], ...]:
    """Returns the cross-table from the sheet, or as of now.

    Omits matches that are neither played nor over, and those of erased players. Walkovers score a point.
    """
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
    """Returns the cross-table for a spreadsheet; several games against one opponent share a field."""
    # Columns of results are numbered by line: shared places would give two columns the same name.
    head: list[object] = [
        gettext("Number"),
        gettext("Place"),
        gettext("Name"),
        *map(str, range(1, len(rows) + 1)),
    ]
    head += [gettext("Points"), "Sonneborn-Berger", gettext("Won"), gettext("Drawn"), gettext("Lost")]
    return [head, *(_line(number, row, rows) for number, row in enumerate(rows, start=1))]


def match_lines(tournament: Tournament) -> Lines:
    """Returns a line per match, by round; the first three columns form a list of pairings."""
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
    # With the decimal separator of the language.
    return f"{number:g}".replace(".", get_format("DECIMAL_SEPARATOR"))


def as_csv(lines: Iterable[Iterable[object]]) -> str:
    """Returns CSV (RFC 4180) with semicolons and a byte order mark."""
    # Spreadsheets expect semicolons where the decimal separator is a comma; the mark announces UTF-8.
    sheet = StringIO()
    csv.writer(sheet, delimiter=";").writerows(map(_written, line) for line in lines)
    return f"\ufeff{sheet.getvalue()}"


def _written(field: object) -> object:
    # A leading apostrophe, which spreadsheets hide, keeps text from being read as a formula.
    if isinstance(field, float):
        return _decimal(field)
    return f"'{field}" if isinstance(field, str) and field.startswith(_FORMULA) else field


# OpenDocument spreadsheet (ISO/IEC 26300)
# Fields have types, unlike in CSV: `1/2` is not a date, and no text is a formula.

MEDIA_TYPE = "application/vnd.oasis.opendocument.spreadsheet"
_URN = "urn:oasis:names:tc:opendocument:xmlns:"
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_MANIFEST = (
    f'{_HEAD}<manifest:manifest xmlns:manifest="{_URN}manifest:1.0" manifest:version="1.2">'
    f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{MEDIA_TYPE}"/>'
    '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/>'
    "</manifest:manifest>"
)
_CONTENT = (
    f'{_HEAD}<office:document-content xmlns:office="{_URN}office:1.0" xmlns:table="{_URN}table:1.0"'
    f' xmlns:text="{_URN}text:1.0" office:version="1.2"><office:body><office:spreadsheet>'
    "<table:table table:name={name}>{rows}</table:table>"
    "</office:spreadsheet></office:body></office:document-content>"
)


def ods(name: str, lines: Iterable[Iterable[object]]) -> bytes:
    """Returns a spreadsheet with one sheet of that name. Deterministic."""
    rows = "".join(f"<table:table-row>{''.join(map(_cell, line))}</table:table-row>" for line in lines)
    files = (
        ("mimetype", MEDIA_TYPE, ZIP_STORED),  # first and uncompressed: identifies the file type
        ("META-INF/manifest.xml", _MANIFEST, ZIP_DEFLATED),
        ("content.xml", _CONTENT.format(name=quoteattr(name), rows=rows), ZIP_DEFLATED),
    )
    file = BytesIO()
    with ZipFile(file, "w") as folder:
        for path, content, packed in files:
            folder.writestr(ZipInfo(path), content, packed)
    return file.getvalue()


def _cell(field: object) -> str:
    match field:
        case None | "":
            return "<table:table-cell/>"
        case int() | float():
            kind, said = f'"float" office:value="{field}"', str(field)
        case date():
            kind, said = f'"date" office:date-value="{field.isoformat()}"', field.isoformat()
        case _:
            kind, said = '"string"', str(field)
    return f"<table:table-cell office:value-type={kind}><text:p>{escape(said)}</text:p></table:table-cell>"
