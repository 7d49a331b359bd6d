"""Somebody who cannot read their old mailbox writes to the organiser, who begins the three days for them. The new one
has to say YES, the old one may say NO, and their clocks stand still meanwhile."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.core.exceptions import ValidationError

from pbem.admin.people.services import change_address, stop_change
from pbem.inbox.time_forfeits import flag_overdue
from pbem.matches.clock.service import remaining
from pbem.matches.models import ExemptInterval, Match, Reason
from pbem.outbox.after_restore import restored
from pbem.players.models import AddressChange
from pbem.players.services import do_not_contact
from pbem.refusals import Code
from tests.clocks import due
from tests.journeys.mailboxes import WORK, addresses, at_work, three_days
from tests.mail_fixtures import Correspondent, Post, unwrapped

HOUR = timedelta(hours=1)


def begun(alice: Correspondent, email: str = WORK) -> Correspondent:
    """The organiser presses the button."""
    alice.reads()
    change_address(alice.player, email, now=alice.post.now)
    alice.post.send()
    return at_work(alice.post)


def test_the_new_mailbox_says_yes_and_the_old_one_hears_it_before_and_after(alice: Correspondent) -> None:
    work = begun(alice)
    [warning], [question] = alice.reads(), work.reads()
    assert "cannot read their old mailbox" in unwrapped(warning.text)
    assert f"our letters to Alice go to {WORK}" in unwrapped(warning.text)
    assert "has told the organiser" in unwrapped(question.text)
    assert alice.email not in question.text
    assert work.answers(question, "Yes").verdict == "ok"
    [begins] = work.reads()
    assert "answer NO" in unwrapped(begins.text)
    assert addresses() == [alice.email]
    three_days(alice.post)
    assert addresses() == [WORK, alice.email]
    assert (alice.kinds(), work.kinds()) == (["addresses"], ["addresses"])
    assert "Alice's clocks run again." in unwrapped(alice.letter.text)


def test_in_italian(bruno: Correspondent) -> None:
    office = Correspondent(bruno.post, "Bruno", "bruno@ufficio.example")
    begun(bruno, office.email)
    assert "non poter più leggere la vecchia casella" in unwrapped(bruno.letter.text)
    assert "ha detto all'organizzatore" in unwrapped(office.letter.text)
    assert office.answers(office.letter, "Sì").verdict == "ok"
    assert bruno.answers(bruno.letter, "No").verdict == "ok"
    assert "Gli orologi di Bruno corrono di nuovo." in unwrapped(office.letter.text)
    three_days(bruno.post)
    assert bruno.player.email == "bruno@example.org"


@pytest.mark.parametrize("who", ["old", "new"])
def test_a_no_of_either_undoes_it(alice: Correspondent, who: str) -> None:
    work = begun(alice)
    reader = alice if who == "old" else work
    assert reader.answers(reader.letter, "NO", dmarc="").verdict == "ok"
    assert "Nothing changes" in unwrapped(alice.letter.text)
    assert "Nothing changes" in unwrapped(work.letter.text)
    three_days(alice.post)
    assert addresses() == [alice.email]


def test_without_a_yes_nothing_changes_and_a_stranger_hears_no_more(alice: Correspondent) -> None:
    work = begun(alice)
    work.reads()
    three_days(alice.post)
    assert addresses() == [alice.email]
    assert "Nothing changes" in unwrapped(alice.letter.text)
    assert work.kinds() == []


def test_what_is_neither_is_asked_again(alice: Correspondent) -> None:
    work = begun(alice)
    assert work.answers(work.letter, "Who is this?").verdict == Code.NO_MOVE_FOUND
    assert "please answer YES or NO" in unwrapped(work.letter.text)
    assert work.answers(work.letter, "YES").verdict == "ok"
    three_days(alice.post)
    assert addresses() == [WORK, alice.email]


def test_what_she_asks_for_as_well_goes_on_as_it_was_told(alice: Correspondent) -> None:
    """The question to the new mailbox that her own email brings is as good as the organiser's."""
    begun(alice)
    alice.post.wait(days=1)
    alice.writes(f"SET ADDRESS {WORK}")
    alice.answers(alice.letter, "YES ADDRESS")
    work = at_work(alice.post)
    assert work.answers(work.letter, "YES").verdict == "ok"
    [change] = AddressChange.objects.all()
    assert change.confirmed_at == alice.post.now
    alice.post.wait(days=-1)
    three_days(alice.post)
    assert addresses() == [WORK, alice.email]


