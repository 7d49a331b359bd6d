"""A small season: a few matches, in a few weeks; and what the invariants find where rows are changed by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta

from django.db import transaction
from django.db.models import F

from pbem.inbox.models import InboundMail
from pbem.matches.models import Match, Seat, Turn
from pbem.outbox.models import OutboundMail
from tests.post import Post
from tests.season.invariants import (
    INVARIANTS,
    Invariant,
    both_hear_of_every_move,
    broken,
    clocks_agree_with_the_obvious_one,
    every_letter_has_a_verdict,
    every_letter_left,
    nobody_gets_a_letter_twice,
    nobody_gets_the_letter_of_another,
    nobody_loses_on_time_who_had_some,
    nobody_plays_on_without_time,
    the_record_replays,
    turns_are_contiguous,
)
from tests.season.plan import Plan
from tests.season.season import Season

PLAN = Plan(players=8, matches=10, days=25, seed=1)


def _charge_too_little(season: Season) -> None:
    Seat.objects.filter(bank_used__gt=timedelta(days=1)).update(bank_used=F("bank_used") - timedelta(hours=9))


def _flag_somebody(season: Season) -> None:
    Match.objects.filter(status="over").exclude(reason="time").update(reason="time", winner=0)


def _allow_less_time(season: Season) -> None:
    Match.objects.exclude(reason="time").update(terms={"clock": "1h/move"})


def _write_twice(season: Season) -> None:
    season.notes.log.append(season.notes.log[5])


def _mix_up(season: Season) -> None:
    first, other = (
        season.notes.log[3],
        next(posted for posted in season.notes.log if posted.to != season.notes.log[3].to),
    )
    season.notes.log.append(type(first)(other.to, first.message_id, first.at))


def _open_none(season: Season) -> None:
    InboundMail.objects.update(verdict="")


def _send_none(season: Season) -> None:
    OutboundMail.objects.update(status="waiting")


def _tell_nobody(season: Season) -> None:
    OutboundMail.objects.filter(kind="turn").update(sections=[])


def _lose_a_turn(season: Season) -> None:
    Turn.objects.filter(ply=1).update(ply=1000)


def _move_a_piece(season: Season) -> None:
    Match.objects.filter(ply__gt=2).update(position="somewhere else")


# What is done, and the invariant that must find it.
CONTROLS: Mapping[Callable[[Season], None], Invariant] = {
    _open_none: every_letter_has_a_verdict,
    _send_none: every_letter_left,
    _write_twice: nobody_gets_a_letter_twice,
    _mix_up: nobody_gets_the_letter_of_another,
    _tell_nobody: both_hear_of_every_move,
    _lose_a_turn: turns_are_contiguous,
    _move_a_piece: the_record_replays,
    _charge_too_little: clocks_agree_with_the_obvious_one,
    _flag_somebody: nobody_loses_on_time_who_had_some,
    _allow_less_time: nobody_plays_on_without_time,
}


def test_a_season_and_what_would_be_wrong_with_it(post: Post) -> None:
    season = Season(PLAN)
    season.play()
    assert season.moves > 50
    assert Match.objects.filter(status="over").exclude(reason="time").exists()
    assert broken(season) == {}
    assert set(CONTROLS.values()) == set(INVARIANTS)
    for sabotage, invariant in CONTROLS.items():
        log = list(season.notes.log)
        with transaction.atomic():
            sabotage(season)
            assert list(invariant(season)), sabotage
            transaction.set_rollback(True)
        season.notes.log[:] = log
