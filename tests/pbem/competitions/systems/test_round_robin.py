"""Round robins as contests: at once or by rounds, with somebody who withdraws between them."""

from collections import Counter
from dataclasses import replace

import pytest

from pbem.competitions.systems.round_robin import RoundRobin
from pbem.competitions.systems.values import StandingsInput
from tests.pbem.competitions.systems.simulated import entrants, play, played_out, shuffled


@pytest.mark.parametrize(("settings", "meetings"), [(RoundRobin(), 1), (RoundRobin(double=True), 2)])
def test_everybody_meets_everybody(settings: RoundRobin, meetings: int) -> None:
    for count in (2, 5, 8, 11):
        for at_once in (True, False):
            seen = played_out(replace(settings, at_once=at_once), StandingsInput(entrants(count)))
            met = Counter(frozenset((game.first, game.second)) for game in seen.games)
            assert set(met.values()) == {meetings}
            assert len(met) == count * (count - 1) // 2
            assert seen.begun == replace(settings, at_once=at_once).rounds(count)
            assert [line.player for line in settings.places(seen)] == list(range(1, count + 1))


def test_who_withdraws_has_no_further_match() -> None:
    settings = RoundRobin(at_once=False)
    seen = play(settings, StandingsInput(entrants(6)))
    less = replace(seen, entrants=tuple(replace(e, active=e.player != 3) for e in seen.entrants))
    games = played_out(settings, less).games[len(seen.games) :]
    assert not any(3 in (game.first, game.second) for game in games)
    assert settings.draw(shuffled(less, 1)) == settings.draw(less)
    free = [draw.byes for number in range(1, 5) if (draw := settings.draw(replace(less, begun=number)))]
    assert len(set(free)) == 4  # the player who would have met them has the point
    erased = replace(less, entrants=tuple(replace(e, erased=not e.active) for e in less.entrants))
    draw = settings.draw(erased)
    assert draw is not None
    assert draw.byes == ()


def test_what_cannot_be_played_is_said() -> None:
    with pytest.raises(ValueError, match="12 is not within 2 and 11"):
        RoundRobin().rounds(12)
    with pytest.raises(ValueError, match="sums"):
        RoundRobin(ties=("sums",))
    with pytest.raises(ValueError, match="colour"):
        RoundRobin.of({"colour": 1})
    with pytest.raises(ValueError, match="never"):
        RoundRobin(unfinished="never")


def test_a_row_keeps_it() -> None:
    settings = RoundRobin(days=30, double=True, ties=("wins",))
    assert RoundRobin.of(settings.kept()) == settings
