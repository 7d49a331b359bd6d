"""The units of systemd that we ship start what they name, and it ends when systemd ends it."""

from __future__ import annotations

import getpass
import shlex
from pathlib import Path

import pytest

from tests.journeys.conftest import House
from tests.pbem.test_deploy import UNITS, service_of

pytestmark = pytest.mark.prove

READY = {
    "serve": "web on ",
    "smtpd": "mail door on ",
    "fetch_mail": "mailbox of ",
    "worker": "[queues]",
    "beat": "beat: Ticking",  # with its schedule open: its handler of SIGTERM would open it a second time
    "web": "Booting worker",
}
LASTING = [unit for unit in UNITS if service_of(unit).get("Type", ["simple"]) == ["simple"]]


@pytest.mark.parametrize("unit", LASTING, ids=lambda unit: unit.name)
def test_a_unit_starts_and_ends(house: House, unit: Path) -> None:
    service = service_of(unit)
    [line] = service["ExecStart"]
    _, name, *rest = shlex.split(line.replace("%i", "inbound").replace("%%", "%"))
    rest = [word.replace("/srv/pbem/var", str(house.folder)) for word in rest]
    more = {"PBEM_USER": getpass.getuser()}
    if name == "beat":
        rest += ["--loglevel", "DEBUG"]
    if name != "serve":
        more["CELERY_BROKER_URL"] = "redis://127.0.0.1:1"
    if name == "fetch_mail":
        more["IMAP_URL"] = "imap://play:secret@127.0.0.1:1"
    process = house.start("-m", "pbem", name, *rest, **more)
    process.is_ready(READY[name])
    if name == "worker":
        heard = rest[0]
        assert f".> {heard} " in process.said
        assert ".> outbound " not in process.said
    assert process.end() == 0, process.said
    assert "secret" not in process.said


def test_who_comes_before_the_tables_waits_with_one_line(house: House) -> None:
    empty = f"sqlite:///{house.folder / 'empty.sqlite3'}"
    more = {"DATABASE_URL": empty, "PBEM_USER": getpass.getuser()}
    waits = house.start("-m", "pbem", "await_database", **more)
    waits.is_ready("The database is older than this program: pbem upgrade\n")
    upgrade = house.start("-m", "pbem", "upgrade", "--no-backup", **more)
    assert upgrade.status() == 0, upgrade.said
    assert waits.status() == 0
    assert waits.said.count("\n") == 1
    again = house.start("-m", "pbem", "upgrade", **more)
    assert (again.status(), again.said) == (0, "The database is up to date.\n")
