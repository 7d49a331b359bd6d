"""Plays a few moves before a worker forks, in a database in memory, so that children share what is loaded.

Nothing is committed, enqueued or sent.
"""

from __future__ import annotations

import gc
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

from celery.signals import worker_before_create_process, worker_init
from django.apps import apps
from django.conf import settings
from django.db import connections, transaction
from django.db.backends.sqlite3.base import DatabaseWrapper
from django.utils import timezone

from pbem.inbox.models import InboundMail
from pbem.inbox.services import open_mail
from pbem.inbox.transports.store import store_message
from pbem.intents import answers, guesses
from pbem.matches.clock import outages
from pbem.matches.models import Match
from pbem.matches.services import start
from pbem.outbox.models import OutboundMail
from pbem.outbox.rendering.recipient import Reader
from pbem.outbox.rendering.reply import reply_to
from pbem.outbox.sending import send
from pbem.players import services
from pbem.players.models import Player
from pbem.players.services import register

log = logging.getLogger(__name__)

GAMES = ("loa", "zertz")  # one of squares, one of hexagons
MOVES = 3  # moves of each game
_done: set[str] = set()


class Nobody:
    """A sender that discards letters."""

    def send(self, sender: str, recipient: str, raw: bytes) -> str:
        return "250 taken"


@worker_before_create_process.connect  # only prefork pools; threads share memory anyway
def warm(**_: object) -> None:
    """Runs before each fork; plays only once."""
    if not _done:
        _done.add("warm")
        try:
            with _of_our_own(), transaction.atomic():
                play()
                transaction.set_rollback(True)
        except Exception:
            log.warning("no moves could be played before the first ones of players", exc_info=True)
        gc.collect()
    gc.freeze()  # scanning shared pages for garbage would copy them


@worker_init.connect  # of any pool; before a prefork pool forks
def load_classifier(**_: object) -> None:
    """Loads both models, which takes longer than most letters."""
    guesses("hello")
    answers("hello")


def play() -> list[str]:
    """Plays the moves and returns the verdicts."""
    now = timezone.now()
    first, second = (
        register(name=f"Warming-{language}", email=f"{language}@warming.invalid", language=language, now=now)
        for language, _ in settings.LANGUAGES[:2]
    )
    return [verdict for game in GAMES for verdict in _match(game, first, second)]


def _match(game: str, first: Player, second: Player) -> Iterator[str]:
    match = start(first=first, second=second, game=game, now=timezone.now(), rng=Random(1))
    for _ in range(MOVES):
        _deliver(match)
        yield _move(Match.objects.get(pk=match.pk))
    _deliver(match)


def _deliver(match: Match) -> None:
    for row in OutboundMail.objects.filter(match=match, status=OutboundMail.Status.WAITING):
        send(row.pk, now=timezone.now(), sender=Nobody())


def _move(match: Match) -> str:
    """Delivers a move above a quotation of our letter; returns the verdict."""
    assert match.moving
    player = match.moving.player
    latest = OutboundMail.objects.filter(match=match, player=player).latest("pk")
    position = match.current()
    written = match.game.write(position, position.sample(Random(match.ply)), player.notation)
    quoted = "\n".join(f"> {line}".rstrip() for line in latest.text.splitlines())
    letter = (
        f"From: {player.email}\nMessage-ID: <{match.pk}.{match.ply}@warming.invalid>\n"
        "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n"
        f"{written}\n\nOn Fri, 1 Aug 2025 PBeM wrote:\n{quoted}\n"
    )
    raw = letter.replace("\n", "\r\n").encode()
    kept = store_message(
        raw, sender=player.email, recipient=reply_to(latest, Reader.of(latest)), now=timezone.now()
    )
    open_mail(kept.pk, now=timezone.now())
    return InboundMail.objects.values_list("verdict", flat=True).get(pk=kept.pk)


@contextmanager
def _of_our_own() -> Iterator[None]:
    """Uses a database in memory for this thread, without DNS queries."""
    ours, looks = connections["default"], settings.VERIFY_SENDERS
    memory = {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:", "OPTIONS": {}}
    connections["default"] = made = DatabaseWrapper(connections.settings["default"] | memory, "default")
    settings.VERIFY_SENDERS = False
    try:
        made.disable_constraint_checking()
        with made.schema_editor() as editor:
            for model in apps.get_models():
                if not model._meta.proxy:
                    editor.create_model(model)
        yield
    finally:
        settings.VERIFY_SENDERS = looks
        made.close()
        connections["default"] = ours
        services.forget()  # cached values are of the other database
        outages.forget()
