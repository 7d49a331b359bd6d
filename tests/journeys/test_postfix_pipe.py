"""Letters through the pipe of a real Postfix, with the lines that we ship: kept, returned at once, or tried again."""

from __future__ import annotations

import os
import shutil
import smtplib
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import django
import pytest
from pytest_django import DjangoDbBlocker

from pbem.inbox.models import InboundMail
from tests.journeys.at_the_door import ALICE, LETTER_OF_ALICE, PLAY
from tests.journeys.conftest import models_of
from tests.journeys.postfix import SHIPPED, Postfix, needs_postfix, reason_not_to_run, running
from tests.processes import wait_until
from tests.smtp_fixtures import Letter, Mailboxes, mailboxes

SOMEBODY = "nobody"  # Postfix pipes to no program as root
SITE = str(Path(django.__file__).parents[1])  # where our libraries lie


def python_of_somebody() -> tuple[str, str]:
    """A Python that another user than root can run the service with, as in any installation; else why there is none.

    The one of this test may lie in a folder of root: then Debian's own of the same version serves.
    """
    why = ""
    for python in (sys.executable, f"/usr/bin/python{sys.version_info.major}.{sys.version_info.minor}"):
        call = [python, "-c", "import django.conf, environs, aiosmtpd, pbem.settings"]
        env = {"PYTHONPATH": f"{SHIPPED.parents[1]}:{SITE}"}
        try:
            subprocess.run(call, user=SOMEBODY, cwd="/", env=env, check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError) as trouble:
            why = f"{SOMEBODY} cannot run the service from here: {trouble}"
        else:
            return python, ""
    return "", why


PYTHON, WHY_NOT = ("", "") if reason_not_to_run() else python_of_somebody()
pytestmark = [needs_postfix, pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT), pytest.mark.prove]


@dataclass
class Piped:
    """A Postfix that pipes, the settings of the service that it starts, and what it sends back to senders."""

    postfix: Postfix
    settings: Path
    returned: list[Letter] = field(default_factory=list)

    def database(self, path: Path) -> None:
        """The settings file of the operator."""
        self.settings.write_text(
            f"DEVELOPMENT=1\nDATABASE_URL=sqlite:///{path}\nVAR={path.parent}\n"
            "CELERY_BROKER_URL=redis://127.0.0.1:1\n"
        )

    def deliver(self, to: str, raw: bytes = LETTER_OF_ALICE, sender: str = ALICE) -> None:
        with smtplib.SMTP(*self.postfix.address, timeout=60) as client:
            client.ehlo("mx.players.localhost")
            assert client.sendmail(sender, to, raw) == {}


@pytest.fixture
def rows_path(tmp_path_factory: pytest.TempPathFactory, migrated: Path) -> Iterator[Path]:
    """A database in a folder of its own, which belongs to whom Postfix runs the service as."""
    folder = Path(f"/tmp/pbem-pipe-{os.getpid()}")
    folder.mkdir(mode=0o755)
    path = folder / "pbem.sqlite3"
    shutil.copyfile(migrated, path)
    for ours in (folder, path):
        shutil.chown(ours, SOMEBODY)
    yield path
    shutil.rmtree(folder)


@pytest.fixture
def piped(rows_path: Path, django_db_blocker: DjangoDbBlocker) -> Iterator[Piped]:
    settings = rows_path.parent / "pbem.env"
    master = (SHIPPED / "pipe.master.cf").read_text()
    master = master.replace("/srv/pbem/samples/postfix", str(SHIPPED)).replace(
        "user=pbem", f"user={SOMEBODY}"
    )
    program = rows_path.parent / "pbem"
    program.write_text(f'#!/bin/sh\nPYTHONPATH={SHIPPED.parents[1]}:{SITE} exec {PYTHON} -m pbem "$@"\n')
    program.chmod(0o755)
    returned: list[Letter] = []
    with (
        mailboxes(lambda: Mailboxes(returned.append)) as relay,
        running(
            "pipe.main.cf",
            door=("127.0.0.1", 1),
            relay=relay,
            master=master,
            export=f"PBEM_ENV={settings} PBEM={program}",
        ) as postfix,
        models_of(f"sqlite:///{rows_path}", django_db_blocker),
    ):
        piped = Piped(postfix, settings, returned)
        piped.database(rows_path)
        yield piped


def test_a_letter_is_kept_with_its_envelope(piped: Piped) -> None:
    piped.deliver(PLAY)
    row = wait_until(InboundMail.objects.first, "the letter")
    assert (row.sender, row.recipient, row.peer) == (ALICE, PLAY, "127.0.0.1")
    assert row.helo == "mx.players.localhost"
    assert bytes(row.raw).endswith(b"\n\nHELP\n"), "a pipe has the line ends of the machine"
    wait_until(lambda: piped.postfix.queue == "", "an empty queue")


def test_a_bounce_has_no_sender(piped: Piped) -> None:
    piped.deliver(PLAY, sender="")
    assert wait_until(InboundMail.objects.first, "the letter").sender == ""


def test_who_does_not_live_here_is_told_by_a_bounce(piped: Piped) -> None:
    """Status 67. A pipe cannot say it while the sender still has the letter: that takes a door."""
    piped.deliver("nobody@pbem.localhost")
    bounce = wait_until(lambda: piped.returned[:1], "a bounce")[0]
    assert (bounce.sender, bounce.to) == ("", ALICE)
    assert b"Status: 5.1.1" in bounce.raw
    assert b"No such address here; answer the latest letter of your match" in b" ".join(bounce.raw.split())


def test_what_is_our_fault_is_tried_again(piped: Piped, rows_path: Path) -> None:
    """Status 75."""
    piped.database(rows_path.parent / "away" / "pbem.sqlite3")
    piped.deliver(PLAY)
    piped.postfix.has_logged("dsn=4.3.0, status=deferred")
    assert not InboundMail.objects.exists()
    assert not piped.returned
    piped.database(rows_path)
    piped.postfix.try_again()
    wait_until(InboundMail.objects.exists, "the letter")


def test_a_service_that_cannot_even_begin_is_tried_again(piped: Piped) -> None:
    """It may be in the middle of an upgrade. Postfix would take any other status, such as Python's 1, for a bounce."""
    program = piped.settings.parent / "pbem"
    right = program.read_text()
    program.write_text("#!/bin/sh\nexit 1\n")
    piped.deliver(PLAY)
    piped.postfix.has_logged("dsn=4.3.0, status=deferred")
    assert not piped.returned
    program.write_text(right)
    piped.postfix.try_again()
    wait_until(InboundMail.objects.exists, "the letter")
