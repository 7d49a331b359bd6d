"""Two doors, two workers of each queue, two webs: each ends and starts again amid letters, and nobody notices."""

from __future__ import annotations

import smtplib
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from email.message import EmailMessage
from itertools import cycle
from pathlib import Path
from random import Random
from urllib.request import urlopen

import pytest
from django.utils import timezone

from games.protocol import Notation
from games.registry import find
from pbem.demo.play import Correspondent
from pbem.inbox.models import InboundMail
from pbem.matches.models import Match, Outage
from pbem.matches.services import start
from pbem.outbox.models import OutboundMail
from pbem.players.models import Player
from pbem.players.services import register
from tests.journeys.conftest import House
from tests.journeys.test_redis_and_postgres import house, redis, server, tables  # noqa: F401
from tests.processes import TIMEOUT, Process, wait_until
from tests.smtp_fixtures import free_port

pytestmark = pytest.mark.prove

GAME, PAIRS = "loa", 3
QUEUES = ("inbound", "outbound")
Address = tuple[str, int]


@dataclass
class Sender(Correspondent):
    """Whose mail server takes the other door, and tries again, where one does not answer or asks to wait."""

    doors: tuple[Address, ...] = ()
    heard: Counter[str] = field(default_factory=Counter)

    def _send(self, letter: EmailMessage) -> None:
        end = time.monotonic() + TIMEOUT
        for door in cycle(self.doors):
            try:
                with smtplib.SMTP(*door, timeout=30) as smtp:
                    smtp.send_message(letter)
            except smtplib.SMTPRecipientsRefused as refused:
                self.heard.update(str(code) for code, _ in refused.recipients.values())
            except smtplib.SMTPResponseException as refused:
                self.heard[str(refused.smtp_code)] += 1
            except (OSError, smtplib.SMTPException):
                self.heard["away"] += 1
            else:
                self.heard["250"] += 1
                return
            assert time.monotonic() < end, self.heard
            time.sleep(0.05)


def answers(web: Address) -> bool:
    try:
        with urlopen("http://{}:{}/".format(*web), timeout=10) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def started(folder: Path, doors: tuple[Address, ...]) -> dict[str, tuple[str, ...]]:
    """The command line of each process, by a name."""
    commands = {f"door{number}": ("smtpd",) for number in range(len(doors))}
    for queue in QUEUES:
        commands |= {
            f"{queue}{number}": ("worker", queue, "--hostname", f"{queue}{number}@%h") for number in range(2)
        }
    return commands | {
        "web0": ("web",),
        "web1": ("web",),
        "clock": ("worker", "clock"),
        "beat": ("beat", "--schedule", str(folder / "beat")),
    }


def test_nothing_is_lost_or_doubled_while_each_process_starts_again(house: House) -> None:  # noqa: F811
    doors, webs = (tuple(("127.0.0.1", free_port()) for _ in range(2)) for _ in range(2))
    commands = started(house.folder, doors)

    def begin(name: str) -> Process:
        listens = {"door": "SMTP_LISTEN", "web": "WEB_LISTEN"}.get(name.rstrip("01"), "")
        at = {"door": doors, "web": webs}.get(name.rstrip("01"), ())
        more = {listens: "{}:{}".format(*at[int(name[-1])])} if listens else {}
        process = house.start("-m", "pbem", *commands[name], **more)
        if name.startswith("door"):
            process.is_ready("mail door on ")
        elif name.startswith("web"):
            process.is_ready("Booting worker")
        elif name != "beat":
            process.is_ready("[queues]")
        return process

    with house.rows():
        people = [
            register(name=f"P{n}", email=f"p{n}@players.localhost", language="en", now=timezone.now())
            for n in range(2 * PAIRS)
        ]
        Player.objects.update(text_only=True)
        matches = [
            start(first=one, second=other, game=GAME, now=timezone.now(), rng=Random(1)).pk
            for one, other in zip(people[::2], people[1::2], strict=True)
        ]
    running = {name: begin(name) for name in commands}
    senders = [
        Sender(
            each.name,
            f"{each.name.lower()}@players.localhost",
            "On %d/%m/%Y %H:%M, PBeM wrote:",
            house.post,
            doors[0],
            doors=turned,
        )
        for each, turned in zip(people, cycle((doors, doors[::-1])), strict=False)
    ]
    over = threading.Event()

    def play(number: int) -> int:
        """A match, until all processes have started again; how many turns it has."""
        rng, ply = Random(number), 0
        game, rules = find(GAME)
        position = game.start(rules, "")
        players = senders[2 * number : 2 * number + 2]
        players[1].read()  # that the match begins
        while not over.is_set() and position.outcome() is None:
            mover = players[ply % 2]
            letter = mover.read()
            while letter.message["X-PBeM-Letter"] != "turn":
                letter = mover.read()
            move = rng.choice(sorted(position.moves(), key=str))
            mover.answer(letter, game.write(position, move, Notation("en")))
            position, ply = position.play(move), ply + 1
        return ply

    with ThreadPoolExecutor(PAIRS) as threads:
        played = [threads.submit(play, number) for number in range(PAIRS)]
        for name in commands:
            assert running[name].end() == 0, running[name].said
            assert "Traceback" not in running[name].said, running[name].said
            running[name] = begin(name)
            wait_until(lambda: any(answers(web) for web in webs), "a web answers")
        over.set()
        turns = dict(zip(matches, (each.result() for each in played), strict=True))

    heard = sum((sender.heard for sender in senders), Counter())
    assert heard["451"] <= 1, heard
    assert min(turns.values()) > 10, turns
    with house.rows():
        wait_until(lambda: not InboundMail.objects.filter(verdict="").exists(), "every email is opened")
        wait_until(lambda: not OutboundMail.objects.exclude(status="sent").exists(), "every letter is sent")
        assert dict(Match.objects.values_list("pk", "ply")) == turns
        assert list(InboundMail.objects.values_list("verdict", flat=True)) == ["ok"] * sum(turns.values())
        written = set(OutboundMail.objects.values_list("pk", flat=True))
        assert not Outage.objects.exists(), "no clock stood still"
    ids = [letter["Message-ID"] for letter in house.delivered]
    assert len(ids) == len(set(ids)) == len(written)
