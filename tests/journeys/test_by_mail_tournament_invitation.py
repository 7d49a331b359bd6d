"""Invited to a tournament by mail: a YES signs up and enters at once, a NO is remembered, and nobody is asked twice."""

import pytest
from django.core.exceptions import ValidationError

from pbem.admin.competitions.entries import invitees
from pbem.competitions.tournaments import open_tournament
from pbem.inbox.models import PersonalMessage
from pbem.matches.models import Tournament
from pbem.matches.terms import Terms
from pbem.outbox.notifications.announcements import invite_to
from pbem.players.models import Player
from tests.mail_fixtures import Correspondent, Post


@pytest.fixture
def cup(post: Post) -> Tournament:
    system = "single"
    return open_tournament("Coppa", game="loa", system=system, terms=Terms(clock="3d/move"), now=post.now)


def invite(post: Post, cup: Tournament, who: Correspondent, language: str = "it") -> None:
    invite_to(cup, who.email, language=language, host="Marino", note="Ti aspettiamo!", now=post.now)
    post.send()


def entered(cup: Tournament) -> list[str]:
    return [player.name for player in cup.players()]


def states(cup: Tournament, post: Post) -> list[str]:
    return [str(each.state) for each in invitees(cup, post.now)]


def test_a_stranger_says_yes_and_a_name(post: Post, cup: Tournament, stranger: Correspondent) -> None:
    invite(post, cup, stranger)
    letter = stranger.letter
    assert "Marino ti invita a Coppa" in " ".join(letter.text.split())
    assert "Ti aspettiamo!" in letter.text
    assert stranger.answers(letter, "Boh, che cos'è?").verdict == "P06"
    assert entered(cup) == []
    assert stranger.answers(letter, "Sì Dora").verdict == "ok"
    assert entered(cup) == ["Dora"]
    assert Player.objects.get(name="Dora").writes_from(stranger.email)
    assert (
        "takes_part" in [each.kind for each in stranger.letters]
        or "Partecipi a Coppa" in stranger.letter.text
    )
    assert states(cup, post) == ["takes part"]
    assert stranger.answers(letter, "Sì").verdict == "ok"
    assert entered(cup) == ["Dora"]


def test_a_player_says_yes_or_no(
    post: Post, cup: Tournament, alice: Correspondent, bruno: Correspondent
) -> None:
    for who in (alice, bruno):
        invite(post, cup, who)
    assert states(cup, post) == ["invited", "invited"]
    assert bruno.answers(bruno.letter, "SÌ").verdict == "ok"
    assert "Partecipi a Coppa" in bruno.letter.text
    assert alice.answers(alice.letter, "No thanks").verdict == "ok"
    assert entered(cup) == ["Bruno"]
    assert states(cup, post) == ["said no", "takes part"]
    before = len(alice.letters)
    invite(post, cup, alice)
    assert len(alice.letters) == before, "nobody is asked twice"


def test_when_it_has_begun_nobody_enters(post: Post, cup: Tournament, stranger: Correspondent) -> None:
    invite(post, cup, stranger)
    Tournament.objects.update(begun=1)
    assert stranger.answers(stranger.letter, "YES Dora").verdict == "D30"
    assert entered(cup) == []


def test_a_name_that_is_taken_is_asked_for_again(
    post: Post, cup: Tournament, alice: Correspondent, stranger: Correspondent
) -> None:
    invite(post, cup, stranger)
    letter = stranger.letter
    assert stranger.answers(letter, "YES Alice").verdict == "C05"
    assert entered(cup) == []
    assert stranger.answers(stranger.letter, "YES Dora").verdict == "ok"
    assert entered(cup) == ["Dora"]


def test_nobody_enters_another(
    post: Post, cup: Tournament, alice: Correspondent, bruno: Correspondent
) -> None:
    invite(post, cup, bruno)
    alice.answers(bruno.letter, "YES")
    bruno.answers(bruno.letter, "SÌ", dmarc="fail")
    assert entered(cup) == []


def test_who_wants_no_letters_gets_none(post: Post, cup: Tournament, alice: Correspondent) -> None:
    Player.objects.update(silent_since=post.now)
    with pytest.raises(ValidationError):
        invite(post, cup, alice)
    assert not cup.invitations.exists()


