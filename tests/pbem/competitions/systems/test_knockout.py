"""Knockout: pairs with the sides changed, the quicker win, a second pair, free seeds, withdrawals."""

from collections import Counter
from dataclasses import replace
from random import Random

from pbem.competitions.systems.knockout import By, Knockout, ahead
from pbem.competitions.systems.values import Draw, Game, StandingsInput
from tests.pbem.competitions.systems.simulated import by_chance, entrants, play, played_out, shuffled

CUP = Knockout()


def duels(draw: Draw | None) -> set[frozenset[int]]:
    assert draw is not None
    return {frozenset((pair.first, pair.second)) for pair in draw.pairs}


def test_eight_players() -> None:
    first = CUP.draw(StandingsInput(entrants(8)))
    assert duels(first) == set(map(frozenset, [(1, 8), (2, 7), (3, 6), (4, 5)]))
    assert first is not None
    assert {(pair.first, pair.second) for pair in first.pairs} >= {(1, 8), (8, 1)}
    seen = play(CUP, StandingsInput(entrants(8)))
    assert duels(CUP.draw(seen)) == set(map(frozenset, [(1, 4), (2, 3)]))
    seen = played_out(CUP, seen)
    assert seen.begun == CUP.rounds(8) == 3
    assert [(line.player, line.place, line.tied) for line in CUP.places(seen)] == [
        (1, 1, False),
        (2, 2, False),
        (3, 3, True),
        (4, 3, True),
        *((player, 5, True) for player in range(5, 9)),
    ]


def test_the_best_seeds_are_free_at_first() -> None:
    assert duels(CUP.draw(StandingsInput(entrants(5)))) == {frozenset((4, 5))}
    assert duels(CUP.draw(StandingsInput(entrants(7)))) == set(map(frozenset, [(2, 7), (3, 6), (4, 5)]))
    seen = played_out(CUP, StandingsInput(entrants(11)))
    assert [line.player for line in CUP.places(seen)][:2] == [1, 2]
    assert len(CUP.places(seen)) == 11


def test_level_pairs() -> None:
    quick = [Game(1, 2, 1.0, plies=40), Game(2, 1, 1.0, plies=30)]
    assert ahead(quick, 1, 2) == 2
    assert ahead([replace(game, plies=40) for game in quick], 1, 2) == 0
    assert ahead([Game(1, 2, 0.5), Game(2, 1, 0.5)], 1, 2) == 0


def test_who_is_level_meets_again_while_the_others_wait() -> None:
    seen = StandingsInput(entrants(4))
    draw = CUP.draw(seen)
    assert draw is not None
    level = tuple(
        Game(p.first, p.second, 0.5 if 1 in (p.first, p.second) else float(p.first == 2), 1)
        for p in draw.pairs
    )
    seen = replace(seen, games=level, begun=1)
    assert duels(CUP.draw(seen)) == {frozenset((1, 4))}
    seen = play(CUP, seen, lambda first, second: 0.5)  # level again: the higher seed goes on
    assert duels(CUP.draw(seen)) == {frozenset((1, 2))}
    seen = played_out(CUP, seen)
    assert [(line.player, line.place) for line in CUP.places(seen)] == [(1, 1), (2, 2), (3, 3), (4, 3)]


def test_who_withdraws_lets_the_other_go_on() -> None:
    seen = play(CUP, StandingsInput(entrants(4)))
    seen = play(CUP, seen)  # the final, which 1 wins
    gone = replace(seen, entrants=tuple(replace(e, active=e.player != 1) for e in seen.entrants))
    assert CUP.places(gone)[0].player == 2
    early = play(CUP, StandingsInput(entrants(4)))
    early = replace(early, entrants=tuple(replace(e, active=e.player != 1) for e in early.entrants))
    assert duels(CUP.draw(early)) == {frozenset((2, 4))}


def test_who_withdraws_from_a_later_duel_brings_no_loser_of_an_earlier_one_back() -> None:
    seen = play(CUP, StandingsInput(entrants(4)))
    for games in ((Game(1, 2, 0.0, 2), Game(2, 1, 1.0, 2)), (Game(1, 2, 1.0, 2), Game(2, 1, 1.0, 2))):
        final = replace(seen, games=(*seen.games, *games), begun=2)
        gone = replace(final, entrants=tuple(replace(e, active=e.player != 1) for e in seen.entrants))
        assert CUP.draw(gone) is None
        assert [(line.player, line.place) for line in CUP.places(gone)] == [(2, 1), (1, 2), (3, 3), (4, 3)]


