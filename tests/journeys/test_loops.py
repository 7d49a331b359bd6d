"""Machines that answer machines: every exchange ends by itself, within the caps, and the letters are counted."""

from __future__ import annotations

import smtplib
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import make_msgid
from pathlib import Path
from random import Random
from shutil import copyfile

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.core.exceptions import ValidationError
from django.db import transaction
from django.test import override_settings
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from pbem.inbox.models import InboundMail
from pbem.inbox.rate_limits.table import CAPS
from pbem.matches.models import Match
from pbem.matches.services import start
from pbem.outbox.models import OutboundMail
from pbem.players.models import Address
from pbem.players.services import register
from pbem.refusals import Code, Refused
from tests.journeys.conftest import House
from tests.mail_fixtures import Correspondent, Post, play_address
from tests.processes import wait_until
from tests.smtp_fixtures import free_port

# of one service: the turn letter, then what is answered to somebody who is not identified, then what they are asked
MOST_CARRIED = 1 + CAPS["answers"].most + CAPS["unsure"].most
THANKS = "Thank you for your letter number {}. A colleague will come back to you soon."


# -- one service, and a mailbox that answers by itself but does not say so ------------------------------------


def answer_all(robot: Correspondent, to: str = "", says: str = THANKS, *, dmarc: str = "pass") -> int:
    """Every letter is answered, without any sign of a machine, until none comes: how many came."""
    count = 0
    while letters := robot.reads():
        for letter in letters:
            count += 1
            assert count < 100, "this never ends"
            body = letter.text if says == "echo" else says.format(count)
            robot.writes(body, to=to or letter.reply_to, subject=f"Your letter {count}", dmarc=dmarc)
    return count


@pytest.fixture
def robot(post: Post, alice: Correspondent) -> Correspondent:
    """Somebody registered it, and began a match with it, which waits for its first move."""
    register(name="Robby", email="robby@example.org", language="it", now=post.now)
    robot = Correspondent(post, "Robby", "robby@example.org")
    start(first=robot.player, second=alice.player, game="loa", now=post.now, rng=Random(1))
    post.send()
    return robot


@pytest.mark.prove
@pytest.mark.parametrize(
    ("to", "says", "dmarc", "letters"),
    [
        # To the reply address of its seat: the turn letter and twenty refusals.
        ("", THANKS, "pass", 21),
        ("", THANKS, "", 21),
        ("", "echo", "pass", 21),
        # To play@ it writes to the organiser, ten times, and then the same. Not vouched for, five answers.
        (play_address(), THANKS, "pass", 31),
        (play_address(), THANKS, "", 6),
        # Where it is disowned, or only reads, five answers and then five questions whether that is meant.
        (play_address(), THANKS, "fail", 11),
        (play_address(), "HELP", "", 11),
        (play_address(), "RESIGN", "", 6),  # it is asked about at once: five questions
    ],
)
def test_a_robot_in_a_match(
    robot: Correspondent, alice: Correspondent, to: str, says: str, dmarc: str, letters: int
) -> None:
    assert answer_all(robot, to, says, dmarc=dmarc) == letters
    assert Match.objects.get().ply == 0
    assert alice.kinds() == ["turn"]


@pytest.mark.prove
def test_the_next_day_it_begins_again_only_if_the_robot_does(post: Post, robot: Correspondent) -> None:
    answer_all(robot)
    post.wait(days=1)
    assert answer_all(robot) == 0
    robot.writes(THANKS)  # to the organiser
    assert answer_all(robot) in (21, 22)  # one of them may be a question


@pytest.mark.parametrize("dmarc", ["pass", ""])
@pytest.mark.parametrize("says", [THANKS, "echo", "REGISTER Robot{}"])
def test_a_robot_that_somebody_signs_up(stranger: Correspondent, says: str, dmarc: str) -> None:
    """The question, what its answers are answered with, and what goes to the organiser: each within its cap."""
    stranger.writes("REGISTER Robot", dmarc="")
    most = 1 + CAPS["answers"].most + CAPS["stranger_words"].most
    assert answer_all(stranger, says=says, dmarc=dmarc) <= most
    stranger.reads_again()
    again = CAPS["stranger_again"].most + CAPS["stranger_words"].most
    assert answer_all(stranger, play_address(), says, dmarc=dmarc) <= most + again


@pytest.mark.prove
def test_nobody_is_reached_at_an_address_of_ours(
    post: Post, alice: Correspondent, bruno: Correspondent
) -> None:
    """Neither play@ nor the reply address of a letter: who would use one is told so."""
    alice.writes("HELP")
    own = [play_address(), alice.letter.envelope_sender, f"m+{'a' * 32}@pbem.localhost"]
    for address in own:
        assert alice.writes(f"CHALLENGE {address} zertz").verdict == Code.OUR_OWN_ADDRESS
        alice.writes(f"ADD ADDRESS {address}")
        assert alice.answers(alice.letter, "YES ADDRESS").verdict == Code.OUR_OWN_ADDRESS
        machine = Correspondent(post, "Robby", address)
        assert machine.writes("REGISTER Robby").verdict == Code.LOOP
        with pytest.raises(ValidationError, match="address of this service"):
            Address(player=alice.player, email=address.upper()).clean()
        with pytest.raises(Refused):
            register(name="Robby", email=address, language="en", now=post.now)
        assert machine.letters == []
    assert "an address of this service" in alice.letter.text
    bruno.writes(f"AGGIUNGI INDIRIZZO {own[0]}")
    bruno.answers(bruno.letter, "SÌ INDIRIZZO")
    assert "un indirizzo del servizio" in bruno.letter.text


