"""Letters that are born leased leave with the process that has played the move; should it die, nothing is lost."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import TestCase
from pytest_django import Settings

from pbem.inbox import services as inbox
from pbem.inbox.models import InboundMail
from pbem.matches.models import Match
from pbem.outbox import models
from pbem.outbox import sending as outbox
from pbem.outbox.delivery.smtp import TemporaryFailure
from pbem.outbox.models import SEND_MAIL, OutboundMail
from pbem.players.models import Address
from pbem.queue.models import LEASE
from tests.broker import Enqueued
from tests.mail_fixtures import Correspondent, Delivery, Post
from tests.sigkill import power_cut_at


@pytest.fixture(autouse=True)
def _no_haste(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine of the test is."""
    monkeypatch.setattr("pbem.outbox.inline_delivery.TIMEOUT", 60.0)


@pytest.fixture
def sent(loa: Match, alice: Correspondent, bruno: Correspondent, post: Post) -> InboundMail:
    """A move by Alice, kept and not opened."""
    post.send()
    return kept(post, alice, "b1-b3")


def kept(post: Post, player: Correspondent, text: str) -> InboundMail:
    quoted = "\n".join(f"> {line}".rstrip() for line in player.letter.text.splitlines())
    return post.keep(player.pens(f"{text}\n\n{quoted}\n"), player.letter.reply_to, player.email)


def opened(post: Post, row: InboundMail) -> None:
    post.live()
    with TestCase.captureOnCommitCallbacks(execute=True):
        inbox.open_mail(row.pk, now=post.now, sender=post.sender)


def new() -> list[OutboundMail]:
    return list(OutboundMail.objects.filter(ply=1).order_by("kind"))


def came(*players: Correspondent) -> list[Delivery]:
    return [letter for player in players for letter in player.reads()]


def test_they_are_those_of_the_queue_byte_for_byte(
    post: Post, sent: InboundMail, alice: Correspondent, bruno: Correspondent, enqueued: Enqueued
) -> None:
    came(alice, bruno)
    with post.undone():
        inbox.open_mail(sent.pk, now=post.now)
        assert {row.status for row in new()} == {"waiting"}
        post.send()
        by_queue = [letter.raw for letter in came(alice, bruno)]
    enqueued.clear()
    opened(post, sent)
    assert [(row.kind, row.status, row.attempts, row.leased_until) for row in new()] == [
        ("played", "sent", 1, None),
        ("turn", "sent", 1, None),
    ]
    assert not enqueued[SEND_MAIL], "nobody is asked to do what is done"
    assert [letter.raw for letter in came(alice, bruno)] == by_queue


@pytest.mark.parametrize(
    ("moment", "copies"),
    [("opened", 2), ("born", 2), ("composed", 2), ("handed-over", 3), ("one-of-two", 3)],
)
def test_whoever_dies_leaves_leased_letters_to_the_sweep(
    moment: str, copies: int, post: Post, sent: InboundMail, alice: Correspondent, bruno: Correspondent
) -> None:
    came(alice, bruno)
    with power_cut_at(moment):
        opened(post, sent)
    assert Match.objects.get().ply == 1
    assert [(row.status, row.attempts, row.leased_until) for row in new()] == [
        ("waiting", 1, post.now + LEASE)
    ] * 2
    post.send()
    assert len(came(alice, bruno)) == copies - 2, "nobody takes up what somebody may be at work on"
    post.wait(seconds=LEASE.total_seconds() + 1)
    post.send()
    assert {(row.status, row.attempts) for row in new()} == {("sent", 2)}
    assert len(came(alice, bruno)) == 2
    ids = [str(letter.message["Message-ID"]) for letter in (*alice.letters[-2:], *bruno.letters[-2:])]
    assert len(set(ids)) == 4 - (copies - 2), "a copy has the same Message-ID"


