"""A withdrawal before and after the half."""

from pbem.competitions.systems.values import Game, withdrawal, without


def games(over: int, still: int) -> list[Game]:
    played = [Game(1, other, 1.0) for other in range(2, 2 + over)]
    return played + [Game(other, 1, None) for other in range(20, 20 + still)] + [Game(5, 6, 1.0)]


def test_before_half_of_the_matches_all_results_leave_the_table() -> None:
    assert withdrawal(1, games(4, 5), 9).erased
    assert not withdrawal(1, games(5, 4), 9).erased
    assert not withdrawal(1, games(4, 4), 8).erased
    assert withdrawal(1, [Game(1, 1, 1.0), *games(1, 0)], 4).erased  # a bye is no match


def test_what_is_left_without_them() -> None:
    assert without(games(2, 1), {1}) == (Game(5, 6, 1.0),)
    assert len(without(games(2, 1), ())) == 4
