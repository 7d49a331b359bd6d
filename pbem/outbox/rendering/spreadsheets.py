"""Tables of a competition for spreadsheets: CSV and OpenDocument."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from datetime import date
from io import BytesIO, StringIO
from xml.sax.saxutils import escape, quoteattr
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from django.conf import settings
from django.utils.formats import get_format
from django.utils.translation import get_language, gettext

from games.kit.words import speech
from games.protocol import Notation
from pbem.competitions.cross_table import Row
from pbem.matches.models import Match, Tournament
from pbem.players.models import Player

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
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
