"""After a restore: a new epoch, clocks that did not run, and the board for anyone who plays."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.inbox.resolver import resolve_recipient
from pbem.matches.models import Match, Seat
from pbem.outbox.after_restore import is_new, restored
from pbem.outbox.models import OutboundMail, message_id
from pbem.players import services
from pbem.players.models import Restore
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Post

HOURS = timedelta(hours=1)
Status = OutboundMail.Status


@pytest.fixture
def timed(alice: Correspondent, bruno: Correspondent) -> Match:
    """Alice is to move, with three days for it."""
    alice.writes("CHALLENGE Bruno zertz first 3d/move")
    bruno.answers(bruno.letter, "SÌ")
    alice.reads()
    bruno.reads()
    return Match.objects.get()


def again(post: Post, **away: float) -> Restore:
    """The rows are those of now, and it is later."""
    post.wait(**away)
    made = restored(now=post.now)
    post.send()
    return made


def test_both_players_get_the_board(
    post: Post, timed: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    again(post, hours=30)
    assert alice.kinds() == ["restored"]
    assert bruno.kinds() == ["restored"]
    for said in ("a backup of Monday 4 May 2026, 11:00", "please send it again", "It is your turn."):
        assert said in " ".join(alice.letter.text.split())
    assert "anche ciò che hai mandato dopo" in " ".join(bruno.letter.text.split())
    assert alice.letter.html
    assert max(len(line) for line in alice.letter.text.splitlines() if "http" not in line) <= 72
    assert alice.answers(alice.letter, "Wd4, a1").verdict == "ok", (
        "it brings a reply address of the new epoch"
    )


def test_the_lost_time_is_nobodys(post: Post, timed: Match) -> None:
    before = timed.deadline
    again(post, hours=30)
    timed.refresh_from_db()
    assert before
    assert timed.deadline
    assert timed.deadline >= before + 30 * HOURS


def test_the_same_cause_brings_another_message_id(post: Post, alice: Correspondent) -> None:
    before = message_id("letter:7", "alice@example.org", alice.player)
    again(post, hours=1)
    assert message_id("letter:7", "alice@example.org", alice.player) != before


def test_an_old_address_is_stale_at_once_even_in_a_process_that_knows_of_no_restore(
    post: Post, timed: Match, alice: Correspondent
) -> None:
    """What it makes meanwhile is of the old epoch, and asked about."""
    address, epoch = alice.letter.reply_to, services.to_write_with()
    Restore.objects.create(number=services.number_of(post.now), restored_at=post.now)
    assert services.to_write_with() == epoch == 0
    recipient = resolve_recipient(address, post.now)
    assert recipient
    assert (recipient.state, recipient.restored) == ("stale", True)
    earlier = resolve_recipient(address, post.now - HOURS)
    assert earlier
    assert (earlier.state, earlier.restored) == ("current", False), (
        "what came before it was restored, is of then"
    )


def test_a_move_costs_no_question_more(
    post: Post, timed: Match, alice: Correspondent, django_assert_num_queries: object
) -> None:
    player, _ = alice.player, services.to_write_with()
    with django_assert_num_queries(1):  # type: ignore[operator]
        assert resolve_recipient(alice.letter.reply_to, post.now)
    with django_assert_num_queries(0):  # type: ignore[operator]
        message_id("letter:7", "alice@example.org", player)


def test_a_lost_number_is_given_to_nothing_else(
    post: Post, timed: Match, alice: Correspondent, charlie: Correspondent
) -> None:
    again(post, hours=1)
    assert charlie.writes("CHALLENGE Alice zertz").verdict == Code.CONFIRM_NEEDED, "so soon after a restore"
    charlie.answers(charlie.letter, "YES")
    latest = Match.objects.latest("pk")
    assert timed.pk + 1000 <= latest.pk <= timed.pk + 2001
    assert min(Seat.objects.filter(match=latest).values_list("pk", flat=True)) > 1_000_000


def test_a_challenge_is_open_again(post: Post, alice: Correspondent, bruno: Correspondent) -> None:
    alice.writes("CHALLENGE Bruno zertz first")
    bruno.reads()
    again(post, hours=1)
    assert bruno.kinds() == ["restored"]
    assert bruno.answers(bruno.letter, "SÌ").verdict == "ok"
    assert Match.objects.get().status == Match.Status.PLAYING


def test_boards_that_waited_are_not_sent_twice_but_what_is_said_goes_out(
    post: Post, timed: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    post.mailboxes.failure = ConnectionError()
    alice.answers(alice.letter, "Wd4, a1")
    alice.writes(f"SAY {timed.pk}: Ciao!")
    waiting = OutboundMail.objects.filter(status=Status.WAITING)
    ids = dict(waiting.values_list("kind", "message_id"))
    assert {"turn", "played", "message"} <= set(ids)
    post.mailboxes.failure = None
    again(post, days=1)
    assert sorted(bruno.kinds()) == ["message", "restored"]
    said = next(letter for letter in bruno.letters if letter.kind == "message")
    assert said.message["Message-ID"] == ids["message"], "who had it already sees it once"
    assert "restored" in alice.kinds()
    assert OutboundMail.objects.get(kind="turn", message_id=ids["turn"]).verdict == Code.SUPPRESSED


def test_words_that_rode_on_a_move_are_not_lost_with_its_board(
    post: Post, timed: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    post.mailboxes.failure = ConnectionError()
    alice.answers(alice.letter, "Wd4, a1\n\nWatch this.")
    post.mailboxes.failure = None
    again(post, days=1)
    assert any("Watch this." in letter.text for letter in bruno.reads())


def test_said_twice_it_is_done_once(post: Post, timed: Match) -> None:
    assert not is_new(post.now), "the service lives"
    post.wait(hours=2)
    assert is_new(post.now)
    restored(now=post.now)
    assert not is_new(post.now)
    post.wait(days=3)
    assert not is_new(post.now), "it has not lived since"
    post.live()
    post.wait(hours=1)
    assert is_new(post.now), "it has lived, and is silent again: another backup was restored"


def test_whoever_names_the_moment_is_believed_once(post: Post, timed: Match) -> None:
    since = post.now - HOURS
    assert is_new(post.now, since)
    assert restored(now=post.now, since=since).since == since
    assert not is_new(post.now, since)


def test_epochs_never_meet(post: Post, timed: Match) -> None:
    """An older backup, restored later, knows nothing of the epochs between: its next one has another number."""
    first = restored(now=post.now).number
    second = restored(now=post.now).number
    assert second > first, "in the same second"
    Restore.objects.all().delete()
    post.wait(hours=1)
    assert restored(now=post.now).number not in (first, second)


def test_two_days_long_it_is_recent(post: Post) -> None:
    assert not services.restored_recently(post.now)
    restored(now=post.now)
    assert services.restored_recently(post.now + 47 * HOURS)
    assert not services.restored_recently(post.now + 49 * HOURS)
    assert not services.restored_recently(post.now - HOURS)
