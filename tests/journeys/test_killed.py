"""The service is killed where it hurts most, and started again: nothing is lost, nothing is played twice."""

from __future__ import annotations

import signal
import smtplib
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.utils import parseaddr
from random import Random

import pytest
from django.utils import timezone

from pbem.demo.correspondent import Correspondent
from pbem.inbox.models import InboundMail
from pbem.matches import services as matches
from pbem.matches.models import Match
from pbem.outbox.models import OutboundMail
from pbem.players.services import register
from tests.journeys.conftest import House
from tests.processes import wait_until

KILLED = -signal.SIGKILL
OPENING = ("c1-c3", "a3-c5", "d1-b3")  # Lines of Action, each a move of three lines


@dataclass
class Relay(Correspondent):
    """A player whose mail server, like all of them, keeps a letter until the other one has said 250."""

    waiting: list[EmailMessage] = field(default_factory=list)
    taken: list[str] = field(default_factory=list)

    def _send(self, letter: EmailMessage) -> None:
        self.waiting.append(letter)
        self.try_again()

    def try_again(self) -> bool:
        """Whether nothing waits any more."""
        for letter in list(self.waiting):
            try:
                with smtplib.SMTP(*self.door, timeout=30) as smtp:
                    smtp.send_message(letter)
            except (OSError, smtplib.SMTPException):
                return False
            self.waiting.remove(letter)
            self.taken.append(letter["Message-ID"])
        return True


@dataclass
class Play:
    """Alice and Bruno in one house; `matches` have begun and wait for Alice's first move."""

    house: House
    alice: Relay
    bruno: Relay
    numbers: list[int]

    def quiet(self) -> None:
        """Wait until every letter that was kept has its verdict, and every answer has left."""
        with self.house.rows():
            wait_until(lambda: not InboundMail.objects.unopened().exists(), "all letters opened")
            wait_until(lambda: not OutboundMail.objects.filter(status="waiting").exists(), "all letters sent")

    def reply_to(self, player: Correspondent, match: int) -> str:
        """Where the newest letter to the player about the match wants its answer."""
        tag = f"<match.{match}@"
        letters = [
            letter
            for letter in self.house.delivered
            if parseaddr(str(letter["To"]))[1] == player.address and tag in (letter["References"] or "")
        ]
        return parseaddr(str(letters[-1]["Reply-To"]))[1]

    def move(self, player: Relay, match: int, text: str) -> None:
        player.write(self.reply_to(player, match), text)

    def move_everywhere(self, player: Relay, text: str) -> None:
        for number in self.numbers:
            self.move(player, number, text)

    def check(self, moves: Sequence[str], extra_copies: int = 0) -> None:
        """The rows tell one story with the mailboxes, and each match is exactly these moves."""
        with self.house.rows():
            self._check_inbox()
            for match in Match.objects.filter(pk__in=self.numbers):
                turns = list(match.live_turns())
                assert [turn.ply for turn in turns] == list(range(match.ply))
                assert [turn.move for turn in turns] == list(moves)
                _, *positions = map(str, match.record().replay())
                assert [turn.position for turn in turns] == positions
                assert match.position == positions[-1]
            self._check_outbox(extra_copies)

    def _check_inbox(self) -> None:
        verdicts = {bytes(row.raw): row.verdict for row in InboundMail.objects.all()}
        assert set(verdicts.values()) == {"ok"}
        taken = self.alice.taken + self.bruno.taken
        assert len(verdicts) == len(taken)
        assert all(any(name.encode() in raw for raw in verdicts) for name in taken)

    def _check_outbox(self, extra_copies: int) -> None:
        assert set(OutboundMail.objects.values_list("status", flat=True)) == {"sent"}
        copies = Counter(letter["Message-ID"] for letter in self.house.delivered)
        assert set(copies) == set(OutboundMail.objects.values_list("message_id", flat=True))
        assert copies.total() - len(copies) <= extra_copies
        assert len({letter.as_bytes() for letter in self.house.delivered}) == len(copies)


@pytest.fixture
def play(house: House) -> Play:
    """Four matches have begun; nobody has heard of it yet."""
    now = timezone.now()
    alice, bruno = (Relay(**vars(house.player(name))) for name in ("Alice", "Bruno"))
    with house.rows():
        first, second = (
            register(name=who.name, email=who.address, language=language, now=now)
            for who, language in ((alice, "en"), (bruno, "it"))
        )
        numbers = [
            matches.start(first=first, second=second, game="loa", now=now, rng=Random(0)).pk for _ in range(4)
        ]
    return Play(house, alice, bruno, numbers)


def test_killed_after_a_letter_was_kept_and_before_its_sender_heard_so(play: Play) -> None:
    service = play.house.serve(DIE_AT="kept")
    play.quiet()
    play.numbers = play.numbers[:1]
    play.move(play.alice, play.numbers[0], OPENING[0])
    assert service.status() == KILLED
    assert play.alice.waiting, "nobody has said 250"

    play.house.serve()
    play.quiet()
    with play.house.rows():
        assert Match.objects.get(pk=play.numbers[0]).ply == 1, "it was kept, so it is played"
    assert play.alice.try_again()
    play.move(play.bruno, play.numbers[0], OPENING[1])
    play.quiet()
    play.check(OPENING[:2])


def test_killed_between_reading_a_letter_and_carrying_it_out(play: Play) -> None:
    service = play.house.serve(DIE_AT="read")
    play.quiet()
    play.move_everywhere(play.alice, OPENING[0])
    assert play.alice.taken, "at least the first was acknowledged"
    assert service.status() == KILLED

    play.house.serve()
    assert play.alice.try_again()
    play.quiet()
    play.check(OPENING[:1])


def test_killed_between_handing_a_letter_over_and_marking_it(play: Play) -> None:
    service = play.house.start("manage.py", "serve", "--threads", "1", DIE_AT="handed-over")
    assert service.status() == KILLED
    assert len(play.house.delivered) == 1

    play.house.serve()
    play.quiet()
    assert len(play.house.delivered) == 2 * len(play.numbers) + 1, "one letter came twice"
    play.move_everywhere(play.alice, OPENING[0])
    play.quiet()
    play.check(OPENING[:1], extra_copies=1)


def test_killed_from_outside_at_any_time_while_letters_are_in_flight(play: Play) -> None:
    rng = Random(1969)
    service = play.house.serve()
    play.quiet()
    extra = 0
    for ply, text in enumerate(OPENING):
        player = (play.alice, play.bruno)[ply % 2]
        writing = threading.Thread(target=play.move_everywhere, args=(player, text))
        writing.start()
        time.sleep(rng.uniform(0.0, 0.4))  # this is the time that is meant to be any
        assert service.end(signal.SIGKILL) == KILLED
        writing.join()
        service = play.house.serve()
        extra += 2  # each of two threads may have been between hand-over and mark
        wait_until(player.try_again, "all letters taken")
        play.quiet()
    play.check(OPENING, extra_copies=extra)
