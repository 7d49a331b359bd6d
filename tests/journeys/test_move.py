"""A service moves from SQLite to PostgreSQL and back amid its matches: each row is there, and they play on."""

from __future__ import annotations

import sqlite3
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import Group, User
from django.core.management import call_command
from django.test import Client
from pytest_django import DjangoDbBlocker, Settings

from pbem.admin.models import SecondFactor
from pbem.admin.people import second_factor
from pbem.matches.models import Match
from pbem.outbox.models import OutboundMail
from pbem.players.models import Restore
from pbem.sequences import last_number, numbered
from tests.journeys.conftest import migrate, models_of
from tests.journeys.test_restore_drill import challenge, played
from tests.mail_fixtures import AUTHSERV_ID, Post, registered
from tests.servers import Postgres

pytestmark = pytest.mark.prove


def command(*arguments: str) -> str:
    said = StringIO()
    call_command(*arguments, stdout=said, stderr=said)
    return said.getvalue()


def everything() -> dict[str, list[dict[str, Any]]]:
    """Each row of each table, by other means than the program that moves them; binary as bytes."""
    return {
        kind._meta.label: sorted(
            (
                {
                    name: bytes(value) if isinstance(value, memoryview) else value
                    for name, value in row.items()
                }
                for row in kind._base_manager.values()
            ),
            key=lambda row, pk=kind._meta.pk.attname: str(row[pk]),
        )
        for kind in apps.get_models(include_auto_created=True)
    }


def numbers() -> dict[str, int]:
    return {
        kind._meta.label: last_number(kind) for kind in numbered(apps.get_models(include_auto_created=True))
    }


def test_there_and_back(
    database: str,
    tmp_path: Path,
    settings: Settings,
    cluster: Postgres,
    empty_tables: str,
    django_db_blocker: DjangoDbBlocker,
) -> None:
    settings.VAR, settings.AUTHSERV_IDS = tmp_path, [AUTHSERV_ID]
    post, rng = Post(), Random(11)
    with models_of(database, django_db_blocker):
        alice, bruno = registered(post, "Alice", "en"), registered(post, "Bruno", "it")
        match = challenge(alice, bruno, "SÌ")
        played(post, match.pk, alice, bruno, rng=rng, turns=4)
        alice.writes("Ciao, ☃! CHALLENGE Robot-1 zertz")
        bruno.writes("SAY 1: è 𝕭ella\n")
        User.objects.create_superuser("olga").groups.add(Group.objects.get(name="organiser"))
        olga = User.objects.get()
        second_factor.new_recovery_codes(
            SecondFactor.objects.create(user=olga, salt="00", confirmed_at=post.now, last_step=2**40)
        )
        Client().force_login(olga)
        OutboundMail.objects.latest("pk").delete()  # its number is given to nothing else
        before, counted = everything(), numbers()
        said = command("move_out", str(tmp_path / "out.tar.gz"))
        assert "must not start again" in said
    with models_of(cluster.database(empty_tables), django_db_blocker):
        said = command("move_in", str(tmp_path / "out.tar.gz"))
        assert f"{sum(map(len, before.values())) - len(before['matches.Outage']):,} rows" in said
        assert everything() == before
        assert numbers() == counted
        played(post, match.pk, alice, bruno, rng=rng, turns=4)
        assert Match.objects.get(pk=match.pk).ply == 8
        before, counted = everything(), numbers()
        assert all(counted[name] >= len(rows) for name, rows in before.items() if name in counted)
        command("move_out", str(tmp_path / "back.tar.gz"))
    fresh = f"sqlite:///{tmp_path / 'fresh.sqlite3'}"
    migrate(fresh, django_db_blocker)
    with models_of(fresh, django_db_blocker):
        command("move_in", str(tmp_path / "back.tar.gz"))
        assert everything() == before
        assert numbers() == counted
        assert not Restore.objects.exists()
        assert played(post, match.pk, alice, bruno, rng=rng, turns=4).ply == 12
    with sqlite3.connect(tmp_path / "fresh.sqlite3") as file:
        assert file.execute("PRAGMA foreign_key_check").fetchall() == []
