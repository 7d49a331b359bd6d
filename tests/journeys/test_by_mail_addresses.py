"""Several addresses for one player: added, put first, taken away by mail, each time with a YES that names it; a new one
three days after a YES of its own, unless anybody who reads one of them says NO."""

from __future__ import annotations

import re

import pytest

from pbem.inbox.models import Confirmation
from pbem.matches.models import Match
from pbem.players.models import Address, Player
from pbem.refusals import Code
from tests.journeys.mailboxes import WORK, addresses, at_work, begins, three_days
from tests.mail_fixtures import Correspondent, play_address, unwrapped
from tests.returned_mail import comes_back


def gain(alice: Correspondent, command: str = f"ADD ADDRESS {WORK}") -> Correspondent:
    """The whole way."""
    work = begins(alice, command)
    three_days(alice.post)
    alice.reads()
    work.reads()
    return work


def test_an_address_is_added_when_both_mailboxes_say_yes(alice: Correspondent) -> None:
    work = at_work(alice.post)
    assert alice.writes(f"ADD ADDRESS {WORK}").verdict == Code.CONFIRM_NEEDED
    assert alice.kinds() == ["confirm"]
    assert work.letters == []
    assert alice.answers(alice.letter, "YES ADDRESS").verdict == "ok"
    [told] = alice.reads()
    assert f"written to {WORK}" in unwrapped(told.text)
    [question] = work.reads()
    assert "Alice" in question.text
    assert addresses() == ["alice@example.org"]

    assert work.answers(question, "Yes!").verdict == "ok"
    for letter in (*alice.reads(), *work.reads()):
        assert letter.kind == "new_address"
        assert f"From Thursday 7 May 2026, 11:00 Rome time, email from {WORK}" in unwrapped(letter.text)
    assert addresses() == ["alice@example.org"]
    assert work.writes("GAMES").verdict != "ok"
    work.reads()

    three_days(alice.post)
    assert addresses() == ["alice@example.org", WORK]
    assert alice.kinds() == work.kinds() == ["addresses"]
    assert work.writes("GAMES").verdict == "ok"
    assert alice.kinds() == ["games"]  # answers go to the first
    assert work.letters[-1].kind == "addresses"


def test_set_address_moves_the_letters_too(alice: Correspondent, bruno: Correspondent, zertz: Match) -> None:
    work = gain(alice, f"SET ADDRESS {WORK.upper()}")
    assert addresses() == [WORK, "alice@example.org"]
    assert alice.writes(f"{zertz.pk} Wd4, a1").verdict == "ok"
    assert (alice.kinds(), work.kinds()) == ([], ["played"])
    bruno.answers(bruno.letter, "Bb5, d7")
    assert work.kinds() == ["turn"]
    assert work.answers(work.letter, "Gb1, a4").verdict == "ok"


def test_one_of_her_own_is_put_first_without_asking_it_again(alice: Correspondent) -> None:
    work = gain(alice)
    work.writes(f"SET ADDRESS {WORK}")
    assert alice.answers(alice.letter, "YES ADDRESS").verdict == "ok"
    assert addresses() == [WORK, "alice@example.org"]
    assert alice.kinds() == ["confirm", "addresses"]
    assert work.kinds() == ["addresses"]
    work.writes("SET ADDRESS alice@example.org")
    assert work.answers(work.letter, "YES ADDRESS").verdict == "ok"
    assert addresses() == ["alice@example.org", WORK]


def test_in_italian(bruno: Correspondent) -> None:
    office = Correspondent(bruno.post, "Bruno", "bruno@ufficio.example")
    bruno.writes("IMPOSTA INDIRIZZO bruno@ufficio.example")
    assert bruno.answers(bruno.letter, "SÌ INDIRIZZO").verdict == "ok"
    assert "Se sei tu, rispondi SÌ" in office.letter.text
    assert office.answers(office.letter, "Sì").verdict == "ok"
    assert "le nostre lettere per Bruno vanno a bruno@ufficio.example" in unwrapped(bruno.letter.text)
    assert "rispondi NO" in unwrapped(bruno.letter.text)
    three_days(bruno.post)
    assert bruno.player.email == office.email
    office.writes("INDIRIZZI")
    assert "I tuoi indirizzi" in office.letter.text
    assert "TOGLI INDIRIZZO" in office.letter.text
    office.writes("TOGLI INDIRIZZO bruno@example.org")
    office.answers(office.letter, "SÌ INDIRIZZO")
    assert [address.email for address in Address.objects.all()] == [office.email]


def test_her_letters_are_listed_with_the_first_one_first(alice: Correspondent) -> None:
    work = gain(alice, f"SET ADDRESS {WORK}")
    assert alice.writes("ADDRESSES").verdict == "ok"
    text = work.letter.text
    assert 0 < text.index(WORK) < text.index("alice@example.org")


