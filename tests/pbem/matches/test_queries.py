"""A turn costs the same at the end of a long match as at its beginning."""

from collections.abc import Callable
from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.protocol import Notation
from pbem.matches.models import Match
from pbem.matches.services import play
from pbem.outbox.sending import due
from tests.mail_fixtures import MORNING, Correspondent, Post

Begin = Callable[..., Match]


def go_on(match: Match, ply: int, seed: int) -> Match:
    """Random moves up to `ply`."""
    rng = Random(seed)
    while (match := Match.objects.get(pk=match.pk)).ply < ply:
        assert match.moving
        position = match.current()
        move = match.game.write(position, position.sample(rng), match.moving.player.notation)
        play(match.moving, move, now=MORNING)
    return match


def send_all(post: Post) -> None:
    """However many sweeps it takes: each leaves room for the letters to other domains."""
    while list(due(now=post.now)):
        post.send()


def cost_of_a_turn(post: Post, alice: Correspondent, match: Match) -> int:
    """Queries from the letter with Alice's move to both letters that leave."""
    send_all(post)
    position = match.current()
    move = match.game.write(position, position.sample(Random(1)), Notation("en"))
    letter = alice.letter
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert alice.answers(letter, move).verdict == "ok"
    return len(queries)


@pytest.mark.prove
def test_a_turn_at_ply_60_costs_what_it_costs_at_ply_4(
    post: Post, begin: Begin, alice: Correspondent
) -> None:
    cost_of_a_turn(post, alice, go_on(begin(), 2, seed=3))  # what is asked once in 20 seconds is asked here
    early = cost_of_a_turn(post, alice, go_on(begin(), 4, seed=3))
    late = cost_of_a_turn(post, alice, go_on(begin(), 60, seed=3))
    assert late == early


@pytest.mark.prove
def test_any_past_board_costs_the_same(post: Post, begin: Begin, alice: Correspondent) -> None:
    match = go_on(begin(), 60, seed=3)
    send_all(post)
    alice.writes(f"SHOW {match.pk}")
    costs = set()
    for number in (1, 7, 15, 29):
        with CaptureQueriesContext(connection) as queries:
            assert alice.writes(f"SHOW {match.pk} AT {number}").verdict == "ok"
        costs.add(len(queries))
    assert len(costs) == 1
