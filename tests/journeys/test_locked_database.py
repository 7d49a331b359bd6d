"""The database of one process is locked again and again, for longer than it waits, and the process is killed."""

from __future__ import annotations

import signal
import threading
import time
from functools import partial
from pathlib import Path
from random import Random

import pytest
from django.db.models import Max

from pbem.inbox.models import InboundMail
from pbem.outbox.models import OutboundMail
from tests.journeys.conftest import House
from tests.journeys.in_flight import OPENING, Play, begun
from tests.processes import Process, wait_until

pytestmark = pytest.mark.prove

LOCKER = Path(__file__).with_name("locker.py")
TIMEOUT = 1  # second that anyone who writes waits; of production 20
TIMES = 4  # locks after each ply
LASTS, PAUSE = 1.5, 0.4  # seconds
KILLED_AT = (0, 2)  # plies
FOR_LONG = 600  # seconds, at another ply: until somebody was told to come again
COPIES = (
    2 * 2 * len(KILLED_AT)
)  # each of two threads may have handed over both letters of a move, and marked none
LOCKED = "database is locked"


@pytest.fixture
def play(house: House) -> Play:
    house.env |= {"DATABASE_URL": f"{house.database}?timeout={TIMEOUT}", "LEASE_SECONDS": "10"}
    return begun(house)


def served(house: House) -> Process:
    """Started until it runs, as systemd does: it says in a line that it cannot use the database, and ends."""

    def started() -> Process | None:
        service = house.start("manage.py", "serve")
        wait_until(lambda: "web on " in service.said or service.ended is not None, "a service, or its end")
        if service.ended is None:
            return service
        assert LOCKED in service.said, service.said
        return None

    return wait_until(started, "a service that runs")


def locked(house: House, times: int = TIMES, lasts: float = LASTS) -> Process:
    """From now on, again and again."""
    file = house.database.removeprefix("sqlite:///")
    locker = house.start(str(LOCKER), file, str(times), str(lasts), str(PAUSE))
    locker.is_ready("locked")
    return locker


def was_in_hand(play: Play) -> bool:
    """Whether a letter was, while the database was locked. If none was, another one comes."""
    logs = "".join(log.read_text() for log in play.house.folder.glob("*.log"))
    if f"later: {LOCKED}" in logs:
        return True
    play.move(play.alice, play.numbers[0], "SAY: What a fine day it is!")
    locked(play.house).status()
    wait_until(play.alice.try_again, "all letters taken")
    play.quiet()
    return False


def test_a_locked_database_costs_nobody_a_letter_or_a_move(play: Play) -> None:
    house, rng = play.house, Random(3)
    service = served(house)
    play.quiet()
    for ply, text in enumerate(OPENING):
        player = (play.alice, play.bruno)[ply % 2]
        locker = locked(house) if ply in KILLED_AT else locked(house, times=1, lasts=FOR_LONG)
        writing = threading.Thread(target=play.move_everywhere, args=(player, text))
        writing.start()
        if ply in KILLED_AT:
            time.sleep(rng.uniform(LASTS, 3 * LASTS))  # this is the time that is meant to be any
            assert service.end(signal.SIGKILL) == -signal.SIGKILL
            service = served(house)
            assert locker.status() == 0, locker.said
        else:
            wait_until(partial(player.refusals.count, 451), "somebody is told to come again")
            locker.stop()
        writing.join()
        wait_until(player.try_again, "all letters taken")
        play.quiet()
    wait_until(lambda: was_in_hand(play), "a letter in hand while the database is locked")

    play.check(OPENING, extra_copies=COPIES)
    refusals = play.alice.refusals + play.bruno.refusals
    assert all(400 <= code < 500 for code in refusals), refusals
    with house.rows():
        for rows in (InboundMail, OutboundMail):
            most = rows.objects.aggregate(most=Max("attempts"))["most"]
            assert most <= 1 + len(KILLED_AT), f"{rows.__name__}: a lock was taken for an attempt"
