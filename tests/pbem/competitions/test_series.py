"""Leagues and self-starting series: one edition after the other."""

from datetime import timedelta

import pytest

from pbem.competitions.entries import enter, leave
from pbem.competitions.models import Competition, Edition, Entrant
from pbem.competitions.rounds import BETWEEN_SEASONS
from pbem.matches.models import Match
from pbem.refusals import Refused
from tests.mail_fixtures import MORNING
from tests.pbem.competitions.played import end, opened, people, play_on, swept

pytestmark = pytest.mark.django_db
State = Entrant.State


def waiting() -> set[str]:
    rows = Entrant.objects.filter(edition=None, state=State.ENTERED)
    return set(rows.values_list("player__name", flat=True))


@pytest.mark.prove
def test_a_league_over_two_seasons() -> None:
    players = people(20)
    contest = opened("league", players, size=10, moving=2)
    swept()
    first = Edition.objects.get()
    assert [(table.label, table.name) for table in first.tables.order_by("pk")] == [
        ("1", "Cup of league 1 1"),
        ("2", "Cup of league 1 2"),
    ]
    assert Match.objects.count() == 90
    enter(contest, players[4], always=False, now=MORNING)  # plays on, and not again
    now = play_on(lambda match: int(match.seated[0].player_id < match.seated[1].player_id), rounds=2)
    first.refresh_from_db()
    assert first.ended_at
    assert len(waiting()) == 19
    contest.refresh_from_db()
    assert contest.begins_at == first.ended_at + BETWEEN_SEASONS
    enter(contest, people(1, 30)[0], now=now)
    now = swept(first.ended_at + BETWEEN_SEASONS)
    second = Edition.objects.get(number=2)
    above = set(second.entrants.filter(division=1).values_list("player__name", flat=True))
    assert above >= {"Player19", "Player20"}
    assert len(above) == 10
    assert above >= {"Player03", "Player04", *(f"Player{number:02}" for number in range(6, 11))}
    assert "Player02" not in above  # one who went down has the place of who left
    assert second.entrants.get(player__name="Player30").division == 2
    assert Match.objects.filter(tournament__edition=second).count() == 90


def test_a_series_begins_when_enough_are_in() -> None:
    players = people(8)
    contest = opened("self_starting", players[:3], begins=None, size=4)
    swept()
    assert not Match.objects.exists()
    enter(contest, players[3], always=True, now=MORNING)
    now = swept(MORNING + timedelta(hours=1))
    assert Match.objects.count() == 6
    assert waiting() == {"Player04"}
    for player in players[4:7]:
        enter(contest, player, now=now)
    enter(contest, players[0], now=now + timedelta(hours=1))  # who plays may enter the next
    with pytest.raises(Refused, match="entered_already"):
        enter(contest, players[0], now=now)
    swept(now + timedelta(days=6))
    assert Edition.objects.count() == 1
    swept(now + timedelta(days=7))
    assert Edition.objects.count() == 2
    assert {entrant.player.name for entrant in Edition.objects.get(number=2).entrants.all()} == {
        "Player04",
        "Player05",
        "Player06",
        "Player07",
    }
    assert waiting() == {"Player04", "Player01"}


def test_sleepers_are_taken_off() -> None:
    players = people(4)
    contest = opened("self_starting", (), begins=None, size=4)
    for player in players:
        enter(contest, player, always=True, now=MORNING)
    now = swept()
    for match in Match.objects.all():
        sleeper = next((seat.side for seat in match.seated if seat.player == players[2]), None)
        end(match, 0 if sleeper is None else 1 - sleeper, now, "resigned" if sleeper is None else "time")
    swept(now + timedelta(days=1))
    assert waiting() == {"Player01", "Player02", "Player04"}
    assert set(Entrant.objects.filter(player=players[2]).values_list("state", flat=True)) == {State.ASLEEP}
    enter(contest, players[2], now=now)  # they may come back
    assert Competition.objects.get().closed_at is None


def test_who_leaves_the_list_plays_on() -> None:
    players = people(3)
    contest = opened("self_starting", (), begins=None, size=3)
    for player in players:
        enter(contest, player, always=True, now=MORNING)
    swept()
    assert leave(contest, players[0], now=MORNING).edition is None
    assert waiting() == {"Player02", "Player03"}
    assert Match.objects.filter(status="playing").count() == 3
