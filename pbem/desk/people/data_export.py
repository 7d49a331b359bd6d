"""Gives the organiser all that is kept of a player, in one archive."""

from __future__ import annotations

from tempfile import SpooledTemporaryFile
from typing import IO

from django.http import FileResponse

from pbem.outbox.data_export import write
from pbem.players.models import Player

IN_MEMORY = 4 * 1024 * 1024  # bytes; larger archives go to a file while they are made


def archive(player: Player) -> FileResponse:
    file: IO[bytes] = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - closed when it is sent
    write(player, file)
    file.seek(0)
    return FileResponse(file, as_attachment=True, filename=f"{player.folded}.zip")
