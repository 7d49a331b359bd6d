"""Opening letters: lane by lane in order of arrival, three attempts each, one verdict in the end."""

from __future__ import annotations

import logging
from datetime import timedelta
from random import Random

import pytest

from pbem.inbox import services
from pbem.inbox.commands.families.views import Show
from pbem.inbox.doing.table import DO
from pbem.inbox.models import LEASE, MOST_ATTEMPTS, InboundMail
from pbem.inbox.reading import Reading, read
from pbem.matches.models import Match
from pbem.matches.services import start
from tests.post import Correspondent, Post, play_address


@pytest.fixture
def match(post: Post, alice: Correspondent, bruno: Correspondent) -> Match:
    match = start(first=alice.player, second=bruno.player, game="loa", now=post.now, rng=Random(1))
    post.send()
    return match


def verdicts(*rows: InboundMail) -> list[str]:
    return [InboundMail.objects.get(pk=row.pk).verdict for row in rows]


def poisoned(monkeypatch: pytest.MonkeyPatch, *rows: InboundMail) -> None:
    """Reading these letters fails, as a fault of the program would make it."""
    sick = {row.pk for row in rows}

    def read_or_fail(row: InboundMail) -> Reading:
        if row.pk in sick:
            raise RecursionError(f"letter {row.pk} is too much")
        return read(row)

    monkeypatch.setattr(services, "read", read_or_fail)


def test_two_letters_of_a_match_are_opened_in_the_order_of_arrival(
    post: Post, match: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    """Whichever bell rings first. Bruno's letter only makes sense after Alice's."""
    first = post.keep(alice.pens("b1-b3"), alice.letter.reply_to, alice.email)
    second = post.keep(bruno.pens("PATTA"), bruno.letter.reply_to, bruno.email)
    assert first.lane == second.lane
    services.open_mail(second.pk, now=post.now)
    assert verdicts(first, second) == ["ok", ""]
    services.open_mail(second.pk, now=post.now)
    assert verdicts(first, second) == ["ok", "ok"]


def test_letters_of_one_sender_to_play_wait_for_each_other(
    post: Post, match: Match, alice: Correspondent
) -> None:
    rows = [post.keep(alice.pens(body), play_address(), alice.email) for body in ("GAMES", "HELP")]
    services.open_mail(rows[1].pk, now=post.now)
    assert verdicts(*rows) == ["ok", ""]


def test_opening_again_changes_nothing(post: Post, match: Match, alice: Correspondent) -> None:
    row = alice.answers(alice.letter, "b1-b3")
    for _ in range(3):
        services.open_mail(row.pk, now=post.now)
    assert Match.objects.get().ply == 1
    assert InboundMail.objects.get(pk=row.pk).attempts == 1


def test_a_leased_letter_is_left_to_its_reader(post: Post, match: Match, alice: Correspondent) -> None:
    row = post.keep(alice.pens("b1-b3"), alice.letter.reply_to)
    InboundMail.objects.update(leased_until=post.now + LEASE, attempts=1)
    post.open()
    assert verdicts(row) == [""]
    post.wait(seconds=LEASE.total_seconds() + 1)
    post.open()
    assert verdicts(row) == ["ok"]


def test_a_fault_is_tried_again(
    post: Post, match: Match, alice: Correspondent, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = post.keep(alice.pens("b1-b3"), alice.letter.reply_to)
    with monkeypatch.context() as patch:
        poisoned(patch, row)
        post.open()
        assert verdicts(row) == [""]
    post.wait(minutes=1)
    post.open()
    assert verdicts(row) == ["ok"]
    assert InboundMail.objects.get(pk=row.pk).attempts == 2


def test_a_poison_letter_is_shunted_and_its_lane_goes_on(
    post: Post,
    match: Match,
    alice: Correspondent,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    poison = post.keep(alice.pens("b1-b3"), alice.letter.reply_to)
    healthy = post.keep(alice.pens("g1-g3"), alice.letter.reply_to)
    poisoned(monkeypatch, poison)
    with caplog.at_level(logging.ERROR):
        for _ in range(MOST_ATTEMPTS):
            post.open()
            assert verdicts(poison, healthy) == ["", ""]
            post.wait(minutes=1)
        post.open()
    assert verdicts(poison, healthy) == ["S02", "ok"]
    assert InboundMail.objects.get(pk=poison.pk).attempts == MOST_ATTEMPTS
    assert Match.objects.get().record().moves == ("g1-g3",)
    assert "S01" in caplog.text
    assert "S02" in caplog.text
    post.send()
    assert "stopped our program" in "".join(letter.text for letter in alice.letters)


def test_a_fault_while_doing_leaves_nothing_half_done(
    post: Post, match: Match, alice: Correspondent, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = post.keep(alice.pens("b1-b3\nSHOW"), alice.letter.reply_to)
    with monkeypatch.context() as patch:
        patch.setitem(DO, Show, lambda *args: 1 / 0)
        post.open()
    assert verdicts(row) == [""]
    assert Match.objects.get().ply == 0
    post.wait(seconds=11)
    post.open()
    assert verdicts(row) == ["ok"]


def test_a_letter_opened_again_is_answered_again(post: Post, match: Match, alice: Correspondent) -> None:
    row = post.keep(alice.pens("SHOW"), alice.letter.reply_to)
    for _time in range(3):
        post.open()
        post.send()
        services.open_again(row)
    assert alice.kinds() == ["turn", "board", "board", "board"]
    assert len({letter.message["Message-ID"] for letter in alice.letters}) == 4


def test_the_organiser_opens_a_shunted_letter_again(post: Post, match: Match, alice: Correspondent) -> None:
    row = post.keep(alice.pens("b1-b3"), alice.letter.reply_to)
    InboundMail.objects.update(verdict="S02", attempts=3, opened_at=post.now)
    services.open_again(row)
    post.open()
    assert verdicts(row) == ["ok"]
    assert Match.objects.get().ply == 1


def test_only_unopened_letters_wait(post: Post, alice: Correspondent) -> None:
    alice.writes("HELP")
    row = post.keep(alice.pens("GAMES"), play_address())
    assert list(services.waiting(now=post.now)) == [row.pk]
    InboundMail.objects.filter(pk=row.pk).update(leased_until=post.now + timedelta(seconds=1))
    assert list(services.waiting(now=post.now)) == []
