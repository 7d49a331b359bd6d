"""Leagues: divisions, and who goes up and down between seasons."""

from dataclasses import replace

import pytest

from pbem.competitions.systems.round_robin import League, divisions
from pbem.competitions.systems.values import Entrant, StandingsInput
from tests.pbem.competitions.systems.simulated import by_chance, entrants, played_out, shuffled


def test_divisions_have_nine_to_eleven() -> None:
    for count in [*range(9, 12), *range(18, 80)]:
        for size in (9, 10, 11):
            tables = divisions(entrants(count), size)
            assert sum(map(len, tables.values())) == count
            if count >= 18:
                assert all(7 <= len(players) <= 11 for players in tables.values()), (count, size)
    assert {name: len(players) for name, players in divisions(entrants(20), 10).items()} == {"1": 10, "2": 10}
    assert len(divisions(entrants(3), 10)) == 1


def test_twenty_players_over_two_seasons() -> None:
    league = League(size=10, moving=2)
    field = entrants(20)
    seen = played_out(
        league, StandingsInput(field), lambda first, second: float(first > second)
    )  # the weaker wins
    assert len(seen.games) == 2 * 45
    following = league.following(seen)
    lines = league.places(seen)
    assert [league.overall(lines)[player] for player in (10, 1, 20, 11)] == [1, 10, 11, 20]
    down = {player for player in range(1, 11) if following[player] == 2}
    up = {player for player in range(11, 21) if following[player] == 1}
    assert down == {1, 2}
    assert up == {19, 20}
    again = [Entrant(each.player, each.rating, division=following[each.player]) for each in field]
    tables = divisions([*again, Entrant(99, 2500)], 10)  # a newcomer begins below, whatever their rating
    assert set(tables["1"]) == set(range(3, 11)) | {19, 20}
    assert 99 in tables["2"]


def test_nobody_goes_above_the_first_or_below_the_last() -> None:
    league = League(size=9, moving=3)
    seen = played_out(league, StandingsInput(entrants(27)), by_chance(3))
    following = league.following(seen)
    assert sorted(following.values()) == [1] * 9 + [2] * 9 + [3] * 9
    assert league.following(shuffled(seen, 4)) == following


def test_who_withdraws_has_no_division() -> None:
    league = League()
    seen = played_out(league, StandingsInput(entrants(20)))
    seen = replace(seen, entrants=tuple(replace(e, active=e.player != 5) for e in seen.entrants))
    assert 5 not in league.following(seen)
    assert 5 in [line.player for line in league.places(seen)]
    seen = replace(seen, entrants=tuple(replace(e, erased=e.player == 5) for e in seen.entrants))
    assert 5 not in [line.player for line in league.places(seen)]


def test_what_cannot_be_played() -> None:
    for wrong in ({"size": 8}, {"size": 12}, {"moving": 0}, {"days": -1}):
        with pytest.raises(ValueError, match="within"):
            League(**wrong)
