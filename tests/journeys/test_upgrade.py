"""From one release to the next amid a match, and back: by the commands of deploy/upgrade.md, with two wheels.

The older one is made of the last tag, or of the commit that UPGRADE_FROM names; where there is neither, of the source
as it is. The newer one is the source with a version and a migration more.
"""

from __future__ import annotations

import getpass
import os
import re
import subprocess
from pathlib import Path

import pytest

from pbem.demo.play import Correspondent
from pbem.demo.post_office import Delivery
from tests.journeys.conftest import House
from tests.journeys.wheels import SOURCE, built, copied, empty_venv, install, run
from tests.processes import ROOT, Process

pytestmark = pytest.mark.prove

MIGRATION = """
from django.db import migrations, models

class Migration(migrations.Migration):
    dependencies = [("desk", "{before}")]
    operations = [
        migrations.CreateModel("Later", [("id", models.BigAutoField(primary_key=True))]),
        migrations.RunSQL("ALTER TABLE outbox_outboundmail ADD COLUMN later timestamp NULL"),
    ]
"""


def older(folder: Path) -> Path:
    """The source of the last release."""
    wanted = os.environ.get("UPGRADE_FROM") or _told("git", "describe", "--tags", "--abbrev=0")
    if not wanted:
        return copied(folder)
    packed = subprocess.run(["git", "archive", wanted, *SOURCE], cwd=ROOT, capture_output=True, check=True)
    subprocess.run(["tar", "--extract"], cwd=folder, input=packed.stdout, check=True)
    return folder


def _told(*command: str) -> str:
    """ "" where there is no such program, no repository or no tag."""
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return "" if done.returncode else done.stdout.strip()


def newer(folder: Path) -> Path:
    copied(folder)
    project = folder / "pyproject.toml"
    project.write_text(
        re.sub(r'(?m)^version = ".*"', 'version = "99.0"', project.read_text("utf-8")), "utf-8"
    )
    migrations = folder / "pbem/admin/migrations"
    before = sorted(migrations.glob("0*.py"))[-1].stem
    (migrations / "0999_later.py").write_text(MIGRATION.format(before=before), "utf-8")
    return folder


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return built(older(tmp_path_factory.mktemp("older"))), built(newer(tmp_path_factory.mktemp("newer")))


class Machine:
    """`pbem` as installed there, with a settings file that `pbem setup` wrote."""

    def __init__(self, house: House, wheel: Path) -> None:
        self.house, self.folder = house, empty_venv(house.folder / "venv")
        self.env = {
            "PATH": os.environ["PATH"],
            "PBEM_ENV": str(house.folder / "pbem.env"),
            "PBEM_USER": getpass.getuser(),
        }
        self.pbem = install(wheel, self.folder)
        self.says(
            "setup", "--domain", "pbem.example.org", "--relay", house.env["EMAIL_URL"], "--door", "lmtp",
            "--database", "sqlite", "--organiser", "olga@example.org", "--var", str(house.folder / "own"),
            "--user", getpass.getuser(),
        )  # fmt: skip
        with Path(self.env["PBEM_ENV"]).open("a", encoding="utf-8") as settings:
            settings.write(f"SMTP_LISTEN={house.env['SMTP_LISTEN']}\nWEB_LISTEN={house.env['WEB_LISTEN']}\n")
            settings.write("SMTP_PROTOCOL=smtp\nVERIFY_SENDERS=0\n")

    def says(self, *command: str) -> str:
        return run(str(self.pbem), *command, cwd=self.folder, **self.env)

    def starts(self, *command: str, sign: str) -> Process:
        self.house.started += 1
        log = self.house.folder / f"{self.house.started:02}-own.log"
        process = Process([str(self.pbem), *command], self.env, log)
        self.house.stack.callback(process.stop)
        process.is_ready(sign)
        return process


def turn(player: Correspondent) -> Delivery:
    letter = player.read()
    while letter.message["X-PBeM-Letter"] != "turn":
        letter = player.read()
    return letter


def opened(house: House) -> tuple[Correspondent, Correspondent, Delivery]:
    """Alice has played her first move; the letter that told Bruno."""
    alice, bruno = house.player("Alice"), house.player("Bruno")
    for player in (alice, bruno):
        player.write("play@pbem.example.org", f"REGISTER {player.name}")
        player.answer(player.read(), "YES" if player is alice else "SÌ")
        player.read()
    alice.write("play@pbem.example.org", "CHALLENGE Bruno loa first")
    alice.answer(alice.read(), "YES")
    bruno.answer(next_of(bruno, "challenge"), "SÌ")
    alice.answer(turn(alice), "b1-b3")
    bruno.read()  # that it begins
    return alice, bruno, turn(bruno)


def test_the_older_program_plays_on_among_newer_tables(wheels: tuple[Path, Path], house: House) -> None:
    """Migrated by the newer program while the older one is at work, and taken over by the newer one later."""
    machine = Machine(house, wheels[0])
    service = machine.starts("serve", sign="web on ")
    alice, bruno, to_bruno = opened(house)
    newer = install(wheels[1], empty_venv(house.folder / "newer"))
    run(str(newer), "migrate", "--verbosity", "0", cwd=house.folder, **machine.env)
    bruno.answer(to_bruno, "a2-c2")
    to_alice = turn(alice)
    assert service.end() == 0

    install(wheels[1], machine.folder)
    assert "No planned migration operations" in machine.says("migrate", "--plan")
    service = machine.starts("serve", sign="web on ")
    alice.answer(to_alice, "b8-b6")  # the letter is of the version before
    assert "b8-b6" in turn(bruno).text
    assert service.end() == 0


def test_there_amid_a_match_and_back(wheels: tuple[Path, Path], house: House) -> None:
    machine = Machine(house, wheels[0])
    service = machine.starts("serve", sign="web on ")
    alice, bruno, to_bruno = opened(house)
    assert service.end() == 0

    install(wheels[1], machine.folder)
    waits = machine.starts("await_database", sign="The database is older than this program: pbem upgrade\n")
    said = machine.says("upgrade")
    [backup] = re.findall(r"The backup is (\S+)\.", said)
    assert waits.status() == 0
    assert "desk.0999_later" not in machine.says("migrate", "--plan")
    service = machine.starts("serve", sign="web on ")
    bruno.answer(to_bruno, "a2-c2")  # the letter is of the version before
    to_alice = turn(alice)
    assert service.end() == 0

    # back: the older program names what is wrong, and takes the backup
    install(wheels[0], machine.folder)
    doctor = Process([str(machine.pbem), "doctor"], machine.env, house.folder / "doctor.log")
    assert doctor.status() == 1
    assert (
        "the database is newer than this program: it has " in doctor.said
    )  # the last of all that came since
    assert "Restored as of" in machine.says("restore", "--force", backup)
    service = machine.starts("serve", sign="web on ")
    board = next_of(bruno, "restored")
    alice.answer(to_alice, "b8-b6")  # of a turn that is lost: the board of now, and a question
    assert next_of(alice, "restored")
    bruno.answer(board, "a2-c2")
    alice.answer(turn(alice), "b8-b6")
    assert "b8-b6" in turn(bruno).text
    assert service.end() == 0


def next_of(player: Correspondent, kind: str) -> Delivery:
    letter = player.read()
    while letter.message["X-PBeM-Letter"] != kind:
        letter = player.read()
    return letter
