"""Who is believed, end to end: every row of the table from token, From and DMARC to what is done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

import pytest

from pbem.inbox.models import InboundMail
from pbem.matches.models import Match, Seat
from pbem.matches.services import revoke_tokens
from pbem.players.models import Player
from pbem.refusals import Code
from tests.examples import first
from tests.mail_fixtures import AUTHSERV_ID, Correspondent, Delivery, Post, play_address
from tests.pbem.mail.authentication.test_policy import CASES

MOVE = "Wd4, a1"


@dataclass
class Table:
    """Alice, to move against Bruno, with the letter that she answers."""

    post: Post
    alice: Correspondent
    bruno: Correspondent
    charlie: Correspondent
    letter: Delivery

    @property
    def match(self) -> Match:
        return Match.objects.get()

    def make_stale(self) -> None:
        """Both have moved since: Alice holds an old letter, and it is her turn again."""
        self.alice.answers(self.letter, "Gb1, a4")
        self.bruno.answers(self.bruno.letter, "Bb5, d7")
        self.alice.reads()
        self.bruno.reads()

    def revoke(self) -> None:
        revoke_tokens(Seat.objects.get(player=self.alice.player))


@pytest.fixture
def table(
    post: Post, alice: Correspondent, bruno: Correspondent, charlie: Correspondent, zertz: Match
) -> Table:
    return Table(post, alice, bruno, charlie, alice.letter)


# What a letter is answered with, and Bruno told, as the table decides: one after the other, a letter that only
# reads, one that always asks, an offer, and the move. `A04` stands for why it is held: A05 where From is hers.
EFFECTS = """
              SHOW             RESIGN         DRAW                    Wd4, a1
