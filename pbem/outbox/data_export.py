"""All that is kept of a player (GDPR, Articles 15 and 20), as JSON and letters in one archive."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import F

from games.export import to_json
from pbem.analysis.models import PuzzleWish
from pbem.matches.models import Match, Turn
from pbem.outbox.models import OutboundMail
from pbem.players.models import Absence, FormerName, Message, OrganiserNote, Player, PrintName

File = tuple[str, str | bytes]
SECRET = {"password"}
_SOURCES: list[Callable[[Player], Iterator[File]]] = []


def add_source(source: Callable[[Player], Iterator[File]]) -> None:
    """Once, as the program starts: files of what is kept in a layer above."""
    if source not in _SOURCES:
        _SOURCES.append(source)


def write(player: Player, file: IO[bytes], *, most: int | None = None) -> bool:
    """player.json; matches/NUMBER.json, the records; letters/in/NUMBER.eml as they came, letters/out/NUMBER.txt.

    The same rows give the same bytes. False: something was left out, for the archive has no room for more than `most`.
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
    """Every column of a row that may be read: no bytes, no secrets, nothing that was left unread."""
    left_out = {*SECRET, *but, *row.get_deferred_fields()}
    return {
        field.attname: field.value_from_object(row)
        for field in row._meta.concrete_fields
        if field.attname not in left_out and not isinstance(field, models.BinaryField)
    }


def as_json(value: object) -> str:
    return json.dumps(value, cls=DjangoJSONEncoder, indent=2, ensure_ascii=False)


def _contents(player: Player) -> Iterator[File]:
    yield "player.json", as_json(_about(player))
    for match in Match.objects.of(player).order_by("pk").iterator(chunk_size=100):
        yield f"matches/{match.pk}.json", to_json(match.record())
    for source in _SOURCES:
        yield from source(player)
    sent = OutboundMail.objects.filter(player=player).exclude(text="").order_by("pk")
    for row in sent.iterator(chunk_size=100):
        yield f"letters/out/{row.pk}.txt", f"To: {row.address}\nDate: {row.sent_at}\n\n{row.text}"


def _about(player: Player) -> dict[str, Any]:
    own = Turn.objects.filter(match__seats__player=player, match__seats__side=F("side")).exclude(message="")
    return {
        "player": columns(player),
        "addresses": [columns(address) for address in player.addresses.all()],
        "address_changes": [columns(change) for change in player.address_changes.order_by("pk")],
        "absences": [columns(absence) for absence in Absence.objects.filter(player=player)],
        "messages": [columns(message) for message in Message.objects.filter(sender=player)],
        "contests": [columns(entrant) for entrant in player.contest_entries.order_by("pk")],
        "ratings": [columns(rating) for rating in player.ratings.all()],
        "former_names": [columns(row) for row in FormerName.objects.filter(player=player)],
        "name_in_print": [columns(row) for row in PrintName.objects.filter(player=player)],
        "notes_of_the_organiser": [columns(row) for row in OrganiserNote.objects.filter(player=player)],
        "notes": [columns(note) for note in player.notes.all()],
        "asked_of_robots": [columns(wish) for wish in player.wishes.all()],
        "puzzles": [columns(attempt) for attempt in player.attempts.all()],
        "puzzle_wishes": [columns(wish) for wish in PuzzleWish.objects.filter(player=player)],
        "watches": [columns(watching) for watching in player.watchings.all()],
        "said_with_moves": list(own.order_by("pk").values("match", "ply", "message", "played_at")),
    }
