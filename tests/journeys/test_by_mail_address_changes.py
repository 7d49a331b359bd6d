"""Three days lie between the YES of a new mailbox and the day on which it is a player's: a NO of any of their mailboxes
undoes it, and whatever else happens meanwhile wrongs nobody."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from io import BytesIO
from zipfile import ZipFile

import pytest

from pbem.admin.people.erasure import erase
from pbem.inbox import address_changes
from pbem.inbox.address_changes import carry_out_due
from pbem.inbox.models import PersonalMessage
from pbem.inbox.rate_limits.slots import take_place
from pbem.outbox.data_export import write
from pbem.outbox.models import OutboundMail
from pbem.players.models import Address, AddressChange, Player
from pbem.players.services import fall_silent, put_first, remove_address
from pbem.refusals import Code
from tests.journeys.mailboxes import WORK, addresses, asks, begins, three_days
from tests.mail_fixtures import Correspondent, unwrapped

HOME = "alice@example.org"
SET = f"SET ADDRESS {WORK}"


@pytest.mark.parametrize("who", ["at home", "at work"])
@pytest.mark.parametrize("dmarc", ["pass", "", "fail"])
def test_a_no_of_any_mailbox_undoes_it_and_both_hear_so(alice: Correspondent, who: str, dmarc: str) -> None:
    """Whoever vouches for it: the reply address was mailed to one mailbox."""
    work = begins(alice, SET)
    reader = alice if who == "at home" else work
    letter = reader.letter
    assert "answer NO" in unwrapped(letter.text)
    alice.reads()
    work.reads()
    alice.post.wait(days=2, hours=20)
    assert reader.answers(letter, "No!", dmarc=dmarc).verdict == "ok"
    for heard in (alice.reads()[-1], work.reads()[-1]):
        assert f"Nothing changes: {WORK} does not become Alice's." in unwrapped(heard.text)
    three_days(alice.post)
    assert addresses() == [HOME]
    assert (alice.kinds(), work.kinds()) == ([], [])


def test_in_italian(bruno: Correspondent) -> None:
    office = Correspondent(bruno.post, "Bruno", "bruno@ufficio.example")
    bruno.writes(f"AGGIUNGI INDIRIZZO {office.email}")
    bruno.answers(bruno.letter, "SÌ INDIRIZZO")
    assert "tre giorni dopo il tuo SÌ" in unwrapped(office.letter.text)
    office.answers(office.letter, "SÌ")
    assert "riconosciamo come scritte da Bruno le email di bruno@ufficio.example" in unwrapped(
        bruno.letter.text
    )
    assert bruno.answers(bruno.letter, "No").verdict == "ok"
    assert "Non cambia niente" in unwrapped(bruno.letter.text)
    assert "Non cambia niente" in unwrapped(office.letter.text)
    three_days(bruno.post)
    assert bruno.player.addresses.count() == 1


# -- somebody else asks ---------------------------------------------------------------------------------


def forges(charlie: Correspondent, alice: Correspondent, command: str) -> None:
    raw = charlie.pens(command, dmarc="", headers={"From": f"Alice <{alice.email}>"})
    charlie.post.deliver(raw, "play@pbem.localhost", charlie.email)


@pytest.mark.parametrize("command", ["SET ADDRESS", "ADD ADDRESS"])
@pytest.mark.parametrize("answer", ["Yes, someone hacked me", "YES", "Yes ADDRESS what?", "OK. Not mine."])
def test_what_a_victim_answers_is_no_yes(
    alice: Correspondent, charlie: Correspondent, command: str, answer: str
) -> None:
    charlie.reads()
    forges(charlie, alice, f"{command} {charlie.email}")
    alice.answers(alice.letter, answer)
    assert charlie.kinds() == []
    three_days(alice.post)
    assert addresses() == [HOME]


def test_a_yes_by_mistake_is_taken_back_within_three_days(
    alice: Correspondent, charlie: Correspondent
) -> None:
    forges(charlie, alice, f"SET ADDRESS {charlie.email}")
    assert alice.answers(alice.letter, "YES ADDRESS").verdict == "ok"
    assert charlie.answers(charlie.letter, "YES").verdict == "ok"
    warning = alice.letter
    assert f"our letters to Alice go to {charlie.email}" in unwrapped(warning.text)
    assert alice.answers(warning, "What is this? I never asked for that").verdict == Code.NO_MOVE_FOUND
    assert "Only NO, alone, stops" in unwrapped(alice.letter.text)
    assert addresses() == [HOME]
    alice.post.wait(days=2)
    assert alice.answers(alice.letter, "NO", dmarc="").verdict == "ok"
    three_days(alice.post)
    assert addresses() == [HOME]
    assert Player.objects.writing_from(charlie.email).get().name == "Charlie"


def test_the_warning_comes_whatever_letters_she_wants_and_however_many_she_got(alice: Correspondent) -> None:
    fall_silent(alice.player, now=alice.post.now)
    work = asks(alice, SET)
    while take_place("answers", HOME, alice.post.now) is not None:
        pass
    assert work.answers(work.letter, "YES").verdict == "ok"
    assert (alice.letter.kind, work.letter.kind) == ("new_address", "new_address")


def test_every_mailbox_of_hers_is_warned(alice: Correspondent) -> None:
    third = Correspondent(alice.post, "Alice", "alice@old.example")
    Address.objects.create(player=alice.player, email=third.email, verified_at=alice.post.now)
    begins(alice, SET)
    assert third.kinds() == ["new_address"]
    assert third.answers(third.letter, "NO").verdict == "ok"
    three_days(alice.post)
    assert addresses() == [HOME, third.email]


def test_a_no_after_it_is_done_is_for_a_person(alice: Correspondent) -> None:
    work = begins(alice, SET)
    warning = alice.letter
    three_days(alice.post)
    assert alice.answers(warning, "NO, that was not me!", dmarc="").verdict == Code.CONFIRM_EXPIRED
    assert "came too late" in unwrapped(alice.letter.text)
    message = PersonalMessage.objects.get()
    assert (message.player, message.doubted) == (alice.player, True)
    assert "not me" in message.text
    assert addresses() == [WORK, HOME]
    work.reads()


def test_a_mailbox_that_is_no_longer_hers_says_no_and_reads_no_others(alice: Correspondent) -> None:
    third = Correspondent(alice.post, "Alice", "alice@old.example")
    Address.objects.create(player=alice.player, email=third.email, verified_at=alice.post.now)
    begins(alice, SET)
    remove_address(alice.player, third.email)
    assert third.answers(third.letter, "Yes?").verdict == Code.NO_MOVE_FOUND
    assert third.answers(third.letter, "NO").verdict == "ok"
    assert third.answers(third.letter, "NO").verdict == "ok"
    assert HOME not in third.letter.text
    three_days(alice.post)
    assert addresses() == [HOME]


def test_commands_are_read_in_answer_to_it_as_well(alice: Correspondent) -> None:
    begins(alice, SET)
    assert alice.answers(alice.letter, "ADDRESSES").verdict == "ok"
    assert alice.letter.kind == "addresses"


# -- when --------------------------------------------------------------------------------------------------


def test_it_is_done_once_and_told_at_the_old_first_and_the_new_one(alice: Correspondent) -> None:
    work = begins(alice, SET)
    alice.reads()
    work.reads()
    alice.post.wait(days=2, hours=23, minutes=59)
    alice.post.live()
    carry_out_due(now=alice.post.now)
    assert addresses() == [HOME]
    for _ in range(2):
        three_days(alice.post)
    assert addresses() == [WORK, HOME]
    assert (alice.kinds(), work.kinds()) == (["addresses"], ["addresses"])
    assert f"Letters to Alice go to {WORK} from now on." in unwrapped(alice.letter.text)
    assert not AddressChange.objects.open().exists()


def test_a_no_that_waits_to_be_opened_came_in_time(alice: Correspondent) -> None:
    begins(alice, SET)
    post, warning = alice.post, alice.letter
    post.wait(days=2, hours=23)
    post.keep(alice.pens("NO", dmarc="pass"), warning.reply_to, alice.email)
    post.wait(hours=2)
    post.live()
    carry_out_due(now=post.now)
    assert addresses() == [HOME]
    post.open()
    three_days(post)
    assert addresses() == [HOME]


def test_the_days_begin_when_the_warning_has_left(alice: Correspondent) -> None:
    work = asks(alice, SET)
    post = alice.post
    post.mailboxes.failure = OSError("the relay is away")
    work.answers(work.letter, "YES")
    post.wait(days=2)
    post.mailboxes.failure = None
    post.send()
    assert alice.letter.kind == "new_address"
    post.wait(days=1, hours=2)
    post.live()
    carry_out_due(now=post.now)
    assert addresses() == [HOME]
    post.wait(days=2)
    post.live()
    carry_out_due(now=post.now)
    assert addresses() == [WORK, HOME]


def test_the_same_once_more_changes_no_day_and_more_than_that_begins_anew(alice: Correspondent) -> None:
    work = begins(alice)
    post = alice.post
    post.wait(days=1)
    [change] = AddressChange.objects.open()
    post.wait(days=6)  # a mailbox is asked once a week
    AddressChange.objects.filter(pk=change.pk).update(due_at=post.now + timedelta(days=2))
    begins(alice)
    assert [each.pk for each in AddressChange.objects.open()] == [change.pk]
    post.wait(days=7)
    begins(alice, SET)
    [anew] = AddressChange.objects.open()
    assert (anew.puts_first, anew.due_at) == (True, post.now + timedelta(days=3))
    work.reads()


# -- meanwhile -----------------------------------------------------------------------------------------------


def test_she_takes_it_back_by_removing_it(alice: Correspondent) -> None:
    work = begins(alice, SET)
    work.reads()
    alice.writes(f"REMOVE ADDRESS {WORK}")
    assert alice.answers(alice.letter, "YES ADDRESS").verdict == "ok"
    assert "Nothing changes" in unwrapped(alice.letter.text)
    assert work.kinds() == ["addresses"]
    three_days(alice.post)
    assert addresses() == [HOME]


def test_of_a_suspended_player_nothing_changes(alice: Correspondent) -> None:
    work = begins(alice, SET)
    Player.objects.update(suspended_at=alice.post.now)
    three_days(alice.post)
    assert addresses() == [HOME]
    assert alice.letter.kind == "refused"
    assert "Nothing changes" in unwrapped(work.letter.text)
    assert AddressChange.objects.get().cancelled


def test_there_is_no_room_any_more(alice: Correspondent) -> None:
    begins(alice, SET)
    for number in range(4):
        Address.objects.create(player=alice.player, email=f"a{number}@a.example", verified_at=alice.post.now)
    three_days(alice.post)
    assert WORK not in addresses()
    assert alice.letter.kind == "refused"


def test_two_players_may_have_it(alice: Correspondent, bruno: Correspondent) -> None:
    """A family shares a mailbox."""
    begins(alice, SET)
    Address.objects.create(player=bruno.player, email=WORK, verified_at=alice.post.now)
    three_days(alice.post)
    assert addresses() == [WORK, HOME]
    assert bruno.player.writes_from(WORK)


def test_letters_to_the_old_first_address_of_that_day(alice: Correspondent) -> None:
    third = Correspondent(alice.post, "Alice", "alice@third.example")
    Address.objects.create(player=alice.player, email=third.email, verified_at=alice.post.now)
    begins(alice, SET)
    remove_address(alice.player, HOME)
    alice.reads()
    third.reads()
    three_days(alice.post)
    assert (alice.kinds(), third.kinds()) == ([], ["addresses"])


def test_of_a_player_who_is_gone_nothing_is_left(alice: Correspondent, stranger: Correspondent) -> None:
    begins(alice, SET)
    data = BytesIO()
    write(alice.player, data)
    about = json.loads(ZipFile(data).read("player.json"))
    assert [change["email"] for change in about["address_changes"]] == [WORK]
    erase(alice.player, now=alice.post.now)
    assert not AddressChange.objects.exists()
    assert not OutboundMail.objects.filter(address__in=(HOME, WORK)).exists()
    three_days(alice.post)
    assert not Address.objects.exists()


def test_of_a_row_that_is_gone_a_no_does_nothing(alice: Correspondent) -> None:
    work = begins(alice, SET)
    AddressChange.objects.all().delete()
    assert alice.answers(alice.letter, "NO").verdict == Code.OFFER_GONE
    three_days(alice.post)
    assert addresses() == [HOME]
    work.reads()


def _falls(player: Player, email: str, now: datetime) -> None:
    if player.name == "Alice":
        raise OSError("in the middle of it")
    put_first(player, email, now=now)


def test_what_fails_is_tried_again_and_keeps_no_other_waiting(
    alice: Correspondent, bruno: Correspondent, monkeypatch: pytest.MonkeyPatch
) -> None:
    begins(alice, SET)
    office = Correspondent(bruno.post, "Bruno", "bruno@ufficio.example")
    bruno.writes(f"IMPOSTA INDIRIZZO {office.email}")
    bruno.answers(bruno.letter, "SÌ INDIRIZZO")
    office.answers(office.letter, "SÌ")
    with monkeypatch.context() as broken:
        broken.setattr(address_changes, "put_first", _falls)
        three_days(alice.post)
    assert (addresses(), bruno.player.email) == ([HOME], office.email)
    three_days(alice.post)
    assert addresses() == [WORK, HOME]