@pytest.mark.parametrize("who", ["at home", "at work"])
def test_a_no_of_either_ends_it(alice: Correspondent, who: str) -> None:
    work = at_work(alice.post)
    alice.writes(f"ADD ADDRESS {WORK}")
    alice.answers(alice.letter, "NO" if who == "at home" else "YES ADDRESS")
    if who == "at work":
        assert work.answers(work.letter, "NO").verdict == "ok"
        assert work.answers(work.letter, "YES").verdict == Code.EXPIRED
    else:
        assert work.letters == []
    assert addresses() == ["alice@example.org"]


@pytest.mark.parametrize("command", ["ADD", "SET", "REMOVE"])
@pytest.mark.parametrize("dmarc", ["pass", "", "fail"])
def test_a_thief_of_the_reply_address_cannot_move_her_letters(
    zertz: Match, alice: Correspondent, charlie: Correspondent, command: str, dmarc: str
) -> None:
    """With her token and her name: still nothing happens without her own YES."""
    forged = {"From": "alice@example.org"}
    raw = charlie.pens(f"{command} ADDRESS charlie@example.org", dmarc=dmarc, headers=forged)
    charlie.post.deliver(raw, alice.letter.reply_to, charlie.email)
    assert alice.kinds() == ["confirm"]
    assert charlie.letters == []
    assert addresses() == ["alice@example.org"]


