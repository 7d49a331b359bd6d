"""Exports all data about a player (GDPR, Articles 15 and 20) as a ZIP archive of JSON files and letters."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import F

from games.export import to_json
from pbem.analysis.models import AnalysisRequest, Attempt, PuzzleWish
from pbem.competitions.models import Challenge, Entrant
from pbem.matches import models as matches
from pbem.outbox.models import BouncedMail, DigestItem, OutboundMail
from pbem.players import models as players
from pbem.ratings.models import RatedGame, Rating

File = tuple[str, str | bytes]
Rows = Mapping[str, tuple[type[models.Model], str]]
# By file and name: the table, and the path from its rows to the player. A test checks that every table with
# such
# a path is here, in a file of its own, or exempt.
ROWS: Mapping[str, Rows] = {
    "player.json": {
        "addresses": (players.Address, "player"),
        "address_changes": (players.AddressChange, "player"),
        "api_tokens": (players.ApiToken, "player"),
        "former_names": (players.FormerName, "player"),
        "name_in_print": (players.PrintName, "player"),
        "notes_of_the_organiser": (players.OrganiserNote, "player"),
        "absences": (players.Absence, "player"),
        "refuses": (players.PlayerBlock, "player"),
        "limits": (players.Limit, "player"),
        "messages": (players.Message, "sender"),
        "messages_received": (players.Message, "reader"),
        "open_offers": (matches.Seek, "player"),
        "invitations": (matches.Invitation, "challenger"),
        "watches": (matches.Watching, "player"),
        "notes": (matches.Note, "player"),
        "conditional_lines": (matches.ConditionalLine, "seat__player"),
        "tournaments": (matches.Entry, "player"),
        "contests": (Entrant, "player"),
        "ladder": (Challenge, "challenger"),
        "ladder_challenged": (Challenge, "challenged"),
        "ratings": (Rating, "player"),
        "rated": (RatedGame, "match__seats__player"),
        "asked_of_robots": (AnalysisRequest, "player"),
        "puzzles": (Attempt, "player"),
        "puzzle_wishes": (PuzzleWish, "player"),
        "for_the_next_digest": (DigestItem, "player"),
        "came_back": (BouncedMail, "letter__player"),
    },
    "clocks.json": {
        "seats": (matches.Seat, "player"),
        "turns": (matches.ClockTurn, "seat__player"),
        "stood_still": (matches.ExemptInterval, "seat__player"),
    },
}
OWN_SIDE: Mapping[str, type[models.Model]] = {
    "events": matches.Event,
    "asked": matches.Offer,
}  # of deeds.json, in the player's matches
# Salts of reply addresses, hashes of tokens, and a guest's opening that is not revealed yet.
SECRET = {"password", "revoked_salts", "opening", "digest"}
_SOURCES: list[Callable[[players.Player], Iterator[File]]] = []


def add_source(source: Callable[[players.Player], Iterator[File]]) -> None:
    """Registers files of a higher layer. Call it once at start-up."""
    if source not in _SOURCES:
        _SOURCES.append(source)


def write(player: players.Player, file: IO[bytes], *, most: int | None = None) -> bool:
    """Writes the archive. False when files were left out to stay within `most` bytes.

    It has player.json and others; matches/NUMBER.json, the records; letters/in/NUMBER.eml as received; and
    letters/out/NUMBER.txt. The same rows give the same bytes.
    """
    whole = True
    with ZipFile(file, "w", ZIP_DEFLATED) as folder:
        for name, content in _contents(player):
            if most is not None and file.tell() + len(content) > most:
                whole = False
            else:
                folder.writestr(ZipInfo(name), content, ZIP_DEFLATED)
    return whole


def columns(row: models.Model, but: Collection[str] = ()) -> dict[str, Any]:
    """Returns the readable columns of a row: no bytes, no secrets, no deferred fields."""
    left_out = {*SECRET, *but, *row.get_deferred_fields()}
    return {
        field.attname: field.value_from_object(row)
        for field in row._meta.concrete_fields
        if field.attname not in left_out and not isinstance(field, models.BinaryField)
    }


def rows(player: players.Player, named: Rows) -> dict[str, list[dict[str, Any]]]:
    return {
        name: [columns(row) for row in kind._default_manager.filter(**{path: player}).order_by("pk")]
        for name, (kind, path) in named.items()
    }


def as_json(value: object) -> str:
    return json.dumps(value, cls=DjangoJSONEncoder, indent=2, ensure_ascii=False)


def _contents(player: players.Player) -> Iterator[File]:
    said = _own_side(matches.Turn, player).exclude(message="").values("match", "ply", "message", "played_at")
    more = {"player.json": {"player": columns(player), "said_with_moves": list(said)}}
    for file, named in ROWS.items():
        yield file, as_json(more.get(file, {}) | rows(player, named))
    deeds = {name: list(map(columns, _own_side(kind, player))) for name, kind in OWN_SIDE.items()}
    yield "deeds.json", as_json(deeds)
    for match in matches.Match.objects.of(player).order_by("pk").iterator(chunk_size=100):
        yield f"matches/{match.pk}.json", to_json(match.record())
    for source in _SOURCES:
        yield from source(player)
    sent = OutboundMail.objects.filter(player=player).exclude(text="").order_by("pk")
    for row in sent.iterator(chunk_size=100):
        yield f"letters/out/{row.pk}.txt", f"To: {row.address}\nDate: {row.sent_at}\n\n{row.text}"


def _own_side(kind: type[models.Model], player: players.Player) -> models.QuerySet[Any]:
    own = kind._default_manager.filter(match__seats__player=player, match__seats__side=F("side"))
    return own.order_by("pk")
