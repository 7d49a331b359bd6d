"""What has moved is what was there, or nothing has moved; and neither file is taken for the other."""

from __future__ import annotations

import json
import tarfile
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from pytest_django import Settings

from pbem.admin.backups.archive import NAME, Unusable, sha256, unpack
from pbem.admin.backups.transfer import ROWS, move_in
from pbem.players.models import Player
from pbem.players.services import register
from tests.journeys.conftest import database, migrated, rows  # noqa: F401

pytestmark = [pytest.mark.usefixtures("rows"), pytest.mark.prove]


def command(*arguments: str, **options: object) -> str:
    said = StringIO()
    call_command(*arguments, stdout=said, stderr=said, **options)
    return said.getvalue()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    register(name="Alice", email="alice@example.org", language="en", now=timezone.now())
    command("move_out", str(tmp_path / "out.tar.gz"))
    return tmp_path / "out.tar.gz"


def changed(file: Path, old: bytes, new: bytes) -> Path:
    """As somebody would who mends the sums as well."""
    folder = file.parent / "opened"
    unpack(file, folder)
    (folder / ROWS).write_bytes((folder / ROWS).read_bytes().replace(old, new, 1))
    manifest = json.loads((folder / NAME).read_bytes())
    manifest["files"][ROWS] = sha256(folder / ROWS)
    (folder / NAME).write_text(json.dumps(manifest), "utf-8")
    with tarfile.open(file.parent / "changed.tar.gz", "w:gz") as archive:
        for each in (folder / NAME, folder / ROWS):
            archive.add(each, each.name)
    return file.parent / "changed.tar.gz"


def test_a_file_that_does_not_fit_changes_nothing(file: Path, settings: Settings) -> None:
    Player.objects.people().update(name="Alice II")
    for old, new, why in (
        (b'"Alice"', b'"Alina"', "reads otherwise than it was written"),
        (b'"table":"players.player"', b'"table":"players.prayer"', "use the same version"),
        (b'"name"', b'"nom"', "use the same version"),
        (b'"alice@example.org"', b"null", "players.address 1 to 1: "),
    ):
        with pytest.raises(Unusable, match=why):
            move_in(changed(file, old, new))
        assert Player.objects.people().get().name == "Alice II", why
    assert file.stat().st_mode & 0o077 == 0, "it holds letters, and salts"
    command("move_in", str(file))
    assert Player.objects.people().get().name == "Alice"
    settings.MAIL_TOKEN_KEYS = "1:" + "77" * 32
    assert "MAIL_TOKEN_KEYS is not what it was there" in command("move_in", str(file))


def test_a_backup_and_what_has_moved_out_are_told_apart(file: Path, tmp_path: Path) -> None:
    command("backup", str(tmp_path / "kept.tar.gz"))
    with pytest.raises(CommandError, match="by `pbem move_in`"):
        command("restore", str(file))
    with pytest.raises(CommandError, match="brought back by `pbem restore`"):
        command("move_in", str(tmp_path / "kept.tar.gz"))