apply         board:-:ok       confirm:-:A09  offered:offer:ok        played:turn:ok
meeting       board:-:ok       confirm:-:A09  confirm:-:A09           confirm:-:A09
confirm       board:-:ok       confirm:-:A09  confirm:-:A09           confirm:-:A09
hold          confirm:-:A04    confirm:-:A04  confirm:-:A04           confirm:-:A04
stale-move    board:-:ok       confirm:-:A09  offered:offer:ok        refused:-:G04
stale-confirm board:-:ok       confirm:-:A09  confirm:-:A09           refused:-:G04
notice        notice:-:A03     -:-:A03        -:-:A03                 -:-:A03
reading       board:-:ok       confirm:-:A09  confirm:-:A09           confirm:-:A09
sign-up       -:-:A11          -:-:I01        -:-:I01                 -:-:I01
silence       -:-:A11          -:-:A11        -:-:A11                 -:-:A11
"""
CAME_OF = {
    name.replace("-", " "): effects for name, *effects in (line.split() for line in EFFECTS.split("\n")[2:-1])
}
# Where our server says nothing, and where it says that the domain says nothing, a letter is judged alike.
SILENT = ("current", "known", "none"), ("absent", "known", "none")
TABLE = [
    *(case for case in CASES if case[3] != "wrapped"),  # see test_by_mail_certified.py
    *(
        [token, known, "", doubt, *then]
        for token, known, dmarc, doubt, *then in CASES
        if (token, known, dmarc) in SILENT and doubt == "*"
    ),
]
BY_HEADERS = ("correlated", "absent")  # what there is to believe is in the headers
NAMES_ITS_MATCH = (*BY_HEADERS, "stale", "player")


@pytest.mark.parametrize("chosen", first(["normal", "strict"]))
@pytest.mark.parametrize(("token", "known", "dmarc", "doubt", "normal", "strict"), TABLE)
def test_the_table(
    table: Table, chosen: str, token: str, known: str, dmarc: str, doubt: str, normal: str, strict: str
) -> None:
    """Each row: what becomes of the match, who gets which letter, and the verdict. Charlie sees nothing."""
    if token == "stale":
        table.make_stale()
    if token == "revoked":
        table.revoke()
    to = play_address() if token in BY_HEADERS else table.letter.reply_to
    if token == "player":
        table.alice.writes("HELP")
        [table.letter] = table.alice.reads()
        to = table.letter.reply_to
    Player.objects.filter(name="Alice").update(strict=chosen == "strict")
    writer = Correspondent(table.post, "Alice", f"{'alice' if known == 'known' else 'mallory'}@example.org")
    ours = {"In-Reply-To": str(table.letter.message["Message-ID"])} if token == "correlated" else {}
    before, decision = table.match.ply, normal if chosen == "normal" else strict
    numbered = f"{table.match.pk} {MOVE}" if token in NAMES_ITS_MATCH and doubt != "unnumbered" else MOVE
    for body, effect in zip(("SHOW", "RESIGN", "DRAW", numbered), CAME_OF[decision], strict=True):
        told, opponent, verdict = effect.split(":")
        if doubt == "unnumbered" and body == "DRAW":
            continue
        row = doubted(table, writer, doubt, body, to, dmarc, ours)
        held = Code.DMARC_FAIL if known == "known" else Code.FROM_MISMATCH
        assert row.verdict == (held if verdict == Code.FROM_MISMATCH else verdict), body
        if known == "known" and dmarc == "pass" and doubt != "*" and "SHOW" not in body:
            assert row.reading["doubt"] == (doubt if doubt != "unnumbered" or body == MOVE else "no")
        assert table.alice.kinds() == ([] if told == "-" else [told]), body
        assert table.bruno.kinds() == ([] if opponent == "-" else [opponent]), body
    assert table.match.ply - before == (decision == "apply")
    assert table.match.status == Match.Status.PLAYING
    assert table.charlie.letters == []
    if known == "unknown":
        assert writer.kinds() == (["invitation"] if decision == "sign up" else [])


def doubted(
    table: Table, writer: Correspondent, doubt: str, body: str, to: str, dmarc: str, ours: dict[str, str]
) -> InboundMail:
    """The letter, with what there is to doubt about it."""
    if doubt == "seen":
        raw = writer.pens("What do you think?", dmarc=dmarc, headers=ours)
        table.post.deliver(raw, "postmaster@pbem.localhost", writer.email)  # or to anybody: it has come
        again = raw.replace(b"What do you think?", body.encode())
        return table.post.deliver(again, to, writer.email)
    if doubt == "open":
        nobody = {"Authentication-Results": f"{AUTHSERV_ID}; dmarc=pass header.from=example.org"}
        return writer.writes(body, to=to, dmarc="", headers=ours | nobody)
    more = {
        "copied": {"Cc": "bruno@example.org"},
        "answers others": {"References": "<somebody@example.org>"},
        "old": {"Date": "Fri, 01 May 2026 09:00:00 +0000"},
        "to many": {"List-Id": "<staff.example.org>"},
    }
    return writer.writes(body, to=to, dmarc=dmarc, headers=ours | more.get(doubt, {}))


@pytest.mark.parametrize("token", ["current", "stale", "revoked", "correlated", "absent"])
@pytest.mark.parametrize("dmarc", ["pass", "none", "fail"])
def test_register_is_a_sign_up_for_strangers_alone(table: Table, token: str, dmarc: str) -> None:
    """The one command that a stranger has; with somebody's reply address it is nothing but a held letter."""
    if token == "stale":
        table.make_stale()
    if token == "revoked":
        table.revoke()
    stranger = Correspondent(table.post, "Mallory", "mallory@example.org")
    ours = {"In-Reply-To": str(table.letter.message["Message-ID"])} if token == "correlated" else {}
    to = play_address() if token in ("correlated", "absent") else table.letter.reply_to
    stranger.writes("REGISTER Mallory", to=to, dmarc=dmarc, headers=ours)
    answered = token in ("correlated", "absent") and dmarc != "fail"
    assert stranger.kinds() == (["signup"] if answered else [])
    assert table.match.ply == (2 if token == "stale" else 0)


FORGED = (
    "Authentication-Results: mx.evil.example; dmarc=pass",
    f"ARC-Authentication-Results: i=1; {AUTHSERV_ID}; dmarc=pass header.from=example.org",
    f"Authentication-Results: i=1; {AUTHSERV_ID}; dmarc=pass",
    f"X-Authentication-Results: {AUTHSERV_ID}; dmarc=pass",
    f"Authentication-Results: {AUTHSERV_ID}.evil.example; dmarc=pass",
    f"Authentication-Results: {AUTHSERV_ID}; dmarc=pass header.from=evil.example",
    "Received-SPF: pass",
)


def test_only_our_own_server_is_believed(table: Table) -> None:
    """A forger writes what they like; a chain of others (ARC, RFC 8617) is their word as well."""
    for forged in FORGED:
        raw = f"{forged}\r\n".encode() + table.alice.pens("DRAW", dmarc="")
        assert table.post.deliver(raw, play_address()).verdict == Code.CONFIRM_NEEDED, forged