def test_a_yes_at_the_old_mailbox_is_none_of_the_new_one(alice: Correspondent) -> None:
    begun(alice)
    assert alice.answers(alice.letter, "YES").verdict == Code.NO_MOVE_FOUND
    three_days(alice.post)
    assert addresses() == [alice.email]


def test_a_no_is_heard_after_a_restore_too(alice: Correspondent) -> None:
    begun(alice)
    warning = alice.letter
    alice.post.wait(hours=3)
    restored(now=alice.post.now)
    assert alice.answers(warning, "NO", dmarc="").verdict == "ok"
    assert AddressChange.objects.get().cancelled


def test_what_the_organiser_cannot_begin(alice: Correspondent, stranger: Correspondent) -> None:
    begun(alice)
    do_not_contact(stranger.email, now=alice.post.now)
    for email in (alice.email, WORK, stranger.email):
        with pytest.raises(ValidationError):
            change_address(alice.player, email, now=alice.post.now)
    [change] = AddressChange.objects.all()
    stop_change(change, now=alice.post.now)
    with pytest.raises(ValidationError):
        stop_change(change, now=alice.post.now)


# -- clocks ------------------------------------------------------------------------------------------------


@pytest.fixture
def timed(loa: Match, post: Post) -> Match:
    """Alice is to move, and has five hours."""
    return due(loa, post.now + 5 * HOUR, since=post.now)


def deadline(match: Match) -> datetime | None:
    return Match.objects.get(pk=match.pk).deadline


def test_her_clock_stands_still_for_72_hours_at_most(timed: Match, alice: Correspondent) -> None:
    post, began = alice.post, alice.post.now
    post.wait(hours=1)
    begun(alice)
    assert deadline(timed) == began + 77 * HOUR
    post.wait(hours=71)
    post.live()
    assert flag_overdue(now=post.now) == 0
    assert remaining(Match.objects.get(pk=timed.pk).seated[0], post.now) == 4 * HOUR
    three_days(post)
    assert deadline(timed) == began + 77 * HOUR
    post.live()
    assert flag_overdue(now=post.now) == 1, "it runs again, whether anybody has said YES or not"


@pytest.mark.parametrize("how", ["NO", "organiser", "removed"])
def test_it_runs_again_as_soon_as_the_change_is_stopped(timed: Match, alice: Correspondent, how: str) -> None:
    post, began = alice.post, alice.post.now
    post.wait(hours=1)
    begun(alice)
    warning = alice.letter
    post.wait(hours=10)
    if how == "NO":
        alice.answers(warning, "NO")
    elif how == "organiser":
        stop_change(AddressChange.objects.get(), now=post.now)
    else:
        alice.writes(f"REMOVE ADDRESS {WORK}")
        alice.answers(alice.letter, "YES ADDRESS")
    assert AddressChange.objects.get().cancelled
    assert deadline(timed) == began + 15 * HOUR


def test_only_hers_stands_still(timed: Match, alice: Correspondent, bruno: Correspondent) -> None:
    """A move of hers counts meanwhile, and then the time of her opponent runs."""
    begun(alice)
    assert alice.writes(f"{timed.pk} b1-b3").verdict == "ok"
    played = deadline(timed)
    assert played is not None
    assert played == alice.post.now + timedelta(days=60)
    [row] = ExemptInterval.objects.filter(match=timed)
    assert (row.seat, row.why) == (timed.seated[0], Reason.MAILBOX)
    assert bruno.letters


def test_time_that_was_over_is_not_given_back(timed: Match, alice: Correspondent) -> None:
    alice.post.wait(hours=6)
    over = deadline(timed)
    begun(alice)
    assert deadline(timed) == over


def test_a_change_that_she_asked_for_herself_stops_no_clock(timed: Match, alice: Correspondent) -> None:
    alice.writes(f"SET ADDRESS {WORK}")
    alice.answers(alice.letter, "YES ADDRESS")
    work = at_work(alice.post)
    assert work.answers(work.letter, "YES").verdict == "ok"
    assert not ExemptInterval.objects.exists()
