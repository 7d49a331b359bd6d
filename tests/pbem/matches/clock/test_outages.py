"""The rows that outages write, and those that they leave alone."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from pbem.matches.clock.outages import coming_back, credit_gap, end, write
from pbem.matches.models import Component, ExemptInterval, Outage, Reason
from tests.mail_fixtures import MORNING

MINUTE, HOUR, SECOND = timedelta(minutes=1), timedelta(hours=1), timedelta(seconds=1)


@pytest.mark.parametrize(
    ("away", "back"),
    [
        (SECOND, 40 * MINUTE),
        (30 * MINUTE, 40 * MINUTE),
        (30 * MINUTE + SECOND, 75 * MINUTE),
        (2 * HOUR, 75 * MINUTE),
        (2 * HOUR + SECOND, 6 * HOUR),
    ],
)
def test_how_long_letters_still_arrive(away: timedelta, back: timedelta) -> None:
    assert coming_back(away) == back


def rows(why: Reason | None = None) -> set[tuple[datetime, datetime | None]]:
    found = ExemptInterval.objects.all() if why is None else ExemptInterval.objects.filter(why=why)
    return set(found.values_list("since", "until"))


@pytest.mark.parametrize("until", [MORNING - HOUR, MORNING])
def test_a_gap_of_no_time_gives_nothing(db: None, until: datetime) -> None:
    assert credit_gap(MORNING, until, now=MORNING) == 0
    assert rows() == set()


def test_the_same_gap_is_written_once_and_another_beside_it(db: None) -> None:
    for why, until in (
        (Reason.RESTORE, MORNING + HOUR),
        (Reason.RESTORE, MORNING + HOUR),
        (Reason.RESTORE, MORNING + 2 * HOUR),
        (Reason.OUTAGE, MORNING + HOUR),
        (Reason.OUTAGE, MORNING + HOUR),
    ):
        assert credit_gap(MORNING, until, why=why, now=until) == 0, "nobody plays"
    assert ExemptInterval.objects.filter(why=Reason.RESTORE).count() == 2
    assert ExemptInterval.objects.filter(why=Reason.OUTAGE).count() == 1
    assert ExemptInterval.objects.filter(why=Reason.TRANSIT).count() == 2, "one for each end"


def test_told_again_it_is_the_same_outage(db: None) -> None:
    for _ in range(2):
        write(MORNING, MORNING + HOUR, component=Component.DOOR, now=MORNING + HOUR)
    assert ExemptInterval.objects.count() == 2, "the outage, and what comes back after it"


def test_where_nothing_was_written_of_a_time_to_come_there_is_nothing_to_end(db: None) -> None:
    end(Component.DOOR, MORNING)
    assert rows() == set()


def test_of_a_time_to_come_nothing_is_left_and_of_all_other_times_everything(db: None) -> None:
    """The machine's clock was ahead: this part had written of a time that is not yet over, and of one to come."""
    now = MORNING + 10 * HOUR
    before = {(MORNING, MORNING + HOUR), (now - HOUR, now + HOUR)}
    write(MORNING, MORNING + HOUR, component=Component.WORKER, now=now)
    write(now - HOUR, now + HOUR, component=Component.DOOR, now=now)
    write(now - 2 * HOUR, now + 20 * HOUR, component=Component.WORKER, now=now)
    write(now + 5 * HOUR, now + 6 * HOUR, component=Component.WORKER, now=now)
    end(Component.WORKER, now)
    assert set(Outage.objects.values_list("since", "until")) == {*before, (now - 2 * HOUR, now)}
    assert rows(Reason.TRANSIT) == {
        (MORNING + HOUR, MORNING + HOUR + 75 * MINUTE),
        (now, now + 75 * MINUTE),
        (now + HOUR, now + HOUR + 6 * HOUR),  # of three hours, for there was no pause between the two
    }


def test_an_outage_that_begins_now_was_none(db: None) -> None:
    write(MORNING, MORNING + HOUR, component=Component.WORKER, now=MORNING + HOUR)
    end(Component.WORKER, MORNING)
    assert rows() == set()