# -- two services -----------------------------------------------------------------------------------------


@dataclass
class Gateway:
    """What carries letters between two services; `rewrites`: it leaves nothing by which to know a machine."""

    doors: dict[str, tuple[str, int]]
    rewrites: bool
    carried: Counter[str] = field(default_factory=Counter)  # letters to each domain

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 - aiosmtpd
        raw, sender = bytes(envelope.original_content or b""), envelope.mail_from or ""
        domain = envelope.rcpt_tos[0].partition("@")[2]
        if self.rewrites:
            letter = message_from_bytes(raw, policy=policy.default)
            assert isinstance(letter, EmailMessage)
            raw, sender = _as_if_by_hand(letter), str(letter["From"])
        with smtplib.SMTP(*self.doors[domain], timeout=30) as smtp:
            smtp.sendmail(sender, envelope.rcpt_tos, raw)
        self.carried[domain] += 1
        return "250 carried"


def _as_if_by_hand(letter: EmailMessage) -> bytes:
    plain = EmailMessage(policy=policy.SMTP)
    for name in ("From", "To", "Reply-To"):
        plain[name] = str(letter[name])
    plain["Subject"] = f"My answer: {letter['Subject']}"
    plain["Message-ID"] = make_msgid(domain="gateway.example")
    body = letter.get_body(("plain",))
    plain.set_content(str(body.get_content()) if body else "")
    return plain.as_bytes()


@dataclass
class Pair:
    """Two services; each has the address of the other for a player, in a match that waits for it."""

    first: House
    second: House
    gateway: Gateway

    def begin(self) -> None:
        for house, other in ((self.first, self.second), (self.second, self.first)):
            with house.rows(), override_settings(MAIL_DOMAIN=house.env["MAIL_DOMAIN"]):
                now, there = timezone.now(), other.env["MAIL_DOMAIN"]
                robot = register(name="Robby", email=f"play@{there}", language="en", now=now)
                alice = register(name="Alice", email=f"alice@{there}", language="en", now=now)
                with transaction.atomic():
                    start(first=robot, second=alice, game="loa", now=now, rng=Random(1))
                    OutboundMail.objects.exclude(player=robot).delete()

    def quiet(self) -> bool:
        """Whether neither has a letter to open or to send, and none was carried while we looked."""
        before = self.gateway.carried.total()
        for house in (self.first, self.second):
            with house.rows():
                if InboundMail.objects.unopened().exists() or OutboundMail.objects.filter(status="waiting"):
                    return False
        return self.gateway.carried.total() == before

    def verdicts(self) -> list[Counter[str]]:
        found = []
        for house in (self.first, self.second):
            with house.rows():
                found.append(Counter(InboundMail.objects.values_list("verdict", flat=True)))
        return found


@pytest.fixture
def pair(
    tmp_path: Path, migrated: Path, django_db_blocker: DjangoDbBlocker, request: pytest.FixtureRequest
) -> Iterator[Pair]:
    port = free_port()
    with ExitStack() as stack:
        houses = {}
        for domain in ("one.example", "two.example"):
            folder = tmp_path / domain
            folder.mkdir()
            copyfile(migrated, folder / "pbem.sqlite3")
            env = {"MAIL_DOMAIN": domain, "EMAIL_URL": f"smtp://127.0.0.1:{port}"}
            database = f"sqlite:///{folder / 'pbem.sqlite3'}"
            houses[domain] = House(folder, database, django_db_blocker, stack, env)
        gateway = Gateway({domain: house.door for domain, house in houses.items()}, request.param)
        controller = Controller(gateway, hostname="127.0.0.1", port=port, ready_timeout=10)
        controller.start()
        stack.callback(controller.stop)
        for house in houses.values():
            house.serve()
        yield Pair(*houses.values(), gateway)


@pytest.mark.prove
@pytest.mark.parametrize(
    ("pair", "most", "verdicts"), [(False, 1, {Code.LOOP}), (True, MOST_CARRIED, None)], indirect=["pair"]
)
def test_two_services_that_write_to_each_other(pair: Pair, most: int, verdicts: set[str] | None) -> None:
    """As they are, they know each other's letters. Through the gateway nothing tells, and the caps end it."""
    pair.begin()
    wait_until(lambda: len(pair.gateway.carried) == 2 and pair.quiet(), "the exchange has ended")
    assert max(pair.gateway.carried.values()) <= most
    for found in pair.verdicts():
        assert found.total() <= most
        assert verdicts is None or set(found) == verdicts
