"""The service is killed where it hurts most, and started again: nothing is lost, nothing is played twice."""

from __future__ import annotations

import signal
import threading
import time
from random import Random

import pytest

from pbem.matches.models import Match
from tests.journeys.conftest import House
from tests.journeys.in_flight import OPENING, Play, begun
from tests.processes import wait_until

pytestmark = pytest.mark.prove

KILLED = -signal.SIGKILL


@pytest.fixture
def play(house: House) -> Play:
    return begun(house)


def test_killed_after_a_letter_was_kept_and_before_its_sender_heard_so(play: Play) -> None:
    service = play.house.serve(DIE_AT="kept")
    play.quiet()
    play.numbers = play.numbers[:1]
    play.move(play.alice, play.numbers[0], OPENING[0])
    assert service.status() == KILLED
    assert play.alice.waiting, "nobody has said 250"

    play.house.serve()
    play.quiet()
    with play.house.rows():
        assert Match.objects.get(pk=play.numbers[0]).ply == 1, "it was kept, so it is played"
    assert play.alice.try_again()
    play.move(play.bruno, play.numbers[0], OPENING[1])
    play.quiet()
    play.check(OPENING[:2])


def test_killed_between_reading_a_letter_and_carrying_it_out(play: Play) -> None:
    service = play.house.serve(DIE_AT="read")
    play.quiet()
    play.move_everywhere(play.alice, OPENING[0])
    assert play.alice.taken, "at least the first was acknowledged"
    assert service.status() == KILLED

    play.house.serve()
    assert play.alice.try_again()
    play.quiet()
    play.check(OPENING[:1])


def test_killed_between_handing_a_letter_over_and_marking_it(play: Play) -> None:
    service = play.house.start("manage.py", "serve", "--threads", "1", DIE_AT="handed-over")
    assert service.status() == KILLED
    assert len(play.house.delivered) == 1

    play.house.serve()
    play.quiet()
    assert len(play.house.delivered) == 2 * len(play.numbers) + 1, "one letter came twice"
    play.move_everywhere(play.alice, OPENING[0])
    play.quiet()
    play.check(OPENING[:1], extra_copies=1)


def test_killed_from_outside_at_any_time_while_letters_are_in_flight(play: Play) -> None:
    rng = Random(1969)
    service = play.house.serve()
    play.quiet()
    extra = 0
    for ply, text in enumerate(OPENING):
        player = (play.alice, play.bruno)[ply % 2]
        writing = threading.Thread(target=play.move_everywhere, args=(player, text))
        writing.start()
        time.sleep(rng.uniform(0.0, 0.4))  # this is the time that is meant to be any
        assert service.end(signal.SIGKILL) == KILLED
        writing.join()
        service = play.house.serve()
        extra += 2  # each of two threads may have been between hand-over and mark
        wait_until(player.try_again, "all letters taken")
        play.quiet()
    play.check(OPENING, extra_copies=extra)
