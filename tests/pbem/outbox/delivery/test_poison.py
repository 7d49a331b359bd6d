"""Letters that our own program cannot write: tried again, then plain, then set aside."""

from __future__ import annotations

from random import Random

import pytest

from pbem.matches.models import Match
from pbem.matches.services import start
from pbem.outbox import sending
from pbem.outbox.delivery.smtp import TemporaryFailure
from pbem.outbox.models import MOST_FAILURES, OutboundMail
from pbem.outbox.rendering import board, compose
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Post

Status = OutboundMail.Status


@pytest.fixture
def match(post: Post, alice: Correspondent, bruno: Correspondent) -> Match:
    return start(first=alice.player, second=bruno.player, game="loa", now=post.now, rng=Random(1))


def tried(post: Post, times: int) -> None:
    for _ in range(times):
        post.send()
        post.wait(hours=1)


def failing(*_: object, **__: object) -> None:
    raise ZeroDivisionError("a board that says too much")


def test_a_picture_that_cannot_be_drawn_costs_the_picture_alone(
    post: Post, match: Match, alice: Correspondent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board, "_picture", failing)
    post.send()
    assert "| X |" in alice.letter.text
    assert "<pre" in alice.letter.html
    rows = OutboundMail.objects.values_list("status", "verdict", "attempts")
    assert set(rows) == {("sent", Code.RENDER_FAILED, 1)}


def test_html_that_cannot_be_made_costs_the_html_at_the_third_attempt(
    post: Post, match: Match, alice: Correspondent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compose, "_inline", None)
    tried(post, MOST_FAILURES - 1)
    assert alice.letters == []
    waiting = OutboundMail.objects.first()
    assert waiting
    assert (waiting.status, waiting.verdict, waiting.failures) == (
        "waiting",
        Code.TRANSIENT,
        MOST_FAILURES - 1,
    )
    assert waiting.trouble.startswith("AttributeError in pbem/outbox/rendering/compose.py:")
    tried(post, 1)
    assert alice.letter.message.get_content_type() == "text/plain"
    assert "| X |" in alice.letter.text
    alice.answers(alice.letter, "b1-b3")
    match.refresh_from_db()
    assert match.ply == 1, "she can answer it like any other"


def test_what_cannot_be_written_at_all_says_where_and_not_what(
    post: Post, match: Match, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(compose, "context_of", failing)
    tried(post, MOST_FAILURES)
    for row in OutboundMail.objects.shunted():
        assert (row.status, row.verdict, row.attempts) == ("failed", Code.POISON, MOST_FAILURES)
        assert row.trouble.startswith("ZeroDivisionError in pbem/outbox/rendering/compose.py:")
        assert "says too much" not in row.trouble
    assert OutboundMail.objects.shunted().count() == 2


def test_a_fault_of_the_rules_is_called_that(
    post: Post, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The position in the row is none: the game's own code says so."""
    Match.objects.filter(pk=match.pk).update(setup="nonsense")
    tried(post, MOST_FAILURES)
    shunted = OutboundMail.objects.shunted()
    assert {row.verdict for row in shunted} == {Code.ENGINE_ERROR}
    assert all(" in games/" in row.trouble for row in shunted)


def test_only_our_own_failures_make_a_poison(post: Post, match: Match, alice: Correspondent) -> None:
    """A relay that is slow for a day says nothing about the letter."""
    post.mailboxes.failure = TemporaryFailure("450 4.2.1 later")
    for _ in range(6):
        tried(post, 1)
        post.wait(hours=5)
    rows = OutboundMail.objects.all()
    assert {(row.status, row.verdict, row.failures) for row in rows} == {("waiting", Code.SOFT, 0)}
    post.mailboxes.failure = None
    tried(post, 1)
    assert alice.letter.message.is_multipart()


def test_dying_on_the_telephone_is_not_the_letters_fault(post: Post, match: Match) -> None:
    """It was composed each time; no matter who ends the process meanwhile, it is not what the letter says."""
    for _ in range(3 * MOST_FAILURES):
        post.mailboxes.failure = KeyboardInterrupt()  # type: ignore[assignment]
        pk = next(iter(sending.due(now=post.now)))
        with pytest.raises(KeyboardInterrupt):
            sending.send(pk, now=post.now, sender=post.sender)
        post.wait(minutes=5)
    post.mailboxes.failure = None
    tried(post, 1)
    assert set(OutboundMail.objects.values_list("status", "verdict")) == {("sent", "")}
