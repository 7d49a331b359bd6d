"""Letters that nobody answers: from machines, and to players who want none."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from pbem.inbox.models import InboundMail
from pbem.inbox.services import open_again
from pbem.matches.models import Match
from pbem.matches.services import start
from pbem.players.models import Player
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Post, play_address

MAIL = Path(__file__).parents[1] / "mail"
AUTOMATIC = {
    "absent_exchange_en": Code.AUTO_REPLY,
    "absent_it": Code.AUTO_REPLY,
    "bounce_postfix": Code.BOUNCE,
    "bounce_qmail": Code.BOUNCE,
    "complaint": Code.COMPLAINT,
    "receipt_en": Code.RECEIPT,
    "mailing_list": Code.LIST_MAIL,
    "calendar_it": Code.CALENDAR_ONLY,
}


@pytest.fixture
def match(post: Post, alice: Correspondent, bruno: Correspondent) -> Match:
    match = start(first=alice.player, second=bruno.player, game="loa", now=post.now, rng=Random(1))
    post.send()
    alice.reads()
    bruno.reads()
    return match


@pytest.mark.parametrize(("name", "code"), AUTOMATIC.items())
@pytest.mark.parametrize("to", ["play", "seat"])
def test_automatic_mail_gets_its_code_and_no_answer(
    post: Post, match: Match, alice: Correspondent, bruno: Correspondent, name: str, code: str, to: str
) -> None:
    recipient = play_address() if to == "play" else alice.letter.reply_to
    row = post.deliver((MAIL / f"{name}.eml").read_bytes(), recipient, "")
    assert row.verdict == code
    assert (alice.kinds(), bruno.kinds()) == ([], [])
    assert set(post.mailboxes.boxes) <= {alice.email, bruno.email}
    assert Match.objects.get().ply == 0


@pytest.mark.parametrize(
    "headers",
    [
        {"Auto-Submitted": "auto-replied"},
        {"X-Autoreply": "yes"},
        {"Return-Path": "<>"},
    ],
)
def test_a_machine_does_not_move_though_it_quotes_a_move(
    match: Match, alice: Correspondent, headers: dict[str, str]
) -> None:
    row = alice.answers(alice.letter, "b1-b3", headers=headers)
    assert row.verdict.startswith("I")
    assert Match.objects.get().ply == 0
    assert alice.kinds() == []


def test_our_own_letter_that_comes_back_is_a_loop(post: Post, match: Match, alice: Correspondent) -> None:
    row = post.deliver(alice.letter.raw, play_address(), alice.letter.envelope_sender)
    assert row.verdict == Code.LOOP
    assert alice.kinds() == []


def test_whatever_comes_to_the_address_of_bounces_is_a_bounce(
    post: Post, match: Match, alice: Correspondent
) -> None:
    row = alice.writes("b1-b3", to=alice.letter.envelope_sender)
    assert row.verdict == Code.BOUNCE
    assert alice.kinds() == []


def test_a_letter_without_a_sender_is_kept_and_left_alone(post: Post, match: Match) -> None:
    row = post.deliver(b"Subject: hello\r\n\r\nHELP\r\n", play_address(), "")
    assert row.verdict == Code.NO_SENDER


def test_an_appointment_in_parts_is_left_alone(post: Post, match: Match, alice: Correspondent) -> None:
    parts = (
        f"From: {alice.email}\r\nSubject: Accepted\r\nMIME-Version: 1.0\r\n"
        "Content-Type: multipart/alternative; boundary=b\r\n\r\n"
        "--b\r\nContent-Type: text/calendar; method=REPLY\r\n\r\nBEGIN:VCALENDAR\r\n--b--\r\n"
    )
    assert post.deliver(parts.encode(), alice.letter.reply_to, alice.email).verdict == Code.CALENDAR_ONLY
    assert alice.kinds() == []


SPAM = {"X-Spam-Flag": "YES"}


def test_what_a_mail_server_takes_for_spam_waits_for_the_organiser(
    post: Post, match: Match, charlie: Correspondent
) -> None:
    row = charlie.writes("REGISTER Carlo", dmarc="", headers=SPAM)
    assert row.verdict == Code.SPAM_VERDICT
    assert charlie.kinds() == []
    open_again(row)
    post.open()
    row.refresh_from_db()
    assert row.verdict == Code.CONFIRM_NEEDED
    post.send()
    assert charlie.kinds() == ["signup"]


def test_a_player_who_answers_our_letter_is_no_spammer(match: Match, alice: Correspondent) -> None:
    assert alice.answers(alice.letter, "b1-b3", headers=SPAM).verdict == "ok"


def test_absence_ping_pong_ends_before_it_begins(
    match: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    """Bruno's mailbox answers each of our letters; we answer none of its answers."""
    alice.answers(alice.letter, "b1-b3")
    absent = {"Auto-Submitted": "auto-replied", "In-Reply-To": str(bruno.letter.message["Message-ID"])}
    for _ in range(5):
        bruno.writes("Sono assente fino al 12 maggio.", to=bruno.letter.reply_to, headers=absent)
    assert bruno.kinds() == ["turn"]
    assert alice.kinds() == ["played"]


