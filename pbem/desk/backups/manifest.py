"""What a backup says of itself: enough to refuse what is damaged, of another kind, or of a later program."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from django import VERSION as DJANGO
from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from pbem.matches.models import Match
from pbem.players import epochs
from pbem.players.models import Player
from pbem.players.tokens import Keyring, fingerprint
from pbem.squashed import missing, replaced_by

NAME = "manifest.json"
FORMAT = 1

_OTHER = {"any": "A backup is brought back by `pbem restore`, a file of `pbem move_out` by `pbem move_in`."}


class Unusable(Exception):
    """Why a backup cannot be restored here, or made."""


@dataclass(frozen=True)
class Manifest:
    """`files` are their SHA-256 by their names in the archive; `keys` knows the keyring without telling it."""

    format: int
    made_at: str
    django: str
    database: str
    epoch: int
    matches: int
    players: int
    keys: dict[str, str]
    migrations: list[str]
    files: dict[str, str]

    @classmethod
    def of_now(cls, now: datetime, files: dict[str, Path], kind: str) -> Manifest:
        return cls(
            format=FORMAT,
            made_at=now.isoformat(),
            django=".".join(map(str, DJANGO[:3])),
            database=kind,
            epoch=next(iter(epochs.known(now))),
            matches=Match.objects.count(),
            players=Player.objects.people().count(),
            keys=keys_of(settings.MAIL_TOKEN_KEYS),
            migrations=sorted(map(".".join, MigrationLoader(connection).applied_migrations)),
            files={name: sha256(path) for name, path in files.items()},
        )

    @classmethod
    def read(cls, text: bytes) -> Manifest:
        try:
            told = json.loads(text)
            if told["format"] != FORMAT:
                raise Unusable(f"It has format {told['format']!r}; this program reads {FORMAT}.")
            return cls(**told)
        except (ValueError, TypeError, KeyError, RecursionError) as mistake:
            raise Unusable(f"{NAME} cannot be read: {mistake}") from mistake

    def written(self) -> bytes:
        return json.dumps(asdict(self), indent=1, sort_keys=True).encode()

    def check(self, folder: Path, kind: str) -> None:
        """Raises Unusable where what lies there is not what was written, or not for this program."""
        for name, digest in self.files.items():
            if not (folder / name).is_file() or sha256(folder / name) != digest:
                raise Unusable(f"{name} is damaged or missing.")
        if self.database != kind:
            raise Unusable(_OTHER.get(self.database) or _OTHER.get(kind) or _of(self.database))
        applied = {
            (app, name) for app, _, name in (migration.partition(".") for migration in self.migrations)
        }
        known = set(MigrationLoader(None).disk_migrations).union(*replaced_by().values())
        if unknown := sorted(map(".".join, applied - known)):
            raise Unusable(f"A later program made it; this one does not know {', '.join(unknown)}.")
        if lacking := sorted(missing(applied)):
            raise Unusable(f"It is too old. Restore it with the last version that has {', '.join(lacking)}.")

    @property
    def lost_keys(self) -> list[str]:
        """The numbers of keys that its addresses may be sealed with, and that MAIL_TOKEN_KEYS does not have."""
        ours = keys_of(settings.MAIL_TOKEN_KEYS)
        return [number for number, seen in self.keys.items() if ours.get(number) != seen]


def _of(database: str) -> str:
    return f"It is of {database}, and DATABASE_URL names {connection.vendor}: `pbem move_out` writes what both read."


def keys_of(setting: str) -> dict[str, str]:
    """Of each key what only that key can make."""
    keys = Keyring.parse(setting).keys
    return {str(number): fingerprint(Keyring({number: key}), "backup") for number, key in keys.items()}


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
