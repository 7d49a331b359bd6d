"""A service moves from SQLite to PostgreSQL by the lines of deploy/move.md, amid a match that goes on there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import Group, User
from django.test import Client
from django_otp.plugins.otp_totp.models import TOTPDevice
from pytest_django import DjangoDbBlocker, Settings

from pbem.admin.people import sign_in as second_factor
from pbem.matches.models import Match
from tests.journeys.conftest import models_of
from tests.journeys.test_restore_drill import challenge, played
from tests.mail_fixtures import AUTHSERV_ID, Post, registered
from tests.processes import ROOT
from tests.servers import Postgres

pytestmark = pytest.mark.prove


def as_promised(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.replace(microsecond=value.microsecond // 1000 * 1000)
    return bytes(value) if isinstance(value, memoryview) else value


def everything() -> dict[str, list[dict[str, Any]]]:
    """Each row of each table: binary as bytes, moments to the millisecond, as the page promises."""
    return {
        kind._meta.label: sorted(
            (
                {
                    name: as_promised(value)
                    for name, value in row.items()
                    if not kind._meta.auto_created or name != "id"  # nothing names these
                }
                for row in kind._base_manager.values()
            ),
            key=str,
        )
        for kind in apps.get_models(include_auto_created=True)
    }


def test_by_the_lines_of_the_page(
    database: str, tmp_path: Path, settings: Settings, cluster: Postgres, django_db_blocker: DjangoDbBlocker
) -> None:
    settings.VAR, settings.AUTHSERV_IDS = tmp_path, [AUTHSERV_ID]
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "pbem").write_text(f'#!/bin/sh\nexec {sys.executable} {ROOT}/manage.py "$@"\n')
    (programs / "pbem").chmod(0o755)
    path = f"{programs}{os.pathsep}{cluster.tools}{os.pathsep}{os.environ['PATH']}"
    page = (ROOT / "deploy/move.md").read_text("utf-8").replace("/srv/pbem", str(tmp_path))
    write, load = re.findall(r"```sh\n(.*?)```", page, re.DOTALL)

    def run(lines: str, url: str) -> None:
        env = os.environ | {"PATH": path, "DATABASE_URL": url, "DEVELOPMENT": "1", "VAR": str(tmp_path)}
        env["DJANGO_SETTINGS_MODULE"] = "pbem.settings"
        done = subprocess.run(["sh", "-e", "-c", lines], env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    post, rng = Post(), Random(11)
    with models_of(database, django_db_blocker):
        alice, bruno = registered(post, "Alice", "en"), registered(post, "Bruno", "it")
        match = challenge(alice, bruno, "SÌ")
        played(post, match.pk, alice, bruno, rng=rng, turns=4)
        alice.writes("Ciao, ☃! CHALLENGE Robot-1 zertz")
        bruno.writes("SAY 1: è 𝕭ella\n")
        olga = User.objects.create_superuser("olga")
        olga.groups.add(Group.objects.get(name="organiser"))
        TOTPDevice.objects.create(user=olga)
        second_factor.new_recovery_codes(olga)
        Client().force_login(olga)
        before = everything()
    run(write, database)
    run(load, url := cluster.database())
    with models_of(url, django_db_blocker):
        assert everything() == before
        assert played(post, match.pk, alice, bruno, rng=rng, turns=4).ply == 8
        alice.writes("CHALLENGE Robot-2 loa")
        assert Match.objects.latest("pk").pk > match.pk
