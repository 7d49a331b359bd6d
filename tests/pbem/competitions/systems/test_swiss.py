"""Swiss: nobody meets twice, nobody is free twice, sides are balanced, and no order of rows matters."""

from collections import Counter
from dataclasses import replace
from random import Random
from time import process_time

import pytest

from pbem.competitions.systems import swiss
from pbem.competitions.systems.swiss import Swiss
from pbem.competitions.systems.values import Game, StandingsInput
from tests.pbem.competitions.systems.simulated import by_chance, entrants, play, played_out, shuffled


@pytest.fixture(params=["ours", "FIDE's"], autouse=True)
def pairing(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """All of it holds with the library that pairs as FIDE does, and without."""
    if request.param == "ours":
        monkeypatch.setattr(swiss, "has_fide", lambda: False)
    else:
        pytest.importorskip("py4swiss", reason="it has no wheel for this machine")
    return str(request.param)


def check(seen: StandingsInput) -> int:
    """No pairing again, nobody free twice; how unbalanced the sides of the worst are."""
    met = Counter(frozenset((game.first, game.second)) for game in seen.games)
    assert set(met.values()) == {1}
    balance: Counter[int] = Counter()
    for game in seen.games:
        if not game.is_bye:
            balance[game.first] += 1
            balance[game.second] -= 1
    for number in range(1, seen.begun + 1):
        players = [p for g in seen.games if g.round == number for p in {g.first, g.second}]
        assert len(players) == len(set(players))
    return max(map(abs, balance.values()), default=0)


def test_eleven_players_with_byes() -> None:
    for seed in range(10):
        seen = played_out(Swiss(length=5), StandingsInput(entrants(11)), by_chance(seed))
        assert seen.begun == 5
        assert len([game for game in seen.games if game.is_bye]) == 5
        assert check(seen) <= 3


@pytest.mark.prove
def test_any_field() -> None:
    worst = Counter[int]()
    for count in range(4, 65, 3):
        length = min(9, count - 1 - (count % 2 == 0) * (count < 12), count // 2 + 1)
        seen = played_out(Swiss(length=length), StandingsInput(entrants(count)), by_chance(count))
        assert seen.begun == length, count
        worst[check(seen)] += 1
    assert max(worst) <= 4, worst


def test_the_first_round_and_the_next() -> None:
    seen = play(Swiss(), StandingsInput(entrants(8)))
    assert {frozenset((game.first, game.second)) for game in seen.games} == set(
        map(frozenset, [(1, 5), (2, 6), (3, 7), (4, 8)])
    )
    assert {1, 3} <= {game.first for game in seen.games} or {1, 3} <= {game.second for game in seen.games}
    winners = {1, 2, 3, 4}
    second = play(Swiss(), seen).games[4:]
    assert all(({game.first, game.second} <= winners) == (game.first in winners) for game in second)


def test_no_order_matters() -> None:
    seen = StandingsInput(entrants(13))
    for number in range(4):
        seen = play(Swiss(), seen, by_chance(number))
        assert Swiss().draw(shuffled(seen, number)) == Swiss().draw(seen)
        assert Swiss().places(shuffled(seen, number)) == Swiss().places(seen)


def test_who_withdraws_is_paired_no_more() -> None:
    seen = play(Swiss(), StandingsInput(entrants(10)))
    seen = replace(seen, entrants=tuple(replace(e, active=e.player != 4) for e in seen.entrants))
    draw = Swiss().draw(seen)
    assert draw is not None
    assert len(draw.pairs) == 4
    assert len(draw.byes) == 1
    assert 4 not in {p for pair in draw.pairs for p in (pair.first, pair.second)}


def test_where_everybody_has_met_nobody_is_paired() -> None:
    seen = StandingsInput(entrants(4), tuple(Game(a, b, 0.5) for a in range(1, 5) for b in range(1, a)), 3)
    assert Swiss(length=5).draw(seen) is None


@pytest.mark.prove
def test_sixty_four_players_are_soon_paired() -> None:
    rng = Random(2)
    seen = StandingsInput(entrants(64))
    began = process_time()
    for _ in range(9):
        seen = play(Swiss(length=9), seen, lambda first, second: rng.choice((1.0, 0.5, 0.0)))
    assert process_time() - began < 5
    check(seen)


def test_what_cannot_be_played() -> None:
    for length in (0, 10):
        with pytest.raises(ValueError, match="within"):
            Swiss(length=length)
    with pytest.raises(ValueError, match="5 is not within 6 and 64"):
        Swiss(length=5).rounds(5)


def test_sides_differ_by_two_at_most_before_the_last_round_as_fide_has_it(pairing: str) -> None:
    if pairing == "FIDE's":
        for count in (24, 33):
            seen = StandingsInput(entrants(count))
            for _ in range(7):
                seen = play(Swiss(length=9), seen, by_chance(count))
            assert check(seen) <= 2
