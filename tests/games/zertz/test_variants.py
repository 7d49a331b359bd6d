"""The presets and the switches of Zèrtz."""

import pytest

from games.zertz import GAME
from games.zertz.variants import Rules


def test_the_presets():
    assert list(GAME.presets) == ["", "blitz"]
    assert GAME.presets[""].marbles == (6, 8, 10)
    assert GAME.presets[""].goals == (3, (4, 5, 6))
    assert GAME.presets["blitz"].marbles == (5, 7, 9)
    assert GAME.presets["blitz"].goals == (2, (3, 4, 5))


@pytest.mark.parametrize("key", ["marbles", "goals", "islands"])
def test_a_switch_tells_what_it_has_set_and_starts_at_its_first_value(key):
    switch = GAME.switches[key]
    assert switch.value(Rules()) == switch.values[0]
    assert [switch.value(switch.apply(Rules(), value)) for value in switch.values] == list(switch.values)


def test_the_switches_make_the_presets():
    short = GAME.switches["goals"].apply(Rules(), "short")
    assert GAME.switches["marbles"].apply(short, "21") == GAME.presets["blitz"]


def test_rules_are_values():
    assert hash(Rules()) == hash(GAME.presets[""])
    assert Rules() == GAME.presets[""] != Rules(islands="any")
