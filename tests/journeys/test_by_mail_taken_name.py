"""Somebody signs up under a name that is taken: another one is proposed, and the rest of their email waits for it."""

import pytest

from pbem.inbox.models import Confirmation
from pbem.matches.models import Invitation
from pbem.players.models import Player
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Post, registered, unwrapped

REST = "CHALLENGE tom@example.net zertz\n\nHello Tom, long time no see!"


@pytest.fixture
def emma(post: Post) -> Correspondent:
    """Another Emma than the one who plays."""
    registered(post, "Emma", "en")
    return Correspondent(post, "Emma", "emma@example.net")


@pytest.mark.parametrize(
    ("answer", "name"),
    [("YES Emma2", "Emma2"), ("YES", "Emma2"), ("yes EmmaB", "EmmaB"), ("YES Nora", "Nora")],
)
def test_another_name_is_proposed_and_the_rest_is_done_after_the_yes(
    emma: Correspondent, answer: str, name: str
) -> None:
    assert emma.writes(f"REGISTER Emma\n{REST}").verdict == Code.NAME_TAKEN
    [letter] = emma.reads()
    assert letter.subject == "The name Emma is taken"
    assert "Emma is taken. Answer YES Emma2, or YES and another name." in unwrapped(letter.text)
    assert "CHALLENGE tom@example.net zertz" in letter.text
    assert "Hello Tom" in letter.text
    assert "body=YES%20Emma2" in letter.html
    assert emma.answers(letter, answer).verdict == "ok"
    assert Player.objects.latest("pk").name == name
    invitation = Invitation.objects.get()
    assert (invitation.address, invitation.message) == ("tom@example.net", "Hello Tom, long time no see!")


def test_a_taken_name_beside_the_yes_leaves_the_question_open(emma: Correspondent) -> None:
    emma.writes("REGISTER Ida")
    assert emma.answers(emma.letter, f"YES Emma\n{REST}").verdict == Code.NAME_TAKEN
    assert "YES Emma2" in emma.letter.text
    assert "Hello Tom" in emma.letter.text
    assert emma.answers(emma.letter, "YES Emma").verdict == Code.NAME_TAKEN
    assert emma.answers(emma.letter, "YES Emma2").verdict == "ok"
    assert Invitation.objects.get().challenger.name == "Emma2"


def test_in_italian(emma: Correspondent) -> None:
    emma.writes("ISCRIVIMI Emma")
    assert emma.letter.subject == "Il nome Emma è già preso"
    assert "Rispondi SÌ Emma2, oppure SÌ e un altro nome." in unwrapped(emma.letter.text)
    assert "body=SI%20Emma2" in emma.letter.html
    assert emma.answers(emma.letter, "SI Emma2").verdict == "ok"


@pytest.mark.parametrize("dmarc", ["pass", ""])
def test_each_taken_name_is_answered_where_their_provider_vouches_for_them(
    post: Post, emma: Correspondent, dmarc: str
) -> None:
    registered(post, "Anna", "en")
    for name in ("Emma", "Anna", "Anna"):
        emma.writes(f"REGISTER {name}", dmarc=dmarc)
    asked = emma.kinds().count("signup")  # the same name once more gets one line
    assert asked == Confirmation.objects.count() == (2 if dmarc else 1)


def test_for_a_name_that_nobody_may_have_their_own_is_proposed(emma: Correspondent) -> None:
    assert emma.writes("REGISTER Robot-1").verdict == Code.NAME_TAKEN
    assert "Robot-1 is taken. Answer YES Emma2," in unwrapped(emma.letter.text)


def test_a_name_is_taken_with_other_accents_too(emma: Correspondent) -> None:
    assert emma.writes("REGISTER Emmà").verdict == Code.NAME_TAKEN
    assert "Emmà is taken. Answer YES Emmà2," in unwrapped(emma.letter.text)
