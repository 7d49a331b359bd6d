"""Sending: each letter once, later if the relay asks to wait, never if it refuses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from random import Random

import pytest

from pbem.matches import services as matches
from pbem.matches.models import Match
from pbem.outbox import sending
from pbem.outbox.delivery.smtp import DeliveryError, Refusal, TemporaryFailure
from pbem.outbox.models import BACK_OFF, MOST_ATTEMPTS, MOST_FAILURES, OutboundMail
from pbem.outbox.notifications.notify import write_to_player
from pbem.queue.models import LEASE
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Post

Status = OutboundMail.Status


@pytest.fixture
def letter(post: Post, alice: Correspondent) -> OutboundMail:
    row = write_to_player(alice.player, cause="letter:1", section={"kind": "games"}, now=post.now)
    assert row is not None
    return row


def test_a_letter_is_sent_and_its_text_kept(post: Post, letter: OutboundMail, alice: Correspondent) -> None:
    post.send()
    letter.refresh_from_db()
    assert (letter.status, letter.sent_at, letter.attempts) == (Status.SENT, post.now, 1)
    assert letter.answer == "250 delivered"
    assert letter.text.split() == alice.letter.text.split()


def test_a_letter_that_was_sent_is_not_sent_again(
    post: Post, letter: OutboundMail, alice: Correspondent
) -> None:
    for _ in range(3):
        sending.send(letter.pk, now=post.now, sender=post.sender)
    assert len(alice.letters) == 1


def test_whoever_holds_a_letter_holds_it_alone_until_his_lease_ends(
    post: Post, letter: OutboundMail, alice: Correspondent
) -> None:
    """A worker that died with the letter in its hands."""
    OutboundMail.objects.update(leased_until=post.now + LEASE, attempts=1)
    post.send()
    assert alice.letters == []
    post.wait(seconds=LEASE.total_seconds())
    post.send()
    assert len(alice.letters) == 1


@pytest.mark.parametrize("came_of_it", [TemporaryFailure("timed out"), Refusal("550 5.1.1 no such user")])
def test_whoever_has_held_a_letter_for_too_long_does_not_say_what_became_of_it(
    post: Post, letter: OutboundMail, alice: Correspondent, came_of_it: DeliveryError
) -> None:
    """Their machine stood still; in the meantime somebody else has sent it, or is about to."""

    @dataclass
    class Stalled:
        meanwhile: Callable[[], object]

        def send(self, sender: str, recipient: str, raw: bytes) -> str:
            self.meanwhile()
            raise came_of_it

    def taken_up() -> None:
        OutboundMail.objects.update(leased_until=post.now + 2 * LEASE)

    def taken() -> None:
        sending.send(letter.pk, now=post.now + 2 * LEASE, sender=post.sender)

    for meanwhile, status, held in ((taken_up, Status.WAITING, True), (taken, Status.SENT, False)):
        OutboundMail.objects.update(leased_until=None)
        sending.send(letter.pk, now=post.now, sender=Stalled(meanwhile))
        letter.refresh_from_db()
        assert (letter.status, letter.verdict, letter.leased_until is not None) == (status, "", held)
    assert len(alice.letters) == 1
    assert alice.player.addresses.get().bounce_score == 0


@pytest.mark.prove
def test_the_pauses_grow_and_end_after_five_days(
    post: Post, letter: OutboundMail, alice: Correspondent
) -> None:
    post.mailboxes.failure = TemporaryFailure("451 greylisted")
    begun, pauses = post.now, []
    while True:
        post.send()
        letter.refresh_from_db()
        if letter.status != Status.WAITING:
            break
        assert (letter.verdict, letter.answer) == (Code.SOFT, "451 greylisted")
        pauses.append(letter.next_try_at - post.now)
        post.now = letter.next_try_at
    expected = [*BACK_OFF, *[BACK_OFF[-1]] * len(pauses)]
    for pause, meant in zip(pauses, expected, strict=False):
        assert meant * 0.8 <= pause <= meant * 1.2
    assert (letter.status, letter.verdict) == (Status.FAILED, Code.DELIVERY_EXPIRED)
    assert len(pauses) == MOST_ATTEMPTS
    assert post.now - begun > timedelta(days=4)
    assert alice.letters == []


def test_a_letter_that_waited_goes_out_as_it_was(
    post: Post, letter: OutboundMail, alice: Correspondent
) -> None:
    post.mailboxes.failure = TemporaryFailure("451")
    post.send()
    post.mailboxes.failure = None
    post.wait(minutes=2)
    post.send()
    assert alice.letter.message["Message-ID"] == letter.message_id
    assert alice.letter.message["Date"].datetime == letter.created_at


def test_a_refused_letter_is_not_tried_again(post: Post, letter: OutboundMail, alice: Correspondent) -> None:
    post.mailboxes.failure = Refusal("550 no such user")
    post.send()
    letter.refresh_from_db()
    assert (letter.status, letter.verdict, letter.answer) == (Status.FAILED, Code.HARD, "550 no such user")
    post.mailboxes.failure = None
    post.wait(days=1)
    post.send()
    assert alice.letters == []


def test_send_again_sends_a_copy_with_the_same_message_id(
    post: Post, letter: OutboundMail, alice: Correspondent
) -> None:
    post.send()
    post.wait(hours=3)
    sending.send_again(letter, now=post.now)
    post.send()
    first, second = alice.letters
    assert first.raw == second.raw


@pytest.fixture
def match(post: Post, alice: Correspondent, bruno: Correspondent) -> Match:
    return matches.start(first=alice.player, second=bruno.player, game="loa", now=post.now, rng=Random(1))


def test_a_turn_letter_that_says_less_than_a_later_one_is_not_sent(
    post: Post, match: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    """The relay was away; meanwhile Alice has moved, without her letter."""
    assert match.moving
    matches.play(match.moving, "b1-b3", now=post.now)
    post.send()
    assert alice.kinds() == ["played"]
    assert bruno.kinds() == ["turn"]
    overtaken = OutboundMail.objects.filter(status=Status.SUPPRESSED)
    assert {(row.kind, row.verdict) for row in overtaken} == {("turn", Code.SUPPRESSED)}
    assert overtaken.count() == 2


def test_a_message_is_never_overtaken(
    post: Post, match: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    """Bruno moves without having had Alice's letter; what she said in it still goes to him."""
    first, second = match.seated
    matches.play(first, "b1-b3", now=post.now, message="Good luck!")
    matches.play(second, "a2-c2", now=post.now)
    post.send()
    assert "turn" in {"alice": alice, "bruno": bruno}[second.player.name.lower()].kinds()


