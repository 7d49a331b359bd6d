"""Nobody learns whose address is registered: every way to ask, tried in a world with Vera and in one without.

Mallory plays here; he also has a mailbox that nobody knows. What he hears is compared octet by octet; only
what is new in every letter (tokens, Message-IDs, numbers of rows) is made alike first.
"""

from __future__ import annotations

import re
import smtplib
from collections.abc import Callable, Iterator
from random import Random

import pytest
from django.db import transaction
from django.utils import timezone
from pytest_django import DjangoDbBlocker, Settings

from pbem.matches.models import Match, Seat
from pbem.matches.services import start
from pbem.outbox.models import OutboundMail
from pbem.players.models import Player
from pbem.players.services import register
from pbem.players.tokens import Keyring, Purpose, Token, address, mint
from pbem.refusals import Code
from tests.journeys.at_the_door import opened, said, smtp_of
from tests.journeys.conftest import models_of
from tests.mail_fixtures import AUTHSERV_ID, Correspondent, Post, play_address, registered

VERA = "vera@v.it"  # short: nearly her name
TOKEN = re.compile(r"(?<![a-z2-7])[a-z2-7]{32}(?![a-z2-7])")
MESSAGE_ID = re.compile(r"[0-9a-f]{24}")


@pytest.fixture
def _our_server_is_believed(db: None, settings: Settings) -> None:
    settings.AUTHSERV_IDS = [AUTHSERV_ID]


class World:
    """Somebody asks; `heard` is all that they get for it."""

    def __init__(self, *, with_vera: bool) -> None:
        self.post = Post()
        self.mallory = registered(self.post, "Mallory", "en")
        self.dora = Correspondent(self.post, "Dora", "dora@example.org")
        if with_vera:
            vera = register(name="Vera", email=VERA, language="en", now=self.post.now)
            bruno = registered(self.post, "Bruno", "it").player
            start(first=vera, second=bruno, game="loa", now=self.post.now, rng=Random(1))
            self.post.send()
        self.mallory.reads()

    @property
    def heard(self) -> list[str]:
        mine = (*self.mallory.letters, *self.dora.letters)
        return [_alike(letter.raw.decode()) for letter in mine]


def _alike(raw: str) -> str:
    """Soft line breaks undone, for a token may lie across them."""
    return MESSAGE_ID.sub("ID", TOKEN.sub("TOKEN", raw.replace("=\r\n", "").replace("\r\n ", " ")))


def confirms(who: Correspondent, body: str) -> None:
    """What a player writes who is asked whether they mean it, and says yes."""
    who.writes(body)
    if who.letters and who.letter.kind == "confirm":
        who.answers(who.letter, "YES ADDRESS" if " ADDRESS " in body else "YES")


def _forged(body: str) -> Callable[[World], object]:
    """From her address, by somebody for whom no provider stands."""

    def ask(world: World) -> object:
        for dmarc in ("", "none", "fail"):
            raw = world.dora.pens(body, dmarc=dmarc, headers={"From": f"Vera <{VERA}>"})
            world.post.deliver(raw, play_address(), world.dora.email)
        return None

    return ask


WAYS: dict[str, Callable[[World], object]] = {
    "challenge by address": lambda world: confirms(world.mallory, f"CHALLENGE {VERA} zertz first"),
    "challenge in Italian": lambda world: confirms(world.mallory, f"SFIDA {VERA.upper()} loa nero"),
    "challenge her twice": lambda world: confirms(
        world.mallory, f"CHALLENGE {VERA} zertz first\nCHALLENGE {VERA} loa first\nGAMES\nOPEN"
    ),
    "add her address": lambda world: confirms(world.mallory, f"ADD ADDRESS {VERA}"),
    "move to her address": lambda world: confirms(world.mallory, f"SET ADDRESS {VERA}"),
    "take her address away": lambda world: confirms(world.mallory, f"REMOVE ADDRESS {VERA}"),
    "write to her address, refuse it": lambda world: world.mallory.writes(
        f"GAMES\nMESSAGE {VERA}: hello\nBLOCK {VERA}\nREFUSE {VERA}\nALLOW {VERA}"
    ),
    "sign up twice": lambda world: (world.dora.writes("REGISTER Zoe"), world.dora.writes("REGISTER Zoe2")),
    "help about her address": lambda world: confirms(world.mallory, f"HELP {VERA}"),
    "her address in Reply-To and Cc": lambda world: world.dora.writes(
        "HELP", headers={"Reply-To": VERA, "Cc": VERA}
    ),
    "sign up in her name": _forged("REGISTER Zoe"),
    "commands in her name": _forged("GAMES\nHELP\nRESIGN 1"),
    "talk in her name": _forged("Hello!"),
    "an automatic letter in her name": lambda world: world.post.deliver(
        world.dora.pens("away", headers={"From": VERA, "Auto-Submitted": "auto-replied"}),
        play_address(),
        "dora@example.org",
    ),
}


