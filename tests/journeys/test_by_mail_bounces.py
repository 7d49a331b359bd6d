"""Letters that come back: Bruno's mailbox dies, Alice hears of it, Bruno writes again and has his board."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.conf import settings

from pbem.matches.arbitration import void
from pbem.matches.models import Match, Watching
from pbem.outbox.delivery import bounces
from pbem.outbox.delivery.bounces import probe_or_resume
from pbem.outbox.delivery.smtp import Refusal
from pbem.outbox.models import BouncedMail, OutboundMail
from pbem.outbox.notifications.announcements import write
from pbem.players.models import Address, Player
from pbem.players.services import register, stop
from pbem.refusals import Code
from tests.clocks import due
from tests.mail_fixtures import AUTHSERV_ID, Correspondent, Delivery, Post, play_address
from tests.players_fixtures import Begin
from tests.returned_mail import (
    BLOCKED,
    LATE,
    MAILBOX_FULL,
    NO_SUCH_USER,
    bounce,
    comes_back,
    complaint,
    complaint_of_microsoft,
)

HELD = OutboundMail.Status.HELD


def address_of(who: Correspondent) -> Address:
    return Address.objects.get(email=who.email)


def written_to(who: Correspondent, *bodies: str) -> list[Delivery]:
    """Letters to somebody, one for each message of their opponent."""
    before = len(who.letters)
    opponent = Correspondent(who.post, "Alice", "alice@example.org")
    for body in bodies:
        opponent.answers(opponent.letter, f"SAY {body}")
    return who.letters[before:]


@pytest.mark.prove
def test_three_hard_bounces_in_a_fortnight_pause_bruno_until_he_writes(
    post: Post, loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    comes_back(post, bruno.letter)
    post.wait(days=8)
    first, second = written_to(bruno, "Hello?", "Are you there?")
    assert comes_back(post, first).verdict == Code.BOUNCE
    assert address_of(bruno).paused_at is None
    comes_back(post, second)
    assert address_of(bruno).paused_at == post.now
    assert list(Player.objects.unreachable()) == [bruno.player]
    assert alice.kinds()[-1] == "unreachable"
    assert "Bruno" in alice.letter.text
    # Alice moves; Bruno's letter waits.
    bruno.reads()
    assert alice.answers(alice.letter, "b1-b3").verdict == "ok"
    assert bruno.kinds() == []
    assert OutboundMail.objects.get(status=HELD).address == bruno.email
    # Bruno is alive.
    alice.reads()
    post.wait(days=2)
    bruno.writes("PARTITE")
    assert address_of(bruno).paused_at is None
    assert [letter.kind for letter in bruno.reads()] == ["games", "resumed"]
    assert "Hello?" in bruno.letter.text
    assert "Are you there?" in bruno.letter.text
    assert alice.kinds() == ["back"]
    assert not OutboundMail.objects.filter(status=HELD).exists()
    # What he got is a board that he can answer.
    assert bruno.answers(bruno.letter, "a2-c2").verdict == "ok"
    assert alice.kinds() == ["turn"]


def test_who_moves_at_once_gets_no_second_board(
    post: Post, loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    alice.answers(alice.letter, "b1-b3")
    turn = bruno.letter
    for letter in (bruno.letters[-1], bruno.letters[-2]):
        comes_back(post, letter)
    bruno.reads()
    assert bruno.answers(turn, "a2-c2").verdict == "ok"
    assert bruno.kinds() == ["played"]


def test_the_clock_of_who_cannot_be_reached_stands_still(
    post: Post, loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    alice.answers(alice.letter, "b1-b3")
    deadline = post.now + timedelta(days=3)
    due(Match.objects.get(), deadline)
    post.wait(days=1)
    for letter in bruno.letters[-2:]:
        comes_back(post, letter)
    post.wait(days=20)
    assert not Match.objects.overdue(post.now).exists()
    bruno.writes("PARTITE")
    assert Match.objects.get().deadline == deadline + timedelta(days=20)
    assert not Match.objects.overdue(post.now).exists()


def test_only_the_time_since_it_was_his_turn_is_given_back(
    post: Post, loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    for letter in bruno.letters[-2:]:
        comes_back(post, letter)
    post.wait(days=5)
    alice.answers(alice.letter, "b1-b3")
    deadline = post.now + timedelta(days=3)
    due(Match.objects.get(), deadline, since=post.now)
    post.wait(days=2)
    bruno.writes("PARTITE")
    assert Match.objects.get().deadline == deadline + timedelta(days=2)


@pytest.mark.parametrize(
    ("reply", "action", "score"),
    [
        (NO_SUCH_USER, "failed", 2),
        (MAILBOX_FULL, "failed", 1),
        (LATE, "failed", 1),
        (LATE, "delayed", 0),
        ("250 2.0.0 Queued", "relayed", 0),
        (BLOCKED, "failed", 0),  # our fault
    ],
)
def test_what_a_bounce_counts(
    post: Post, loa: Match, bruno: Correspondent, reply: str, action: str, score: int
) -> None:
    assert comes_back(post, bruno.letter, reply, action).verdict == Code.BOUNCE
    assert address_of(bruno).bounce_score == score


@pytest.mark.prove
def test_a_letter_counts_once_and_softly_once_a_day(
    post: Post, loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    def score() -> int:
        return address_of(bruno).bounce_score

    first, second, third = written_to(bruno, "1", "2", "3")
    comes_back(post, first, LATE)
    comes_back(post, first, MAILBOX_FULL)
    comes_back(post, second, MAILBOX_FULL)
    assert score() == 1
    comes_back(post, first, NO_SUCH_USER)  # worse than what was said of it before
    assert score() == 2
    post.wait(days=1)
    comes_back(post, second, MAILBOX_FULL)
    assert score() == 3
    post.wait(days=7)
    comes_back(post, third, MAILBOX_FULL)
    assert score() == 2
    assert BouncedMail.objects.count() == 6


def test_a_letter_that_came_back_softly_goes_out_again_the_next_day(
    post: Post, loa: Match, bruno: Correspondent
) -> None:
    letter = bruno.letter
    for _ in range(3):
        comes_back(post, letter, MAILBOX_FULL)
        bruno.reads()
        post.send()
        assert bruno.kinds() == []
        post.wait(days=1)
        post.send()
    assert bruno.kinds() == []  # after three times no more
    row = OutboundMail.objects.get(message_id=letter.message["Message-ID"])
    assert (row.status, row.verdict) == ("failed", Code.MAILBOX_FULL)
    assert len([sent for sent in bruno.letters if sent.message["Message-ID"] == row.message_id]) == 3


def test_whoever_writes_is_forgiven(post: Post, loa: Match, bruno: Correspondent) -> None:
    comes_back(post, bruno.letter)
    bruno.reads()
    bruno.writes("PARTITE")
    assert address_of(bruno).bounce_score == 0
    assert bruno.kinds() == ["games", "resumed"]  # he has never seen the letter that came back


def test_a_forged_letter_forgives_nothing(post: Post, loa: Match, bruno: Correspondent) -> None:
    comes_back(post, bruno.letter)
    bruno.writes("PARTITE", dmarc="fail")
    bruno.writes("Sono assente", headers={"Auto-Submitted": "auto-replied"})
    assert address_of(bruno).bounce_score == 2


# -- who may say that a letter came back ----------------------------------------------------------------


def test_a_bounce_that_lost_its_way_is_known_by_our_message_id(
    post: Post, loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    for to in (play_address(), alice.letter.reply_to):
        post.deliver(bounce(bruno.letter), to, "")
    assert address_of(bruno).bounce_score == 2
    assert address_of(alice).bounce_score == 0


def test_nobody_is_silenced_by_forged_bounces(post: Post, loa: Match, alice: Correspondent) -> None:
    for _ in range(5):
        assert post.deliver(bounce(alice.letter, copy=False), play_address(), "").verdict == Code.BOUNCE
    assert address_of(alice).bounce_score == 0
    assert [row.points for row in BouncedMail.objects.all()] == [0] * 5  # but the organiser sees them


def test_the_address_for_bounces_dies_after_a_fortnight(post: Post, loa: Match, bruno: Correspondent) -> None:
    letter = bruno.letter
    post.wait(days=15)
    row = comes_back(post, letter)
    assert row.verdict == Code.REVOKED
    assert address_of(bruno).bounce_score == 0


def test_a_bounce_that_says_nothing_counts_softly(post: Post, loa: Match, bruno: Correspondent) -> None:
    silent = b"From: Mailer-Daemon@example.net\nSubject: Your mail\n\nIt did not work.\n"
    post.deliver(silent, bruno.letter.envelope_sender, "")
    assert address_of(bruno).bounce_score == 1


def test_a_relay_that_is_our_own_machine_bounces_under_our_domain(
    post: Post, loa: Match, bruno: Correspondent
) -> None:
    raw = bounce(bruno.letter).replace(b"@mx.example.net>", f"@{settings.MAIL_DOMAIN}>".encode())
    assert post.deliver(raw, bruno.letter.envelope_sender, "").verdict == Code.BOUNCE
    assert address_of(bruno).bounce_score == 2


@pytest.mark.parametrize(
    ("headers", "verdict"),
    [({"Auto-Submitted": "auto-replied"}, Code.AUTO_REPLY), ({}, Code.BOUNCE)],
    ids=["away", "typed"],
)
def test_what_comes_to_that_address_and_is_no_bounce_counts_nothing(
    post: Post, loa: Match, bruno: Correspondent, headers: dict[str, str], verdict: str
) -> None:
    """Answering machines write to the sender of the envelope (RFC 3834, 4); some mail programs do, too."""
    row = bruno.writes("Sono in ferie.", to=bruno.letter.envelope_sender, headers=headers)
    assert (row.verdict, row.player) == (verdict, bruno.player)
    assert address_of(bruno).bounce_score == 0


# -- probes ---------------------------------------------------------------------------------------------


def probed(post: Post) -> None:
    probe_or_resume(now=post.now)
    post.send()


@pytest.fixture
def begin(begin_by_letter: Begin) -> Begin:
    """So that several letters have been sent, and may come back."""
    return begin_by_letter


@pytest.fixture
def gone(post: Post, loa: Match, alice: Correspondent, bruno: Correspondent) -> Correspondent:
    """Bruno, whose address is paused."""
    for letter in bruno.letters[-2:]:
        comes_back(post, letter)
    bruno.reads()
    alice.reads()
    return bruno


@pytest.mark.prove
def test_probes_come_less_and_less_often(post: Post, gone: Correspondent) -> None:
    days = []
    for day in range(80):
        probed(post)
        if "probe" in gone.kinds():
            days.append(day)
            comes_back(post, gone.letter)
        post.wait(days=1)
    assert days == [1, 3, 7, 14, 28, 56]
    assert address_of(gone).paused_at is not None


def test_an_address_over_which_we_stumble_keeps_no_other_waiting(
    post: Post, gone: Correspondent, alice: Correspondent, monkeypatch: pytest.MonkeyPatch
) -> None:
    Address.objects.filter(email=alice.email).update(paused_at=post.now)
    write = bounces.probe

    def stumbling(address: Address, *, now: datetime) -> OutboundMail:
        if address.email == alice.email:
            raise ValueError("we stumble over this one")
        return write(address, now=now)

    monkeypatch.setattr(bounces, "probe", stumbling)
    post.wait(days=1)
    probed(post)
    assert gone.kinds() == ["probe"]


def test_a_probe_that_arrives_ends_the_pause(post: Post, gone: Correspondent, alice: Correspondent) -> None:
    for _ in range(2):
        post.wait(days=1)
        probed(post)
    assert gone.kinds() == ["probe"]
    assert address_of(gone).paused_at is not None
    post.wait(days=1)
    probed(post)
    assert address_of(gone).paused_at is None
    assert gone.kinds() == ["resumed"]
    assert alice.kinds() == ["back"]
    comes_back(post, gone.letter)  # too early
    assert address_of(gone).paused_at is not None


def test_any_answer_to_a_probe_ends_the_pause(post: Post, gone: Correspondent) -> None:
    post.wait(days=1)
    probed(post)
    assert "MOSTRA" in gone.letter.text
    gone.answers(gone.letter, "Eccomi!")
    assert address_of(gone).paused_at is None
    assert "resumed" in gone.kinds()


def test_nobody_is_told_twice(post: Post, gone: Correspondent, alice: Correspondent) -> None:
    for letter in gone.letters:
        comes_back(post, letter)
    assert alice.kinds() == []


def test_who_cannot_be_reached_is_not_challenged(
    post: Post, gone: Correspondent, alice: Correspondent
) -> None:
    assert alice.writes("CHALLENGE Bruno zertz").verdict == Code.NO_SUCH_PLAYER


# -- what was missed --------------------------------------------------------------------------------------


def test_a_challenge_that_came_back_can_be_accepted_later(
    post: Post, alice: Correspondent, bruno: Correspondent
) -> None:
    alice.writes("CHALLENGE Bruno loa first")
    comes_back(post, bruno.letter)
    bruno.reads()
    bruno.writes("AIUTO")
    assert bruno.kinds() == ["help", "resumed"]
    assert "Alice" in bruno.letter.text
    assert bruno.answers(bruno.letter, "SÌ").verdict == "ok"
    assert Match.objects.get().status == Match.Status.PLAYING


@pytest.mark.prove
def test_a_result_is_told_with_its_record(post: Post, gone: Correspondent, alice: Correspondent) -> None:
    alice.answers(alice.letter, "b1-b3\n\nI have to go.")
    alice.answers(alice.letter, "RESIGN")
    alice.answers(alice.letter, "YES RESIGN")
    assert gone.kinds() == []
    gone.writes("AIUTO")
    assert gone.kinds() == ["help", "resumed"]
    assert "I have to go." in gone.letter.text
    assert len(gone.letter.attachments) == 2


def test_what_people_wrote_to_him_and_a_match_that_is_void_are_told(
    post: Post, loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    assert alice.writes("MESSAGE Bruno: Is all well with you?").verdict == "ok"
    for letter in bruno.letters[-2:]:
        comes_back(post, letter)
    bruno.reads()
    write(bruno.player, "Your address has trouble.", now=post.now)
    void(loa, reason="", now=post.now)
    post.send()
    assert bruno.kinds() == []
    bruno.writes("AIUTO")
    post.send()
    heard = bruno.reads()
    assert sorted(letter.kind for letter in heard) == ["help", "organiser", "relayed", "resumed"]
    said = "\n".join(letter.text for letter in heard)
    for told in ("Is all well with you?", "Your address has trouble.", "nulla"):
        assert told in said
    assert not OutboundMail.objects.filter(status=HELD).exists()


@pytest.mark.prove
def test_a_watcher_sees_what_he_may_see_and_no_more(
    post: Post, loa: Match, alice: Correspondent, bruno: Correspondent, charlie: Correspondent
) -> None:
    charlie.writes(f"WATCH {loa.pk}")
    Watching.objects.update(delay=2)
    alice.answers(alice.letter, "b1-b3")
    bruno.answers(bruno.letter, "a2-c2")
    alice.answers(alice.letter, "g1-g3")
    for letter in (charlie.letters[-1], charlie.letters[-1], charlie.letters[-2]):
        comes_back(post, letter)
    assert address_of(charlie).paused_at is not None
    bruno.answers(bruno.letter, "h2-f2")
    charlie.reads()
    charlie.writes("HELP")
    assert charlie.kinds() == ["help", "resumed"]
    assert "a2-c2" in charlie.letter.text
    assert "h2-f2" not in charlie.letter.text


def test_who_has_stopped_his_letters_meanwhile_gets_none(
    post: Post, gone: Correspondent, alice: Correspondent
) -> None:
    alice.answers(alice.letter, "b1-b3")
    stop(gone.player, None, now=post.now)
    gone.writes("AIUTO")
    assert gone.kinds() == ["help"]


def test_relatives_share_the_fate_of_their_mailbox(post: Post, gone: Correspondent) -> None:
    ugo = register(name="Ugo", email=gone.email, language="it", now=post.now)
    Address.objects.filter(player=ugo).update(bounce_score=2, bounced_at=post.now)
    gone.writes("AIUTO", subject="")
    assert set(Address.objects.values_list("email", "bounce_score")) == {
        ("alice@example.org", 0),
        (gone.email, 0),
    }


# -- another address ------------------------------------------------------------------------------------


def test_letters_go_to_the_other_address_which_says_why(
    post: Post, loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    work = Correspondent(post, "Bruno", "bruno@work.example")
    Address.objects.create(player=bruno.player, email=work.email, verified_at=post.now)
    alice.reads()
    for letter in bruno.letters[-2:]:
        comes_back(post, letter)
    assert work.kinds() == ["resumed"]
    assert bruno.email in work.letter.text
    assert alice.kinds() == []
    alice.answers(alice.letter, "b1-b3")
    assert work.kinds() == ["turn"]
    assert work.answers(work.letter, "a2-c2").verdict == "ok"
    bruno.writes("PARTITE")
    assert bruno.player.email == bruno.email


def test_a_new_address_ends_it_too(post: Post, gone: Correspondent, alice: Correspondent) -> None:
    """However he came by it; the organiser may have put it there."""
    alice.answers(alice.letter, "b1-b3")
    alice.reads()
    work = Correspondent(post, "Bruno", "bruno@work.example")
    Address.objects.create(player=gone.player, email=work.email, verified_at=post.now)
    probed(post)
    probed(post)
    assert work.kinds() == ["resumed"]
    assert alice.kinds() == ["back"]
    assert gone.player.unreachable_since is None
    assert work.answers(work.letter, "a2-c2").verdict == "ok"


# -- complaints -----------------------------------------------------------------------------------------


def test_whoever_calls_a_letter_spam_gets_no_more_and_is_told_in_his_next_answer(
    post: Post, loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    assert post.deliver(complaint(bruno.letter), bruno.letter.envelope_sender, "").verdict == Code.COMPLAINT
    assert bruno.player.complained_at == post.now
    bruno.reads()
    alice.answers(alice.letter, "b1-b3")
    assert bruno.kinds() == []
    bruno.writes("PARTITE")
    bruno.writes("PARTITE")
    first, second = bruno.reads()
    assert "RIPRENDO TUTTO" in first.text
    assert "RIPRENDO TUTTO" not in second.text
    bruno.writes(f"MUOVO {loa.pk} a2-c2")
    alice.answers(alice.letter, "g1-g3")
    assert bruno.kinds() == ["played"]  # playing on does not unsay it


@pytest.mark.parametrize("dmarc", ["pass", "fail", ""])
def test_a_complaint_of_microsoft_counts_and_nobody_is_invited(
    post: Post, loa: Match, bruno: Correspondent, dmarc: str
) -> None:
    found = (
        f"Authentication-Results: {AUTHSERV_ID}; dmarc={dmarc} header.from=hotmail.example\n" if dmarc else ""
    )
    raw = complaint_of_microsoft(bruno.letter, outside=found)
    assert post.deliver(raw, play_address(), "staff@hotmail.example").verdict == Code.COMPLAINT
    assert bruno.player.complained_at == post.now
    assert BouncedMail.objects.get().letter.message_id == bruno.letter.message["Message-ID"]
    assert not post.mailboxes.boxes["staff@hotmail.example"]


def test_a_forged_complaint_silences_nobody(post: Post, loa: Match, alice: Correspondent) -> None:
    forged = complaint(alice.letter).replace(str(alice.letter.message["Message-ID"]).encode(), b"<guess@x>")
    assert post.deliver(forged, play_address(), "").verdict == Code.COMPLAINT
    assert alice.player.silent_since is None


def test_a_complaint_that_is_taken_back_changes_nothing(post: Post, loa: Match, alice: Correspondent) -> None:
    row = post.deliver(complaint(alice.letter, "not-spam"), alice.letter.envelope_sender, "")
    assert row.verdict == Code.RECEIPT
    assert alice.player.silent_since is None


def test_a_refusal_of_our_relay_counts_like_a_bounce(post: Post, loa: Match, bruno: Correspondent) -> None:
    for body in ("1", "2"):
        post.mailboxes.failure = Refusal(NO_SUCH_USER)
        alice = Correspondent(post, "Alice", "alice@example.org")
        alice.answers(alice.letter, f"SAY {body}")
    assert address_of(bruno).paused_at is not None


def test_a_stranger_who_complains_is_never_asked_again(post: Post, stranger: Correspondent) -> None:
    stranger.writes("REGISTER Dora")
    post.deliver(complaint(stranger.letter), stranger.letter.envelope_sender, "")
    post.wait(days=8)
    assert stranger.writes("REGISTER Dora").verdict == Code.UNVERIFIED
    assert stranger.kinds() == ["signup"]


def test_a_letter_that_nobody_vouches_for_asks_the_mailbox(
    post: Post, loa: Match, gone: Correspondent, alice: Correspondent
) -> None:
    """Alice writes in his name, so that his clock runs on while nothing reaches him."""
    alice.reads()
    for _ in range(3):
        gone.writes("AIUTO", dmarc="none")
    assert address_of(gone).paused_at is not None
    assert alice.kinds() == []
    [probe] = gone.reads()  # one a day: if he has written himself, it reaches him
    assert probe.kind == "probe"
    gone.answers(probe, "Eccomi!", dmarc="none")
    assert address_of(gone).paused_at is None
    assert "resumed" in gone.kinds()
    assert alice.kinds() == ["back"]


def test_it_forgives_no_bounce_either(post: Post, loa: Match, bruno: Correspondent) -> None:
    comes_back(post, bruno.letter)
    bruno.writes("PARTITE", dmarc="none")
    assert address_of(bruno).bounce_score == 2
    bruno.answers(bruno.letters[0], "MOSTRA", dmarc="none")
    assert address_of(bruno).bounce_score in (0, 2)