def test_a_letter_that_cannot_be_written_is_given_up(
    post: Post, letter: OutboundMail, alice: Correspondent, caplog: pytest.LogCaptureFixture
) -> None:
    letter.sections = [{"kind": "turn", "event": 404}]
    letter.save()
    for _attempt in range(MOST_FAILURES):
        letter.refresh_from_db()
        assert letter.verdict == (Code.TRANSIENT if letter.attempts else "")
        post.send()
        post.wait(hours=5)
    letter.refresh_from_db()
    assert (letter.status, letter.verdict, letter.attempts) == (Status.FAILED, Code.POISON, MOST_FAILURES)
    assert "cannot be written" in caplog.text
    assert alice.letters == []


def test_an_old_letter_sent_again_is_tried_as_long_as_a_new_one(
    post: Post, letter: OutboundMail, alice: Correspondent
) -> None:
    post.send()
    post.wait(days=30)
    sending.send_again(letter, now=post.now)
    post.mailboxes.failure = TemporaryFailure("451")
    post.send()
    letter.refresh_from_db()
    assert (letter.status, letter.verdict) == (Status.WAITING, Code.SOFT)


def test_due_letters_come_oldest_first(
    post: Post, alice: Correspondent, django_assert_num_queries: Callable[[int], object]
) -> None:
    for number in range(3):
        at = post.now + timedelta(minutes=-number)
        write_to_player(alice.player, cause=f"letter:{number}", section={"kind": "games"}, now=at)
    later = post.now + timedelta(minutes=1)
    write_to_player(alice.player, cause="later", section={"kind": "games"}, now=later)
    rows = OutboundMail.objects.in_bulk()
    assert [rows[pk].cause for pk in sending.due(now=post.now)] == ["letter:2", "letter:1", "letter:0"]
