"""What an operator does beside a service that runs: looks what is wrong, sends a test around, upgrades."""

from __future__ import annotations

import getpass
import json
import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from tests.journeys.conftest import House
from tests.journeys.test_postfix_pipe import SITE, SOMEBODY, python_of_somebody
from tests.processes import ROOT

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
    assert "It came back after" in around
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


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_root_becomes_the_user_of_the_service_who_cannot_read_the_keys() -> None:
    python, why = python_of_somebody()
    if not python:
        pytest.skip(why)
    folder = Path(tempfile.mkdtemp(prefix="pbem-operator-"))
    file, var = folder / "pbem.env", folder / "var"
    # Before 3.11.3 redis wants this library, which anyone who lends us theirs may not have; nothing of it is called.
    (folder / "async_timeout.py").write_text("timeout = None\n")
    path = f"{ROOT}:{SITE}:{folder}"
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": path, "PBEM_USER": SOMEBODY, "PBEM_ENV": str(file)}

    def told(*command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [python, "-m", "pbem", *command], env=env, cwd="/", capture_output=True, text=True, check=False
        )

    try:
        folder.chmod(0o755)
        done = told(
            "setup", "--domain", "play.example.org", "--relay", "smtp://127.0.0.1:1", "--door", "smtp",
            "--database", "sqlite", "--organiser", "olga@example.org", "--var", str(var), "--user", SOMEBODY,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert "systemd/port25.conf" in done.stdout
        assert (file.stat().st_uid, file.stat().st_mode & 0o777) == (0, 0o600)
        assert {path.stat().st_uid for path in (var, *var.iterdir())} == {pwd.getpwnam(SOMEBODY).pw_uid}
        with file.open("a", encoding="utf-8") as settings:
            settings.write("MAILDOMAIN=x\nDNS_SERVERS=127.0.0.1:1\n")
        named = [problem["setting"] for problem in json.loads(told("doctor", "--json").stdout)]
        assert named == ["MAILDOMAIN", "SMTP_CERTIFICATE", "EMAIL_URL", "DNS_SERVERS"]
    finally:
        shutil.rmtree(folder)
