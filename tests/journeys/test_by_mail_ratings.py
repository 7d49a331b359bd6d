"""Ratings by mail: agreed on in a challenge, told with the result, asked for, and left out where they do not count."""

import pytest

from pbem.matches.arbitration import void
from pbem.matches.models import Match
from pbem.matches.offers import roll_back
from pbem.ratings.models import RatedGame, Rating
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, unwrapped
from tests.players_fixtures import Begin

MOVES = ("b1-b3", "a2-c2", "b3-b1", "c2-a2")


def played(
    begin_by_letter: Begin, alice: Correspondent, bruno: Correspondent, game: str, moves: int = 4
) -> Match:
    match = begin_by_letter(game)
    for number, move in enumerate(MOVES[:moves]):
        (bruno if number % 2 else alice).writes(f"{match.pk} {move}")
    alice.reads(), bruno.reads()
    return match


def test_the_opponents_in_answer_to_a_letter_of_the_match(
    begin_by_letter: Begin, alice: Correspondent, bruno: Correspondent
) -> None:
    match = played(begin_by_letter, alice, bruno, "loa rated")
    alice.writes(f"RESIGN {match.pk}")
    alice.answers(alice.letter, "YES RESIGN")
    begin_by_letter("zertz")
    turn = alice.letter
    for said in ("RATING opponent", "rating opponent", "PUNTEGGIO AVVERSARIO"):
        alice.answers(turn, said)
        assert "The ratings of Bruno: Lines of Action: 1662" in unwrapped(alice.letter.text), said
    alice.writes("RATING opponent")
    assert alice.letter.kind == "refused", "of whom?"


def test_a_rated_match_from_the_challenge_to_the_list(
    begin_by_letter: Begin, alice: Correspondent, bruno: Correspondent
) -> None:
    alice.writes("RATING")
    assert "You have no rating yet." in unwrapped(alice.letter.text)
    assert bruno.writes("CLASSIFICA loa").verdict == Code.NO_RATINGS
    assert alice.writes("RATING Bruno").verdict == Code.NO_RATINGS
    match = played(begin_by_letter, alice, bruno, "loa rated")
    alice.writes(f"RESIGN {match.pk}")
    alice.answers(alice.letter, "YES RESIGN")
    assert "Your rating in Lines of Action: 1500? -> 1338? (±290)." in unwrapped(alice.letter.text)
    assert "Il tuo punteggio in Lines of Action: 1500? -> 1662? (±290)." in unwrapped(bruno.letter.text)
    assert "1500? -&gt; 1662?" in bruno.letter.html
    bruno.writes("PUNTEGGIO alice")
    assert "I punteggi di Alice: Lines of Action: 1338? (±290), 1 partita" in unwrapped(bruno.letter.text)
    alice.writes("RATINGS loa")
    assert "Nobody's rating is certain yet" in unwrapped(alice.letter.text)
    Rating.objects.update(deviation=62)
    alice.writes("loa ratings")
    assert alice.letter.subject.endswith("Ratings: Lines of Action")
    assert "1. Bruno 1662 ±62 1 2. Alice 1338 ±62 1" in unwrapped(alice.letter.text)
    bruno.writes("CLASSIFICA")
    assert "Lines of Action 1. Bruno 1662" in unwrapped(bruno.letter.text)
    bruno.writes("AIUTO PUNTEGGIO")
    assert "Glicko-2" in bruno.letter.text


def test_the_own_letter_counts_the_matches_and_whoever_asks_for_statistics_gets_it(
    begin_by_letter: Begin, alice: Correspondent, bruno: Correspondent
) -> None:
    match = played(begin_by_letter, alice, bruno, "loa rated")
    alice.writes(f"RESIGN {match.pk}")
    alice.answers(alice.letter, "YES RESIGN")
    begin_by_letter("zertz")
    for said in ("RATING", "STATS", "my statistics"):
        assert alice.writes(said).verdict == "ok", said
        assert alice.letter.kind == "rating", said
        text = unwrapped(alice.letter.text)
        assert "All games: played 1, won 0, lost 1 (0 on time), drawn 0; running 1." in text, said
    for said in ("PUNTEGGIO", "STATISTICHE", "le mie statistiche"):
        assert bruno.writes(said).verdict == "ok", said
        text = unwrapped(bruno.letter.text)
        assert "Tutti i giochi: giocate 1, vinte 1, perse 0 (0 per il tempo), patte 0; in corso 1." in text
    bruno.writes("PUNTEGGIO alice")
    assert "Tutti i giochi" not in bruno.letter.text, "these are Alice's own"