@pytest.mark.usefixtures("_our_server_is_believed")
@pytest.mark.parametrize("way", WAYS)
def test_whoever_asks_hears_the_same_with_vera_and_without(way: str) -> None:
    heard = []
    for with_vera in (False, True):
        place = transaction.savepoint()
        world = World(with_vera=with_vera)
        WAYS[way](world)
        heard.append(world.heard)
        transaction.savepoint_rollback(place)
    assert heard[0] == heard[1]
    if "her name" not in way:
        assert heard[0], "a way that brings no letter proves nothing"


@pytest.mark.usefixtures("_our_server_is_believed")
def test_vera_herself_gets_the_same_question_whoever_she_is() -> None:
    """The mailbox that is asked learns nothing either: it may not be hers."""
    asked = []
    for with_vera in (False, True):
        place = transaction.savepoint()
        world = World(with_vera=with_vera)
        confirms(world.mallory, f"ADD ADDRESS {VERA}")
        [question] = [box for box in world.post.mailboxes.boxes[VERA] if box.kind == "address"]
        asked.append(_alike(question.raw.decode()))
        transaction.savepoint_rollback(place)
    assert asked[0] == asked[1]


def recipients(seat: Seat | None, letter: OutboundMail | None) -> Iterator[str]:
    """Every local part that somebody may try, with numbers that are hers and seals that are not ours."""
    keys = Keyring({1: b"another key than ours, 32 bytes!"})
    subjects = {
        Purpose.MOVE: seat.pk if seat else 1,
        Purpose.CONFIRM: 1,
        Purpose.BOUNCE: letter.pk if letter else 1,
        Purpose.LETTER: letter.pk if letter else 1,
        Purpose.UNSUBSCRIBE: seat.player_id if seat else 1,
        Purpose.WRITE: 1,
    }
    yield from (
        "play",
        "PLAY",
        "vera",
        "Vera",
        "postmaster",
        "abuse",
        "mailer-daemon",
        "play+vera",
        "m+vera",
        "m+",
    )
    for purpose, subject in subjects.items():
        for numbered in (subject, subject + 1000):
            yield address(purpose, mint(keys, Token(purpose, numbered), bytes(16)), "").rstrip("@")


@pytest.mark.prove
def test_the_door_gives_the_same_reply_for_every_address(
    database: str, django_db_blocker: DjangoDbBlocker
) -> None:
    """Before Vera signs up and after, for her name and for seals that somebody else made for her numbers."""
    with models_of(database, django_db_blocker), opened("smtp") as door:
        before = _replies(door, None, None)
        vera = register(name="Vera", email=VERA, language="en", now=timezone.now())
        bruno = register(name="Bruno", email="bruno@example.org", language="it", now=timezone.now())
        start(first=vera, second=bruno, game="loa", now=timezone.now(), rng=Random(1))
        seat = Seat.objects.get(player=Player.objects.get(name="Vera"))
        after = _replies(door, seat, OutboundMail.objects.filter(player=vera).first())
        assert Match.objects.count() == 1
    assert before == after
    assert {reply[:3] for reply in before[:2]} == {"250"}
    assert set(before[2:]) == {smtp_of(Code.NO_SUCH_ADDRESS)}


def _replies(door: tuple[str, int], seat: Seat | None, letter: OutboundMail | None) -> list[str]:
    """To RCPT, each from her address in a session of its own."""
    replies = []
    for local in recipients(seat, letter):
        with smtplib.SMTP(*door, timeout=30) as client:
            client.ehlo()
            client.mail(VERA)
            replies.append(said(client.rcpt(f"{local}@pbem.localhost")))
    return replies
