"""A backup is whole, says what it is, and overwrites nothing; nothing that is not whole is restored."""

from __future__ import annotations

import json
import sqlite3
import tarfile
from io import StringIO
from pathlib import Path
from random import Random

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone
from pytest_django import Settings

from pbem.matches.models import Match
from pbem.matches.services import start
from pbem.operator.backups import NAME, unpack
from pbem.outbox.models import OutboundMail
from pbem.players.models import Restore
from pbem.players.services import register
from tests.journeys.conftest import database, migrated, rows  # noqa: F401

pytestmark = pytest.mark.usefixtures("rows")


@pytest.fixture
def match() -> Match:
    first, second = (
        register(name=name, email=f"{name.lower()}@example.org", language="en", now=timezone.now())
        for name in ("Alice", "Bruno")
    )
    return start(first=first, second=second, game="loa:6x6", now=timezone.now(), rng=Random(0))


def backup(target: Path) -> Path:
    said = StringIO()
    call_command("backup", str(target), stdout=said)
    return Path(said.getvalue().partition(":")[0])


def restore(path: Path, **options: object) -> str:
    said = StringIO()
    call_command("restore", str(path), stdout=said, stderr=said, **options)
    return said.getvalue()


def changed(path: Path, target: Path, **files: bytes) -> Path:
    """The same archive with other octets under these names."""
    folder = target / "opened"
    unpack(path, folder)
    for name, octets in files.items():
        (folder / name.replace("_", ".")).write_bytes(octets)
    with tarfile.open(target / "changed.tar.gz", "w:gz") as archive:
        for each in sorted(folder.rglob("*")):
            archive.add(each, each.relative_to(folder).as_posix(), recursive=False)
    return target / "changed.tar.gz"


@pytest.mark.prove
def test_there_and_back(match: Match, tmp_path: Path, settings: Settings) -> None:
    (settings.VAR / "letters").mkdir()
    (settings.VAR / "letters" / "1.eml").write_bytes(b"From: us\r\n")
    path = backup(tmp_path / "kept.tar.gz")
    assert path.stat().st_mode & 0o077 == 0, "it holds letters, and salts"
    Match.objects.update(ply=7)
    (settings.VAR / "letters" / "1.eml").unlink()
    assert "1 matches, 2 players" in restore(path, force=True)
    assert Match.objects.get().ply == 0
    assert (settings.VAR / "letters" / "1.eml").read_bytes() == b"From: us\r\n"
    assert Restore.objects.count() == 1
    assert OutboundMail.objects.filter(kind="restored", status="waiting").count() == 2


def test_a_folder_gets_a_file_of_the_moment(tmp_path: Path) -> None:
    assert backup(tmp_path).name.startswith("pbem-20")


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    path = backup(tmp_path / "kept.tar.gz")
    before = path.read_bytes()
    with pytest.raises(CommandError, match="there already"):
        backup(path)
    assert path.read_bytes() == before
    assert not [each for each in tmp_path.iterdir() if each.name.startswith(".pbem-")]


def test_a_folder_that_is_not_there_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot be written"):
        backup(tmp_path / "no" / "kept.tar.gz")


def test_matches_are_not_replaced_unless_one_says_so(match: Match, tmp_path: Path) -> None:
    path = backup(tmp_path / "kept.tar.gz")
    Match.objects.update(ply=7)
    with pytest.raises(CommandError, match="--force"):
        restore(path)
    assert Match.objects.get().ply == 7


