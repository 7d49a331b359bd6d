"""Ladders and hills as rows: challenges, what they move, idling, the crown."""

from datetime import datetime, timedelta
from random import Random

import pytest

from pbem.competitions.challenges import challenge, reigns
from pbem.competitions.entries import enter, leave
from pbem.competitions.models import Challenge, Edition
from pbem.competitions.standings import order
from pbem.matches.models import Match
from pbem.matches.services import accept, decline
from pbem.players.models import Absence, Player
from pbem.refusals import Refused
from tests.mail_fixtures import MORNING
from tests.pbem.competitions.played import end, opened, people, swept

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture
def ladder() -> list[Player]:
    players = people(6)
    opened("ladder", players)
    swept()
    return players


def names() -> str:
    known = Player.objects.in_bulk()
    return "".join(known[player].name[-1] for player in order(Edition.objects.get()))


def challenged(players: list[Player], challenger: int, other: int, now: datetime = MORNING) -> Match:
    contest = Edition.objects.get().contest
    return challenge(contest, players[challenger - 1], players[other - 1], now=now, rng=Random(1))


def won_by(match: Match, player: Player, now: datetime) -> None:
    seat = next(each for each in match.seated if each.player_id != match.proposer_id)
    accept(seat, now=now)
    end(match, next(each.side for each in match.seated if each.player_id == player.pk), now)


def test_the_winner_takes_the_place(ladder: list[Player]) -> None:
    assert names() == "123456"
    match = challenged(ladder, 5, 2)
    assert (match.status, match.proposer, match.tournament.name) == ("proposed", ladder[4], "Cup of ladder")
    with pytest.raises(Refused, match="challenge_running"):
        challenged(ladder, 5, 3)
    with pytest.raises(Refused, match="too_far_above"):
        challenged(ladder, 6, 1)
    won_by(match, ladder[4], MORNING + DAY)
    swept(MORNING + DAY)
    assert names() == "152346"
    swept(MORNING + DAY)
    assert names() == "152346"
    assert Challenge.objects.get().succeeded
    with pytest.raises(Refused, match="challenged_lately"):
        challenged(ladder, 2, 5, MORNING + 2 * DAY)
    won_by(challenged(ladder, 2, 1, MORNING + 2 * DAY), ladder[0], MORNING + 3 * DAY)
    swept(MORNING + 3 * DAY)
    assert names() == "152346"


def test_whoever_does_not_answer_gives_the_place(ladder: list[Player]) -> None:
    match = challenged(ladder, 3, 2)
    swept(MORNING + 6 * DAY)
    assert names() == "123456"
    swept(MORNING + 7 * DAY)
    match.refresh_from_db()
    assert match.status == "declined"
    assert names() == "132456"
    declined = challenged(ladder, 5, 4, MORNING + 7 * DAY)
    decline(next(s for s in declined.seated if s.player == ladder[4]), now=MORNING + 8 * DAY)  # taken back
    swept(MORNING + 8 * DAY)
    assert names() == "132456"


def test_idle_players_go_down_and_an_absence_freezes(ladder: list[Player]) -> None:
    away = Absence.objects.create(
        player=ladder[1], since=MORNING, until=MORNING + 90 * DAY, created_at=MORNING
    )
    late = MORNING + 60 * DAY
    Edition.objects.get().entrants.exclude(player__in=ladder[:2]).update(played_at=late)
    with pytest.raises(Refused, match="away_from_ladder"):
        challenged(ladder, 3, away.player.pk and 2)
    swept(late)
    assert names() == "234156"
    swept(late + DAY)
    assert names() == "234156"


def test_who_comes_and_who_leaves(ladder: list[Player]) -> None:
    contest = Edition.objects.get().contest
    enter(contest, people(1, 7)[0], now=MORNING)
    assert names() == "1234567"
    match = challenged(ladder, 4, 3)
    leave(contest, ladder[2], now=MORNING)
    assert names() == "124567"
    match.refresh_from_db()
    assert match.status == "void"
    swept(MORNING + DAY)
    assert names() == "124567"
    assert list(
        Edition.objects.get().entrants.filter(position__isnull=False).values_list("position", flat=True)
    ) == [*range(1, 7)]


def test_the_king_of_the_hill() -> None:
    players = people(3)
    opened("hill", players)
    now = swept()
    match = Match.objects.get()
    assert {seat.player for seat in match.seated} == set(players[:2])
    swept(now)
    assert Match.objects.count() == 1
    end(match, next(seat.side for seat in match.seated if seat.player == players[1]), now + 10 * DAY)
    swept(now + 10 * DAY)
    assert names()[0] == "2"
    second = Match.objects.latest("pk")
    assert {seat.player for seat in second.seated} == {players[1], players[2]}
    end(second, None, now + 15 * DAY)  # the crown stays
    swept(now + 15 * DAY)
    assert names()[0] == "2"
    assert reigns(Edition.objects.get(), now + 30 * DAY) == {players[0].pk: 10, players[1].pk: 20}
    assert {seat.player for seat in Match.objects.latest("pk").seated} == {players[0], players[1]}
