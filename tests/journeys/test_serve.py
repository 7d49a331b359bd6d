"""The whole service in one process: it answers, ends when told to, and says in a line why it will not start."""

from __future__ import annotations

import os
import signal
import smtplib
import socket
import subprocess
import sys
from collections.abc import Iterator
from urllib.request import urlopen

import pytest
from django.conf import settings

from tests.journeys.conftest import House
from tests.processes import Process
from tests.smtp_fixtures import free_port

pytestmark = pytest.mark.prove


def where(address: tuple[str, int]) -> str:
    return "{}:{}".format(*address)


@pytest.fixture
def taken() -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield where(server.getsockname())


def refused(process: Process) -> list[str]:
    """The lines that a process said which ended with 1 at once."""
    assert process.status() == 1, process.said
    assert "Traceback" not in process.said
    return process.said.splitlines()


def test_it_answers_on_the_web_and_at_the_door_and_ends_when_told_to(house: House) -> None:
    service = house.serve()
    with urlopen(f"http://{where(house.web)}/", timeout=30) as front:
        assert "play@pbem.localhost" in front.read().decode()
    with smtplib.SMTP(*house.door, timeout=30) as smtp:
        assert smtp.noop()[0] == 250
    assert service.end(signal.SIGTERM) == 0
    assert service.said.splitlines() == [
        f"mail door on {where(house.door)} (smtp)",
        f"web on http://{where(house.web)}/",
    ]


def test_links_in_letters_lead_to_where_the_web_listens(house: House) -> None:
    web = ("127.0.0.1", free_port())
    service = house.start("manage.py", "serve", "--web", where(web), WEB_LISTEN=None, SITE_URL=None)
    service.is_ready("web on ")
    alice = house.player("Alice")
    alice.write("play@pbem.localhost", "REGISTER Alice")
    assert f"http://{where(web)}/" in alice.read().text
    assert service.end(signal.SIGTERM) == 0


def test_an_interruption_by_hand_ends_it_as_cleanly(house: House) -> None:
    service = house.serve()
    assert service.end(signal.SIGINT) == 0
    assert "Traceback" not in service.said


@pytest.mark.parametrize(
    ("setting", "what"), [("SMTP_LISTEN", "mail door"), ("WEB_LISTEN", "web")], ids=["door", "web"]
)
def test_a_port_that_is_taken_gives_one_clear_line(house: House, taken: str, setting: str, what: str) -> None:
    [line] = refused(house.start("manage.py", "serve", **{setting: taken}))
    assert line == (
        f"CommandError: The {what} cannot listen on {taken}: Address already in use. Is the service running "
        f"already? Set {setting}=HOST:PORT to choose another address."
    )


def test_a_database_without_tables_gives_one_clear_line(house: House) -> None:
    empty = f"sqlite:///{house.folder / 'empty.sqlite3'}"
    [line] = refused(house.start("manage.py", "serve", DATABASE_URL=empty))
    assert line.startswith("CommandError: The database cannot be used: no such table")
    assert "manage.py migrate" in line


@pytest.mark.parametrize(
    "command",
    [
        ["manage.py", "serve"],
        ["manage.py", "smtpd"],
        ["-m", "pbem.celery_command", "-A", "pbem", "worker"],
        ["-m", "pbem.celery_command", "-A", "pbem.beat", "beat"],
        ["-m", "gunicorn", "pbem.wsgi", "--bind", "127.0.0.1:0"],
    ],
    ids=["serve", "door", "worker", "beat", "web"],
)
def test_outside_development_the_settings_everybody_knows_are_refused(
    house: House, command: list[str]
) -> None:
    process = house.start(*command, DEVELOPMENT=None, CELERY_BROKER_URL="redis://127.0.0.1:1")
    assert process.status() != 0
    for hint in ("Set SECRET_KEY", "MAIL_TOKEN_KEYS", "Set MAIL_DOMAIN"):
        assert hint in process.said


@pytest.mark.parametrize(
    "command",
    [
        ["manage.py", "smtpd"],
        ["-m", "pbem.celery_command", "-A", "pbem", "worker"],
        ["-m", "pbem.celery_command", "-A", "pbem.beat", "beat"],
    ],
    ids=["door", "worker", "beat"],
)
def test_a_bell_that_nobody_else_can_hear_is_refused(house: House, command: list[str]) -> None:
    process = house.start(*command, CELERY_BROKER_URL="memory://")
    assert process.status() != 0
    assert "CELERY_BROKER_URL is memory://, which no other process hears." in process.said
    assert "manage.py serve" in process.said


def test_beat_knows_the_names_of_tasks_and_no_models() -> None:
    said = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys, pbem.beat as it; print(len(it.app.conf.beat_schedule), *sys.modules)",
        ],
        stdout=subprocess.PIPE,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "pbem.settings"},
        text=True,
        check=True,
    )
    count, *modules = said.stdout.split()
    assert int(count) == len(settings.CELERY_BEAT_SCHEDULE)
    assert not {"django.db.models", "pbem.matches.tasks"} & set(modules)


# Libraries of tens of MiB and hundreds of milliseconds, and what is ours but for others.
OF_OTHERS = {
    "door": {
        "pbem.inbox.commands",
        "pbem.inbox.interpretation",
        "pbem.outbox.rendering",
        "games.lines_of_action",
    }
    | {"PIL", "markdown_it", "css_inline", "prompt_toolkit"},
    "serve": {"pbem.admin.urls"},
}
OF_FEW_LETTERS = {
    "anymail",
    "confusable_homoglyphs",
    "dkim",
    "dns",
    "flufl.bounce",
    "icalendar",
    "lxml",
    "spf",
}


@pytest.mark.parametrize("process", OF_OTHERS)
def test_a_process_imports_nothing_that_only_others_or_few_letters_need(process: str) -> None:
    """What it takes is paid for by each, in memory and with each start."""
    of = {
        "door": "pbem.operator.management.commands.smtpd",
        "serve": "pbem.operator.management.commands.serve, pbem.urls",
    }
    said = subprocess.run(
        [
            sys.executable,
            "-c",
            f"import sys, django; django.setup(); import {of[process]}; print(*sys.modules)",
        ],
        stdout=subprocess.PIPE,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "pbem.settings"},
        text=True,
        check=True,
    )
    assert not (OF_OTHERS[process] | OF_FEW_LETTERS) & set(said.stdout.split())
