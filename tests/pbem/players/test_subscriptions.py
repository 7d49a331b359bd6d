"""What a player wants to be told: each sort of letter by itself, and the numbers in their addresses."""

import pytest

from pbem.players.models import Player
from pbem.players.services import choose, complain, register, restart, speak_again, stop
from pbem.players.subscriptions import EVERYTHING, NUMBERS, Subscription, numbered
from tests.mail_fixtures import MORNING

TURNS, MESSAGES = Subscription.TURNS, Subscription.MESSAGES


@pytest.fixture
def anna(db: None) -> Player:
    return register(name="Anna", email="anna@example.org", language="it", now=MORNING)


def wanted(player: Player) -> set[Subscription]:
    player.refresh_from_db()
    return {subscription for subscription in Subscription if player.wants(subscription)}


def test_numbers_are_for_ever() -> None:
    assert {str(name): number for name, number in NUMBERS.items()} == {
        "turns": 1,
        "receipts": 2,
        "messages": 3,
        "challenges": 4,
        "news": 5,
        "digests": 6,
    }
    assert [numbered(number) for number in (EVERYTHING, 1, 99)] == [None, TURNS, None]


def test_one_sort_is_stopped_and_comes_back(anna: Player) -> None:
    assert wanted(anna) == set(Subscription)
    stop(anna, TURNS, now=MORNING)
    assert wanted(anna) == set(Subscription) - {TURNS}
    restart(anna, TURNS)
    assert wanted(anna) == set(Subscription)


def test_who_wanted_nothing_gets_only_what_he_asks_for(anna: Player) -> None:
    stop(anna, None, now=MORNING)
    assert wanted(anna) == set()
    restart(anna, MESSAGES)
    assert wanted(anna) == {MESSAGES}
    restart(anna, None)
    assert wanted(anna) == set(Subscription)


def test_a_choice_says_it_all(anna: Player) -> None:
    stop(anna, None, now=MORNING)
    choose(anna, {TURNS, MESSAGES})
    assert wanted(anna) == {TURNS, MESSAGES}
    choose(anna, ())
    assert wanted(anna) == set()


def test_playing_on_brings_letters_back_but_not_to_who_called_them_spam(anna: Player) -> None:
    stop(anna, MESSAGES, now=MORNING)
    stop(anna, None, now=MORNING)
    speak_again(anna)
    assert wanted(anna) == set(Subscription) - {MESSAGES}
    complain(anna, now=MORNING)
    speak_again(anna)
    assert wanted(anna) == set()
    restart(anna, TURNS)
    assert wanted(anna) == {TURNS}
    assert anna.complained_at is None