def test_an_address_taken_away_is_a_strangers_but_its_letters_are_not_lost(
    zertz: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    """The letters sent there still have their reply address; what comes from there is held."""
    old = alice.letter
    work = gain(alice, f"SET ADDRESS {WORK}")
    work.writes("REMOVE ADDRESS alice@example.org")
    assert work.answers(work.letter, "YES ADDRESS").verdict == "ok"
    assert addresses() == [WORK]
    assert alice.answers(old, "Wd4, a1").verdict == Code.FROM_MISMATCH
    assert work.letter.kind == "confirm"
    work.reads()
    assert work.answers(old, "Wd4, a1").verdict == "ok"
    assert work.kinds() == ["played"]
    assert bruno.kinds() == ["turn"]


def test_what_was_asked_of_an_address_taken_away_is_answered_by_nobody(alice: Correspondent) -> None:
    """Anyone who reads there since has found her questions, but no longer speaks for her."""
    work = gain(alice)
    alice.writes("ADD ADDRESS thief@evil.example")
    [question] = alice.reads()
    work.writes(f"SET ADDRESS {WORK}")
    alice.answers(alice.letter, "YES ADDRESS")
    work.writes("REMOVE ADDRESS alice@example.org")
    work.answers(work.letter, "YES ADDRESS")
    assert addresses() == [WORK]
    assert alice.answers(question, "YES ADDRESS").verdict == Code.CONFIRM_EXPIRED
    assert alice.post.mailboxes.boxes["thief@evil.example"] == []
    assert not Confirmation.objects.filter(agreed=True, lines=["ADD ADDRESS thief@evil.example"]).exists()


def test_the_address_taken_away_hears_of_it_and_of_nothing_else(alice: Correspondent) -> None:
    gain(alice, f"SET ADDRESS {WORK}")
    work = at_work(alice.post)
    work.writes("REMOVE ADDRESS alice@example.org")
    work.answers(work.letter, "YES ADDRESS")
    [farewell] = alice.reads()
    assert "no longer Alice's" in unwrapped(farewell.text)
    assert WORK not in farewell.raw.decode()
    assert "/u/" not in farewell.message["List-Unsubscribe"]  # nothing of hers is theirs to stop


def test_the_only_address_stays(alice: Correspondent) -> None:
    alice.writes("REMOVE ADDRESS alice@example.org")
    assert alice.answers(alice.letter, "YES ADDRESS").verdict == Code.ONLY_ADDRESS
    assert addresses() == ["alice@example.org"]


def test_an_address_that_is_not_hers_cannot_be_taken_away(alice: Correspondent, bruno: Correspondent) -> None:
    for other in ("bruno@example.org", "nobody@example.org"):
        alice.writes(f"REMOVE ADDRESS {other}")
        assert alice.answers(alice.letter, "YES ADDRESS").verdict == Code.NOT_YOUR_ADDRESS
    assert bruno.player.email == "bruno@example.org"
    assert bruno.letters == []


def test_there_is_an_end_to_addresses(alice: Correspondent) -> None:
    for number in range(4):
        Address.objects.create(
            player=alice.player, email=f"a{number}@example.org", verified_at=alice.post.now
        )
    alice.writes(f"ADD ADDRESS {WORK}")
    assert alice.answers(alice.letter, "YES ADDRESS").verdict == Code.TOO_MANY_ADDRESSES
    assert at_work(alice.post).letters == []


def test_a_mailbox_is_asked_once_in_a_week(alice: Correspondent) -> None:
    for _ in range(3):
        alice.writes(f"ADD ADDRESS {WORK}")
        assert alice.answers(alice.letter, "YES ADDRESS").verdict == "ok"
    assert len(at_work(alice.post).letters) == 1
    alice.post.wait(days=7)
    alice.writes(f"ADD ADDRESS {WORK}")
    alice.answers(alice.letter, "YES ADDRESS")
    assert len(at_work(alice.post).letters) == 2


def test_the_question_stands_for_72_hours(alice: Correspondent) -> None:
    work = at_work(alice.post)
    alice.writes(f"ADD ADDRESS {WORK}")
    alice.answers(alice.letter, "YES ADDRESS")
    alice.post.wait(hours=72, seconds=1)
    assert work.answers(work.letter, "YES").verdict == Code.CONFIRM_EXPIRED
    assert addresses() == ["alice@example.org"]
    assert "/u/" not in work.letter.message["List-Unsubscribe"]


def test_what_is_neither_yes_nor_no_is_asked_again(alice: Correspondent) -> None:
    work = at_work(alice.post)
    alice.writes(f"ADD ADDRESS {WORK}")
    alice.answers(alice.letter, "YES ADDRESS")
    assert work.answers(work.letter, "Who is this?").verdict == Code.NO_MOVE_FOUND
    assert [letter.kind for letter in work.letters] == ["address", "address"]
    assert work.answers(work.letter, "YES").verdict == "ok"
    three_days(alice.post)
    assert addresses() == ["alice@example.org", WORK]


def test_the_mailbox_of_another_player_may_be_shared_if_he_says_so(
    alice: Correspondent, bruno: Correspondent
) -> None:
    alice.writes("ADD ADDRESS bruno@example.org")
    alice.answers(alice.letter, "YES ADDRESS")
    assert bruno.kinds() == ["address"]
    assert bruno.answers(bruno.letter, "SÌ").verdict == "ok"
    three_days(alice.post)
    assert addresses() == ["alice@example.org", "bruno@example.org"]
    assert bruno.player.email == "bruno@example.org"


def test_the_letters_of_a_suspended_player_add_nothing(alice: Correspondent) -> None:
    work = at_work(alice.post)
    alice.writes(f"ADD ADDRESS {WORK}")
    alice.answers(alice.letter, "YES ADDRESS")
    Player.objects.update(suspended_at=alice.post.now)
    assert work.answers(work.letter, "YES").verdict == Code.SUSPENDED
    assert addresses() == ["alice@example.org"]
    work.reads()
    for command in ("ADD", "SET"):
        alice.writes(f"{command} ADDRESS {WORK}{command}")
        assert alice.answers(alice.letter, "YES ADDRESS").verdict == Code.SUSPENDED
    assert set(alice.post.mailboxes.boxes) == {"alice@example.org", WORK}


@pytest.mark.parametrize(
    "line",
    [
        "SET ADDRESS",
        "SET ADDRESS alice",
        "Add address book entries",
    ],
)
def test_what_names_no_address_changes_none(alice: Correspondent, line: str) -> None:
    """At most it is asked whether they want to see those that they have."""
    assert alice.writes(line, to=play_address()).verdict in (Code.NO_MOVE_FOUND, Code.CONFIRM_NEEDED)
    assert [asked.lines for asked in Confirmation.objects.all()] in ([], [["ADDRESSES"]])


# -- nothing but a dead address -------------------------------------------------------------------------


@pytest.mark.prove
def test_whoever_has_lost_his_only_mailbox_asks_for_his_name_and_the_organiser_sees_it(
    loa: Match, alice: Correspondent, bruno: Correspondent, stranger: Correspondent
) -> None:
    """The answer does not tell whether letters to them come back; the verdict, which the desk shows, does."""
    heard = []
    for verdict in (Code.NAME_TAKEN, Code.LOST_PLAYER):
        assert stranger.writes("ISCRIVIMI bruno", dmarc="").verdict == verdict
        [answer] = stranger.reads()
        heard.append(re.sub("/n/[a-z2-7]{32}", "", " ".join(answer.text.split())))
        stranger.post.wait(days=7)
        for _ in range(3):
            comes_back(stranger.post, bruno.letter)
            alice.answers(alice.letter, "SAY Hello?")
    assert heard[0] == heard[1]
    assert "l'organizzatore" in heard[0]
    alice.answers(alice.letter, "b1-b1")
    assert "organiser" not in alice.letter.text
    assert Player.objects.people().count() == 2

    Address.objects.create(player=bruno.player, email=stranger.email, verified_at=stranger.post.now)
    stranger.writes(f"MOSTRA {loa.pk}")
    assert "board" in stranger.kinds()
    assert bruno.player.unreachable_since is None
