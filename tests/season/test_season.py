"""A small season: a few matches, in a few weeks; and what the invariants find where rows are changed by hand."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import transaction
from django.db.models import F

from pbem.inbox.models import InboundMail
from pbem.matches.models import Event, Match, Seat, Turn
from pbem.outbox.models import OutboundMail
from pbem.players.models import Absence
from pbem.robots.models import EngineJob
from tests.mail_fixtures import Post
from tests.season.evidence import fingerprint, keep
from tests.season.honest import LEAKED, LOST, UNSAID, WRONG, Sent, fate_of
from tests.season.invariants import (
    INVARIANTS,
    Invariant,
    absences_are_as_they_were_announced,
    arrivals_are_as_they_were_noted,
    both_hear_of_every_move,
    broken,
    clocks_agree_with_the_obvious_one,
    every_letter_has_a_verdict,
    every_letter_left,
    nobody_gets_a_letter_twice,
    nobody_gets_the_letter_of_another,
    nobody_loses_on_time_who_had_moved,
    nobody_loses_on_time_who_had_some,
    nobody_plays_on_without_time,
    the_record_replays,
    turns_are_contiguous,
)
from tests.season.meaning import CHALLENGE, RESIGN
from tests.season.notes import Handed
from tests.season.plan import Plan
from tests.season.season import Season
from tests.season.talkative import Talkative

pytestmark = pytest.mark.prove

FOLDER = Path("var", "season", "test")
PLAN = Plan(players=8, matches=10, days=25, seed=1)


def _charge_too_little(season: Season) -> None:
    Seat.objects.filter(bank_used__gt=timedelta(days=1)).update(bank_used=F("bank_used") - timedelta(hours=9))


def _flag_somebody(season: Season) -> None:
    Match.objects.filter(status="over").exclude(reason="time").update(reason="time", winner=0)


def _allow_less_time(season: Season) -> None:
    Match.objects.exclude(reason="time").update(terms={"clock": "1h/move"})


def _refund_an_absence(season: Season) -> None:
    """It is longer in the table than its player has said."""
    Absence.objects.update(until=F("until") + timedelta(days=1))


def _forget_an_outage(season: Season) -> None:
    Seat.objects.filter(bank_used__gt=timedelta(days=1)).update(bank_used=F("bank_used") + timedelta(hours=3))


def _receive_late(season: Season) -> None:
    InboundMail.objects.filter(pk__gt=5).update(received_at=F("received_at") + timedelta(hours=1))


def _lose_a_move(season: Season) -> None:
    """It came at once, and the match was lost all the same."""
    for match in Match.objects.filter(status="over", reason="resigned", ply__gt=3):
        clock_began = season.notes.matches[match.pk][-2].at
        loser = season.notes.seats[match.pk][1 - (match.winner or 0)]
        season.notes.moves[match.pk, match.ply, loser].append(
            Handed(clock_began, believed=True, answers=clock_began)
        )
        Match.objects.filter(pk=match.pk).update(reason="time")


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
    _forget_an_outage: clocks_agree_with_the_obvious_one,
    _refund_an_absence: absences_are_as_they_were_announced,
    _receive_late: arrivals_are_as_they_were_noted,
    _lose_a_move: nobody_loses_on_time_who_had_moved,
    _flag_somebody: nobody_loses_on_time_who_had_some,
    _allow_less_time: nobody_plays_on_without_time,
}


def test_a_season_and_what_would_be_wrong_with_it(post: Post) -> None:
    season = Season(PLAN)
    season.play()
    assert season.moves > 50
    assert Match.objects.filter(status="over").exclude(reason="time").exists()
    if found := broken(season):
        keep(season, found, FOLDER)
    assert found == {}, f"rows, notes and how to play it again: {FOLDER}"
    assert set(CONTROLS.values()) == set(INVARIANTS)
    for sabotage, invariant in CONTROLS.items():
        log = list(season.notes.log)
        with transaction.atomic():
            sabotage(season)
            assert list(invariant(season)), sabotage
            transaction.set_rollback(True)
        season.notes.log[:] = log


def test_the_same_seed_gives_the_same_season(post: Post) -> None:
    plan = Plan(players=4, matches=2, days=6, seed=7, talkative=True)
    assert _played(plan) == _played(plan) != _played(replace(plan, seed=8))


def test_robots_play_a_season_with_people_and_nobody_is_wronged(post: Post) -> None:
    season = Season(Plan(players=6, matches=10, days=20, seed=4, robots=0.6))
    season.play()
    assert broken(season) == {}
    with_robots = Match.objects.filter(seats__player__robot__isnull=False)
    assert with_robots.filter(status="over").count() >= 3
    assert EngineJob.objects.filter(status="done", kind="move").count() > 20
    assert not EngineJob.objects.waiting().exists()


def test_people_who_talk_are_understood_and_what_is_not_done_is_found(post: Post) -> None:
    season = Season(Plan(players=4, matches=4, days=10, seed=3, talkative=True))
    season.play()
    assert broken(season) == {}
    assert isinstance(season.acting, Talkative)
    fates = season.acting.honest.fates
    assert {fate.language for fate in fates} == {"en", "it"}
    assert not any({LOST, WRONG} & fate.found for fate in fates)
    move = next(fate for fate in fates if fate.meaning.move and fate.meaning.words and not fate.found)
    for said, found in (
        (replace(move.meaning, move="z9-z8"), LOST),
        (replace(move.meaning, kind=RESIGN, move=""), LOST),
        (replace(move.meaning, words=("What nobody has heard",)), UNSAID),
        (replace(move.meaning, below=move.meaning.words), LEAKED),
        (replace(move.meaning, kind=CHALLENGE), WRONG),
    ):
        assert fate_of(move.letter, Sent(said, "en", "", move.typed), "ok", {}).found >= {found}, said


def test_a_failing_season_leaves_its_seed_and_its_rows(post: Post, tmp_path: Path) -> None:
    season = Season(Plan(players=3, matches=1, days=3, seed=5))
    season.play()
    _fail_a_conditional_line(season)
    assert broken(season) == {}
    keep(season, {"nobody_is_wronged": ["somebody was"]}, tmp_path / "season")
    told = (tmp_path / "season" / "exceptions.txt").read_text()
    assert "SEED=5" in told
    assert "nobody_is_wronged: somebody was" in told
    with closing(sqlite3.connect(tmp_path / "season" / "rows.sqlite3")) as rows:
        assert rows.execute("SELECT count(*) FROM players_player WHERE robot IS NULL").fetchone() == (3,)


def _fail_a_conditional_line(season: Season) -> None:
    """An event of a move tells of it, though no turn was played."""
    for entries in season.notes.matches.values():
        entries.append(replace(entries[-1], kind=Event.Kind.MOVED, at=season.post.now, played=()))


def _played(plan: Plan) -> str:
    with transaction.atomic():
        Season(plan).play()
        told = fingerprint()
        transaction.set_rollback(True)
    return told
