"""`python -m tests.bench.waiting SIZE`: so many letters are kept and their tasks enqueued, and nobody is at work.

`begin` begins a match instead; `opened` counts what was opened.
"""

from __future__ import annotations

import json
import sys
from random import Random
from typing import Any

import django

django.setup()

from django.utils import timezone  # noqa: E402

from pbem.celery import app  # noqa: E402
from pbem.inbox.models import InboundMail  # noqa: E402
from pbem.inbox.transports.store import store_message  # noqa: E402
from pbem.matches.models import Match  # noqa: E402
from pbem.matches.services import start  # noqa: E402
from pbem.outbox.models import OutboundMail  # noqa: E402
from pbem.outbox.signed_addresses import sealed_address  # noqa: E402
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


def move(match: Match) -> dict[str, str]:
    """The first one."""
    first, second = (seat.player.email for seat in match.seated)
    return {
        "from": first,
        "to": address(match, 0),
        "raw": written(first, 0, "b1-b3").decode(),
        "opponent": second,
    }


def wait(size: int) -> dict[str, Any]:
    matches = [begun(number) for number in range(MATCHES)]
    fresh = begun(MATCHES)
    OutboundMail.objects.update(status="sent")  # what began them has long been read
    pool: Any = app.pool  # its stubs take it for one of producers
    with pool.acquire(block=True) as broker:
        broker.default_channel.client.delete(*app.conf.task_queues)
    for number in range(size):
        if number % STRANGERS == 0:
            sender = f"somebody{number}@elsewhere{number % MATCHES}.localhost"
            to, words = "play@pbem.localhost", "Hello, who are you?"
        else:
            match, side = matches[number % MATCHES], number // MATCHES % 2
            sender, to = match.seated[side].player.email, address(match, side)
            words = f"SAY Word number {number}"
        store_message(written(sender, number, words), sender=sender, recipient=to, now=timezone.now())
    swept = 0
    for entry in app.conf.beat_schedule.values():
        for _ in range(SWEEPS):
            expires = {"expires": -1} if "expires" in entry.get("options", {}) else {}
            app.send_task(entry["task"], **expires)
            swept += 1
    assert InboundMail.objects.unopened().count() == size
    return {"move": move(fresh), "tasks": size, "sweeps": swept}


def main(what: str) -> None:
    match what:
        case "begin":
            told: dict[str, Any] = move(begun(MATCHES + 1))
        case "opened":
            told = {
                "opened": InboundMail.objects.exclude(verdict="").count() - 2
            }  # not the first, nor the fresh move
        case size:
            told = wait(int(size))
    print(json.dumps(told))


if __name__ == "__main__":
    main(sys.argv[1])