def test_what_our_server_found_counts_above_what_a_forger_wrote_below(table: Table) -> None:
    written = f"Authentication-Results: {AUTHSERV_ID};\r\n\tdmarc=pass header.from=example.org\r\n".encode()
    found = f"Authentication-Results: {AUTHSERV_ID};\r\n\tdmarc=fail header.from=example.org\r\n".encode()
    raw = table.alice.pens(MOVE, dmarc="")
    assert table.post.deliver(found + written + raw, table.letter.reply_to).verdict == Code.DMARC_FAIL
    raw = table.alice.pens(MOVE, dmarc="")
    assert table.post.deliver(written + raw, table.letter.reply_to).verdict == "ok"


SEVERAL = (
    ["alice@example.org, mallory@example.org"],
    ["alice@example.org <mallory@example.org>"],
    ["alice@example.org", "mallory@example.org"],
    # Our mail server may have checked the one that we cannot read.
    ["alice@example.org", '"mallory the second"@evil.example'],
    ["mallory at evil.example", "alice@example.org"],
)
# Names, comments, tags, dots and letters of other alphabets: a mailbox is what stands there.
ALIKE = (
    '"alice@example.org" <mallory@example.org>',
    "=?utf-8?q?alice=40example.org?= <mallory@example.org>",
    "mallory@example.org (alice@example.org)",
    "alice+play@example.org",
    "a.lice@example.org",
    "alice@sub.example.org",
    "al\u0131ce@example.org",
)
HERS = ("ALICE@Example.ORG", "<alice@example.org> (Alice)", "Mallory <alice@example.org>")


def from_them(alice: Correspondent, body: str, froms: Sequence[str]) -> bytes:
    """Her letter with other From fields."""
    fields = "".join(f"From: {value}\r\n" for value in froms).encode()
    return alice.pens(body).replace(b"From: Alice <alice@example.org>\r\n", fields)


def test_several_senders_are_held(table: Table) -> None:
    for froms in SEVERAL:
        row = table.post.deliver(from_them(table.alice, MOVE, froms), table.letter.reply_to)
        assert (row.verdict, row.reading["dmarc"], table.match.ply) == (Code.SEVERAL_FROM, "fail", 0), froms
        assert table.alice.kinds() == ["confirm"], froms


def test_who_only_looks_like_alice_is_not(table: Table) -> None:
    for sender in ALIKE:
        raw = from_them(table.alice, MOVE, [sender])
        assert table.post.deliver(raw, table.letter.reply_to).verdict == Code.FROM_MISMATCH, sender
    assert table.match.ply == 0


def test_a_mailbox_is_hers_however_it_is_written(table: Table) -> None:
    for sender in HERS:
        raw = from_them(table.alice, "SHOW", [sender])
        assert table.post.deliver(raw, table.letter.reply_to).verdict == "ok", sender


def test_charlie_has_the_reply_address_and_gets_nothing_for_it(table: Table) -> None:
    for body in (MOVE, "SHOW", "HELP", "GAMES", "RESIGN", "nonsense", "", "CHALLENGE Charlie loa"):
        table.charlie.writes(body, to=table.letter.reply_to)
    assert table.charlie.letters == []
    assert table.match.ply == 0
    assert table.match.status == Match.Status.PLAYING
    told = [letter for letter in table.alice.reads() if letter.kind != "confirm"]
    assert told == []


def test_a_held_move_that_is_confirmed_is_played_as_of_its_arrival_or_a_day_before_its_yes(
    table: Table,
) -> None:
    arrived = table.post.now
    row = table.charlie.writes(f"{MOVE}\nHello from my office!", to=table.letter.reply_to)
    assert row.verdict == Code.FROM_MISMATCH
    [question] = table.alice.reads()
    assert "charlie@example.org" in question.text
    assert MOVE in question.text
    table.post.wait(hours=30)
    assert table.alice.answers(question, "Yes!").verdict == "ok"
    turn = table.match.turns.get()
    assert (turn.played_at, turn.message) == (arrived + timedelta(hours=6), "Hello from my office!")
    assert table.alice.kinds() == ["played"]
    assert table.bruno.kinds() == ["turn"]
    assert table.charlie.letters == []


def test_a_held_move_that_is_denied_is_not_played(table: Table) -> None:
    table.charlie.writes(MOVE, to=table.letter.reply_to)
    assert table.alice.answers(table.alice.letter, "NO").verdict == "ok"
    assert table.match.ply == 0