def told(seen: StandingsInput) -> list[list[tuple[tuple[int, ...], int, int]]]:
    return [[(duel.players, duel.winner, height) for duel, height in line] for line in CUP.bracket(seen)]


def test_a_bracket_shows_who_meets_whom_also_in_rounds_to_come() -> None:
    seen = StandingsInput(entrants(8))
    assert told(seen) == []
    draw = CUP.draw(seen)
    assert draw is not None
    half_over = [Game(p.first, p.second, None if {2, 7} == {p.first, p.second} else 1.0) for p in draw.pairs]
    drawn = [replace(game, points=0.0) if game.first > 4 else game for game in half_over]
    assert told(replace(seen, games=tuple(drawn), begun=1)) == [
        [((1, 8), 1, 1), ((1, 4), 0, 2), ((0, 0), 0, 4)],
        [((4, 5), 4, 1)],
        [((2, 7), 0, 1), ((0, 3), 0, 2)],
        [((3, 6), 3, 1)],
    ]
    assert told(played_out(CUP, seen))[0] == [((1, 8), 1, 1), ((1, 4), 1, 2), ((1, 2), 1, 4)]


def test_a_bracket_shows_byes() -> None:
    assert told(played_out(CUP, StandingsInput(entrants(5)))) == [
        [((1,), 1, 1), ((1, 4), 1, 2), ((1, 2), 1, 4)],
        [((4, 5), 4, 1)],
        [((2,), 2, 1), ((2, 3), 2, 2)],
        [((3,), 3, 1)],
    ]


def test_a_bracket_says_what_decided_a_duel() -> None:
    two = StandingsInput(entrants(2), begun=1)
    for games, points, by in (
        ((Game(1, 2, 1.0), Game(2, 1, 0.5)), (1.5, 0.5), By.POINTS),
        ((Game(1, 2, 1.0, plies=30), Game(2, 1, 1.0, plies=20)), (1, 1), By.QUICKER),
        (tuple(Game(1, 2, 0.5, number) for number in (1, 1, 2, 2)), (2, 2), By.SEED),
        ((Game(1, 2, None), Game(2, 1, 1.0)), (0, 1), By.POINTS),
        ((Game(1, 2, None), Game(2, 1, None)), (), By.POINTS),
    ):
        [[(duel, _height)]] = CUP.bracket(replace(two, games=games))
        assert (duel.points, duel.by) == (points, by)
    gone = replace(two, entrants=(two.entrants[0], replace(two.entrants[1], active=False)))
    [[(duel, _height)]] = CUP.bracket(replace(gone, games=(Game(1, 2, 0.5), Game(2, 1, 0.5))))
    assert (duel.winner, duel.by) == (1, By.WITHDRAWN)


def test_the_columns_of_a_bracket_are_equally_high_whatever_happens() -> None:
    for seed in range(60):
        rng, decide = Random(seed), by_chance(seed)
        seen = StandingsInput(entrants(2 + seed % 15))
        while CUP.draw(seen) is not None:
            seen = play(CUP, seen, decide)
            if rng.random() < 0.5:  # a match is void
                seen = replace(seen, games=seen.games[: -rng.choice((1, 2))])
            gone = rng.sample(range(1, len(seen.entrants) + 1), 2) if rng.random() < 0.5 else []
            left = (replace(e, active=e.active and e.player not in gone) for e in seen.entrants)
            seen = replace(seen, entrants=tuple(left))
            lines = CUP.bracket(shuffled(seen, seed))
            assert lines == CUP.bracket(seen)
            if seen.begun > 20:
                break
            heights = Counter[int]()
            for at, line in enumerate(lines):
                columns = [column for column in range(len(lines[0])) if heights[column] == at]
                heights.update(dict(zip(columns, (height for _, height in line), strict=True)))
            assert set(heights.values()) <= {len(lines)}


def test_no_order_matters_and_it_ends() -> None:
    for seed in range(20):
        count = 2 + seed
        seen = StandingsInput(entrants(count))
        decide = by_chance(seed)
        while (draw := CUP.draw(seen)) is not None:
            assert CUP.draw(shuffled(seen, seed)) == draw
            assert CUP.places(shuffled(seen, seed)) == CUP.places(seen)
            seen = play(CUP, seen, decide)
        assert seen.begun <= 2 * CUP.rounds(count)
        places = CUP.places(seen)
        assert (places[0].place, places[0].tied) == (1, False)
        assert sorted(line.player for line in places) == list(range(1, count + 1))
