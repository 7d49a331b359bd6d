"""An offer stands until it is answered, withdrawn, or overtaken by the opponent's move."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from pbem.matches import offers, services
from pbem.matches.models import Match, Offer
from pbem.refusals import Code, Refused
from tests.mail_fixtures import MORNING

Begin = Callable[..., Match]
PAUSE = Offer.Kind.PAUSE
ALICE, BRUNO = 0, 1


def refused(code: str) -> pytest.RaisesExc[Refused]:
    return pytest.RaisesExc(Refused, check=lambda refusal: refusal.code == code)


def kinds(match: Match) -> list[str]:
    return [event.kind for event in match.events.order_by("pk")][1:]


def play(match: Match, move: str) -> None:
    assert match.moving
    services.play(match.moving, move, now=MORNING)


def ask(match: Match, side: int, days: int = 10) -> None:
    offers.make(match.seated[side], PAUSE, days=days, now=MORNING)


def answer(match: Match, side: int) -> None:
    services.accept(match.seated[side], now=MORNING)


def test_a_pause_that_both_want(begin: Begin) -> None:
    match = begin()
    ask(match, ALICE)
    answer(match, BRUNO)
    assert Match.objects.get().paused_until == MORNING + timedelta(days=10)
    assert kinds(match) == ["asked", "paused"]
    assert not Offer.objects.exists()


def test_whoever_asks_for_what_is_asked_of_him_agrees(begin: Begin) -> None:
    match = begin()
    ask(match, ALICE)
    ask(match, BRUNO)
    assert kinds(match) == ["asked", "paused"]


def test_whoever_asks_for_something_else_does_not_agree(begin: Begin) -> None:
    match = begin()
    ask(match, ALICE, days=10)
    ask(match, BRUNO, days=5)
    assert kinds(match) == ["asked", "asked"]
    answer(match, BRUNO)
    assert Match.objects.get().paused_until == MORNING + timedelta(days=10)


def test_a_no_to_the_opponent_comes_before_a_no_to_oneself(begin: Begin) -> None:
    match = begin()
    ask(match, ALICE, days=10)
    ask(match, BRUNO, days=5)
    for _ in range(2):
        services.decline(match.seated[ALICE], now=MORNING)
    assert kinds(match) == ["asked", "asked", "denied", "withdrawn"]
    with refused(Code.OFFER_GONE):
        services.decline(match.seated[ALICE], now=MORNING)


def test_nobody_grants_himself_anything(begin: Begin) -> None:
    match = begin()
    ask(match, ALICE)
    with refused(Code.OFFER_GONE):
        answer(match, ALICE)


def test_one_offer_at_a_time_so_that_yes_means_one_thing(begin: Begin) -> None:
    match = begin()
    ask(match, ALICE)
    with refused(Code.OFFER_STANDS):
        ask(match, ALICE, days=5)
    with refused(Code.OFFER_STANDS):
        services.offer_draw(match.seated[ALICE], now=MORNING)
    services.decline(match.seated[ALICE], now=MORNING)
    services.offer_draw(match.seated[ALICE], now=MORNING)
    with refused(Code.OFFER_STANDS):
        ask(match, ALICE)
    services.decline(match.seated[ALICE], now=MORNING)
    assert Match.objects.get().draw_offered_by is None
    assert kinds(match) == ["asked", "withdrawn", "offered", "withdrawn"]


def test_an_offer_made_on_the_own_turn_rides_on_the_move(begin: Begin) -> None:
    match = begin()
    ask(match, ALICE)
    play(match, "b1-b3")
    assert offers.standing(match, by=match.seated[ALICE])
    play(match, "a2-c2")
    assert not offers.standing(match, by=match.seated[ALICE])
    with refused(Code.OFFER_GONE):
        answer(match, BRUNO)
    ask(match, ALICE)  # a lapsed one is not in the way


def test_an_offer_made_on_the_opponents_turn_lapses_with_his_move(begin: Begin) -> None:
    match = begin()
    ask(match, BRUNO)
    play(match, "b1-b3")
    assert not offers.standing(match, by=match.seated[BRUNO])


def test_an_answer_that_came_too_late_pauses_nothing(begin: Begin) -> None:
    match = begin()
    match.deadline = MORNING - timedelta(minutes=1)
    match.save(update_fields=["deadline"])
    ask(match, ALICE)
    with refused(Code.DEADLINE_PASSED):
        answer(match, BRUNO)


def test_a_match_that_is_over_has_nothing_to_pause(begin: Begin) -> None:
    match = begin()
    ask(match, ALICE)
    services.resign(match.seated[ALICE], now=MORNING)
    with refused(Code.OFFER_GONE):
        answer(match, BRUNO)
