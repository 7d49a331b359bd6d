"""A think is leased, asked, and played in the transaction that closes its row: killed, it leaves nothing or all."""

from datetime import timedelta

import pytest
from django.db import OperationalError

from pbem.matches import services as matches
from pbem.matches.arbitration import replace
from pbem.matches.models import Event, Match, Offer, Turn
from pbem.matches.offers import roll_back
from pbem.matches.takeback import undo
from pbem.players.models import Player
from pbem.queue import failpoints
from pbem.robots import services
from pbem.robots.engine import EngineMove, Failed
from pbem.robots.models import EngineJob
from tests.mail_fixtures import Correspondent, Post
from tests.pbem.robots.conftest import Thinks, any_move, in_process
from tests.players_fixtures import Begin
from tests.sigkill import power_cut_at

Status = EngineJob.Status


def moves(match: Match, post: Post) -> None:
    """Alice."""
    matches.play(Match.objects.get(pk=match.pk).seated[0], any_move(match), now=post.now)


def stands(match: Match) -> tuple[int, str, list[str]]:
    match.refresh_from_db()
    return (
        match.ply,
        match.status,
        [row.status for row in EngineJob.objects.filter(match=match).order_by("pk")],
    )


@pytest.fixture
def moved(against: Begin, post: Post) -> Match:
    """Robot-1 has to answer a first move of Alice."""
    match = against()
    moves(match, post)
    return match


def test_it_plays_and_the_row_says_what_it_thought(moved: Match, thinks: Thinks) -> None:
    assert stands(moved) == (1, "playing", ["waiting"])
    assert thinks() == 1
    assert stands(moved) == (2, "playing", ["done"])
    row = EngineJob.objects.get()
    turn = Turn.objects.get(ply=1)
    assert (row.move, row.depth, row.tries, row.trouble) == (turn.move, 1, 1, "")
    assert row.nodes


def test_of_two_workers_one_thinks_and_the_other_finds_it_leased(moved: Match, post: Post) -> None:
    row = EngineJob.objects.get()

    def meanwhile(asked):
        assert not services.think(row.pk, now=post.now, ask=in_process)
        assert not list(services.due(now=post.now))
        return in_process(asked)

    assert services.think(row.pk, now=post.now, ask=meanwhile)
    assert stands(moved) == (2, "playing", ["done"])


@pytest.mark.parametrize("moment", ["thinking", "thought", "played"])
@pytest.mark.django_db(transaction=True)
def test_a_worker_that_is_killed_leaves_nothing_or_all_of_it(moment: str, post: Post, against: Begin) -> None:
    assert moment in failpoints.FAILPOINTS
    match = against()
    moves(match, post)
    row = EngineJob.objects.get()
    seen = []

    def ask(asked):
        seen.append(asked["seed"])
        return in_process(asked)

    with power_cut_at(moment):
        services.think(row.pk, now=post.now, ask=ask)
    assert stands(match) == (1, "playing", ["waiting"])
    assert not services.think(row.pk, now=post.now, ask=ask), "the dead one has it still"
    post.wait(minutes=5)
    assert list(services.due(now=post.now)) == [row.pk]
    services.think(row.pk, now=post.now, ask=ask)
    assert stands(match) == (2, "playing", ["done"])
    assert len(set(seen)) == 1, "the same seed brings the same move"


def test_whoever_knows_that_nobody_thinks_ends_the_leases(moved: Match, post: Post) -> None:
    EngineJob.objects.claim(EngineJob.objects.get().pk, post.now, timedelta(hours=1))
    assert not list(services.due(now=post.now))
    EngineJob.objects.release_leases()
    assert list(services.due(now=post.now))


def test_what_is_taken_back_while_it_thinks_is_not_played(moved: Match, post: Post, thinks: Thinks) -> None:
    row = EngineJob.objects.get()

    def meanwhile(asked):
        roll_back(Match.objects.get(pk=moved.pk), 0, now=post.now, side=None)
        return in_process(asked)

    services.think(row.pk, now=post.now, ask=meanwhile)
    assert stands(moved) == (0, "playing", ["void"])
    moves(moved, post)
    assert thinks() == 1
    assert stands(moved) == (2, "playing", ["void", "done"])
    again = EngineJob.objects.latest("pk")
    assert (again.generation, again.seed != row.seed) == (1, True), "the same ply is thought about anew"


