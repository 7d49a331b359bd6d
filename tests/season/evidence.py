"""What a season leaves behind where something was wrong: its seed, what was noted, and every row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path

from django.db import connection

from pbem.inbox.models import InboundMail
from pbem.matches.models import Event, Match, Seat, Turn
from pbem.outbox.models import OutboundMail
from tests.season.season import Season

ROWS = (
    (Match, ("pk", "game_name", "setup", "terms", "status", "winner", "reason", "ended_at", "deadline")),
    (Seat, ("pk", "match", "side", "player__name", "bank_left", "bank_used", "running_since")),
    (Turn, ("match", "ply", "move", "how", "played_at")),
    (Event, ("pk", "match", "kind", "side", "ply", "letter", "happened_at")),
    (InboundMail, ("pk", "verdict", "sender", "received_at", "opened_at")),
    (OutboundMail, ("pk", "kind", "address", "status", "verdict", "match", "ply", "created_at", "sent_at")),
)


def fingerprint() -> str:
    """Of everything that was played, written and sent: two seasons with one seed have the same. Salts are left out."""
    digest = sha256()
    for model, columns in ROWS:
        for row in model.objects.order_by("pk").values_list(*columns):  # type: ignore[attr-defined]
            digest.update(repr(row).encode())
    return digest.hexdigest()[:12]


def keep(season: Season, found: Mapping[str, Iterable[str]], folder: Path) -> None:
    """`exceptions.txt` says how to play it again, `notes.txt` what the people wrote down, `rows.sqlite3` is all."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [
        f"{season.plan}; the same again: make bench ARGS=season MATCHES={season.plan.matches} SEED={season.plan.seed}"
        f"{' TALK=1' if season.plan.talkative else ''}"
    ]
    lines += [str(trouble) for trouble in season.troubles]
    lines += [f"{name}: {exception}" for name, exceptions in found.items() for exception in exceptions]
    (folder / "exceptions.txt").write_text("\n".join(lines) + "\n")
    (folder / "notes.txt").write_text(str(season.notes))
    if connection.vendor == "sqlite":  # seen from within the transaction, which is never committed
        (folder / "rows.sqlite3").write_bytes(connection.connection.serialize())