def test_words_beside_the_yes_of_somebody_new_reach_the_organiser(
    post: Post, cup: Tournament, stranger: Correspondent
) -> None:
    invite(post, cup, stranger)
    said = "Sì Dora\n\nSaluti a Marino, ci vediamo domenica!"
    assert stranger.answers(stranger.letter, said).verdict == "ok"
    assert entered(cup) == ["Dora"]
    message = PersonalMessage.objects.get()
    assert message.player.name == "Dora"
    assert "ci vediamo domenica!" in message.text
    assert "L'organizzatore ha il tuo messaggio" in " ".join(stranger.letter.text.split())


@pytest.mark.parametrize("body", ["Sì Dora\n\nGrazie!\nDora", "Sì\n\nGrazie!\nDora"])
def test_a_yes_and_a_name_alone_are_no_message(
    post: Post, cup: Tournament, stranger: Correspondent, body: str
) -> None:
    invite(post, cup, stranger)
    assert stranger.answers(stranger.letter, body).verdict == "ok"
    assert not PersonalMessage.objects.exists()


def test_a_players_words_reach_the_organiser_though_it_is_too_late(
    post: Post, cup: Tournament, alice: Correspondent
) -> None:
    invite(post, cup, alice)
    Tournament.objects.update(begun=1)
    assert alice.answers(alice.letter, "YES\n\nMy regards to Marino, see you on Sunday!").verdict == "D30"
    assert "see you on Sunday" in PersonalMessage.objects.get().text


def test_a_player_whose_yes_is_held_back_hears_that_it_was_none(
    post: Post, cup: Tournament, alice: Correspondent
) -> None:
    """Else they believe that they take part."""
    invite(post, cup, alice, "en")
    alice.answers(alice.letter, "YES\n\nBut can I begin after the 10th of May?")
    assert entered(cup) == []
    assert "answer just YES" in " ".join(alice.letter.text.split())
    assert "after the 10th of May?" in PersonalMessage.objects.get().text


def test_what_a_stranger_adds_to_a_yes_that_is_held_back_is_not_lost(
    post: Post, cup: Tournament, stranger: Correspondent
) -> None:
    invite(post, cup, stranger)
    asked = "Posso cominciare dopo il 10 maggio?"
    assert stranger.answers(stranger.letter, f"Sì Dora\n\n{asked}").verdict == "P06"
    assert entered(cup) == []
    told = stranger.letter.text
    assert stranger.answers(stranger.letter, "Sì Dora").verdict == "ok"
    assert asked in told or asked in PersonalMessage.objects.get().text


def test_words_beside_the_no_of_a_stranger_reach_nobody_and_they_are_told(
    post: Post, cup: Tournament, stranger: Correspondent
) -> None:
    invite(post, cup, stranger)
    assert stranger.answers(stranger.letter, "No, grazie\n\nMa scrivimi a settembre.").verdict == "ok"
    assert not PersonalMessage.objects.exists()
    assert "Nessuno ha ricevuto questo messaggio" in " ".join(stranger.letter.text.split())
    assert "Ma scrivimi a settembre." in stranger.letter.text


@pytest.mark.parametrize(
    "body",
    [
        "No grazie, quest'anno sono in viaggio. Scrivimi a settembre!",
        "No thanks, Marino. Write to me in September.",
        "No, grazie\n\nCi vediamo a settembre.",
    ],
)
@pytest.mark.parametrize("dmarc", ["pass", "none"])
def test_so_are_those_on_the_line_of_the_no(
    post: Post, cup: Tournament, stranger: Correspondent, body: str, dmarc: str
) -> None:
    invite(post, cup, stranger)
    assert stranger.answers(stranger.letter, body, dmarc=dmarc).verdict == "ok"
    assert states(cup, post) == ["said no"]
    assert not PersonalMessage.objects.exists()
    assert "Nessuno ha ricevuto questo messaggio" in " ".join(stranger.letter.text.split())
    assert body.splitlines()[-1] in " ".join(stranger.letter.text.split())
