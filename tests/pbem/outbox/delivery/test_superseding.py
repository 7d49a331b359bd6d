"""Which turn letters need not go any more, whatever is tried in whatever order."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import pytest

from pbem.matches.models import Match
from pbem.matches.services import play, start
from pbem.outbox import sending
from pbem.outbox.delivery.smtp import Refusal, ReplyLost, TemporaryFailure
from pbem.outbox.models import OutboundMail
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Post

Status = OutboundMail.Status


@pytest.fixture
def match(post: Post, alice: Correspondent, bruno: Correspondent) -> Match:
    return start(first=alice.player, second=bruno.player, game="loa", now=post.now, rng=Random(1))


def move(match: Match, text: str, post: Post, message: str = "") -> None:
    seat = Match.objects.get(pk=match.pk).moving
    assert seat
    play(seat, text, now=post.now, message=message)


def letter(who: Correspondent, kind: str, ply: int) -> OutboundMail:
    return OutboundMail.objects.get(address=who.email, kind=kind, ply=ply)


def test_a_letter_that_was_overtaken_says_by_which(
    post: Post, match: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    move(match, "b1-b3", post)
    move(match, "a2-c2", post)
    old = letter(alice, "turn", 0)
    sending.send(old.pk, now=post.now, sender=post.sender)
    old.refresh_from_db()
    assert (old.status, old.verdict) == (Status.SUPPRESSED, Code.SUPPRESSED)
    assert old.overtaken_by == letter(alice, "turn", 2)
    assert old.text == ""


def test_whoever_has_moved_needs_no_board_to_move_on(post: Post, match: Match, alice: Correspondent) -> None:
    """She wants no receipts, so that no letter says more; but she knows what she did."""
    alice.player.__class__.objects.update(receipts=False)
    move(match, "b1-b3", post)
    post.send()
    assert alice.kinds() == []
    assert letter(alice, "turn", 0).overtaken_by is None


def test_a_letter_whose_successor_cannot_be_delivered_goes_out(
    post: Post, match: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    """An old board is better than none; an answer to it brings the board of now."""
    old = letter(bruno, "turn", 0)
    move(match, "b1-b3", post)
    post.mailboxes.failure = Refusal("552 5.3.4 too large")
    sending.send(letter(bruno, "turn", 1).pk, now=post.now, sender=post.sender)
    post.mailboxes.failure = None
    sending.send(old.pk, now=post.now, sender=post.sender)
    assert bruno.kinds() == ["turn"]


def test_one_that_may_have_been_delivered_is_overtaken_too_and_its_answer_is_understood(
    post: Post, match: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    old = letter(bruno, "turn", 0)
    post.mailboxes.failure = ReplyLost("timed out")
    sending.send(old.pk, now=post.now, sender=post.sender)
    post.mailboxes.failure = None
    move(match, "b1-b3", post)
    post.wait(hours=1)
    sending.send(old.pk, now=post.now, sender=post.sender)
    old.refresh_from_db()
    assert (old.status, old.overtaken_by) == (Status.SUPPRESSED, letter(bruno, "turn", 1))
    assert old.text, "what we sent, so that our own lines in his answer are known as ours"


MOVES = ("b1-b3", "a2-c2", "b8-b6", "h7-f7")


@dataclass
class Weather:
    """What the relay does with each letter, by lot."""

    post: Post
    rng: Random

    def send_some(self) -> None:
        waiting = list(OutboundMail.objects.filter(status=Status.WAITING).values_list("pk", flat=True))
        self.rng.shuffle(waiting)  # tasks come in any order
        for pk in waiting[: self.rng.randrange(len(waiting) + 1)]:
            self.post.mailboxes.failure = self.rng.choice(
                [None, None, TemporaryFailure("450 4.2.1 later"), ReplyLost("timed out")]
            )
            sending.send(pk, now=self.post.now, sender=self.post.sender)
        self.post.mailboxes.failure = None
        self.post.wait(minutes=self.rng.choice([0, 2, 30]))

    def calm(self) -> None:
        for _ in range(8):
            self.post.wait(hours=5)
            self.post.send()


@pytest.mark.parametrize("seed", range(12))
def test_in_any_weather_the_latest_board_and_every_message_arrive(
    post: Post, match: Match, alice: Correspondent, bruno: Correspondent, seed: int
) -> None:
    weather = Weather(post, Random(seed))
    said = []
    for number, text in enumerate(MOVES):
        message = f"message number {number}" if weather.rng.random() < 0.5 else ""
        said += [((bruno, alice)[number % 2], message)] if message else []
        weather.send_some()
        move(match, text, post, message)
        weather.send_some()
    weather.calm()
    assert not OutboundMail.objects.filter(status=Status.WAITING).exists()
    for who in (alice, bruno):
        boards = {int(row.ply or 0) for row in OutboundMail.objects.filter(address=who.email, status="sent")}
        assert max(boards) == len(MOVES), "the board of now has reached everybody"
        delivered = [str(letter.message["Message-ID"]) for letter in who.letters]
        sent = OutboundMail.objects.filter(address=who.email, status="sent")
        assert set(delivered) == set(sent.values_list("message_id", flat=True))
        assert len(delivered) == len(set(delivered))
    for who, message in said:
        assert any(message in letter.text for letter in who.letters), message
    for row in OutboundMail.objects.filter(status=Status.SUPPRESSED):
        assert row.kind == "turn"
        assert row.overtaken_by is None or (row.overtaken_by.ply or 0) > (row.ply or 0)