def test_a_held_move_is_stale_once_the_board_has_moved_on(table: Table) -> None:
    table.charlie.writes(MOVE, to=table.letter.reply_to)
    [question] = table.alice.reads()
    table.make_stale()
    assert table.alice.answers(question, "YES").verdict == Code.STALE_TURN
    assert table.match.ply == 2
    assert table.alice.kinds() == ["refused"]


def test_a_move_put_aside_without_a_token_is_stale_in_the_same_way(table: Table) -> None:
    """It was written for the board of its day, though nothing but its day says so."""
    table.alice.writes(MOVE, dmarc="")
    [question] = table.alice.reads()
    table.make_stale()
    assert table.alice.answers(question, "YES").verdict == Code.STALE_TURN


def test_a_move_put_aside_is_not_lost_when_another_match_begins(table: Table) -> None:
    """While Alice had one match, her letter needed no number; it still means that match."""
    table.alice.writes(MOVE, dmarc="")
    [question] = table.alice.reads()
    first = table.match
    table.alice.writes("CHALLENGE Bruno loa")
    assert table.alice.answers(question, "YES").verdict == "ok"
    first.refresh_from_db()
    assert first.ply == 1


def test_a_strict_player_confirms_what_is_said_in_her_name_too(table: Table) -> None:
    """A letter with nothing but SHOW changes nothing; the insult below it would."""
    Player.objects.filter(name="Alice").update(strict=True)
    row = table.alice.answers(table.letter, "SHOW\nYou play like a goat.", dmarc="")
    assert row.verdict == Code.CONFIRM_NEEDED
    assert table.bruno.kinds() == []
    [answer] = table.alice.reads()
    assert "You play like a goat." in answer.text
    assert table.alice.answers(answer, "YES").verdict == "ok"
    [said] = table.bruno.reads()
    assert "You play like a goat." in said.text


def test_whoever_chooses_strict_is_asked_until_she_herself_chooses_otherwise(table: Table) -> None:
    assert table.alice.answers(table.letter, "SET STRICT ON", dmarc="").verdict == "ok"
    table.alice.reads()
    assert table.alice.answers(table.letter, "SET STRICT OFF", dmarc="").verdict == Code.CONFIRM_NEEDED
    [question] = table.alice.reads()
    assert table.alice.answers(table.letter, MOVE, dmarc="").verdict == Code.CONFIRM_NEEDED
    assert table.alice.answers(question, "YES", dmarc="").verdict == "ok"
    assert table.alice.answers(table.letter, MOVE, dmarc="").verdict == "ok"
    assert table.match.ply == 1


def test_an_answer_never_goes_to_the_address_of_the_letter(table: Table) -> None:
    """Reply-To and the envelope may say what they like."""
    elsewhere = {"Reply-To": "charlie@example.org", "Sender": "charlie@example.org"}
    raw = table.alice.pens("HELP", headers=elsewhere, dmarc="")
    table.post.deliver(raw, play_address(), "charlie@example.org")
    assert table.alice.kinds() == ["help"]
    assert table.charlie.letters == []


def test_a_revoked_address_brings_one_notice_however_often_it_is_used(table: Table) -> None:
    table.revoke()
    for body in (MOVE, "SHOW", "DRAW"):
        assert table.charlie.writes(body, to=table.letter.reply_to).verdict == Code.REVOKED
    assert table.alice.kinds() == ["notice"]
    assert table.charlie.letters == []


def test_a_suspended_player_can_still_confirm_a_move(table: Table) -> None:
    table.charlie.writes(MOVE, to=table.letter.reply_to)
    [question] = table.alice.reads()
    Player.objects.filter(name="Alice").update(suspended_at=table.post.now)
    assert table.alice.answers(question, "YES").verdict == "ok"
    assert table.match.ply == 1


def test_the_question_about_a_held_letter_stands_for_72_hours(table: Table) -> None:
    table.charlie.writes(MOVE, to=table.letter.reply_to)
    [question] = table.alice.reads()
    table.post.now += timedelta(hours=72, seconds=1)
    assert table.alice.answers(question, "YES").verdict == Code.CONFIRM_EXPIRED
    assert table.match.ply == 0


def test_reading_commands_are_answered_though_nobody_vouches_for_the_sender(table: Table) -> None:
    assert table.alice.writes("GAMES\nSHOW\nDRAW", dmarc="").verdict == Code.CONFIRM_NEEDED
    [answer] = table.alice.reads()
    assert answer.kind == "games"
    assert table.match.draw_offered_by is None
