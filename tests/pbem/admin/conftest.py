"""Alice and Bruno play Lines of Action; Olga keeps the desk, Charlie works there but may see nothing."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from pbem.inbox.models import InboundMail
from pbem.inbox.services import open_mail
from pbem.inbox.transports.store import store_message
from pbem.matches.models import Match
from pbem.matches.services import play, start
from pbem.outbox.delivery.bounces import count
from pbem.outbox.models import OutboundMail
from pbem.players.models import Address, Player
from pbem.players.services import register
from pbem.refusals import Code

Arrived = Callable[[bytes], InboundMail]
NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
MOVES = ("b1-b3", "a2-c2", "b8-b6", "h7-f7")


@pytest.fixture
def alice(db: None) -> Player:
    return register(name="Alice", email="alice@example.org", language="en", now=NOON)


@pytest.fixture
def bruno(db: None) -> Player:
    return register(name="Bruno", email="bruno@example.it", language="it", now=NOON)


@pytest.fixture
def match(alice: Player, bruno: Player) -> Match:
    """Four turns; Alice's first move brought a message, and tags that must not come alive on any page."""
    match = start(first=alice, second=bruno, game="loa", now=NOON, rng=Random(1))
    for number, move in enumerate(MOVES, start=1):
        assert match.moving
        message = "<b>Ciao</b> Bruno!" if number == 1 else ""
        play(match.moving, move, now=NOON + timedelta(hours=number), message=message)
    return match


@pytest.fixture
def gone(match: Match, bruno: Player) -> Address:
    """Bruno's address, after two of its letters were refused."""
    now = timezone.now()
    letters = bruno.letters.order_by("pk")[:2]
    for number, letter in enumerate(letters):
        count(letter, Code.HARD, now=now + timedelta(minutes=number), reply="550 5.1.1 <b>No</b> such user")
    return bruno.addresses.get()


@pytest.fixture
def turn_letter(match: Match, alice: Player) -> OutboundMail:
    """What Alice was last written: it is her turn."""
    return alice.letters.filter(match=match, kind="turn").latest("pk")


@pytest.fixture
def arrived(alice: Player) -> Arrived:
    """A letter of Alice's to play@ comes and is opened."""

    def arrive(lines: bytes) -> InboundMail:
        raw = b"From: alice@example.org\r\nSubject: Hello\r\n\r\n" + lines
        row = store_message(raw, sender="alice@example.org", recipient="play@pbem.localhost", now=NOON)
        open_mail(row.pk, now=NOON)
        row.refresh_from_db()
        return row

    return arrive


@pytest.fixture
def refused_letter(arrived: Arrived, match: Match) -> InboundMail:
    """No line of it is a command, nor nearly one."""
    return arrived(b"Hm, 5. <script>alert(1)</script>\r\n")


@pytest.fixture
def olga(db: None) -> User:
    return User.objects.create_superuser("olga", first_name="Olga")


@pytest.fixture(params=["en", "it"])
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def desk(request: pytest.FixtureRequest, olga: User) -> Client:
    """Olga's browser: in each language where the test asks for `language`, else in Italian, whose every sentence is a
    translation to fill in."""
    language = request.getfixturevalue("language") if "language" in request.fixturenames else "it"
    browser = Client(headers={"accept-language": language})
    browser.force_login(olga)
    return browser


@pytest.fixture
def charlie(db: None) -> Client:
    """A colleague without any permission."""
    browser = Client()
    browser.force_login(User.objects.create_user("charlie", is_staff=True))
    return browser
