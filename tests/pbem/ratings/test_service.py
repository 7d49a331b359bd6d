"""Ratings follow from the rated matches, whatever happens to these afterwards."""

from datetime import timedelta
from io import StringIO
from random import Random

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from pbem.admin.people.erasure import erase
from pbem.admin.people.services import merge
from pbem.matches.arbitration import adjudicate, void
from pbem.matches.models import Event, Match
from pbem.matches.offers import roll_back
from pbem.matches.services import play, resign, start
from pbem.matches.terms import Terms
from pbem.players.models import Player
from pbem.ratings.models import RatedGame, Rating
from pbem.ratings.service import differences, rebuild
from tests.examples import examples
from tests.mail_fixtures import MORNING, Correspondent
from tests.pbem.ratings.conftest import Ended, tell

pytestmark = pytest.mark.django_db
Kind = Event.Kind


def now_of(game: str = "loa") -> dict[tuple[str, str], tuple[float, ...]]:
    rows = Rating.objects.filter(pool__startswith=game).select_related("player")
    return {
        (row.player.name, row.pool): (row.rating, row.deviation, row.volatility, row.matches) for row in rows
    }


def test_the_history_is_the_proof(ended: Ended) -> None:
    for day, (first, second, winner) in enumerate([(0, 1, 0), (1, 2, None), (0, 2, 1), (0, 1, 0)]):
        ended(first, second, winner, day=30 * day)
    rows = list(RatedGame.objects.order_by("at").select_related("match"))
    assert rows[3].before[0] == rows[2].after[0], "Alice's fourth match begins where her third ended"
    assert rows[3].before[1] == rows[1].after[0]
    assert rows[3].after[0] == list(now_of()["Alice", "loa"][:3])
    assert list(differences("loa")) == []


def test_swapping_the_seats_mirrors_the_result(ended: Ended) -> None:
    ended(0, 1, 0), ended(0, 1, 1), ended(0, 1, None), ended(0, 1, 0)
    seen = now_of()
    Match.objects.all().delete()
    rebuild("loa")
    assert now_of() == {}
    ended(1, 0, 1), ended(1, 0, 0), ended(1, 0, None), ended(1, 0, 1)
    assert now_of() == seen


def test_another_variant_begins_with_the_best_founded_of_the_game(ended: Ended) -> None:
    for day in range(30):
        ended(0, 1 + day % 4, 0, day=day)
    known = Rating.objects.get(player__name="Alice")
    match = ended(0, 1, 1, day=31, game="loa:6x6")
    rating, deviation, volatility = RatedGame.objects.get(match=match).before[0]
    assert (rating, deviation, volatility) == (known.rating, 200.0, known.volatility)
    match = ended(0, 1, 1, day=32, game="zertz")
    assert RatedGame.objects.get(match=match).before[0] == [1500.0, 350.0, 0.06], "another game"
    assert list(differences("loa")) == []


@examples(12)
@given(st.integers(0, 2**32))
def test_a_season_computed_anew_is_the_season_as_it_was_told(
    ended: Ended, players: list[Player], seed: int
) -> None:
    """With matches that end late, are taken back, declared void or decided again."""
    Match.objects.all().delete()
    Rating.objects.all().delete()
    rng = Random(seed)
    known: list[Match] = []
    for step in range(16):
        if known and rng.random() < 0.25:
            match = known.pop(rng.randrange(len(known)))
            tell(match, rng.choice([Kind.UNDONE, Kind.VOIDED]), MORNING)
            assert not RatedGame.objects.filter(match=match).exists()
            if rng.random() < 0.5:
                match.winner, match.ended_at = rng.choice([None, 0, 1]), MORNING + timedelta(days=3 * step)
                match.save()
                tell(match, Kind.ENDED, match.ended_at)
                known.append(match)
            continue
        one, other = rng.sample(range(5), 2)
        game = rng.choice(["loa", "loa", "loa:6x6", "zertz"])
        day = 3 * step - rng.choice([0, 0, 0, 20])
        known.append(ended(one, other, rng.choice([None, 0, 1]), day=day, game=game))
    for game in ("loa", "zertz"):
        assert list(differences(game)) == []
        before = now_of(game)
        assert rebuild(game) == 0
        assert now_of(game) == before


def test_check_says_what_does_not_follow_and_rebuild_mends_it(ended: Ended) -> None:
    match = ended()
    ended(1, 2)
    said = StringIO()
    call_command("rate", check=True, stdout=said)
    assert "Every rating follows" in said.getvalue()
    Rating.objects.filter(player__name="Carla").delete()
    RatedGame.objects.filter(match=match).update(after=[[1600, 300, 0.06], [1400, 300, 0.06]])
    said = StringIO()
    with pytest.raises(CommandError, match="2 rows"):
        call_command("rate", check=True, stdout=said)
    assert f"loa: match {match.pk}" in said.getvalue()
    call_command("rate", rebuild=True, stdout=StringIO())
    call_command("rate", check=True, stdout=StringIO())


@pytest.fixture
def played(alice: Correspondent, bruno: Correspondent) -> Match:
    match = start(
        first=alice.player,
        second=bruno.player,
        game="loa",
        terms=Terms(rated=True),
        now=MORNING,
        rng=Random(1),
    )
    for _ in range(4):
        assert match.moving
        play(match.moving, str(next(match.current().moves())), now=MORNING)
        match = Match.objects.get(pk=match.pk)
    return match


def test_taken_back_void_and_decided(played: Match) -> None:
    resign(played.seated[0], now=MORNING)
    assert {round(rating) for rating, *_ in now_of().values()} == {1662, 1338}
    match = Match.objects.get(pk=played.pk)
    roll_back(match, 4, side=None, now=MORNING)
    assert now_of() == {}
    match = Match.objects.get(pk=played.pk)
    adjudicate(match, None, reason="the board is lost", now=MORNING)
    assert RatedGame.objects.get().uncounted == "decided"
    assert now_of() == {}
    roll_back(Match.objects.get(pk=played.pk), 4, side=None, now=MORNING)
    resign(Match.objects.get(pk=played.pk).seated[1], now=MORNING)
    assert now_of()["Alice", "loa"][0] > 1600
    void(Match.objects.get(pk=played.pk), reason="it was not they", now=MORNING)
    assert now_of() == {}
    assert not RatedGame.objects.exists()


def test_two_players_made_one_and_one_forgotten(ended: Ended, players: list[Player]) -> None:
    alice, _, carla, *_ = players
    ended(0, 1, 0, day=1), ended(2, 1, 0, day=2), ended(2, 3, 1, day=3), ended(0, 3, 1, day=4)
    merge(alice, carla, now=timezone.now())
    assert list(differences("loa")) == []
    assert now_of()["Alice", "loa"][3] == 4
    before = now_of()["Bruno", "loa"]
    erase(alice, now=timezone.now())
    assert list(differences("loa")) == []
    assert now_of()["Bruno", "loa"] == before
