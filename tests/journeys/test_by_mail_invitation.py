"""A challenge to an address: one letter to a stranger, one answer, and the match begins. Nobody learns more."""

import re
from collections.abc import Callable

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from pbem.admin.people.services import invite
from pbem.matches.models import Invitation, Match
from pbem.outbox.models import BouncedMail, OutboundMail
from pbem.players.blocks import refuse
from pbem.players.models import Player, SuppressedAddress
from pbem.players.services import fall_silent, register, restart
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Delivery, Post, registered, unwrapped

DORA = "dora@example.org"


@pytest.fixture
def letter(alice: Correspondent, stranger: Correspondent) -> Delivery:
    assert alice.writes(f"CHALLENGE {DORA} loa black").verdict == "ok"
    [letter] = stranger.reads()
    alice.reads()
    return letter


def test_a_stranger_says_yes_has_a_name_and_the_match_begins(
    alice: Correspondent, stranger: Correspondent, letter: Delivery
) -> None:
    assert letter.subject == "Alice invites you to a match of Lines of Action"
    assert "Alice moves first." in unwrapped(letter.text)
    assert "Alice is new here" in unwrapped(letter.text)
    assert "cid:board1" in letter.html
    assert ">YES Dora</a>" in letter.html  # by the name of the mailbox, which is free
    assert " a b c" in letter.text or "a  b  c" in letter.text or " a   b" in letter.text
    assert stranger.answers(letter, "YES Dora").verdict == "ok"
    [first] = stranger.reads()
    assert (first.kind, stranger.player.language) == ("welcome", "en")
    assert "Your match against Alice begins" in unwrapped(first.text)
    match = Match.objects.get()
    assert (match.players, match.status) == (("Alice", "Dora"), Match.Status.PLAYING)
    [told] = alice.reads()
    assert f"Your invitation to {DORA} was accepted." in unwrapped(told.text)
    assert alice.answers(told, "b1-b3").verdict == "ok"
    assert stranger.answers(stranger.letter, "a2-c2").verdict == "ok"


def test_in_italian_it_is_si_and_the_name_may_stand_below(
    bruno: Correspondent, stranger: Correspondent
) -> None:
    bruno.writes(f"SFIDA {DORA} zertz PRIMO")
    [letter] = stranger.reads()
    assert "Bruno ti invita a una partita di Zèrtz" in letter.subject
    assert "\nIn English: YES to play, RULES for the rules, NO to decline.\r\n" in letter.text
    stranger.answers(letter, "RULES")
    assert "NO declines" in stranger.letter.text, "in the language that they were asked for in"
    assert stranger.answers(letter, "Sì!\nDora").verdict == "ok"
    assert stranger.player.language == "it"
    assert "SÌ" not in bruno.letter.subject
    assert f"Il tuo invito a {DORA} è stato accettato." in unwrapped(bruno.letter.text)


def test_no_is_told_to_the_challenger(
    alice: Correspondent, stranger: Correspondent, letter: Delivery
) -> None:
    assert stranger.answers(letter, "NO").verdict == "ok"
    assert (alice.kinds(), stranger.kinds()) == (["uninvited"], [])
    assert f"{DORA} will not play this time" in unwrapped(alice.letter.text)
    assert stranger.answers(letter, "YES Dora").verdict == Code.INVITATION_OVER
    assert not Player.objects.filter(name="Dora").exists()


def test_what_is_unclear_or_has_a_taken_name_is_asked_again(
    alice: Correspondent, bruno: Correspondent, stranger: Correspondent, letter: Delivery
) -> None:
    for body, said in {"YESTERDAY": "a yes or a no", "Who are you?": "free service"}.items():
        assert stranger.answers(letter, body).verdict == Code.NO_MOVE_FOUND
        assert said in unwrapped(stranger.letter.text)
    assert stranger.answers(stranger.letter, "YES Bruno").verdict == Code.NAME_TAKEN
    assert "Bruno is taken. Answer YES Bruno2, or YES and another name." in unwrapped(stranger.letter.text)
    assert "body=YES%20Bruno2" in stranger.letter.html
    assert stranger.answers(stranger.letter, "YES Dora").verdict == "ok"
    assert Match.objects.get().players == ("Alice", "Dora")


def test_one_letter_to_an_address_until_it_is_answered(
    alice: Correspondent, bruno: Correspondent, stranger: Correspondent, letter: Delivery
) -> None:
    assert alice.writes(f"CHALLENGE {DORA} zertz").verdict == Code.INVITED_ALREADY
    assert bruno.writes(f"SFIDA {DORA.upper()} zertz").verdict == "ok"
    assert bruno.kinds() == ["invited"]
    assert stranger.kinds() == []
    stranger.answers(letter, "YES Dora")
    assert stranger.kinds() == ["welcome", "invites"]  # now that she plays, his is a challenge
    assert stranger.answers(stranger.letter, "YES").verdict == "ok"
    assert Match.objects.filter(seats__player=stranger.player).count() == 2