# -- goodbye ------------------------------------------------------------------------------------------


def goodbye(who: Correspondent) -> str:
    return str(who.letter.message["List-Unsubscribe"]).partition("mailto:")[2].partition("?")[0]


def test_a_letter_to_the_goodbye_address_ends_the_letters_of_its_sort(
    match: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    assert bruno.writes("", to=goodbye(bruno), subject="unsubscribe", dmarc="").verdict == "ok"
    assert bruno.kinds() == []
    alice.answers(alice.letter, "b1-b3")
    assert bruno.kinds() == []
    alice.answers(alice.letter, "SAY Hello?")
    assert bruno.kinds() == ["message"]


def test_the_goodbye_address_of_an_answer_ends_them_all(
    match: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    bruno.writes("PARTITE")
    bruno.writes("", to=goodbye(bruno))
    bruno.reads()
    alice.answers(alice.letter, "b1-b3\n\nHello?")
    alice.writes("CHALLENGE Bruno zertz")
    assert bruno.kinds() == []


def test_who_wants_no_boards_still_plays_and_hears_what_is_said(
    match: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    bruno.answers(bruno.letter, "BASTA TURNI")
    assert bruno.kinds() == ["letters"]
    assert "RIPRENDO TURNI" in bruno.letter.text
    alice.answers(alice.letter, "b1-b3\n\nYour turn!")
    assert bruno.kinds() == ["message"]
    assert "Your turn!" in bruno.letter.text
    bruno.writes("PARTITE")
    assert bruno.answers(bruno.letter, f"{match.pk} a2-c2").verdict == "ok"
    assert bruno.kinds() == ["games", "played"]
    bruno.writes("RIPRENDO TURNI")
    alice.answers(alice.letter, "g1-g3")
    assert bruno.kinds() == ["letters", "turn"]


def test_stop_alone_changes_nothing_and_says_how(match: Match, alice: Correspondent) -> None:
    for word in ("STOP", "unsubscribe", "LETTERS", "basta"):
        assert alice.writes("", subject=word).verdict == "ok"
        assert alice.letter.kind == "letters"
    assert alice.player.silent_since is None
    assert "STOP TURNS" in alice.letter.text
    assert "/u/" in alice.letter.text


def test_stop_all_lasts_until_he_plays(match: Match, alice: Correspondent, bruno: Correspondent) -> None:
    bruno.writes("BASTA TUTTO")
    bruno.writes("BASTA TUTTO")
    assert bruno.player.silent_since is not None
    bruno.reads()
    alice.answers(alice.letter, "b1-b3")
    assert bruno.kinds() == []
    bruno.writes("RIPRENDO MESSAGGI")
    alice.answers(alice.letter, "SAY Hello?")
    assert bruno.kinds() == ["letters", "message"]


def test_nobody_stops_the_letters_of_another(match: Match, bruno: Correspondent) -> None:
    assert bruno.writes("BASTA TUTTO", dmarc="").verdict == Code.CONFIRM_NEEDED
    assert bruno.kinds() == ["confirm"]
    assert bruno.player.silent_since is None


def test_a_mail_program_may_say_goodbye_by_itself(match: Match, bruno: Correspondent) -> None:
    row = bruno.writes("", to=goodbye(bruno), headers={"Auto-Submitted": "auto-generated"})
    assert row.verdict == "ok"
    assert not bruno.player.turns


def test_a_silent_player_is_answered_and_hears_all_again_once_he_plays(
    match: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    bruno.writes("BASTA TUTTO")
    alice.answers(alice.letter, "b1-b3")
    bruno.writes("MOSTRA")
    assert bruno.kinds() == ["letters", "board"]
    assert bruno.player.silent_since is not None
    assert bruno.answers(bruno.letter, "a2-c2").verdict == "ok"
    assert bruno.player.silent_since is None
    alice.answers(alice.letter, "g1-g3")
    assert bruno.kinds() == ["played", "turn"]


def test_a_forged_question_does_not_wake_a_silent_player(match: Match, bruno: Correspondent) -> None:
    bruno.writes("BASTA TUTTO")
    bruno.writes("HELP", dmarc="")
    assert Player.objects.get(name="Bruno").silent_since is not None


def test_every_letter_has_exactly_one_verdict(
    match: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    for body in ("b1-b3", "b1-b3", "", "hello", "My hat has 3 corners", "HELP", "RESIGN", "DRAW\nDRAW"):
        alice.answers(alice.letters[0], body)
    rows = InboundMail.objects.all()
    assert all(row.verdict and row.opened_at and row.leased_until is None for row in rows)
    assert [row.verdict for row in rows.order_by("pk")] == [
        "ok",
        Code.STALE_TURN,
        Code.QUOTED_ONLY,
        "ok",
        Code.NO_MOVE_FOUND,
        "ok",
        Code.CONFIRM_NEEDED,
        "ok",
    ]
