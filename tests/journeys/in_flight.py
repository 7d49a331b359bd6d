"""Matches that are played while the service dies: players whose mail servers try again, and what must be true after."""

from __future__ import annotations

import smtplib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.utils import parseaddr
from random import Random

from django.utils import timezone

from pbem.demo.play import Correspondent
from pbem.inbox.models import InboundMail
from pbem.matches import services as matches
from pbem.matches.models import Match
from pbem.outbox.models import OutboundMail
from pbem.players.services import register
from tests.journeys.conftest import House
from tests.processes import wait_until

OPENING = ("c1-c3", "a3-c5", "d1-b3")  # Lines of Action, each a move of three lines


@dataclass
class Relay(Correspondent):
    """A player whose mail server, like all of them, keeps a letter until the other one has said 250."""

    waiting: list[EmailMessage] = field(default_factory=list)
    taken: list[str] = field(default_factory=list)
    refusals: list[int] = field(default_factory=list)  # the codes that it heard instead

    def _send(self, letter: EmailMessage) -> None:
        self.waiting.append(letter)
        self.try_again()

    def try_again(self) -> bool:
        """Whether nothing waits any more."""
        for letter in list(self.waiting):
            try:
                with smtplib.SMTP(*self.door, timeout=30) as smtp:
                    smtp.send_message(letter)
            except smtplib.SMTPRecipientsRefused as refused:
                self.refusals += [code for code, _ in refused.recipients.values()]
                return False
            except smtplib.SMTPResponseException as refused:
                self.refusals.append(refused.smtp_code)
                return False
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


def begun(house: House) -> Play:
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
