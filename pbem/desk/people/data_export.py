"""Gives a player all that is kept of them (GDPR, Articles 15 and 20), as JSON and letters in one archive."""

from __future__ import annotations

import json
from collections.abc import Iterator
from tempfile import SpooledTemporaryFile
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZipFile

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import F
from django.http import FileResponse

from games.export import to_json
from pbem.desk.base import audit_log
from pbem.inbox.models import InboundMail, PersonalMessage
from pbem.matches.models import Match, Turn
from pbem.outbox.models import OutboundMail
from pbem.players.models import Absence, Message, Player

IN_MEMORY = 4 * 1024 * 1024  # bytes; larger archives go to a file while they are made


def archive(player: Player) -> FileResponse:
    """player.json; matches/NUMBER.json, the records; letters/in/NUMBER.eml as they came, letters/out/NUMBER.txt."""
    file: IO[bytes] = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - closed when it is sent
    with ZipFile(file, "w", ZIP_DEFLATED) as folder:
        for name, content in _contents(player):
            folder.writestr(name, content)
    file.seek(0)
    return FileResponse(file, as_attachment=True, filename=f"{player.folded}.zip")


def _contents(player: Player) -> Iterator[tuple[str, str | bytes]]:
    yield "player.json", json.dumps(_about(player), cls=DjangoJSONEncoder, indent=2, ensure_ascii=False)
    for match in Match.objects.of(player).order_by("pk").iterator(chunk_size=100):
        yield f"matches/{match.pk}.json", to_json(match.record())
    for letter in (
        InboundMail.objects.filter(player=player).exclude(raw=b"").order_by("pk").iterator(chunk_size=20)
    ):
        yield f"letters/in/{letter.pk}.eml", bytes(letter.raw)
    sent = OutboundMail.objects.filter(player=player).exclude(text="").order_by("pk")
    for row in sent.iterator(chunk_size=100):
        yield f"letters/out/{row.pk}.txt", f"To: {row.address}\nDate: {row.sent_at}\n\n{row.text}"


def _about(player: Player) -> dict[str, Any]:
    own = Turn.objects.filter(match__seats__player=player, match__seats__side=F("side")).exclude(message="")
    return {
        "player": audit_log.seen(player),
        "addresses": [audit_log.seen(address) for address in player.addresses.all()],
        "absences": [audit_log.seen(absence) for absence in Absence.objects.filter(player=player)],
        "messages": [audit_log.seen(message) for message in Message.objects.filter(sender=player)],
        "to_organiser": [audit_log.seen(row) for row in PersonalMessage.objects.filter(player=player)],
        "notes": [audit_log.seen(note) for note in player.notes.all()],
        "watches": [audit_log.seen(watching) for watching in player.watchings.all()],
        "said_with_moves": list(own.order_by("pk").values("match", "ply", "message", "played_at")),
    }
