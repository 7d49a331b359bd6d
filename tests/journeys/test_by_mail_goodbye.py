"""People who want no letters, in words of their own: none comes any more, and whoever invited them hears that."""

from __future__ import annotations

import pytest

from pbem.inbox.models import Confirmation
from pbem.matches.models import Invitation
from pbem.players.models import Player, SuppressedAddress
from pbem.players.services import register
from tests.mail_fixtures import Correspondent, Post, registered

GUEST = "rosa@example.net"
NO_MORE = [
    "Per favore non mandatemi più email. Irene, chiamami che è meglio!",
    "Non mi interessa, cancellatemi e non scrivetemi mai più.",
    "basta!! ho detto di non scrivermi",
    "No thanks. Please don't write to me again.",
    "Please delete my address",
    "I don't want any more emails. Who are you?",
    "Could you please stop sending me emails?",
    "Don't ever email me again, I never signed up for this rubbish.",
    "Please never write to this address again.",
]


@pytest.fixture
def irene(post: Post) -> Correspondent:
    return registered(post, "Irene", "it")


@pytest.fixture
def rosa(post: Post) -> Correspondent:
    return Correspondent(post, "Rosa", GUEST)


@pytest.mark.parametrize("dmarc", ["pass", "none"])
@pytest.mark.parametrize("body", NO_MORE)
def test_a_guest_who_wants_no_letters_has_declined_for_ever(
    irene: Correspondent, alice: Correspondent, rosa: Correspondent, body: str, dmarc: str
) -> None:
    irene.writes(f"SFIDA {GUEST} zertz")
    irene.reads()
    [invited] = rosa.reads()
    assert rosa.answers(invited, body, dmarc=dmarc).verdict == "ok"
    assert rosa.kinds() == ["goodbye"]
    assert irene.kinds() == ["uninvited"]
    assert Invitation.objects.get().match is None
    assert SuppressedAddress.objects.get().email == GUEST
    rosa.answers(invited, body, dmarc=dmarc)
    alice.writes(f"CHALLENGE {GUEST} loa")
    assert rosa.kinds() == []


@pytest.mark.parametrize(
    "body", ["Yes, but don't write to me at work", "Sure! No more emails than needed, please"]
)
def test_what_goes_with_a_yes_or_has_a_condition_is_no_goodbye(
    irene: Correspondent, rosa: Correspondent, body: str
) -> None:
    irene.writes(f"SFIDA {GUEST} zertz")
    rosa.answers(rosa.letter, body)
    assert not SuppressedAddress.objects.exists()


@pytest.mark.parametrize("body", NO_MORE)
def test_a_stranger_who_writes_so_is_never_written_to_after_one_short_answer(
    irene: Correspondent, rosa: Correspondent, body: str
) -> None:
    rosa.writes(body, dmarc="pass")
    assert rosa.kinds() == ["goodbye"]
    rosa.writes(body, dmarc="pass")
    irene.writes(f"SFIDA {GUEST} zertz")
    assert rosa.kinds() == []


def test_nobody_keeps_invitations_from_others_by_writing_in_their_name(
    irene: Correspondent, rosa: Correspondent
) -> None:
    rosa.writes(NO_MORE[0], dmarc="none")
    [answer] = rosa.reads()
    assert answer.kind == "goodbye"
    assert "/n/" in answer.text, "the link that only its reader can open"
    rosa.writes(NO_MORE[0], dmarc="none")
    assert rosa.kinds() == []
    irene.writes(f"SFIDA {GUEST} zertz")
    assert rosa.kinds() == ["invites"]


@pytest.mark.prove
def test_such_answers_to_strangers_have_their_cap(post: Post) -> None:
    writers = [Correspondent(post, "Someone", f"someone{number}@example.net") for number in range(52)]
    for writer in writers:
        writer.writes(NO_MORE[4], dmarc="none")
    assert [len(writer.letters) for writer in writers] == [1] * 50 + [0] * 2


def test_a_forged_one_says_nothing(rosa: Correspondent) -> None:
    rosa.writes("Please don't write to me again.", dmarc="fail")
    assert (rosa.kinds(), SuppressedAddress.objects.exists()) == ([], False)


@pytest.mark.parametrize("body", NO_MORE)
@pytest.mark.parametrize("first", ["REGISTER Rosa", "HELP"])
def test_the_answer_to_our_question_may_say_it(rosa: Correspondent, first: str, body: str) -> None:
    rosa.writes(first)
    [asked] = rosa.reads()
    assert rosa.answers(asked, body).verdict == "ok"
    assert rosa.kinds() == ["goodbye"]
    assert Confirmation.objects.get().used_at
    assert SuppressedAddress.objects.get().email == GUEST
    assert not Player.objects.people().exists()