def test_a_word_about_statistics_below_a_move_is_talk(
    loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    alice.answers(alice.letter, "b1-b3\nStats.")
    assert "Stats." in bruno.letter.text


@pytest.mark.parametrize("what", ["loa", "loa rated"])
def test_what_does_not_count_says_why(
    begin_by_letter: Begin, alice: Correspondent, bruno: Correspondent, what: str
) -> None:
    """A match of which nobody said that it is rated speaks of no rating."""
    match = played(begin_by_letter, alice, bruno, what, moves=3)
    alice.writes(f"RESIGN {match.pk}")
    alice.answers(alice.letter, "YES RESIGN")
    told = "ogni giocatore deve aver fatto almeno due mosse" in unwrapped(bruno.letter.text)
    assert told == ("rated" in what) == RatedGame.objects.exists()
    assert not Rating.objects.exists()


def test_a_match_declared_void_gives_the_points_back(
    begin_by_letter: Begin, alice: Correspondent, bruno: Correspondent
) -> None:
    match = played(begin_by_letter, alice, bruno, "loa rated")
    alice.writes(f"RESIGN {match.pk}")
    alice.answers(alice.letter, "YES RESIGN")
    void(Match.objects.get(pk=match.pk), reason="It was not Alice.", now=alice.post.now)
    alice.post.send()
    assert "It does not count for the ratings." in unwrapped(alice.letter.text)
    assert not Rating.objects.exists()


def test_a_match_that_is_open_again_does_not_count(
    begin_by_letter: Begin, alice: Correspondent, bruno: Correspondent
) -> None:
    match = played(begin_by_letter, alice, bruno, "loa rated")
    bruno.writes(f"{match.pk} ANNULLA")
    alice.writes(f"YES {match.pk}")
    assert "ratings" not in unwrapped(alice.letter.text), "no result was taken back"
    bruno.writes(f"{match.pk} c2-a2")
    alice.writes(f"RESIGN {match.pk}")
    alice.answers(alice.letter, "YES RESIGN")
    assert Rating.objects.count() == 2
    roll_back(Match.objects.get(pk=match.pk), 4, side=None, now=alice.post.now)
    alice.post.send()
    assert "Its result no longer counts for the ratings." in unwrapped(alice.letter.text)
    assert not Rating.objects.exists()


def test_an_offer_for_a_band_of_ratings(
    alice: Correspondent, bruno: Correspondent, charlie: Correspondent
) -> None:
    """Who has no rating counts as 1500."""
    for player, rating in ((alice.player, 1900), (bruno.player, 1700)):
        Rating.objects.create(
            player=player,
            pool="zertz",
            rating=rating,
            deviation=60,
            volatility=0.06,
            matches=9,
            at=alice.post.now,
        )
    alice.writes("OFFER zertz rated rating=1600-1800")
    assert "For players with a rating from 1600 to 1800." in unwrapped(alice.letter.text)
    charlie.writes("OPEN zertz")
    assert "JOIN" not in charlie.letter.text
    assert charlie.writes("JOIN 1").verdict == Code.NO_SUCH_OFFER
    bruno.writes("APERTE zertz")
    assert "Per giocatori con un punteggio da 1600 a 1800." in unwrapped(bruno.letter.text)
    assert "Punteggio: 1900 (±60)." in unwrapped(bruno.letter.text)
    assert bruno.writes("ENTRO 1").verdict == "ok"
    assert Match.objects.get().agreed.rated
    bruno.writes("SFIDA chiunque loa PUNTEGGIO=1500+")
    charlie.writes("OPEN loa")
    assert "For players with a rating of at least 1500." in unwrapped(charlie.letter.text)
    assert charlie.writes("JOIN 2").verdict == "ok"


def test_a_rated_challenge_says_how_strong_the_challenger_is(
    alice: Correspondent, bruno: Correspondent
) -> None:
    Rating.objects.create(
        player=alice.player,
        pool="loa",
        rating=1712,
        deviation=130,
        volatility=0.06,
        matches=3,
        at=alice.post.now,
    )
    alice.writes("CHALLENGE Bruno loa rated")
    assert "Punteggio: 1712? (±130)." in unwrapped(bruno.letter.text)
    alice.writes("CHALLENGE Bruno loa")
    assert "Punteggio" not in unwrapped(bruno.letter.text)
