"""Tables: points, then each tie-break in order; byes; no order of rows matters."""

from random import Random

import pytest

from pbem.competitions.systems.tie_breaks import SWISS, TIE_BREAKS, USUAL, Book, ranked
from pbem.competitions.systems.values import Game

A, B, C, D = 1, 2, 3, 4
# A beats B, B beats C, C beats A, all beat D but C, who draws.
CIRCLE = (
    Game(A, B, 1.0),
    Game(B, C, 1.0),
    Game(C, A, 1.0),
    Game(D, A, 0.0),
    Game(B, D, 1.0),
    Game(C, D, 0.5),
)


def values(name: str, games: tuple[Game, ...], *tied: int) -> dict[int, float]:
    players = {player for game in games for player in (game.first, game.second)}
    return dict(TIE_BREAKS[name](Book(frozenset(players), games), tied))


def test_by_hand() -> None:
    assert values("sonneborn_berger", CIRCLE, A, B, C, D) == {A: 2.5, B: 2.0, C: 2.25, D: 0.75}
    assert values("wins", CIRCLE, A, B, C, D) == {A: 2, B: 2, C: 1, D: 0}
    assert values("koya", CIRCLE, A, B, C, D) == {A: 1, B: 1, C: 1, D: 0.5}
    assert values("buchholz", CIRCLE, A, B, C, D) == {A: 4.0, B: 4.0, C: 4.5, D: 5.5}
    assert values("buchholz_cut", CIRCLE, A, B, C, D) == {A: 3.5, B: 3.5, C: 4.0, D: 4.0}


def test_direct_encounter_asks_that_all_have_met() -> None:
    assert values("direct", CIRCLE, A, B) == {A: 1.0, B: 0.0}
    assert values("direct", CIRCLE[:2], A, B, C) == {A: 0, B: 0, C: 0}  # A and C have not
    assert values("direct", CIRCLE, A, B, C) == {A: 1, B: 1, C: 1}


def test_a_bye_is_a_draw_against_oneself() -> None:
    games = (Game(A, A, 1.0), Game(A, B, 1.0), Game(B, C, 1.0))
    assert values("buchholz", games, A) == {A: 2.0 + 1.0}
    assert values("sonneborn_berger", games, A) == {A: 0.5 * 2.0 + 1.0}
    assert values("wins", games, A) == {A: 1}
    assert ranked((A, B, C), games)[0].points == 2.0


def test_who_is_equal_shares_a_place() -> None:
    lines = ranked((A, B, C), (Game(A, B, 1.0), Game(B, C, 1.0), Game(C, A, 1.0)))
    assert [(line.place, line.tied) for line in lines] == [(1, True)] * 3


@pytest.mark.parametrize("ties", [USUAL, SWISS])
def test_no_order_matters(ties: tuple[str, ...]) -> None:
    rng = Random(1)
    players = list(range(1, 9))
    for _ in range(30):
        games = [Game(a, b, rng.choice((1.0, 0.5, 0.0, None))) for a in players for b in players if a < b]
        turned = [Game(g.second, g.first, None if g.points is None else 1 - g.points) for g in games]
        once = ranked(players, games, ties)
        assert once == ranked(rng.sample(players, 8), rng.sample(games, len(games)), ties)
        assert once == ranked(players, rng.sample(turned, len(turned)), ties)


def test_who_is_not_of_the_table_gives_no_points() -> None:
    assert [line.points for line in ranked((A, B), (Game(A, C, 1.0), Game(A, B, 0.5)))] == [0.5, 0.5]
