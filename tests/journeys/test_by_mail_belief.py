"""Who is believed, end to end: every row of the table from token, From and DMARC to what is done."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

import pytest

from pbem.inbox.models import InboundMail
from pbem.matches.models import Match, Seat
from pbem.matches.services import revoke_tokens
from pbem.players.models import Player
from tests.post import Correspondent, Delivery, Post, play_address

APPLIED, ASKED, SILENT = "applied", "asked", "silent"
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

    def what_came_of(self, row: InboundMail, before: int) -> str:
        """Charlie sees nothing whatever happens."""
        assert self.charlie.letters == []
        if self.match.ply > before:
            return APPLIED
        return ASKED if "confirm" in self.alice.kinds() else SILENT


@pytest.fixture
def table(post: Post, alice: Correspondent, bruno: Correspondent, charlie: Correspondent) -> Table:
    alice.writes("CHALLENGE Bruno zertz first")
    bruno.answers(bruno.letter, "SÌ")
    alice.reads()
    bruno.reads()
    return Table(post, alice, bruno, charlie, alice.letter)


@pytest.mark.parametrize(
    ("token", "known", "dmarc", "normal", "strict"),
    [
        # A player answers the letter that we sent.
        ("current", True, "pass", (APPLIED, "ok"), (APPLIED, "ok")),
        ("current", True, "", (APPLIED, "ok"), (ASKED, "A09")),
        ("current", True, "none", (APPLIED, "ok"), (ASKED, "A09")),
        ("current", True, "fail", (ASKED, "A05"), (ASKED, "A05")),
        # Somebody else has the reply address.
        ("current", False, "pass", (ASKED, "A04"), (ASKED, "A04")),
        ("current", False, "", (ASKED, "A04"), (ASKED, "A04")),
        ("current", False, "fail", (ASKED, "A04"), (ASKED, "A04")),
        ("stale", False, "pass", (ASKED, "A04"), (ASKED, "A04")),
        ("stale", False, "fail", (ASKED, "A04"), (ASKED, "A04")),
        # The player answers an older letter.
        ("stale", True, "pass", (SILENT, "G04"), (SILENT, "G04")),
        ("stale", True, "", (SILENT, "G04"), (SILENT, "G04")),
        ("stale", True, "fail", (ASKED, "A05"), (ASKED, "A05")),
        # The reply address was taken back.
        ("revoked", True, "pass", (SILENT, "A03"), (SILENT, "A03")),
        ("revoked", True, "fail", (SILENT, "A03"), (SILENT, "A03")),
        ("revoked", False, "pass", (SILENT, "A03"), (SILENT, "A03")),
        # Our letter is named in In-Reply-To, which proves nothing.
        ("correlated", True, "pass", (APPLIED, "ok"), (ASKED, "A09")),
        ("correlated", True, "", (ASKED, "A09"), (ASKED, "A09")),
        ("correlated", True, "fail", (ASKED, "A09"), (ASKED, "A09")),
        # A new letter.
        ("absent", True, "pass", (APPLIED, "ok"), (ASKED, "A09")),
        ("absent", True, "", (ASKED, "A09"), (ASKED, "A09")),
        ("absent", True, "fail", (ASKED, "A09"), (ASKED, "A09")),
        # A stranger.
        ("correlated", False, "pass", (SILENT, "A11"), (SILENT, "A11")),
        ("correlated", False, "", (SILENT, "A11"), (SILENT, "A11")),
        ("absent", False, "pass", (SILENT, "A11"), (SILENT, "A11")),
        ("absent", False, "fail", (SILENT, "A11"), (SILENT, "A11")),
    ],
)
@pytest.mark.parametrize("chosen", ["normal", "strict"])
def test_the_table(
    table: Table,
    chosen: str,
    token: str,
    known: bool,
    dmarc: str,
    normal: tuple[str, str],
    strict: tuple[str, str],
) -> None:
    Player.objects.filter(name="Alice").update(strict=chosen == "strict")
    if token == "stale":
        Player.objects.update(strict=False)
        table.make_stale()
        Player.objects.filter(name="Alice").update(strict=chosen == "strict")
    if token == "revoked":
        table.revoke()
    writer = Correspondent(table.post, "Alice", "alice@example.org" if known else "mallory@example.org")
    ours = {"In-Reply-To": str(table.letter.message["Message-ID"])} if token == "correlated" else {}
    to = play_address() if token in ("correlated", "absent") else table.letter.reply_to
    before = table.match.ply
    row = writer.writes(MOVE, to=to, dmarc=dmarc, headers=ours)
    expected, verdict = normal if chosen == "normal" else strict
    assert (table.what_came_of(row, before), row.verdict) == (expected, verdict)


def test_only_our_own_server_is_believed(table: Table) -> None:
    """A forger writes his own Authentication-Results, below ours or with another name."""
    forged = {"Authentication-Results": "mx.evil.example; dmarc=pass"}
    assert table.alice.writes("DRAW", dmarc="", headers=forged).verdict == "A09"


def test_several_senders_are_held(table: Table) -> None:
    both = {"From": "alice@example.org, mallory@example.org"}
    row = table.alice.writes(MOVE, to=table.letter.reply_to, headers=both)
    assert (row.verdict, table.match.ply) == ("A06", 0)
    assert table.alice.kinds() == ["confirm"]


def test_charlie_has_the_reply_address_and_gets_nothing_for_it(table: Table) -> None:
    for body in (MOVE, "SHOW", "HELP", "GAMES", "RESIGN", "nonsense", "", "CHALLENGE Charlie loa"):
        table.charlie.writes(body, to=table.letter.reply_to)
    assert table.charlie.letters == []
    assert table.match.ply == 0
    assert table.match.status == Match.Status.PLAYING
    told = [letter for letter in table.alice.reads() if letter.kind != "confirm"]
    assert told == []


def test_a_held_move_that_is_confirmed_is_played_as_of_its_arrival(table: Table) -> None:
    arrived = table.post.now
    row = table.charlie.writes(f"{MOVE}\nHello from my office!", to=table.letter.reply_to)
    assert row.verdict == "A04"
    [question] = table.alice.reads()
    assert "charlie@example.org" in question.text
    assert MOVE in question.text
    table.post.wait(hours=30)
    assert table.alice.answers(question, "Yes!").verdict == "ok"
    turn = table.match.turns.get()
    assert (turn.played_at, turn.message) == (arrived, "Hello from my office!")
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
    assert table.alice.answers(question, "YES").verdict == "G04"
    assert table.match.ply == 2
    assert table.alice.kinds() == ["refused"]


def test_a_move_put_aside_without_a_token_is_stale_in_the_same_way(table: Table) -> None:
    """It was written for the board of its day, though nothing but its day says so."""
    table.alice.writes(MOVE, dmarc="")
    [question] = table.alice.reads()
    table.make_stale()
    assert table.alice.answers(question, "YES").verdict == "G04"


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
    assert row.verdict == "A09"
    assert table.bruno.kinds() == []
    [answer] = table.alice.reads()
    assert "You play like a goat." in answer.text
    assert table.alice.answers(answer, "YES").verdict == "ok"
    [said] = table.bruno.reads()
    assert "You play like a goat." in said.text


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
        assert table.charlie.writes(body, to=table.letter.reply_to).verdict == "A03"
    assert table.alice.kinds() == ["notice"]
    assert table.charlie.letters == []


def test_a_suspended_player_can_do_nothing_not_even_confirm(table: Table) -> None:
    table.charlie.writes(MOVE, to=table.letter.reply_to)
    [question] = table.alice.reads()
    Player.objects.filter(name="Alice").update(suspended_at=table.post.now)
    assert table.alice.answers(question, "YES").verdict == "A07"
    assert table.alice.answers(table.letter, MOVE).verdict == "A07"
    assert table.match.ply == 0


def test_the_question_about_a_held_letter_stands_for_72_hours(table: Table) -> None:
    table.charlie.writes(MOVE, to=table.letter.reply_to)
    [question] = table.alice.reads()
    table.post.now += timedelta(hours=72, seconds=1)
    assert table.alice.answers(question, "YES").verdict == "A10"
    assert table.match.ply == 0


def test_reading_commands_are_answered_though_nobody_vouches_for_the_sender(table: Table) -> None:
    assert table.alice.writes("GAMES\nSHOW\nDRAW", dmarc="").verdict == "A09"
    [answer] = table.alice.reads()
    assert answer.kind == "games"
    assert table.match.draw_offered_by is None
