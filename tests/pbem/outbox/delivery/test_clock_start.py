"""The clock of a first turn waits for the letter that brings it: of a match by itself, and of a round of many."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from random import Random

import pytest

from pbem.competitions.entries import enter
from pbem.competitions.models import Competition
from pbem.competitions.rounds import begin_edition
from pbem.competitions.systems.round_robin import RoundRobin
from pbem.competitions.tournaments import begin_round_robin, open_tournament
from pbem.inbox.time_forfeits import flag_overdue
from pbem.matches.models import ExemptInterval, Match, Reason
from pbem.matches.services import play, start
from pbem.matches.terms import Terms
from pbem.outbox import sending
from pbem.outbox.delivery.smtp import TemporaryFailure
from pbem.outbox.models import MOST_FAILURES, OutboundMail
from pbem.outbox.rendering import compose
from pbem.players.models import Player
from tests.mail_fixtures import Correspondent, Post

TERMS = Terms(clock="3d/move")
Begin = Callable[[Post, Player, Player], None]


def by_itself(post: Post, one: Player, other: Player) -> None:
    start(first=one, second=other, game="loa", terms=TERMS, now=post.now, rng=Random(1))


def in_a_contest(post: Post, one: Player, other: Player) -> None:
    cup = Competition.objects.create(
        name="Coppa",
        system=Competition.System.ROUND_ROBIN,
        game_name="loa",
        terms=TERMS.kept(),
        settings=RoundRobin(double=True).kept(),
    )
    for player in (one, other):
        enter(cup, player, now=post.now)
    begin_edition(cup, now=post.now, rng=Random(1))


def in_a_tournament(post: Post, one: Player, other: Player) -> None:
    cup = open_tournament("Coppa", game="loa", system="double", terms=TERMS, now=post.now)
    begin_round_robin(cup, [one, other], at_once=True, now=post.now, rng=Random(1))


each = pytest.mark.parametrize("begin", [by_itself, in_a_contest, in_a_tournament])
round_of = pytest.mark.parametrize("begin", [in_a_contest, in_a_tournament])


@each
def test_it_begins_when_the_relay_takes_the_letter(
    post: Post, alice: Correspondent, bruno: Correspondent, begin: Begin
) -> None:
    begun = post.now
    begin(post, alice.player, bruno.player)
    post.mailboxes.failure = TemporaryFailure("451 4.3.0 later")
    post.send()
    post.wait(hours=5)
    post.mailboxes.failure = None
    post.send()
    deadlines = set(Match.objects.values_list("deadline", flat=True))
    assert deadlines == {begun + timedelta(days=3, hours=5)}


@round_of
def test_for_days_it_is_as_that_of_a_match_by_itself(
    post: Post, alice: Correspondent, bruno: Correspondent, begin: Begin
) -> None:
    """Nobody is flagged whose letter no relay has taken, and no match waits for ever."""
    by_itself(post, alice.player, bruno.player)
    begin(post, alice.player, bruno.player)
    post.mailboxes.failure = TemporaryFailure("451 4.3.0 later")
    ended = []
    for _ in range(12):
        post.send()
        post.wait(hours=12)
        post.live()
        ended.append(flag_overdue(now=post.now))
    assert [flagged for flagged in ended if flagged] == [3]
    waited = ExemptInterval.objects.filter(why=Reason.TRANSIT)
    assert [each.until - each.since for each in waited if each.until] == [timedelta(days=1)] * 3


@round_of
def test_a_letter_that_was_set_aside_holds_its_matches(
    post: Post, alice: Correspondent, bruno: Correspondent, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_itself(post, alice.player, bruno.player)
    begin(post, alice.player, bruno.player)
    with monkeypatch.context() as broken:
        broken.setattr(compose, "_bodies", None)
        for _ in range(MOST_FAILURES + 1):
            post.send()
            post.wait(hours=12)
    aside = [row for row in OutboundMail.objects.all() if row.is_shunted]
    assert aside
    assert {tuple(match.stopped) for match in Match.objects.all()} == {("shunted",)}
    post.wait(days=20)
    for row in aside:
        sending.send_again(row, now=post.now)
    post.send()
    assert {tuple(match.stopped) for match in Match.objects.all()} == {()}
    [deadline] = set(Match.objects.values_list("deadline", flat=True))
    assert deadline is not None
    assert deadline >= post.now + timedelta(days=3)


@round_of
def test_a_match_in_which_they_have_moved_goes_on_too(
    post: Post, alice: Correspondent, bruno: Correspondent, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They know of it from elsewhere, and have played while the letter was set aside."""
    begin(post, alice.player, bruno.player)
    with monkeypatch.context() as broken:
        broken.setattr(compose, "_bodies", None)
        for _ in range(MOST_FAILURES + 1):
            post.send()
            post.wait(hours=12)
    match = Match.objects.order_by("pk")[0]
    assert match.moving
    play(match.moving, "b1-b3", now=post.now)
    for row in OutboundMail.objects.shunted():
        sending.drop(row, "Of no use", post.now)
    assert {tuple(match.stopped) for match in Match.objects.all()} == {()}
