"""`python -m tests.bench.waiting SIZE`: so many letters are kept and their tasks enqueued, and nobody is at work."""

from __future__ import annotations

import json
import sys
from datetime import timedelta
from random import Random
from typing import Any

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.utils import timezone  # noqa: E402

from pbem.celery import app  # noqa: E402
from pbem.inbox.doors.keeping import keep  # noqa: E402
from pbem.inbox.models import InboundMail  # noqa: E402
from pbem.matches.models import Heartbeat, Match, Part  # noqa: E402
from pbem.matches.services import start  # noqa: E402
from pbem.outbox.models import OutboundMail  # noqa: E402
from pbem.outbox.writing.reply import sealed_address  # noqa: E402
from pbem.players.models import Player  # noqa: E402
from pbem.players.services import register  # noqa: E402
from pbem.players.tokens import Purpose, Token  # noqa: E402

MATCHES = 100
SWEEPS = 240  # of an hour
STRANGERS = 4  # one of so many letters is from somebody who has never written


def player(name: str) -> Player:
    return register(name=name, email=f"{name.lower()}@players.localhost", language="en", now=timezone.now())


def begun(number: int) -> Match:
    first, second = player(f"First{number}"), player(f"Second{number}")
    return start(first=first, second=second, game="loa", now=timezone.now(), rng=Random(1))


def written(sender: str, number: int, words: str) -> bytes:
    return (
        f"From: {sender}\r\nTo: play@pbem.localhost\r\nSubject: hello\r\nMessage-ID: <{number}.{sender}>\r\n"
        f"MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{words}\r\n"
    ).encode()


def address(match: Match, side: int) -> str:
    seat = match.seated[side]
    return sealed_address(Token(Purpose.MOVE, seat.pk, match.ply), seat.salt)


def main(size: int) -> None:
    call_command("migrate", verbosity=0)
    matches = [begun(number) for number in range(MATCHES)]
    fresh = begun(MATCHES)
    OutboundMail.objects.update(status="sent")  # what began them has long been read
    pool: Any = app.pool  # its stubs take it for one of producers
    with pool.acquire(block=True) as broker:
        broker.default_channel.client.flushall()
    now = timezone.now() - timedelta(minutes=2)
    Heartbeat.objects.create(part=Part.WORKER, minute=now, beat_at=now)
    for number in range(size):
        if number % STRANGERS == 0:
            sender = f"somebody{number}@elsewhere{number % MATCHES}.localhost"
            to, words = "play@pbem.localhost", "Hello, who are you?"
        else:
            match, side = matches[number % MATCHES], number // MATCHES % 2
            sender, to = match.seated[side].player.email, address(match, side)
            words = f"SAY Word number {number}"
        keep(written(sender, number, words), sender=sender, recipient=to, now=timezone.now())
    swept = 0
    for entry in app.conf.beat_schedule.values():
        for _ in range(SWEEPS):
            expires = {"expires": -1} if "expires" in entry.get("options", {}) else {}
            app.send_task(entry["task"], **expires)
            swept += 1
    assert InboundMail.objects.unopened().count() == size
    mover = fresh.seated[0].player.email
    move = {
        "from": mover,
        "to": address(fresh, 0),
        "raw": written(mover, 0, "b1-b3").decode(),
        "opponent": fresh.seated[1].player.email,
    }
    print(json.dumps({"move": move, "tasks": size, "sweeps": swept}))


if __name__ == "__main__":
    main(int(sys.argv[1]))