@pytest.mark.parametrize(
    ("first", "no", "again"),
    [
        (
            "Buongiorno, vorrei giocare a emergo con il computer.",
            "No, grazie. Lasciamo perdere.",
            "Ci ho ripensato, mi piacerebbe giocare a emergo con il computer. Ma è facile?",
        ),
        ("I'd like to play emergo with the robot", "No thanks", "I'd like to play emergo with the robot"),
        ("REGISTER Rosa", "NO", "REGISTER Rosa"),
        ("HELP", "NO", "HELP"),
    ],
)
@pytest.mark.parametrize("dmarc", ["pass", "none"])
def test_a_no_is_answered_shortly_and_they_may_think_better_of_it(
    rosa: Correspondent, first: str, no: str, again: str, dmarc: str
) -> None:
    rosa.writes(first, dmarc=dmarc)
    [asked] = rosa.reads()
    rosa.answers(asked, no, dmarc=dmarc)
    assert rosa.kinds() == ["goodbye"]
    rosa.writes(again, dmarc=dmarc)
    assert rosa.kinds() == [asked.kind]
    rosa.writes(again, dmarc=dmarc)
    assert rosa.kinds() == ["told_before" if again.isupper() or again.startswith("REG") else "to_organiser"]
    rosa.writes(again, dmarc=dmarc)
    assert rosa.kinds() == []


PLAYERS = [
    "Please stop sending me emails.",
    "I don't want any more emails from you",
    "non voglio più ricevere email grazie",
]


@pytest.mark.parametrize("body", PLAYERS)
def test_a_player_is_asked_about_all_letters_and_one_yes_stops_them(irene: Correspondent, body: str) -> None:
    irene.writes(body)
    [asked] = irene.reads()
    assert "BASTA TUTTO" in asked.text
    assert irene.player.silent_since is None
    assert irene.answers(asked, "Sì, basta").verdict == "ok"
    assert irene.player.silent_since


def test_a_player_who_answers_what_came_before_they_had_signed_up_is_asked(
    irene: Correspondent, rosa: Correspondent
) -> None:
    irene.writes(f"SFIDA {GUEST} zertz")
    [invited] = rosa.reads()
    register(name="Rosa", email=GUEST, language="en", now=rosa.post.now)
    rosa.answers(invited, PLAYERS[0])
    assert not SuppressedAddress.objects.exists()
    assert "STOP ALL" in rosa.letter.text
    rosa.answers(rosa.letter, "Yes, stop")
    assert rosa.player.silent_since


@pytest.mark.parametrize(
    "body", ["all of them. I dont want any more emails from you", "tutte", "all of them please"]
)
def test_the_list_of_all_letters_may_be_answered_with_all(irene: Correspondent, body: str) -> None:
    irene.writes("BASTA")
    [listed] = irene.reads()
    assert listed.kind == "letters"
    irene.answers(listed, body)
    irene.answers(irene.letter, "sì basta")
    assert irene.player.silent_since


def test_nobody_stops_a_players_letters_in_their_name(irene: Correspondent) -> None:
    for dmarc in ("none", "fail"):
        irene.writes("Please don't write to me again.", dmarc=dmarc)
    assert irene.player.silent_since is None
    assert not SuppressedAddress.objects.exists()


@pytest.mark.parametrize(
    ("body", "arrives"),
    [
        ("No thanks, and please don't write to me again. Ciao Irene, good luck!", "Ciao Irene, good luck!"),
        ("No grazie, non scrivetemi più. Irene, ci vediamo domenica!", "Irene, ci vediamo domenica!"),
        ("Please don't write to me again.\n\nIrene, call me instead.", "Irene, call me instead."),
    ],
)
def test_words_beside_the_goodbye_reach_who_has_invited(
    irene: Correspondent, rosa: Correspondent, body: str, arrives: str
) -> None:
    irene.writes(f"SFIDA {GUEST} zertz")
    rosa.answers(rosa.letter, body)
    assert SuppressedAddress.objects.get().email == GUEST
    assert [line.strip() for line in irene.letter.text.splitlines() if "| " in line] == [f"| {arrives}"]


def test_a_goodbye_alone_brings_no_words(irene: Correspondent, rosa: Correspondent) -> None:
    irene.writes(f"SFIDA {GUEST} zertz")
    rosa.answers(rosa.letter, "No thanks. Please don't write to me again.")
    assert "  | " not in irene.letter.text
