"""What an operator does beside a service that runs: looks what is wrong, sends a test around, upgrades."""

from __future__ import annotations

import getpass
import json

import pytest

from tests.journeys.conftest import House

pytestmark = pytest.mark.prove


def said(house: House, *command: str, status: int = 0, **env: str) -> str:
    process = house.start("-m", "pbem", *command, PBEM_USER=getpass.getuser(), **env)
    assert process.status() == status, process.said
    assert "Traceback" not in process.said
    return process.said


def test_beside_a_service_that_runs(house: House) -> None:
    house.serve()
    assert said(house, "doctor") == "Nothing is wrong.\n"
    assert "250" in said(house, "sendtest", "olga@players.localhost")
    [letter] = house.delivered
    assert "This is a test of PBeM" in letter.get_content()
    around = said(house, "sendtest", EMAIL_URL="smtp://{}:{}".format(*house.door))
    assert "It came in again after" in around
    away = said(house, "sendtest", "olga@players.localhost", status=1, EMAIL_URL="smtp://127.0.0.1:1")
    assert "olga@players.localhost: ConnectionRefusedError" in away
    [wrong] = json.loads(said(house, "doctor", "--json", status=1, SITE_URL="http://127.0.0.1:1"))
    assert (wrong["setting"], set(wrong)) == ("SITE_URL", {"setting", "problem", "hint"})


def test_an_upgrade_makes_a_backup_before_it_touches_anything(house: House) -> None:
    said(house, "migrate", "desk", "zero", "--verbosity", "0")
    [older] = json.loads(said(house, "doctor", "--json", status=1))
    assert "the database is older than this program" in older["problem"]
    done = said(house, "upgrade")
    [backup] = (house.folder / "backups").glob("pbem-*.tar.gz")
    assert f"The backup is {backup}." in done
    assert "migrations done" in done
    assert said(house, "upgrade") == "The database is up to date.\n"
    back = said(house, "restore", str(backup))
    assert "Restored as of" in back
