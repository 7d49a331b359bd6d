"""Groups, then a final: the snake, the sizes, who advances."""

from dataclasses import replace

import pytest

from pbem.competitions.systems.round_robin import FINAL, Groups, grouped, proposed, sizes, snake
from pbem.competitions.systems.values import Entrant, StandingsInput
from tests.pbem.competitions.systems.simulated import by_chance, entrants, play, played_out, shuffled


def test_the_snake_deals_the_ratings_out() -> None:
    assert snake(entrants(8), 4) == [[1, 4, 5, 8], [2, 3, 6, 7]]
    assert snake(tuple(reversed(entrants(12))), 4) == [[1, 6, 7, 12], [2, 5, 8, 11], [3, 4, 9, 10]]


def test_groups_of_four_to_eight_are_proposed() -> None:
    for count in range(8, 65):
        parts = sizes(count, proposed(count))
        assert sum(parts) == count
        assert all(4 <= size <= 8 for size in parts), (count, parts)
        assert max(parts) - min(parts) <= 1
    assert sizes(12, proposed(12)) == (6, 6)
    assert sizes(60, proposed(60)) == (6,) * 10


def test_the_first_of_each_group_meet_in_the_final() -> None:
    settings = Groups(size=4, advance=2)
    seen = play(settings, StandingsInput(entrants(12)))
    assert {game.table for game in seen.games} == {"A", "B", "C"}
    seen = played_out(settings, seen)
    final = {p for game in seen.games if game.table == FINAL for p in (game.first, game.second)}
    assert final == {1, 2, 3, 4, 5, 6}
    assert seen.begun == settings.rounds(12) == 2
    lines = settings.places(seen)
    assert [(line.table, line.player) for line in lines[:6]] == [(FINAL, player) for player in range(1, 7)]
    assert [line.table for line in lines[6:]] == ["A", "A", "B", "B", "C", "C"]
    assert sorted(line.player for line in lines) == list(range(1, 13))
    assert [settings.overall(lines)[player] for player in range(1, 13)] == [
        1,
        2,
        3,
        4,
        5,
        6,
        7,
        7,
        7,
        10,
        10,
        10,
    ]


def test_those_who_reach_the_final_stay_in_the_table_of_their_group() -> None:
    settings = Groups(size=4, advance=2)
    before = play(settings, StandingsInput(entrants(12)))
    assert settings.standings(before) == settings.places(before)
    after = played_out(settings, before)
    lines = settings.standings(after)
    assert [line for line in lines if line.table != FINAL] == list(settings.places(before))
    assert [line for line in lines if line.table == FINAL] == list(settings.places(after)[:6])


def test_the_organiser_forms_the_groups() -> None:
    """Anyone who came later is in the smallest, and all stays so until the final."""
    group = {1: 1, 2: 1, 3: 1, 4: 1, 5: 2, 6: 2, 7: 2, 8: 2}
    chosen = tuple(replace(entrant, division=group.get(entrant.player, 0)) for entrant in entrants(9))
    assert grouped(chosen, 4) == [[1, 2, 3, 4, 9], [5, 6, 7, 8]]
    assert grouped(tuple(reversed(chosen)), 4) == grouped(chosen, 4)
    assert grouped(entrants(8), 4) == snake(entrants(8), 4)
    seen = played_out(Groups(size=4, advance=2), StandingsInput(chosen))
    assert {p for game in seen.at(FINAL) for p in (game.first, game.second)} == {1, 2, 5, 6}
    assert {p for game in seen.at("A") for p in (game.first, game.second)} == {1, 2, 3, 4, 9}


def test_no_order_matters() -> None:
    settings = Groups(size=5, advance=2)
    for seed in range(5):
        seen = play(settings, StandingsInput(entrants(14)), by_chance(seed))
        assert settings.draw(shuffled(seen, seed)) == settings.draw(seen)
        assert settings.places(shuffled(seen, seed)) == settings.places(seen)


def test_who_withdraws_is_in_no_final() -> None:
    settings = Groups(size=4, advance=1)
    seen = play(settings, StandingsInput(entrants(8)))
    seen = replace(seen, entrants=tuple(replace(e, active=e.player != 1) for e in seen.entrants))
    draw = settings.draw(seen)
    assert draw is not None
    assert {player for pair in draw.pairs for player in (pair.first, pair.second)} == {4, 2}


def test_an_open_place_goes_to_the_higher_rating() -> None:
    settings = Groups(size=4, advance=1)
    four = tuple(Entrant(player, 1500 + player) for player in range(1, 9))
    seen = play(settings, StandingsInput(four), lambda first, second: 0.5)
    draw = settings.draw(seen)
    assert draw is not None
    assert {player for pair in draw.pairs for player in (pair.first, pair.second)} == {8, 7}


def test_what_cannot_be_played() -> None:
    for wrong in ({"size": 3}, {"size": 9}, {"size": 4, "advance": 4}, {"advance": 0}):
        with pytest.raises(ValueError, match="within"):
            Groups(**wrong)