@pytest.mark.parametrize("ends", ["resign", "replace"])
def test_nor_what_is_over_or_somebody_elses_now(
    ends: str, moved: Match, post: Post, bruno: Correspondent
) -> None:
    match = Match.objects.get(pk=moved.pk)
    if ends == "resign":
        matches.resign(match.seated[0], now=post.now)
    else:
        replace(match.seated[1], bruno.player, reason="", now=post.now)
    assert stands(moved)[2] == ["void"]
    assert not list(services.due(now=post.now))


def test_a_robot_takes_the_seat_of_a_player_who_has_left(loa: Match, post: Post, thinks: Thinks) -> None:
    match = Match.objects.get(pk=loa.pk)
    replace(match.seated[0], Player.objects.get(robot=2), reason="gone", now=post.now)
    assert thinks() == 1
    assert stands(loa) == (1, "playing", ["done"])


def test_it_grants_a_takeback_before_it_thinks_and_after_it_has_moved(
    moved: Match, post: Post, thinks: Thinks
) -> None:
    undo(Match.objects.get(pk=moved.pk).seated[0], now=post.now)
    assert thinks() == 1
    assert stands(moved) == (0, "playing", ["void"])
    moves(moved, post)
    thinks()
    undo(Match.objects.get(pk=moved.pk).seated[0], now=post.now)
    assert Offer.objects.exists()
    thinks()
    assert stands(moved) == (0, "playing", ["void", "done", "done"])
    assert not Offer.objects.exists()


def test_and_one_that_is_asked_for_while_it_thinks(moved: Match, post: Post) -> None:
    def meanwhile(asked):
        undo(Match.objects.get(pk=moved.pk).seated[0], now=post.now)
        return in_process(asked)

    services.think(EngineJob.objects.get().pk, now=post.now, ask=meanwhile)
    assert stands(moved) == (0, "playing", ["void"])


def test_a_think_that_fails_is_tried_three_times_then_the_rules_alone_play(moved: Match, post: Post) -> None:
    def fails(asked):
        raise Failed("ValueError: no idea")

    pk = EngineJob.objects.get().pk
    for attempt in (1, 2, 3):
        assert services.think(pk, now=post.now, ask=fails)
        row = EngineJob.objects.get()
        assert (row.status, row.tries, row.trouble) == ("waiting", attempt, "ValueError: no idea")
    assert services.think(pk, now=post.now, ask=fails)
    assert stands(moved) == (2, "playing", ["done"])
    assert list(EngineJob.objects.failed()) == [EngineJob.objects.get()], "the desk hears of it"


def test_an_answer_that_is_no_legal_move_is_a_failure_too(moved: Match, post: Post) -> None:
    services.think(EngineJob.objects.get().pk, now=post.now, ask=lambda asked: EngineMove("a1-a2"))
    row = EngineJob.objects.get()
    assert (row.status, row.tries, bool(row.trouble)) == ("waiting", 1, True)
    assert stands(moved)[0] == 1


def test_where_the_rules_alone_fail_too_the_organiser_may_try_again(
    moved: Match, post: Post, thinks: Thinks, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(services, "by_rules", lambda position, seed: 1 / 0)
        EngineJob.objects.update(tries=3)
        thinks()
        assert stands(moved) == (1, "playing", ["failed"])
        services.remember(now=post.now)
        assert EngineJob.objects.count() == 1, "what has failed is not forgotten"
    services.try_again(EngineJob.objects.get(), now=post.now)
    assert thinks() == 1
    assert stands(moved) == (2, "playing", ["done"])


def test_a_fault_of_the_database_is_no_attempt(moved: Match, post: Post) -> None:
    def away(asked):
        raise OperationalError("database is locked")

    services.think(EngineJob.objects.get().pk, now=post.now, ask=away)
    assert EngineJob.objects.get().tries == 0
    assert not list(services.due(now=post.now))
    post.wait(seconds=10)
    assert list(services.due(now=post.now))


def test_a_robot_that_was_not_told_is_reminded_by_the_sweep(moved: Match, post: Post, thinks: Thinks) -> None:
    EngineJob.objects.all().delete()
    services.remember(now=post.now)
    services.remember(now=post.now)
    assert thinks() == 1
    assert stands(moved)[0] == 2


def test_a_late_machine_costs_the_robot_nothing(moved: Match, post: Post, thinks: Thinks) -> None:
    """Nobody wins on time against it: it has moved when it should have, and the clock of the person begins now."""
    post.wait(days=40)
    post.live()
    thinks()
    assert stands(moved)[0] == 2
    seat = Match.objects.get(pk=moved.pk).seated[0]
    assert seat.running_since == post.now
    assert not Event.objects.filter(kind=Event.Kind.ENDED).exists()
