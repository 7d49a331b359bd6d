"""Editions and rounds begin and end by themselves, once."""

from datetime import timedelta

import pytest

from pbem.competitions.entries import enter, leave
from pbem.competitions.models import Competition, Entrant
from pbem.competitions.rounds import begin_edition, preview
from pbem.competitions.standings import lines
from pbem.matches.models import Match, Tournament
from pbem.refusals import Code, Refused
from tests.mail_fixtures import MORNING
from tests.pbem.competitions.played import end, opened, people, play_on, swept

pytestmark = pytest.mark.django_db
State = Entrant.State


def test_a_round_robin_from_the_first_day_to_the_places() -> None:
    contest = opened("round_robin", people(4), begins=MORNING + timedelta(hours=1))
    swept()
    assert not Match.objects.exists()  # its time has not come
    now = swept(MORNING + timedelta(hours=1))
    swept(now)
    assert Match.objects.count() == 6  # pressed twice does nothing
    assert Tournament.objects.get().begun == 1
    edition = Competition.objects.get().editions.get()
    play_on(now=now)
    edition.refresh_from_db()
    assert edition.ended_at is not None
    assert Competition.objects.get().closed_at is not None
    assert list(
        edition.entrants.order_by("place").values_list("player__name", "place", "points", "state")
    ) == [
        ("Player01", 1, 3.0, State.FINISHED),
        ("Player02", 2, 2.0, State.FINISHED),
        ("Player03", 3, 1.0, State.FINISHED),
        ("Player04", 4, 0.0, State.FINISHED),
    ]
    assert [line.place for line in lines(edition)] == [1, 2, 3, 4]
    with pytest.raises(Refused, match="entries_closed"):
        enter(contest, people(1, 9)[0], now=now)


def test_rounds_follow_when_all_matches_of_one_are_over() -> None:
    opened("swiss", people(6), length=3)
    swept()
    assert list(Match.objects.values_list("round", flat=True)) == [1, 1, 1]
    one, *others = Match.objects.all()
    for match in others:
        end(match, 0)
    swept()
    assert Match.objects.count() == 3
    end(one, None)
    swept()
    assert Match.objects.filter(round=2).count() == 3
    play_on()
    assert Match.objects.count() == 9
    assert Entrant.objects.filter(place=1).exists()


def test_too_few_players_wait() -> None:
    players = people(4)
    contest = opened("groups", players[:3])
    swept()
    assert not Match.objects.exists()
    with pytest.raises(Refused) as refused:
        preview(contest, MORNING)
    assert (refused.value.code, refused.value.facts["text"]) == (Code.WRONG_NUMBER, "3, 4-64")
    enter(contest, players[3], now=MORNING)
    shown = preview(contest, MORNING)
    swept()
    assert len(shown.pairs) == Match.objects.count() == 6
    assert {frozenset(pair[:2]) for pair in shown.pairs} == {
        frozenset(match.players) for match in Match.objects.all()
    }
    assert {table for _, _, table in shown.pairs} == {"A"}


def test_who_leaves_before_it_begins_is_not_paired() -> None:
    players = people(4)
    contest = opened("round_robin", players)
    assert leave(contest, players[0], now=MORNING).state == State.LEFT
    with pytest.raises(Refused, match="not_entered"):
        leave(contest, players[0], now=MORNING)
    swept()
    assert Match.objects.count() == 3
    with pytest.raises(Refused, match="entries_closed"):
        begin_edition(contest, now=MORNING, rng=None)  # type: ignore[arg-type]


def test_one_contest_that_fails_keeps_no_other_waiting(caplog: pytest.LogCaptureFixture) -> None:
    broken = opened("round_robin", people(2))
    Competition.objects.filter(pk=broken.pk).update(settings={"colour": 1}, name="broken")
    opened("round_robin", people(3, 5))
    swept()
    assert Match.objects.count() == 3
    assert f"contest {broken.pk}" in caplog.text


@pytest.mark.parametrize(
    ("unfinished", "winner"), [("half", None), ("time", 1), ("clock", ...), ("organiser", ...)]
)
def test_what_is_unfinished_when_the_days_of_a_round_are_over(unfinished: str, winner: object) -> None:
    opened("round_robin", people(2), days=30, unfinished=unfinished)
    now = swept()
    swept(now + timedelta(days=29))
    match = Match.objects.get()
    assert match.status == "playing"
    swept(now + timedelta(days=30))
    match = Match.objects.get()
    if winner is ...:
        assert match.status == "playing"
    else:
        assert (match.status, match.reason, match.winner) == ("over", "adjudicated", winner)
        assert Competition.objects.get().closed_at is not None


def test_less_time_used_wins() -> None:
    contest = opened("round_robin", people(2), days=30, unfinished="time")
    Competition.objects.filter(pk=contest.pk).update(terms={"clock": "90d"})
    now = swept()
    match = Match.objects.get()
    seat = match.seats.get(side=1)
    seat.bank_used = timedelta(days=31)  # the other is to move, and has used the thirty days since
    seat.save()
    swept(now + timedelta(days=30))
    match = Match.objects.get()
    assert match.winner == 0
