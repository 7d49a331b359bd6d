"""A real name is printed when its bearer has said so by mail, and no longer when they have taken that back."""

from pbem.admin.base.actions import ActionInput
from pbem.admin.people import player_actions
from pbem.players.models import Player, PrintName
from tests.mail_fixtures import Correspondent, Post


def asked(post: Post, player: Player, name: str) -> None:
    """The organiser presses the button."""
    player_actions.ask(player, name, ActionInput("olga", post.now))
    post.send()


def test_yes_and_no_to_the_letter_that_asks(post: Post, bruno: Correspondent) -> None:
    asked(post, bruno.player, "Bruno Bianchi")
    assert not PrintName.objects.allowed().exists()
    letter = bruno.letter
    assert letter.kind == "print_asks"
    assert "Bruno Bianchi" in letter.text
    assert bruno.answers(letter, "Sì, grazie").verdict == "ok"
    assert PrintName.objects.of([bruno.player.pk]) == {bruno.player.pk: "Bruno Bianchi"}
    assert "Bruno Bianchi" in bruno.letter.text
    assert bruno.answers(letter, "NO").verdict == "ok"
    assert not PrintName.objects.exists()
    assert "non ne conserviamo altri" in " ".join(bruno.letter.text.split())


def test_a_word_allows_it_and_takes_it_back(post: Post, alice: Correspondent, bruno: Correspondent) -> None:
    assert bruno.writes("STAMPA NOME Bruno Verdi").verdict == "ok"
    assert PrintName.objects.allowed().get().name == "Bruno Verdi"
    asked(post, bruno.player, "Bruno Bianchi")
    assert not PrintName.objects.allowed().exists(), "another name was not allowed"
    assert bruno.writes("STAMPA SÌ").verdict == "ok"
    assert PrintName.objects.allowed().get().name == "Bruno Bianchi"
    assert bruno.writes("STAMPA NO").verdict == "ok"
    assert not PrintName.objects.exists()
    assert alice.writes("PRINT YES").verdict == "ok"
    assert not PrintName.objects.exists(), "nobody has asked for a name"
    assert "PRINT NAME" in alice.letter.text


def test_nobody_says_so_for_another(post: Post, alice: Correspondent, bruno: Correspondent) -> None:
    asked(post, bruno.player, "Bruno Bianchi")
    letter = bruno.letter
    alice.answers(letter, "YES")
    bruno.writes("STAMPA SÌ", dmarc="fail")
    assert not PrintName.objects.allowed().exists()


def test_a_strict_player_is_believed_when_their_provider_confirms_it(
    post: Post, bruno: Correspondent
) -> None:
    assert bruno.writes("IMPOSTA PRUDENZA sì").verdict == "ok"
    asked(post, bruno.player, "Bruno Bianchi")
    letter = bruno.letter
    bruno.answers(letter, "SÌ", dmarc="none")
    assert not PrintName.objects.allowed().exists()
    bruno.answers(letter, "SÌ")
    assert PrintName.objects.allowed().exists()
