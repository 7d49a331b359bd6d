"""Answers to letters that a restore has undone, from the bytes that come in to the bytes that leave."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.inbox.models import Confirmation
from pbem.inbox.resolver import resolve_recipient
from pbem.inbox.transports.store import store_message
from pbem.matches.models import Match, Seat
from pbem.outbox.after_restore import restored
from pbem.outbox.models import OutboundMail
from pbem.players.models import Address, Message, Player, new_salt
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Delivery, Post, play_address


@pytest.fixture
def old(post: Post, alice: Correspondent, zertz: Match) -> Delivery:
    """The letter that Alice has of the first board; the rows are then restored, and both have the board again."""
    old = alice.letter
    post.wait(hours=3)
    restored(now=post.now)
    post.send()
    return old


def lose(seat: Seat) -> None:
    """The seat is in no backup; another one has its number."""
    Seat.objects.filter(pk=seat.pk).update(salt=new_salt())


@pytest.mark.parametrize("dmarc", ["pass", "none"])
def test_a_move_to_an_older_address_is_asked_about_with_the_board_as_it_is(
    old: Delivery, alice: Correspondent, bruno: Correspondent, zertz: Match, dmarc: str
) -> None:
    alice.reads()
    assert alice.answers(old, "Wd4, a1", dmarc=dmarc).verdict == Code.CONFIRM_NEEDED
    assert alice.kinds() == ["confirm"]
    asked = alice.letter
    said = " ".join(asked.text.split())
    for words in (
        "before a backup was restored",
        "Below is the board",
        "Wd4, a1",
        "In words:",
    ):
        assert words in said
    assert "Write your move" not in said, "what it asks for is a YES"
    assert "cid:" in asked.html
    zertz.refresh_from_db()
    assert zertz.ply == 0
    assert alice.answers(asked, "YES").verdict == "ok"
    zertz.refresh_from_db()
    assert zertz.ply == 1


def test_in_italian(post: Post, alice: Correspondent, bruno: Correspondent, zertz: Match) -> None:
    old = bruno.letter if bruno.letters else None
    alice.answers(alice.letter, "Wd4, a1")
    old = bruno.letter
    post.wait(hours=3)
    restored(now=post.now)
    post.send()
    assert bruno.answers(old, "Bb5, d7").verdict == Code.CONFIRM_NEEDED
    assert "ripristino di un backup" in " ".join(bruno.letter.text.split())


@pytest.mark.parametrize("line", ["DRAW", "SAY Hello!", "NEXT Wd4, a1", "NOTE a1 is weak"])
def test_nothing_that_changes_anything_is_done_at_once(
    old: Delivery, alice: Correspondent, bruno: Correspondent, line: str
) -> None:
    bruno.reads()
    assert alice.answers(old, line).verdict == Code.CONFIRM_NEEDED
    assert bruno.kinds() == []


def test_what_only_reads_is_answered(old: Delivery, alice: Correspondent) -> None:
    alice.reads()
    assert alice.answers(old, "SHOW").verdict == "ok"
    assert alice.kinds() == ["board"]


def test_the_question_is_about_the_board_of_now(
    old: Delivery, alice: Correspondent, bruno: Correspondent, zertz: Match
) -> None:
    """Her answer was to a board that both have come past; a YES would play on the one that she is shown."""
    alice.answers(alice.letter, "Gb1, a4")
    bruno.answers(bruno.letter, "Bb5, d7")
    assert alice.answers(old, "Wd4, a1").verdict == Code.CONFIRM_NEEDED
    assert Confirmation.objects.latest("pk").ply == 2
    assert alice.answers(alice.letter, "YES").verdict == "ok"
    zertz.refresh_from_db()
    assert zertz.ply == 3


def test_what_came_before_the_backup_and_was_not_opened_is_done(
    post: Post, alice: Correspondent, zertz: Match
) -> None:
    """It lay in the rows that were restored: nobody has played on another board."""
    raw = alice.pens("Wd4, a1")
    row = post.keep(raw, alice.letter.reply_to, alice.email)
    post.wait(hours=3)
    restored(now=post.now)
    post.open()
    row.refresh_from_db()
    assert row.verdict == "ok"


def test_the_address_of_a_lost_seat_is_taken_and_answered(
    old: Delivery, post: Post, alice: Correspondent, zertz: Match
) -> None:
    """Never a 550; whose number it has now is not touched."""
    seat = Seat.objects.get(player=alice.player)
    lose(seat)
    alice.reads()
    assert alice.answers(old, "Wd4, a1").verdict == Code.LOST
    assert alice.kinds() == ["refused"]
    said = " ".join(alice.letter.text.split())
    assert "We had to restore a backup" in said
    assert f"[{zertz.pk}] Zèrtz" in said, "what she plays"
    zertz.refresh_from_db()
    assert zertz.ply == 0


def test_whoever_signed_up_in_the_lost_time_hears_of_it(old: Delivery, alice: Correspondent) -> None:
    lose(Seat.objects.get(player=alice.player))
    dora = Correspondent(alice.post, "Dora", "dora@example.org")
    assert dora.answers(old, "Wd4, a1").verdict == Code.LOST_SIGN_UP
    assert "REGISTER and your name" in " ".join(dora.letter.text.split())
    dora.reads()
    assert dora.answers(old, "Wd4, a1", dmarc="fail").verdict == Code.LOST
    assert dora.kinds() == []


def test_with_a_lost_address_nobody_fills_the_mailbox_of_a_player(
    old: Delivery, alice: Correspondent
) -> None:
    """It does not say whose it was, and anyone who has it can write any From."""
    lose(Seat.objects.get(player=alice.player))
    alice.reads()
    rows = [alice.answers(old, "Wd4, a1", dmarc="none") for _ in range(9)]
    assert len(alice.reads()) == 5
    assert "answers" in rows[-1].reading["silenced"]


@pytest.mark.prove
def test_strangers_who_answer_a_lost_address_are_answered_as_all_strangers_are(
    old: Delivery, alice: Correspondent
) -> None:
    lose(Seat.objects.get(player=alice.player))
    strangers = [Correspondent(alice.post, f"D{n}", f"d{n}@example.org") for n in range(52)]
    for stranger in strangers:
        assert stranger.answers(old, "Wd4, a1", dmarc="none").verdict == Code.LOST_SIGN_UP
    assert sum(len(stranger.letters) for stranger in strangers) == 50


def test_what_nobody_made_is_no_address(old: Delivery, alice: Correspondent) -> None:
    purpose, text = old.reply_to.split("@")[0].split("+")
    last = "a" if text[19] != "a" else "b"
    forged = f"{purpose}+{text[:19]}{last}{text[20:]}@pbem.localhost"
    assert alice.answers(old, "Wd4, a1", to=forged).verdict == Code.REVOKED


def test_without_a_restore_a_lost_address_is_nobodys(alice: Correspondent, zertz: Match) -> None:
    letter = alice.letter
    lose(Seat.objects.get(player=alice.player))
    assert alice.answers(letter, "Wd4, a1").verdict == Code.REVOKED


def test_a_bounce_of_a_lost_letter_counts_against_nobody(
    old: Delivery, post: Post, alice: Correspondent
) -> None:
    OutboundMail.objects.update(salt=new_salt())
    row = post.deliver(b"From: mailer-daemon@example.org\r\n\r\nNo.\r\n", old.envelope_sender, "")
    assert row.verdict in (Code.LOST, Code.AUTO_REPLY, Code.BOUNCE)
    assert not Address.objects.filter(bounce_score__gt=0).exists()
    assert alice.kinds()[-1:] != ["refused"]


def test_an_answer_to_a_message_is_asked_about(
    post: Post, alice: Correspondent, bruno: Correspondent
) -> None:
    alice.writes("MESSAGE Bruno: Ciao!")
    assert Message.objects.exists()
    old = bruno.letter
    post.wait(hours=1)
    restored(now=post.now)
    alice.reads()
    assert bruno.answers(old, "Ciao a te!").verdict == Code.CONFIRM_NEEDED
    assert alice.kinds() == []
    assert bruno.answers(bruno.letter, "SÌ").verdict == "ok"
    assert "Ciao a te!" in alice.letter.text


def test_a_yes_to_a_question_that_was_asked_before_is_a_yes(
    post: Post, alice: Correspondent, bruno: Correspondent, zertz: Match
) -> None:
    """The question is in the backup, with all that it asks."""
    alice.answers(alice.letter, "RESIGN")
    asked = alice.letter
    post.wait(hours=1)
    restored(now=post.now)
    post.send()
    assert alice.answers(asked, "YES RESIGN").verdict == "ok"
    zertz.refresh_from_db()
    assert zertz.status == Match.Status.OVER


def test_for_two_days_a_letter_to_nobody_in_particular_is_asked_about(
    old: Delivery, post: Post, alice: Correspondent, zertz: Match
) -> None:
    assert alice.writes(f"{zertz.pk} Wd4, a1").verdict == Code.CONFIRM_NEEDED
    post.wait(hours=49)
    assert alice.writes(f"{zertz.pk} Wd4, a1").verdict == "ok"


def test_a_digest_from_before_is_asked_about(
    post: Post, alice: Correspondent, bruno: Correspondent, zertz: Match
) -> None:
    Player.objects.filter(name="Bruno").update(cadence="day")
    alice.answers(alice.letter, "Wd4, a1")
    post.now += timedelta(days=2)
    post.digest()
    old = bruno.letter
    assert old.kind == "digest"
    post.wait(hours=1)
    restored(now=post.now)
    post.send()
    assert bruno.answers(old, "1: Bb5, d7").verdict == Code.CONFIRM_NEEDED
    zertz.refresh_from_db()
    assert zertz.ply == 1
    assert bruno.answers(bruno.letter, "SÌ").verdict == "ok"
    zertz.refresh_from_db()
    assert zertz.ply == 2


def test_what_waited_elsewhere_while_the_rows_were_restored_is_asked_about(
    post: Post, alice: Correspondent, bruno: Correspondent, zertz: Match
) -> None:
    """A mailbox says when a message arrived: between the backup and the restore, but it may answer a lost board."""
    old = alice.letter
    raw, bare = alice.pens("Wd4, a1"), alice.pens(f"{zertz.pk} Wd4, a1")
    post.wait(hours=1)
    arrived = post.now
    post.wait(hours=2)
    restored(now=post.now)
    post.send()
    rows = [
        store_message(raw, sender=alice.email, recipient=old.reply_to, now=arrived),
        store_message(bare, sender=alice.email, recipient=play_address(), now=arrived),
    ]
    post.open()
    for row in rows:
        row.refresh_from_db()
        assert row.verdict == Code.CONFIRM_NEEDED
    zertz.refresh_from_db()
    assert zertz.ply == 0


def test_an_address_that_was_lost_is_taken_from_a_mailbox_too(
    old: Delivery, post: Post, alice: Correspondent
) -> None:
    lose(Seat.objects.get(player=alice.player))
    arrived = post.now - timedelta(hours=1)
    assert resolve_recipient(old.reply_to, arrived) is not None
