"""What an opponent asks is answered in more words than yes or no: such an answer is asked about."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from pbem.matches.models import Match, Offer
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Post, unwrapped

Begin = Callable[..., Match]


def challenged(alice: Correspondent, bruno: Correspondent, line: str = "SFIDA Alice loa") -> Match:
    bruno.writes(line)
    alice.reads()
    bruno.reads()
    return Match.objects.latest("pk")


def draw_offered(begin: Begin, alice: Correspondent, bruno: Correspondent) -> Match:
    match = begin("loa")
    alice.answers(alice.letter, "d1-f3")
    bruno.answers(bruno.letter, "a2-c2\nPATTA")
    alice.reads()
    bruno.reads()
    return match


@pytest.mark.parametrize(
    "said",
    [
        "Yeah, neither of us is getting anywhere.",
        "Oh yes let's, I was getting in quite a muddle!",
        "Sì, accetto la patta. Ci sentiamo domenica a pranzo.",
    ],
)
def test_a_yes_among_other_words_ends_a_match_after_one_more_yes(
    begin: Begin, alice: Correspondent, bruno: Correspondent, said: str
) -> None:
    match = draw_offered(begin, alice, bruno)
    assert alice.answers(alice.letter, said).verdict == Code.CONFIRM_NEEDED
    asked = unwrapped(alice.letter.text)
    assert "Do you accept the draw that Bruno offers?" in asked
    assert "A YES accepts the draw that Bruno offers: the match ends drawn." in asked
    assert "answer only YES DRAW" in asked
    assert bruno.reads() == []
    assert alice.answers(alice.letter, "YES DRAW").verdict == "ok"
    match.refresh_from_db()
    assert match.status == Match.Status.OVER
    assert f"| {said}" in bruno.letter.text


def test_a_no_among_other_words_is_asked_about(
    begin: Begin, alice: Correspondent, bruno: Correspondent
) -> None:
    match = draw_offered(begin, alice, bruno)
    alice.answers(alice.letter, "Sorry, I decline the draw, I still see a way.")
    assert "Do you accept the draw that Bruno offers?" in unwrapped(alice.letter.text)
    assert alice.answers(alice.letter, "no").verdict == "ok"
    match.refresh_from_db()
    assert (match.status, match.draw_offered_by) == (Match.Status.PLAYING, None)
    assert "| Sorry, I decline the draw, I still see a way." in bruno.letter.text


@pytest.mark.parametrize("again", ["No, no draw!", "no, I'd rather play on"])
def test_a_no_that_says_more_declines_what_is_declined(
    begin: Begin, alice: Correspondent, bruno: Correspondent, again: str
) -> None:
    match = draw_offered(begin, alice, bruno)
    alice.answers(alice.letter, "Oh no you don't, we've hardly begun!")
    alice.answers(alice.letter, again)
    match.refresh_from_db()
    assert match.draw_offered_by is None
    assert "we've hardly begun!" in bruno.letter.text


@pytest.mark.parametrize(
    "withdrawn",
    [
        "No, I agree to the draw",
        "No no, il contrario! Volevo dire di sì",
        "No, the opposite",
    ],
)
def test_a_no_that_says_the_contrary_leaves_the_offer(
    begin: Begin, alice: Correspondent, bruno: Correspondent, withdrawn: str
) -> None:
    match = draw_offered(begin, alice, bruno)
    alice.answers(alice.letter, "Oh no you don't, we've hardly begun!")
    alice.answers(alice.letter, withdrawn)
    match.refresh_from_db()
    assert match.draw_offered_by is not None


def test_a_no_with_a_move_is_asked_about_as_the_move(
    begin: Begin, alice: Correspondent, bruno: Correspondent
) -> None:
    draw_offered(begin, alice, bruno)
    alice.answers(alice.letter, "no, not yet. b8-b6")
    assert "b8-b6" in alice.letter.text
    alice.answers(alice.letter, "yes")
    assert bruno.kinds()[-1] == "turn"


def test_what_says_neither_is_refused_as_before(
    begin: Begin, alice: Correspondent, bruno: Correspondent
) -> None:
    draw_offered(begin, alice, bruno)
    assert alice.answers(alice.letter, "Hm, give me until Friday").verdict != "ok"
    assert bruno.reads() == []


@pytest.mark.parametrize(
    "said", ["Sure! Be gentle, I'm rusty.", "certo bruno, ci sto, preparati a perdere :)"]
)
def test_a_yes_to_a_challenge_begins_the_match_and_its_words_go_along(
    alice: Correspondent, bruno: Correspondent, said: str
) -> None:
    match = challenged(alice, bruno)
    assert alice.answers(alice.letter, said).verdict == "ok"
    match.refresh_from_db()
    assert match.status == Match.Status.PLAYING
    assert said.rstrip(":) ") in bruno.letter.text


def test_a_no_to_a_challenge_declines_it(alice: Correspondent, bruno: Correspondent) -> None:
    match = challenged(alice, bruno)
    said = "Sorry Bruno, I'm too busy at the moment, maybe next month."
    assert alice.answers(alice.letter, said).verdict == "ok"
    match.refresh_from_db()
    assert match.status == Match.Status.DECLINED
    assert f"| {said}" in bruno.letter.text


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("Yes but I need more time, maybe 5 days per move.", "CHALLENGE Bruno loa 5d"),
        ("I'd prefer Zertz, can we play that instead?", "CHALLENGE Bruno zertz"),
    ],
)
def test_other_terms_are_asked_about_as_another_challenge(
    alice: Correspondent, bruno: Correspondent, said: str, line: str
) -> None:
    match = challenged(alice, bruno)
    assert alice.answers(alice.letter, said).verdict == Code.CONFIRM_NEEDED
    asked = unwrapped(alice.letter.text)
    assert f"DECLINE {line} One YES does all of this: A YES declines Bruno's challenge." in asked
    assert "A YES challenges Bruno to a match of" in asked
    alice.answers(alice.letter, "yes")
    match.refresh_from_db()
    assert match.status == Match.Status.DECLINED
    other = Match.objects.latest("pk")
    assert (other.proposer.name, other.status) == ("Alice", Match.Status.PROPOSED)
    assert any(f"| {said}" in letter.text for letter in bruno.reads())
    bruno.answers(bruno.letter, "sì")
    other.refresh_from_db()
    assert other.status == Match.Status.PLAYING


def test_in_italian(alice: Correspondent, bruno: Correspondent) -> None:
    alice.writes("CHALLENGE Bruno loa")
    bruno.reads()
    bruno.answers(bruno.letter, "Va bene ma con più tempo, tipo una settimana a mossa")
    asked = unwrapped(bruno.letter.text)
    assert "RIFIUTO SFIDA Alice loa 7d Un solo SÌ fa tutto questo: Un SÌ rifiuta la sfida di Alice." in asked


def test_below_a_yes_to_what_we_read_may_stand_who_they_are(
    alice: Correspondent, charlie: Correspondent
) -> None:
    charlie.writes("OFFER zertz")
    alice.writes("I'd like to play zertz with someone")
    said = "Yes!\nHello Charlie, nice to meet you, I am Alice from Treviso."
    assert alice.answers(alice.letter, said).verdict == "ok"
    assert Match.objects.get().status == Match.Status.PLAYING


def test_figurati_is_no_refusal_of_a_takeback(
    begin: Begin, alice: Correspondent, bruno: Correspondent
) -> None:
    begin("loa")
    alice.answers(alice.letter, "b1-b3")
    alice.answers(alice.letter, "UNDO")
    bruno.reads()
    bruno.answers(
        bruno.letter, "Ma figurati Alice, rifai pure la tua mossa, per questa volta chiudo un occhio!"
    )
    assert "Un SÌ" in bruno.letter.text
    assert "rifiuta" not in bruno.letter.text


@pytest.mark.parametrize("answer", ["YES", "NO"])
def test_an_answer_is_to_what_was_asked_then(
    post: Post, begin: Begin, alice: Correspondent, bruno: Correspondent, answer: str
) -> None:
    """And not to what the opponent has asked for since."""
    match = draw_offered(begin, alice, bruno)
    alice.answers(alice.letter, "Hm, what a position!")
    question = alice.letter
    alice.writes(f"{match.pk} b8-b6")
    post.now += timedelta(hours=1)
    bruno.writes(f"UNDO {match.pk}")
    assert Offer.objects.filter(match=match).exists()
    alice.answers(question, answer)
    match.refresh_from_db()
    assert (match.ply, Offer.objects.filter(match=match).exists()) == (3, True)


@pytest.mark.parametrize(("answer", "status"), [("YES", Match.Status.PLAYING), ("NO", Match.Status.DECLINED)])
def test_a_challenge_answered_unclearly_is_answered_with_its_words(
    alice: Correspondent, bruno: Correspondent, answer: str, status: Match.Status
) -> None:
    match = challenged(alice, bruno)
    assert alice.answers(alice.letter, "Heaven help us both, old friend").verdict == Code.CONFIRM_NEEDED
    assert bruno.kinds()[-1:] != ["message"]
    assert alice.answers(alice.letter, answer).verdict == "ok"
    match.refresh_from_db()
    assert match.status == status
    assert "Heaven help us both" in bruno.letter.text


def test_a_no_above_another_wish_is_an_answer_all_the_same(
    begin: Begin, alice: Correspondent, bruno: Correspondent
) -> None:
    match = draw_offered(begin, alice, bruno)
    alice.answers(alice.letter, "Hm, what a position!")
    alice.answers(alice.letter, "NO\nCHALLENGE Bruno zertz")
    match.refresh_from_db()
    assert match.draw_offered_by is None
    assert Match.objects.filter(status=Match.Status.PROPOSED).count() == 1


def test_more_time_is_proposed_behind_a_no(alice: Correspondent, bruno: Correspondent) -> None:
    match = challenged(alice, bruno)
    said = "Yes I want to play but please with more time, I work in the night and cannot answer every day."
    assert alice.answers(alice.letter, said).verdict == Code.CONFIRM_NEEDED
    assert "To propose another match, answer NO, and on the next line CHALLENGE Bruno" in unwrapped(
        alice.letter.text
    )
    alice.answers(alice.letter, "NO\nCHALLENGE Bruno loa 7d/move")
    match.refresh_from_db()
    assert match.status == Match.Status.DECLINED
    assert Match.objects.filter(status=Match.Status.PROPOSED).count() == 1


def test_a_draw_that_was_offered_is_taken_back_in_a_sentence(
    begin: Begin, alice: Correspondent, bruno: Correspondent
) -> None:
    match = draw_offered(begin, alice, bruno)
    said = "Ritiro la proposta di patta che gli ho fatto, ci ho ripensato."
    assert bruno.answers(bruno.letter, said).verdict == Code.CONFIRM_NEEDED
    assert bruno.answers(bruno.letter, "SÌ").verdict == "ok"
    match.refresh_from_db()
    assert match.draw_offered_by is None
    assert "ci ho ripensato" in alice.letter.text


@pytest.mark.parametrize(
    "said", ["Of course, take it back, no harm done.", "Ma certo, riprendila pure, rifai la mossa."]
)
def test_who_lets_a_move_be_taken_back_asks_for_none_of_their_own(
    begin: Begin, alice: Correspondent, bruno: Correspondent, said: str
) -> None:
    match = begin("loa")
    alice.answers(alice.letter, "b1-b3")
    bruno.reads()
    alice.answers(alice.letter, "UNDO")
    bruno.answers(bruno.letter, said)
    if bruno.letter.kind == "confirm":
        assert "Alice può annullare la mossa?" in unwrapped(bruno.letter.text)
        bruno.answers(bruno.letter, "SÌ")
    match.refresh_from_db()
    assert match.ply == 0