def test_while_somebody_is_connected_nothing_is_replaced(match: Match, tmp_path: Path) -> None:

    path = backup(tmp_path / "kept.tar.gz")
    Match.objects.update(ply=7)
    other = sqlite3.connect(connection.settings_dict["NAME"])
    try:
        other.execute("PRAGMA journal_mode=WAL")
        other.execute("SELECT COUNT(*) FROM matches_match").fetchone()
        with pytest.raises(CommandError, match="stop the service first"):
            restore(path, force=True)
    finally:
        other.close()
    assert Match.objects.get().ply == 7


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"pbem_sqlite3": b"SQLite format 3"}, "damaged"),
        ({"manifest_json": b"{}"}, "manifest.json cannot be read"),
        ({"manifest_json": b"[" * 100_000}, "manifest.json cannot be read"),
        ({"manifest_json": json.dumps({"format": 99}).encode()}, "format 99"),
    ],
)
def test_what_is_damaged_is_not_restored(
    match: Match, tmp_path: Path, files: dict[str, bytes], why: str
) -> None:
    path = changed(backup(tmp_path / "kept.tar.gz"), tmp_path, **files)
    Match.objects.update(ply=7)
    with pytest.raises(CommandError, match=why):
        restore(path, force=True)
    assert Match.objects.get().ply == 7


def test_half_a_file_is_not_restored(tmp_path: Path) -> None:
    path = backup(tmp_path / "kept.tar.gz")
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(CommandError, match="no backup that can be read"):
        restore(path)


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        ({"database": "postgresql"}, "DATABASE_URL names sqlite"),
        ({"migrations": ["matches.0001_models", "matches.9999_to_come"]}, "later program"),
        ({"migrations": ["matches.0001_initial"]}, "Restore it with that release"),
    ],
)
def test_what_is_for_another_program_is_not_restored(
    tmp_path: Path, facts: dict[str, object], why: str
) -> None:
    path = backup(tmp_path / "kept.tar.gz")
    with tarfile.open(path) as archive:
        member = archive.extractfile(NAME)
        assert member
        told = json.load(member)
    path = changed(path, tmp_path, manifest_json=json.dumps(told | facts).encode())
    with pytest.raises(CommandError, match=why):
        restore(path)


@pytest.mark.prove
def test_other_keys_are_named(match: Match, tmp_path: Path, settings: Settings) -> None:
    path = backup(tmp_path / "kept.tar.gz")
    assert "MAIL_TOKEN_KEYS" not in restore(path, force=True)
    settings.MAIL_TOKEN_KEYS = "1:" + "77" * 32
    assert "lacks what it was" in restore(path, force=True)
    with tarfile.open(path) as archive:
        member = archive.extractfile(NAME)
        assert member
        assert b"5a5a" not in member.read(), "no key is told"


@pytest.mark.prove
def test_the_epochs_of_the_rows_that_are_replaced_stay_known(match: Match, tmp_path: Path) -> None:
    path = backup(tmp_path / "kept.tar.gz")
    restore(path, force=True)
    restore(path, force=True)
    assert Restore.objects.count() == 2


def test_restored_by_other_means(match: Match) -> None:
    said = StringIO()
    call_command("restored", stdout=said)
    assert "Nothing to do" in said.getvalue(), "there is no sign that anything is lost"
    for _ in range(2):
        call_command("restored", since=timezone.datetime.fromisoformat("2026-01-02T03:04+00:00"), stdout=said)  # type: ignore[attr-defined]
    assert Restore.objects.count() == 1
    with pytest.raises(CommandError, match="still to come"):
        call_command("restored", "--since", "2999-01-01", stdout=said)


@pytest.mark.parametrize(
    ("name", "kind"), [("../out", tarfile.REGTYPE), ("/tmp/out", tarfile.REGTYPE), ("link", tarfile.SYMTYPE)]
)
def test_nothing_leaves_the_folder_it_is_unpacked_in(tmp_path: Path, name: str, kind: bytes) -> None:
    """Nor where Python has no filter for that."""
    strange = tarfile.TarInfo(name)
    strange.type, strange.linkname = kind, "/etc/passwd"
    with tarfile.open(tmp_path / "strange.tar", "w") as archive:
        archive.addfile(strange)
    with pytest.raises(tarfile.TarError, match="no file within it"):
        unpack(tmp_path / "strange.tar", tmp_path / "folder")
    assert not (tmp_path / "folder").exists()