def test_a_slow_domain_a_full_one_and_a_silent_relay_leave_them_to_the_queue(
    post: Post,
    sent: InboundMail,
    alice: Correspondent,
    bruno: Correspondent,
    enqueued: Enqueued,
    settings: Settings,
) -> None:
    came(alice, bruno)
    for domain, most in (("example.org", 4), (models.RELAY, 4), ("", 1)):
        with post.undone():
            if most == 4:
                models.slow_down(domain, "450 later", post.now - timedelta(hours=1))
            settings.LETTERS_AT_ONCE = most
            opened(post, sent)
            assert not came(alice, bruno)
            assert [(row.status, row.attempts, row.failures, row.leased_until) for row in new()] == [
                ("waiting", 0, 0, None)
            ] * 2
            assert sorted(enqueued.pop(SEND_MAIL)) == sorted(row.pk for row in new())
            post.send()
            settings.LETTERS_AT_ONCE = 4
            post.send()
            assert {row.status for row in new()} == {"sent"} or most == 4


def test_a_paused_address_has_its_letter_held_and_the_other_gets_theirs(
    post: Post, sent: InboundMail, alice: Correspondent, bruno: Correspondent
) -> None:
    came(alice, bruno)
    Address.objects.filter(player=bruno.player).update(paused_at=post.now)
    opened(post, sent)
    assert [letter.kind for letter in came(alice, bruno)] == ["played"]
    post.send()
    assert [row.status for row in new()] == ["sent", "held"]


def test_the_letter_about_a_move_never_overtakes_an_earlier_one(
    post: Post, loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    post.send()
    post.keep(alice.pens("SAY wait for me"), alice.letter.reply_to, alice.email)
    move = kept(post, alice, "b1-b3")
    came(alice, bruno)
    post.live()
    inbox.open_mail(move.pk, now=post.now, sender=post.sender)  # the first of its queue
    opened(post, move)
    assert [letter.kind for letter in came(bruno)] == []
    post.send()
    post.send()
    assert [letter.kind for letter in came(bruno)] == ["message", "turn"]


def test_what_is_refused_at_birth_is_tried_again_as_ever(
    post: Post, sent: InboundMail, alice: Correspondent, bruno: Correspondent
) -> None:
    came(alice, bruno)
    post.mailboxes.failure = TemporaryFailure("451 4.7.1 greylisted")
    opened(post, sent)
    assert [(row.status, row.attempts, row.leased_until) for row in new()] == [("waiting", 1, None)] * 2
    assert all(row.next_try_at > post.now for row in new())
    post.mailboxes.failure = None
    post.wait(hours=1)
    post.send()
    assert len(came(alice, bruno)) == 2


def test_only_moves_are_answered_so(
    post: Post, loa: Match, alice: Correspondent, bruno: Correspondent, enqueued: Enqueued
) -> None:
    post.send()
    came(alice, bruno)
    for text in ("b1-b9", "SET LANGUAGE it\nb1-b3", "DRAW"):
        with post.undone():
            opened(post, kept(post, alice, text))
            assert not came(alice, bruno)
            assert enqueued.pop(SEND_MAIL)


def test_lost_letters_are_due_for_the_sweep(post: Post, sent: InboundMail) -> None:
    with power_cut_at("born"):
        opened(post, sent)
    assert not list(outbox.due(now=post.now + LEASE - timedelta(seconds=1)))
    assert len(list(outbox.due(now=post.now + LEASE))) == 2


def test_a_move_beside_a_yes_is_told_as_the_queue_tells_it(
    post: Post, loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    """The YES has its own copy of the match, from before the move."""
    post.send()
    came(bruno)
    alice.answers(alice.letter, "Shall we call it a draw?")
    row = kept(post, alice, "Yes please.\nb1-b3")
    with post.undone():
        inbox.open_mail(row.pk, now=post.now)
        post.send()
        by_queue = alice.letter.text
    opened(post, row)
    post.send()
    assert "Alice moves from b1 to b3." in by_queue
    assert alice.letter.text == by_queue
