"""As in production: door, web, workers and beat each a process, tasks on a real Redis, rows in a real PostgreSQL."""

from __future__ import annotations

import getpass
import os
import signal
import smtplib
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from datetime import timedelta
from email.utils import parseaddr
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import psycopg
import pytest
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from pbem.demo.play import ENGLISH, GAMES, ITALIAN, Cast, Correspondent
from pbem.demo.post_office import Delivery
from pbem.inbox.models import InboundMail
from pbem.matches.models import Component, Heartbeat, Match
from pbem.outbox.models import OutboundMail
from pbem.refusals import Code
from pbem.settings import CELERY_TASK_QUEUES
from tests.journeys.at_the_door import LETTER_OF_ALICE
from tests.journeys.conftest import House, migrate
from tests.journeys.proxies import is_installed, proxy
from tests.journeys.test_webhook import SECRET, brought
from tests.processes import TIMEOUT, Process, wait_until
from tests.servers import Postgres, Redis, postgres


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    with postgres() as server:
        yield server


@pytest.fixture(scope="module")
def tables(server: Postgres, django_db_blocker: DjangoDbBlocker) -> str:
    """A database with empty tables, to copy."""
    url = server.database()
    migrate(url, django_db_blocker)
    return url


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[Redis]:
    redis = Redis(tmp_path)
    yield redis
    redis.kill()


@pytest.fixture
def house(
    tmp_path: Path, server: Postgres, tables: str, redis: Redis, django_db_blocker: DjangoDbBlocker
) -> Iterator[House]:
    env = {"CELERY_BROKER_URL": redis.url, "PBEM_USER": getpass.getuser()}
    with ExitStack() as stack:
        yield House(tmp_path, server.database(tables), django_db_blocker, stack, env)


def production(house: House) -> list[Process]:
    """The processes of production, by the command lines of their units."""
    workers = [house.start("-m", "pbem", "worker", queue) for queue in CELERY_TASK_QUEUES]
    beat = house.start("-m", "pbem", "beat", "--schedule", str(house.folder / "beat"))
    web = house.start("-m", "pbem", "web")
    door = house.start("-m", "pbem", "smtpd")
    door.is_ready("mail door on ")
    web.is_ready("Booting worker")
    return [web, door, *workers, beat]


@pytest.fixture
def processes(house: House) -> list[Process]:
    return production(house)


def expect(player: Correspondent, kind: str) -> Delivery:
    letter = player.read()
    assert letter.message["X-PBeM-Letter"] == kind, letter.text
    return letter


def begin(alice: Correspondent, bruno: Correspondent) -> tuple[Delivery, Delivery]:
    """Alice challenges, Bruno accepts; the letters that say so."""
    alice.write("play@pbem.localhost", "CHALLENGE Bruno zertz first")
    alice.answer(expect(alice, "confirm"), "YES")
    expect(alice, "challenged")
    bruno.answer(expect(bruno, "challenge"), "SÌ")
    return expect(alice, "turn"), expect(bruno, "turn")


@pytest.mark.prove
def test_the_web_knows_that_nothing_is_swept_any_more(house: House) -> None:
    """Though each worker gives signs of life: beat is gone, or stands still, or the worker that hears it does."""
    house.env |= {"HEALTH_SECONDS": "0.1", "SWEEP_SECONDS": "0.5"}
    *_, clock, beat = production(house)
    for process in (beat, clock):
        wait_until(lambda: house.health == 200, "all is well")
        process.tell(signal.SIGSTOP)
        wait_until(lambda: house.health == 503, "what is due is missed")
        with house.rows():
            last = Heartbeat.objects.filter(component=Component.WORKER).latest("beat_at").beat_at
            assert timezone.now() - last < timedelta(minutes=1), "no worker is missed"
        process.tell(signal.SIGCONT)
    wait_until(lambda: house.health == 200, "all is well again")
    beat.end()
    wait_until(lambda: house.health == 503, "what is due is missed")


@pytest.mark.prove
def test_from_sign_up_to_the_end_of_two_games(house: House, processes: list[Process]) -> None:
    alice, bruno = house.player("Alice"), house.player("Bruno")
    cast = Cast({"Alice": alice, "Bruno": bruno}, {"Alice": ENGLISH, "Bruno": ITALIAN}, lambda line: None)
    cast.sign_up("Alice")
    cast.sign_up("Bruno")
    lines_of_action = GAMES[1]
    cast.play(lines_of_action)

    to_alice, _ = begin(alice, bruno)
    alice.answer(to_alice, "We5,g4\n\nGood luck!")
    expect(alice, "played")
    to_bruno = expect(bruno, "turn")
    assert "Good luck!" in to_bruno.text
    assert to_bruno.pictures, "the board is in the letter"
    bruno.answer(to_bruno, "Nb4, e5")  # where the white marble is
    to_bruno = expect(bruno, "refused")
    bruno.answer(to_bruno, "Nb4, b5")
    expect(bruno, "played")
    alice.answer(expect(alice, "turn"), "RESIGN")
    alice.answer(expect(alice, "confirm"), "YES RESIGN")
    expect(alice, "result")
    expect(bruno, "result")

    with house.rows():
        first, second = Match.objects.order_by("pk")
        for match in (first, second):
            assert [turn.position for turn in match.live_turns()] == list(map(str, match.record().replay()))[
                1:
            ]
        assert (first.ply, first.reason) == (len(lines_of_action.moves), lines_of_action.reason)
        assert (second.ply, second.reason, second.players[second.winner]) == (2, "resigned", "Bruno")
        assert set(InboundMail.objects.values_list("verdict", flat=True)) == {
            "ok",
            Code.CONFIRM_NEEDED,
            Code.ILLEGAL_MOVE,
        }
        wait_until(
            lambda: not OutboundMail.objects.exclude(status="sent").exists(), "every letter marked as sent"
        )
        assert OutboundMail.objects.count() == len(house.delivered), "each letter went once"
    assert {parseaddr(str(letter["To"]))[1] for letter in house.delivered} == {alice.address, bruno.address}
    with urlopen(f"http://{house.env['WEB_LISTEN']}/", timeout=30) as front:
        assert front.status == 200
    assert {process.end() for process in processes} == {0}
    for process in processes:
        assert "Traceback" not in process.said, process.said
        for unwanted in ("No directory", "Control socket"):
            assert unwanted not in process.said, process.said


