"""What a letter costs on its way through: read, played, composed; each beside the least it can cost."""

from __future__ import annotations

import sqlite3
from base64 import b64encode
from collections.abc import Iterator
from email import message_from_bytes, policy
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from django.db import transaction
from django.utils import timezone

from games.protocol import Notation
from pbem.mail.parsing.letter import read_letter
from pbem.mail.parsing.parsed_mail import ParsedMail
from pbem.matches.models import Match
from pbem.matches.services import play
from pbem.outbox.models import OutboundMail
from pbem.outbox.rendering.compose import compose
from pbem.outbox.rendering.mime import Headers, Picture, assemble
from tests.bench.clock import Effort, cpu_ms
from tests.bench.figures import Peer, Row
from tests.bench.house import begun, staged

REPLY = 7_000  # bytes
ROWS = 6  # that a move writes


def reading(effort: Effort) -> Iterator[Row]:
    effort.say("reading a reply")
    raw, sent = _long_reply()
    peer = Peer("email.policy.default, parse alone", cpu_ms(lambda _: _default(raw), effort))
    ours = cpu_ms(lambda _: read_letter(ParsedMail(raw, own_domain="pbem.localhost"), sent=sent), effort)
    yield Row(f"read_letter() of {len(raw) / 1000:.1f} kB, quotes found", ours, "ms CPU", peer)


def letters(effort: Effort) -> Iterator[Row]:
    effort.say("playing by hand")
    moves = staged(effort.few(60, quick=6))
    yield Row("keep", moves.median("keep"), "ms CPU")
    yield Row("open: read, identify, play, tell", moves.median("open"), "ms CPU")
    yield Row("send the turn letter", moves.median("turn"), "ms CPU")
    yield Row("send the receipt", moves.median("played"), "ms CPU")
    yield Row("all of a move", moves.whole, "ms CPU")
    effort.say("the transaction of a move")
    yield Row(
        "one transaction: lock, turn, match, event, letters", _transaction(effort), "ms CPU", _commit(effort)
    )
    effort.say("composing")
    row = OutboundMail.objects.select_related("match", "player").filter(kind="turn", ply__gt=0).latest("pk")
    letter = compose(row)
    whole = cpu_ms(lambda _: compose(row), effort)
    mime = _mime(effort, letter.text, letter.html, letter.pictures[0].content)
    yield Row("compose(), its picture at hand", whole, "ms CPU")
    yield mime
    yield Row("the rest: rows, words, templates, CSS", whole - mime.figure, "ms CPU")


def _long_reply() -> tuple[bytes, str]:
    """An answer above a quotation of our letter, of about 7 kB."""
    match = begun("loa")
    sent = OutboundMail.objects.filter(match=match, kind="turn").latest("pk").text
    quoted = "\n".join(f"> {line}".rstrip() for line in sent.splitlines())
    above = "b8-b6\n\nHello, a fine opening.\n\nOn Fri, 1 Aug 2025 at 12:00 PBeM <play@pbem.localhost> wrote:"
    body = f"{above}\n{quoted}\n"
    filler = "".join(
        f"Received: from relay{n}.example by mx.example; Fri, 01 Aug 2025 12:00:00 +0000\n" for n in range(99)
    )
    head = "From: Alice <alice@players.localhost>\nTo: m@pbem.localhost\nSubject: Re: [1] Lines of Action\n"
    kind = "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n"
    space = REPLY - len(head) - len(kind) - len(body)
    received = filler[: filler.rindex("\n", 0, max(space, 100)) + 1]
    return (head + received + kind + body).replace("\n", "\r\n").encode(), sent


def _default(raw: bytes) -> object:
    message = message_from_bytes(raw, policy=policy.default)
    body = message.get_body(("plain",))
    return message["From"], message["Subject"], body and body.get_content()


def _transaction(effort: Effort) -> float:
    """Of a match of its own each."""
    matches = [begun("loa") for _ in range(effort.few(40, quick=4))]
    texts = [match.game.write(match.current(), _move(match), Notation()) for match in matches]

    def play_first(number: int) -> None:
        with transaction.atomic():
            match = Match.objects.filter(pk=matches[number].pk).locked().get()
            play(match.seated[0], texts[number], now=timezone.now(), letter=-match.pk)

    return cpu_ms(play_first, effort, most=len(matches))


def _move(match: Match) -> object:
    return match.current().sample(Random(1))


def _commit(effort: Effort) -> Peer:
    """As many rows as a move writes, by bare sqlite3."""
    with (
        TemporaryDirectory() as folder,
        sqlite3.connect(Path(folder) / "floor", isolation_level=None) as file,
    ):
        file.execute("PRAGMA journal_mode=WAL")
        file.execute("PRAGMA synchronous=NORMAL")
        file.execute("CREATE TABLE row (id INTEGER PRIMARY KEY, text TEXT)")

        def write(_: int) -> None:
            file.execute("BEGIN IMMEDIATE")
            for _ in range(ROWS):
                file.execute("INSERT INTO row (text) VALUES (?)", ("a position and a move" * 10,))
            file.execute("COMMIT")

        return Peer(f"sqlite3 alone, {ROWS} rows and a commit", cpu_ms(write, effort))


def _mime(effort: Effort, text: str, html: str, png: bytes) -> Row:
    headers = Headers(
        "[1] Lines of Action", "alice@players.localhost", "m@pbem.localhost", "<1@x>", timezone.now()
    )
    pictures = [Picture("board1@pbem.localhost", "1-1.png", png)]
    ours = cpu_ms(lambda _: assemble(headers, text, html, pictures, []), effort)
    floor = Peer("base64 alone", cpu_ms(lambda _: b64encode(png), effort))
    return Row(f"of it MIME with {len(png) / 1000:.0f} kB of picture", ours, "ms CPU", floor)
