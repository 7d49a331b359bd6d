"""The demo begins afresh beside a database of release 0.1."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from pbem.demo.management.commands import demo


class Connection:
    """A SQLite database of a file, as Django's connection to it."""

    vendor = "sqlite"

    def __init__(self, path: Path) -> None:
        self.settings_dict = {"NAME": str(path)}
        self.ensure_connection = self.close = lambda: None


@pytest.mark.parametrize("first", ["0001_models", "0001_squashed_0019_recounted_to"])
def test_an_old_database_is_kept_under_another_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: str
) -> None:
    path = tmp_path / "pbem.sqlite3"
    sqlite3.connect(path).close()
    path.write_bytes(b"rows")
    monkeypatch.setattr(demo, "connection", Connection(path))
    recorder = type("", (), {"applied_migrations": lambda _: {("matches", first): None}})
    monkeypatch.setattr(demo, "MigrationRecorder", lambda _: recorder())
    old = demo.set_aside()
    if first == "0001_models":
        assert old is None
        assert path.read_bytes() == b"rows"
    else:
        assert old == tmp_path / "pbem.sqlite3.0.1"
        assert old.read_bytes() == b"rows"
        assert not path.exists()
