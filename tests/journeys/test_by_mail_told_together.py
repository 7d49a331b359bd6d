"""What one letter tells of several things: the state first, the words of the opponent with what they came with."""

import re
from random import Random

import pytest

from pbem.matches.services import offer_draw, start
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Post

IN_WORDS = re.compile(r"\b[Tt]occa a|to play\.")


def words(text: str) -> str:
    return " ".join(text.split())


def test_words_with_join_stand_in_the_letter_of_the_beginning(
    alice: Correspondent, bruno: Correspondent
) -> None:
    alice.writes("OFFER loa first")
    number = alice.letter.text.partition("CLOSE ")[2].split()[0]
    alice.reads()
    bruno.writes(f"JOIN {number}\nCiao Alice, buona partita a tutti e due!")
    [begun] = alice.reads()
    assert begun.text.splitlines()[0] == "Your turn · 10 days left · the match begins"
    assert "Bruno writes: | Ciao Alice, buona partita" in words(begun.text)
    assert begun.text.count("Bruno writes") == 1


def test_a_challenge_has_its_words_before_the_rules(alice: Correspondent, bruno: Correspondent) -> None:
    alice.writes("CHALLENGE Bruno zertz\nHello Bruno, shall we play this one too?")
    [challenge] = bruno.reads()
    assert challenge.text.splitlines()[0] == "Sfida: Zèrtz"
    assert challenge.text.index("Alice scrive:") < challenge.text.index("Zèrtz in breve:")
    assert not IN_WORDS.search(challenge.text)
    assert " > " not in challenge.text, "nobody is to move yet"
    assert bruno.answers(challenge, "NO\nScusa, non ho proprio tempo adesso.").verdict == "ok"
    for letter in (alice.letter, bruno.letter):
        assert letter.kind == "declined"
        assert "Scusa, non ho proprio tempo adesso." in letter.text
        assert "Zèrtz in breve" not in letter.text
        assert not IN_WORDS.search(letter.text)


def test_a_yes_to_a_withdrawn_challenge_shows_no_board(alice: Correspondent, bruno: Correspondent) -> None:
    alice.writes("CHALLENGE Bruno loa")
    [challenge] = bruno.reads()
    alice.answers(alice.letter, "NO")
    assert bruno.answers(challenge, "SÌ").verdict == Code.OFFER_GONE
    refused = bruno.letter
    assert "Questa sfida o proposta non è più valida." in refused.text
    assert "+---+" not in refused.text
    assert "A parole" not in refused.text


def test_a_draw_offered_above_a_move_is_told_with_it(
    post: Post, alice: Correspondent, bruno: Correspondent
) -> None:
    start(first=alice.player, second=bruno.player, game="loa", now=post.now, rng=Random(1))
    post.send()
    bruno.reads()
    alice.answers(alice.letter, "DRAW\nb1-b3")
    [turn] = bruno.reads()
    assert turn.text.splitlines()[0] == "Tocca a te · Alice ha giocato b1-b3 · patta proposta"
    assert turn.text.count("A parole:") == 1


def test_a_draw_below_a_refused_move_waits_for_the_next(
    post: Post, alice: Correspondent, bruno: Correspondent
) -> None:
    match = start(first=alice.player, second=bruno.player, game="loa", now=post.now, rng=Random(1))
    post.send()
    bruno.reads()
    assert alice.answers(alice.letter, "b1-b9\nDRAW").verdict == Code.ILLEGAL_MOVE
    match.refresh_from_db()
    assert match.draw_offered_by is None
    assert bruno.reads() == []
    told = words(alice.letter.text)
    assert "The rest of your email was not passed on. Send it again with your move: » DRAW" in told


@pytest.mark.parametrize("said", ["YES", "NO"])
def test_a_held_answer_says_what_it_answers(
    said: str, post: Post, alice: Correspondent, bruno: Correspondent
) -> None:
    """Where nobody stands by the email: YES alone does not say to what."""
    match = start(first=bruno.player, second=alice.player, game="loa", now=post.now, rng=Random(1))
    post.send()
    alice.reads()
    offer_draw(match.seated[0], now=post.now)
    post.send()
    alice.reads()
    alice.writes(f"{said} {match.pk}", dmarc="")
    question = alice.letter
    assert question.kind == "confirm"
    does = {
        "YES": "YES accepts the draw that Bruno offers: the match is drawn.",
        "NO": "YES declines the draw that Bruno offers, and the match goes on.",
    }
    assert does[said] in words(question.text)


@pytest.mark.parametrize("answer", ["YES", "NO", "STOP"])
def test_words_beside_a_first_move_that_was_asked_about_reach_the_host(
    post: Post, alice: Correspondent, answer: str
) -> None:
    carla = Correspondent(post, "Carla", "carla@example.net")
    alice.writes("CHALLENGE carla@example.net loa second")
    alice.reads()
    carla.answers(carla.letter, "b1 to b3 I suppose\nMy dog Rex sends his regards to you.")
    assert "Did you mean this first move?" in carla.letter.text
    carla.answers(carla.letter, answer)
    assert "".join(letter.text for letter in alice.reads()).count("Rex") == 1


@pytest.mark.parametrize("line", ["register me please: Emma", "Iscrivetemi per favore: Emma"])
def test_a_name_behind_a_colon_is_the_one_asked_about(post: Post, line: str) -> None:
    dora = Correspondent(post, "Dora", "dora@example.net")
    dora.writes(line)
    assert dora.letter.kind == "signup"
    assert "Emma" in dora.letter.text
    assert "Dora" not in dora.letter.text


def test_the_line_in_capitals_was_to_be_a_command(
    post: Post, alice: Correspondent, bruno: Correspondent
) -> None:
    start(first=alice.player, second=bruno.player, game="loa", now=post.now, rng=Random(1))
    post.send()
    alice.answers(alice.letter, "Hello, nice weather here\nFROBNICATE 7")
    assert "We read: FROBNICATE 7" in alice.letter.text