@pytest.mark.prove
def test_without_redis_letters_are_kept_and_opened_when_it_is_back(
    house: House, processes: list[Process], redis: Redis
) -> None:
    charlie = house.player("Charlie")
    redis.kill()
    charlie.write("play@pbem.localhost", "REGISTER Charlie")  # raises unless the door says 250
    with house.rows():
        assert InboundMail.objects.get(sender=charlie.address).verdict == ""
    redis.start()
    expect(charlie, "signup")


@pytest.mark.prove
def test_without_postgres_nothing_is_taken_and_all_goes_on_when_it_is_back(
    house: House, processes: list[Process], server: Postgres
) -> None:
    dora = Correspondent("Dora", "dora@players.localhost", "%d/%m, PBeM:", house.post, house.door)
    dora.write("play@pbem.localhost", "REGISTER Dora")
    asked = expect(dora, "signup")
    server.kill()
    with pytest.raises(smtplib.SMTPRecipientsRefused) as refused:
        dora.answer(asked, "YES")
    assert refused.value.recipients.popitem()[1][0] == 451
    server.start()
    wait_until(lambda: taken(dora, asked, "YES"), "the door takes letters again")
    expect(dora, "welcome")
    assert "connection" in processes[1].said, "the door says what was away"


def taken(player: Correspondent, letter: Delivery, text: str) -> bool:
    """Whether it was; a mail server that hears 451 tries again later."""
    try:
        player.answer(letter, text)
    except smtplib.SMTPRecipientsRefused:
        return False
    return True


@pytest.mark.prove
def test_a_backup_is_brought_back_by_its_command(house: House, server: Postgres) -> None:
    """With the pool of production, whose own connections are nobody else's."""
    path = f"{server.tools}{os.pathsep}{os.environ['PATH']}"
    file = str(house.folder / "backup.tar.gz")
    for words in (("backup", file), ("restore", file)):
        command = house.start("manage.py", *words, PATH=path)
        assert command.status() == 0, command.said
    with psycopg.connect(house.database):
        refused = house.start("manage.py", "restore", file, PATH=path)
        assert refused.status() == 1
    assert "stop the service first" in refused.said


ATTACKER = "127.0.0.2"


def slow(address: tuple[str, int], begun: bytes) -> socket.socket:
    """A connection that begins to say something."""
    line = socket.create_connection(address, timeout=TIMEOUT, source_address=(ATTACKER, 0))
    with suppress(OSError):
        line.sendall(begun)
    return line


@pytest.mark.prove
@pytest.mark.skipif(not is_installed("caddy"), reason="Debian's package caddy is not installed")
def test_an_attack_takes_nothing_and_keeps_no_move_waiting(house: House) -> None:
    """Slow clients at the web, which stands behind Caddy, and at the listener; forged and replayed webhooks; a worker
    that is stopped."""
    house.env |= {"ANYMAIL_WEBHOOK_SECRET": SECRET}
    web, _, worker, *_ = production(house)
    alice, bruno = house.player("Alice"), house.player("Bruno")
    cast = Cast({"Alice": alice, "Bruno": bruno}, {"Alice": ENGLISH, "Bruno": ITALIAN}, lambda line: None)
    cast.sign_up("Alice")
    cast.sign_up("Bruno")
    to_alice, _ = begin(alice, bruno)
    with proxy("caddy", house.folder, house.web) as front, ExitStack() as attack:
        for _ in range(50):
            attack.enter_context(slow(front, b"GET / HTTP/1.1\r\nHost: a\r\nX: "))
            attack.enter_context(slow(house.door, b"EHLO attacker"))
        with urlopen("http://{}:{}/health/".format(*front), timeout=TIMEOUT) as health:
            assert health.status == 200
        alice.answer(to_alice, "We5,g4")
        expect(alice, "played")
        to_bruno = expect(bruno, "turn")
        worker.tell(signal.SIGSTOP)
        bruno.answer(to_bruno, "Nb4, b5")  # raises unless the listener says 250
        with pytest.raises(HTTPError, match="403"):
            brought(house, LETTER_OF_ALICE, "postmark:another password")
        assert {brought(house, LETTER_OF_ALICE) for _ in range(3)} == {200}
        worker.tell(signal.SIGCONT)
        expect(bruno, "played")
    with house.rows():
        assert Match.objects.get().ply == 2
        assert InboundMail.objects.filter(raw=LETTER_OF_ALICE).count() == 1
    assert "Traceback" not in web.said, web.said
