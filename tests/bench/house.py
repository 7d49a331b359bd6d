"""The service in this process: matches to play by hand, stage by stage, with nobody at the other end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from random import Random
from statistics import median
from time import process_time

from django.core.management import call_command
from django.utils import timezone

from pbem.inbox.models import InboundMail
from pbem.inbox.services import open_mail
from pbem.inbox.transports.store import store_message
from pbem.matches.models import Match
from pbem.matches.services import start
from pbem.matches.terms import NONE
from pbem.outbox.models import OutboundMail
from pbem.outbox.rendering.recipient import Reader
from pbem.outbox.sending import send
from pbem.outbox.signed_addresses import reply_to
from pbem.players.models import Player
from pbem.players.services import register

MOVES_LETTERS = ("turn", "played")


class Nobody:
    """A sender that takes everything at once."""

    def send(self, sender: str, recipient: str, raw: bytes) -> str:
        return "250 taken"


@cache
def players() -> tuple[Player, Player]:
    """Alice writes English, Bruno Italian. The tables are made with them."""
    call_command("migrate", verbosity=0)
    alice, bruno = (
        register(name=name, email=f"{name.lower()}@players.localhost", language=language, now=timezone.now())
        for name, language in (("Alice", "en"), ("Bruno", "it"))
    )
    for player in (alice, bruno):
        player.receipts = True  # each move has two letters
        player.save()
    return alice, bruno


def begun(game: str) -> Match:
    first, second = players()
    match = start(
        first=first, second=second, game=game, terms=NONE.clocked, now=timezone.now(), rng=Random(1)
    )
    deliver(match)
    return match


def waiting(match: Match) -> Iterator[OutboundMail]:
    yield from OutboundMail.objects.filter(match=match, status=OutboundMail.Status.WAITING)


def deliver(match: Match) -> None:
    for row in waiting(match):
        send(row.pk, now=timezone.now(), sender=Nobody())


@dataclass
class Stages:
    """Milliseconds of CPU of each stage of each move that was played here."""

    taken: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def play(self, match: Match, rng: Random, move: object = None) -> bool:
        """This move, or a random one, by letter, both answers sent; False when the match is over."""
        match = Match.objects.get(pk=match.pk)
        mover = match.moving
        if mover is None:
            return False
        latest = OutboundMail.objects.filter(match=match, player=mover.player).latest("pk")
        raw, recipient = _reply(match, latest, move or match.current().sample(rng))
        with self._timed("keep"):
            kept = store_message(raw, sender=mover.player.email, recipient=recipient, now=timezone.now())
        with self._timed("open"):
            open_mail(kept.pk, now=timezone.now())
        verdict = InboundMail.objects.get(pk=kept.pk).verdict
        if verdict != "ok":
            raise RuntimeError(f"a legal move was answered with {verdict}: {raw.decode()}")
        for row in waiting(match):
            with self._timed(row.kind):
                send(row.pk, now=timezone.now(), sender=Nobody())
        return True

    def median(self, stage: str) -> float:
        return median(self.taken[stage])

    @property
    def whole(self) -> float:
        """A move that does not end the match, from bytes to bytes."""
        return sum(self.median(stage) for stage in ("keep", "open", *MOVES_LETTERS))

    @contextmanager
    def _timed(self, stage: str) -> Iterator[None]:
        begin = process_time()
        yield
        self.taken[stage].append((process_time() - begin) * 1000)


def staged(moves: int) -> Stages:
    """So many moves, of both games in turn."""
    stages, rng, number = Stages(), Random(1), 0
    while len(stages.taken["keep"]) < moves:
        match = begun(("loa", "zertz")[number % 2])
        number += 1
        while len(stages.taken["keep"]) < moves and stages.play(match, rng):
            pass
    return stages


def _reply(match: Match, latest: OutboundMail, move: object) -> tuple[bytes, str]:
    """What a mail program sends: a move above our letter, quoted."""
    player = latest.player
    assert player
    written = match.game.write(match.current(), move, player.notation)
    quoted = "\n".join(f"> {line}".rstrip() for line in latest.text.splitlines())
    letter = (
        f"From: {player} <{player.email}>\nTo: PBeM <play@pbem.localhost>\nSubject: Re: {match}\n"
        f"Message-ID: <{match.pk}.{match.ply}@players.localhost>\nIn-Reply-To: {latest.message_id}\n"
        "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n"
        f"{written}\n\nOn Fri, 1 Aug 2025 PBeM wrote:\n{quoted}\n"
    )
    return letter.replace("\n", "\r\n").encode(), reply_to(latest, Reader.of(latest))