def test_three_addresses_a_day(post: Post, alice: Correspondent, stranger: Correspondent) -> None:
    for name in ("anna", "berta", "carla"):
        assert alice.writes(f"CHALLENGE {name}@example.net zertz").verdict == "ok"
    assert alice.writes(f"CHALLENGE {DORA} zertz").verdict == Code.TOO_MANY_INVITATIONS
    assert stranger.kinds() == []
    post.wait(days=1)
    assert alice.writes(f"CHALLENGE {DORA} zertz").verdict == "ok"


def page_of(letter: Delivery) -> tuple[str, str]:
    """The path of the page, and the address by mail."""
    header = str(letter.message["List-Unsubscribe"])
    assert letter.message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    web, mail = re.findall(r"<([^>]+)>", header)
    return "/" + web.partition("://")[2].partition("/")[2], mail.removeprefix("mailto:").partition("?")[0]


def test_never_again_takes_a_click_and_looking_changes_nothing(
    alice: Correspondent, bruno: Correspondent, stranger: Correspondent, letter: Delivery
) -> None:
    path, _ = page_of(letter)
    assert path in letter.text
    browser = Client(enforce_csrf_checks=True)
    for look in (browser.get, browser.head):
        answer = look(path)
        assert (answer.status_code, dict(answer.cookies)) == (200, {})
    assert not SuppressedAddress.objects.exists()
    for body in ({}, {"List-Unsubscribe": "no"}):
        assert browser.post(path, body).status_code == 400
    assert not SuppressedAddress.objects.exists()
    assert browser.post(path, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert browser.post(path, {"choice": "never"}).status_code == 200
    assert SuppressedAddress.objects.get().email == DORA
    assert browser.get("/n/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/").status_code == 404
    stranger.answers(letter, "NO")
    assert bruno.writes(f"SFIDA {DORA} zertz").verdict == "ok"
    assert (bruno.kinds(), stranger.kinds()) == (["invited"], [])


def test_never_again_by_mail_works_whatever_the_program_says_of_itself(
    stranger: Correspondent, letter: Delivery
) -> None:
    _, address = page_of(letter)
    row = stranger.writes("", to=address, subject="never", headers={"Auto-Submitted": "auto-generated"})
    assert (row.verdict, stranger.kinds()) == ("ok", [])
    assert SuppressedAddress.objects.get().email == DORA


def sign_up(post: Post, alice: Correspondent, stranger: Correspondent) -> None:
    stranger.writes("ISCRIVIMI Dora")


def new_address(post: Post, alice: Correspondent, stranger: Correspondent) -> None:
    alice.writes(f"ADD ADDRESS {DORA}")
    alice.answers(alice.letter, "YES ADDRESS")


def by_the_organiser(post: Post, alice: Correspondent, stranger: Correspondent) -> None:
    invite(email=DORA, language="it", host="Olga", now=post.now)
    post.send()


@pytest.mark.parametrize("by_mail", [False, True])
@pytest.mark.parametrize("cause", [sign_up, new_address, by_the_organiser])
def test_whatever_letter_a_stranger_gets_he_can_have_no_more(
    post: Post,
    alice: Correspondent,
    stranger: Correspondent,
    cause: Callable[[Post, Correspondent, Correspondent], None],
    by_mail: bool,
) -> None:
    cause(post, alice, stranger)
    path, address = page_of(stranger.letter)
    assert path in stranger.letter.text
    assert path in stranger.letter.html
    if by_mail:
        assert stranger.writes("", to=address, subject="never").verdict == "ok"
    else:
        page = Client().get(path)
        assert f'lang="{OutboundMail.objects.latest("pk").language}"' in page.content.decode()
        assert not SuppressedAddress.objects.exists()
        assert Client().post(path, {"List-Unsubscribe": "One-Click"}).status_code == 200
    stranger.reads()
    post.wait(days=8)
    alice.writes(f"CHALLENGE {DORA} zertz")
    new_address(post, alice, stranger)
    with pytest.raises(ValidationError, match="no letters"):
        invite(email=DORA, language="en", host="Olga", now=post.now)
    assert stranger.kinds() == []
    assert (
        stranger.writes("REGISTER Dora").verdict == Code.CONFIRM_NEEDED
    )  # the stranger may, as the page says
    assert stranger.kinds() == ["signup"]


def test_whoever_called_a_letter_of_ours_spam_gets_none(
    post: Post, alice: Correspondent, stranger: Correspondent
) -> None:
    letter = OutboundMail.objects.create(
        cause="x", kind="signup", address=DORA, language="en", message_id="x", created_at=post.now,
        next_try_at=post.now,
    )  # fmt: skip
    BouncedMail.objects.create(letter=letter, address=DORA, fate=Code.COMPLAINT, happened_at=post.now)
    OutboundMail.objects.update(status=OutboundMail.Status.SENT)
    assert alice.writes(f"CHALLENGE {DORA} zertz").verdict == "ok"
    assert stranger.kinds() == []


def test_a_player_at_the_address_gets_a_challenge_and_needs_no_name(
    alice: Correspondent, bruno: Correspondent
) -> None:
    assert alice.writes(f"CHALLENGE {bruno.email} loa black").verdict == "ok"
    assert "Bruno" not in alice.letter.text
    [letter] = bruno.reads()
    assert "Alice ti invita a una partita di Lines of Action" in unwrapped(letter.text)
    assert bruno.answers(letter, "Sì").verdict == "ok"
    assert Match.objects.get().players == ("Alice", "Bruno")
    assert bruno.kinds() == ["turn"]
    assert bruno.answers(letter, "Sì").verdict == Code.INVITATION_OVER


def test_a_family_is_asked_who_it_was(post: Post, alice: Correspondent, bruno: Correspondent) -> None:
    register(name="Bianca", email=bruno.email, language="it", now=post.now)
    alice.writes(f"CHALLENGE {bruno.email} loa")
    [letter] = bruno.reads()
    assert "Bruno" in letter.text
    assert bruno.answers(letter, "YES").verdict == Code.NO_MOVE_FOUND
    assert bruno.answers(letter, "YES bianca").verdict == "ok"
    assert "Bianca" in Match.objects.get().players


def test_whoever_refuses_alice_is_not_written_to_and_she_hears_the_same(
    post: Post, alice: Correspondent, bruno: Correspondent, charlie: Correspondent
) -> None:
    refuse(bruno.player, alice.player, now=post.now)
    fall_silent(charlie.player, now=post.now)
    said = set()
    for who in (bruno, charlie):
        alice.writes(f"CHALLENGE {who.email} loa first")
        assert who.kinds() == []
        said.add(alice.letter.text.replace(who.email, "ADDRESS"))
    alice.writes("CHALLENGE nobody@example.org loa first")
    said.add(alice.letter.text.replace("nobody@example.org", "ADDRESS"))
    assert len(set(map(unwrapped, said))) == 1
    restart(charlie.player, None)
    assert charlie.kinds() == []


def test_an_invitation_stands_for_thirty_days(post: Post, stranger: Correspondent, letter: Delivery) -> None:
    post.wait(days=30, minutes=1)
    assert stranger.answers(letter, "YES Dora").verdict == Code.INVITATION_OVER
    assert "REGISTER" in stranger.letter.text


def test_oneself_is_not_invited(alice: Correspondent) -> None:
    assert alice.writes(f"CHALLENGE {alice.email} loa").verdict == Code.AGAINST_YOURSELF
    assert not Invitation.objects.exists()


def test_what_comes_to_it_is_from_whom_it_went_to(
    post: Post, stranger: Correspondent, letter: Delivery, bruno: Correspondent
) -> None:
    """Anyone who has it may write any From: no other player is held for its author, nor written to."""
    row = bruno.writes("?", to=letter.reply_to, dmarc="none")
    assert (row.player, row.verdict) == (None, Code.NO_MOVE_FOUND)
    assert bruno.letters == []
    rows = [bruno.writes(f"? {number}", to=letter.reply_to, dmarc="none") for number in range(8)]
    assert {row.verdict for row in rows} == {Code.NO_MOVE_FOUND}
    assert len(stranger.reads()) <= 6, "and the one who was invited is asked a few times a day at most"


def test_the_way_to_hear_no_more_is_nobodys_letter(
    stranger: Correspondent, letter: Delivery, bruno: Correspondent
) -> None:
    row = bruno.writes("", to=page_of(letter)[1], dmarc="none")
    assert (row.player, row.verdict) == (None, "ok")


def test_yes_with_a_move_in_one_sentence(alice: Correspondent, stranger: Correspondent) -> None:
    alice.writes(f"CHALLENGE {DORA} loa white")
    said = "Hi Alice, yes let's play, I start with b1 to b3"
    assert stranger.answers(stranger.letter, said).verdict == Code.CONFIRM_NEEDED
    assert stranger.answers(stranger.letter, "yes").verdict == "ok"
    assert Match.objects.get().turns.get().move == "b1-b3"


def test_a_sentence_with_a_move_that_asks_is_asked_about(
    alice: Correspondent, stranger: Correspondent
) -> None:
    alice.writes(f"CHALLENGE {DORA} loa white")
    said = "Hey, ok! I move from b1 to b3. Is this right?"
    assert stranger.answers(stranger.letter, said).verdict == Code.CONFIRM_NEEDED
    assert not Match.objects.exists()
    assert "    b1-b3\n" in stranger.letter.text.replace("\r", "")
    assert stranger.answers(stranger.letter, "yes").verdict == "ok"
    assert Match.objects.get().turns.get().move == "b1-b3"


def test_a_guest_who_writes_another_language_is_answered_in_it(post: Post) -> None:
    bruno, dora = registered(post, "Bruno", "it"), Correspondent(post, "Dora", "dora@example.org")
    bruno.writes("SFIDA dora@example.org loa\n\nHi Dora, let's try, io sono pronto :)")
    assert "| Hi Dora, let's try, io sono pronto" in dora.letter.text
    dora.answers(
        dora.letter, "Is it free? I'm afraid I don't read Italian, could I get these in English please?"
    )
    assert "Bruno invites you to a match of Lines of Action" in " ".join(dora.letter.text.split())
    assert dora.answers(dora.letter, "b8-b6").verdict == "ok"
    assert dora.player.language == "en"
