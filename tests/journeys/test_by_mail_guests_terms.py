"""Guests who would play, but otherwise; whose yes goes on, or asks back; and who answer what is over."""

import pytest

from pbem.matches.models import Invitation, Match
from pbem.players.models import Player
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Post, unwrapped

GUEST = "gianna.rossi@example.net"


@pytest.fixture
def guest(post: Post, bruno: Correspondent) -> Correspondent:
    guest = Correspondent(post, "Gianna", GUEST)
    bruno.writes(f"SFIDA {GUEST} emergo")
    bruno.reads()
    guest.reads()
    return guest


OTHERWISE = {
    "Sì, ma con 3 giorni a mossa": "emergo 3d",
    "Yes, let's do 5 days per move": "emergo 5d",
    "volentieri però a zertz": "zertz",
    "I'd rather play zertz": "zertz",
    "Sì, se comincia lui": "emergo primo",
    "Yes but may I have black?": "emergo bianco",
    "happy to play but not before January": "emergo",
    "Volentieri, ma non prima di gennaio": "emergo",
    "Sì!\nMa con 3 giorni a mossa": "emergo 3d",
}


@pytest.mark.parametrize("said", OTHERWISE)
def test_the_host_hears_other_terms_and_may_invite_anew_with_them(
    bruno: Correspondent, guest: Correspondent, said: str
) -> None:
    assert guest.answers(guest.letter, said).verdict == Code.NO_MOVE_FOUND
    assert not Match.objects.exists()
    assert guest.kinds() == ["invites"]
    [told] = bruno.reads()
    line = f"SFIDA {GUEST} {OTHERWISE[said]}"
    assert f"    {line}\r\n" in told.text
    assert all(f"| {each}" in told.text for each in said.splitlines() if each != "Sì!")
    assert bruno.answers(told, line).verdict == "ok"
    [anew] = guest.reads()
    assert guest.answers(anew, "SÌ").verdict == "ok"
    [match] = Match.objects.all()
    assert (match.status, match.game.key) == (Match.Status.PLAYING, OTHERWISE[said].split()[0])


def test_a_yes_brings_the_question_whether_to_invite_anew(bruno: Correspondent, guest: Correspondent) -> None:
    guest.answers(guest.letter, "Sì, ma con 3 giorni a mossa")
    assert bruno.answers(bruno.letter, "Certo, va bene").verdict == Code.CONFIRM_NEEDED
    assert f"SFIDA {GUEST} emergo 3d" in bruno.letter.text
    assert Invitation.objects.count() == 1
    bruno.answers(bruno.letter, "SÌ")
    assert Invitation.objects.count() == 2


@pytest.mark.parametrize("said", ["Sì, ma con 3 giorni a mossa", "I'd rather play zertz"])
def test_the_host_hears_them_once_and_the_match_begins_only_by_a_plain_yes(
    bruno: Correspondent, guest: Correspondent, said: str
) -> None:
    guest.answers(guest.letter, said)
    guest.answers(guest.letter, said)
    assert bruno.kinds() == ["after_all"]
    assert guest.answers(guest.letter, "SÌ").verdict == "ok"
    assert Match.objects.get().game_name == "emergo"


@pytest.mark.parametrize(
    "said",
    ["Yes, and tell her mum says hello", "Yes! Sunny day over here.", "Sì! Saluti da tutti a Palermo."],
)
def test_a_yes_within_other_words_is_asked_again_and_they_go_along_later(
    bruno: Correspondent, guest: Correspondent, said: str
) -> None:
    assert guest.answers(guest.letter, said).verdict == Code.NO_MOVE_FOUND
    assert not Match.objects.exists()
    assert guest.answers(guest.letter, "SÌ").verdict == "ok"
    assert Match.objects.get().status == Match.Status.PLAYING
    assert f"| {said}" in bruno.letter.text


@pytest.mark.parametrize("said", ["Sunny day over here.", "Saluti da tutti a Palermo."])
def test_words_below_a_yes_go_along(bruno: Correspondent, guest: Correspondent, said: str) -> None:
    assert guest.answers(guest.letter, f"SÌ\n{said}").verdict == "ok"
    assert Match.objects.get().status == Match.Status.PLAYING
    assert f"| {said}" in bruno.letter.text


@pytest.mark.parametrize("said", ["yes?", "sì?", "Si?", "Yes?\n\nGianna", "ok?"])
def test_a_yes_that_asks_back_begins_nothing(bruno: Correspondent, guest: Correspondent, said: str) -> None:
    guest.answers(guest.letter, said)
    assert not Match.objects.exists()
    assert Player.objects.people().count() == 1
    assert guest.kinds() == ["invites"]


YES = ["SÌ", "Sì Gianna", "Yes!\nSunny day over here."]
SURELY = [
    "Certo! Che bella idea, non vedo l'ora :)",
    "Volentieri, ci sto!",
    "What a lovely idea, I'd love to!",
]


@pytest.mark.parametrize("dmarc", ["pass", "none"])
@pytest.mark.parametrize("author", [GUEST, f"Gianna Rossi <{GUEST}>"])
@pytest.mark.parametrize("said", [*YES, *SURELY])
def test_two_emails_are_enough_for_the_first_move(
    guest: Correspondent, said: str, author: str, dmarc: str
) -> None:
    headers = {"From": author}
    assert guest.answers(guest.letter, said, dmarc=dmarc, headers=headers).verdict == "ok"
    assert guest.answers(guest.letter, "e1", dmarc=dmarc, headers=headers).verdict == "ok"
    assert Match.objects.get().ply == 1


OVER = {
    "Don't write to me again. Irene, call me instead": "Irene, call me instead",
    "Non scrivetemi più. Bruno, chiamami piuttosto": "Bruno, chiamami piuttosto",
    "No thanks. Irene, call me instead": "Irene, call me instead",
}


@pytest.mark.parametrize("said", OVER)
@pytest.mark.parametrize("how", ["declined", "begun"])
def test_who_answers_what_is_over_hears_that_their_words_went_nowhere(
    guest: Correspondent, said: str, how: str
) -> None:
    invited = guest.letter
    guest.answers(invited, "SÌ" if how == "begun" else "No, grazie")
    guest.reads()
    guest.answers(invited, said)
    told = unwrapped(" ".join(letter.text for letter in guest.reads()))
    assert OVER[said] in told.replace("> ", "")
