"""The units of systemd that we ship start what they name, and it ends when systemd ends it."""

from __future__ import annotations

import configparser
import shlex
from pathlib import Path

import pytest

from tests.journeys.conftest import House

pytestmark = pytest.mark.prove

UNITS = sorted((Path(__file__).parents[2] / "deploy" / "systemd").glob("*.service"))
READY = {"serve": "web on ", "door": "mail door on ", "fetch_mail": "mailbox of ", "celery": "[queues]"}


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_starts_and_ends(house: House, unit: Path) -> None:
    lines = configparser.ConfigParser(interpolation=None, strict=False)
    lines.optionxform = str  # type: ignore[assignment,method-assign]
    lines.read_string(unit.read_text())
    service = lines["Service"]
    assert (service["User"], service["EnvironmentFile"]) == ("pbem", "/etc/pbem.env")
    python, *command = shlex.split(service["ExecStart"].replace("%i", "inbound").replace("%%", "%"))
    assert python == f"{service['WorkingDirectory']}/.venv/bin/python"
    broker = "memory://" if command[-1] == "serve" else "redis://127.0.0.1:1"
    nobody_there = {"IMAP_URL": "imap://play:secret@127.0.0.1:1"} if command[-1] == "fetch_mail" else {}
    process = house.start(*command, CELERY_BROKER_URL=broker, **nobody_there)
    process.is_ready(next(sign for word, sign in READY.items() if word in command))
    if "celery" in command:
        heard = command[command.index("--queues") + 1]
        assert f".> {heard} " in process.said
        assert ".> outbound " not in process.said
    assert process.end() == 0
    assert "secret" not in process.said
