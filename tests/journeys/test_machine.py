"""A match under letters in any order: legal, illegal, stale, doubled, crossing, about draws and the end, and crashes.

Hypothesis writes the correspondence; after every letter the rows and the mailboxes must tell one story.
`MACHINE_EXAMPLES=1000 pytest tests/journeys/test_machine.py` looks for longer, in other places each time.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any

from django.db import transaction
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from games.errors import AmbiguousMove, IllegalMove, UnreadableMove
from games.protocol import Position
from pbem import moments
from pbem.inbox.models import InboundMail
from pbem.matches.models import Event, Match
from pbem.matches.services import start
from pbem.outbox.models import OutboundMail
from tests.post import Correspondent, Delivery, Post, play_address, registered
from tests.power import power_cut_at

EXAMPLES = int(os.environ.get("MACHINE_EXAMPLES", "0"))
GAMES = ("loa:6x6", "insert", "emergo")
LONGEST = 12  # plies, after which somebody resigns sooner or later

TALK = ("SAY: What a fine day it was!", "DICO: Che bella giornata!")

any_move = st.integers(0, 10_000)  # taken modulo what is legal
anybody = st.integers(0, 1)


@dataclass
class Recorder(Post):
    """Remembers every letter that was handed in, so that a relay may hand it in again."""

    taken: list[tuple[bytes, str, str]] = field(default_factory=list)

    def keep(self, raw: bytes, recipient: str, sender: str = "somebody@example.org") -> InboundMail:
        self.taken.append((raw, recipient, sender))
        return super().keep(raw, recipient, sender)

    def settle(self) -> None:
        """Until nothing waits. Leases of the dead run out meanwhile."""
        self.wait(minutes=10)
        while InboundMail.objects.unopened().exists() or OutboundMail.objects.due(self.now).exists():
            self.open()
            self.send()


class Correspondence(RuleBasedStateMachine):
    """`told` counts the letters that ought to have come, by mailbox and kind: no more, no fewer, ever come."""

    def __init__(self) -> None:
        super().__init__()
        self._rows = transaction.atomic()
        self._rows.__enter__()
        self.post = Recorder()
        self.players = (registered(self.post, "Alice", "en"), registered(self.post, "Bruno", "it"))
        self.charlie = registered(self.post, "Charlie", "en")
        self.told: Counter[tuple[str, str]] = Counter()
        self.verdicts: dict[int, str] = {}
        self.end: tuple[Any, ...] | None = None

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self._rows.__exit__(None, None, None)

    @initialize(game=st.sampled_from(GAMES), seed=st.integers(0, 99))
    def begin(self, game: str, seed: int) -> None:
        first, second = (who.player for who in self.players)
        now = self.post.now
        self.pk = start(first=first, second=second, game=game, now=now, rng=Random(seed)).pk
        self.expect(self.alice, "turn")
        self.expect(self.bruno, "turn")
        self.post.settle()

    # -- what players write

    @precondition(lambda self: self.playing and self.match.ply < LONGEST)
    @rule(which=any_move)
    def plays(self, which: int) -> None:
        text = self.legal(which)
        assert self.mover.answers(self.newest(self.mover), text).verdict == "ok"
        self.moved()

    @precondition(lambda self: self.playing and self.match.ply < LONGEST)
    @rule(which=any_move)
    def plays_in_a_new_letter(self, which: int) -> None:
        assert self.mover.writes(f"{self.pk} {self.legal(which)}").verdict == "ok"
        self.moved()

    @precondition(lambda self: self.playing)
    @rule(which=any_move)
    def plays_against_the_rules(self, which: int) -> None:
        if text := self.illegal(which):
            assert self.mover.answers(self.newest(self.mover), text).verdict in ("G06", "P08")
            self.expect(self.mover, "refused")

    @precondition(lambda self: self.playing)
    @rule(which=any_move)
    def plays_out_of_turn(self, which: int) -> None:
        text = self.legal(which, self.waiting)
        verdict = self.waiting.answers(self.newest(self.waiting), text).verdict
        assert verdict == "G03"
        self.expect(self.waiting, "refused")

    @precondition(lambda self: self.match.ply > 0)
    @rule(who=anybody, which=any_move)
    def answers_the_first_letter(self, who: int, which: int) -> None:
        """Its board is an old one: nothing is played from there."""
        player = self.players[who]
        text = self.legal(which, player) if self.playing else "a1-a2"
        verdict = player.answers(player.letters[0], text).verdict
        assert verdict == "G04" if self.playing else verdict in ("G02", "P06")
        self.expect(player, "refused")

    @precondition(lambda self: self.post.taken)
    @rule(which=any_move)
    def a_relay_repeats_itself(self, which: int) -> None:
        count = InboundMail.objects.count()
        self.post.keep(*self.post.taken[which % len(self.post.taken)])
        assert InboundMail.objects.count() == count

    @precondition(lambda self: self.playing and self.match.ply < LONGEST)
    @rule(first=any_move, second=any_move, swapped=st.booleans())
    def two_moves_cross(self, first: int, second: int, swapped: bool) -> None:
        """A reply and a new letter for the same turn, opened in either order: one of them is played."""
        mover, letter = self.mover, self.newest(self.mover)
        reply = mover.pens(self.legal(first), headers={"In-Reply-To": letter.message["Message-ID"]})
        turn = self.match.ply + 1
        fresh = mover.pens(f"MOVE {self.pk} {self.legal(second)}#{turn}".replace("MOVE", self.verb(mover)))
        rows = [
            self.post.keep(reply, letter.reply_to, mover.email),
            self.post.keep(fresh, play_address(), mover.email),
        ]
        for row in reversed(rows) if swapped else rows:
            self.open(row)
        verdicts = sorted(InboundMail.objects.get(pk=row.pk).verdict for row in rows)
        assert verdicts[1] == "ok"
        assert verdicts[0] in ("G02", "G04")
        self.moved(mover)
        self.expect(mover, "refused")

    @precondition(lambda self: self.playing and self.match.ply < LONGEST)
    @rule(which=any_move, moment=st.sampled_from(moments.MOMENTS))
    def the_power_fails(self, which: int, moment: str) -> None:
        """Wherever it does, the relay tries again and the move is played once."""
        mover, letter = self.mover, self.newest(self.mover)
        raw = mover.pens(self.legal(which))
        with power_cut_at(moment):
            self.post.deliver(raw, letter.reply_to, mover.email)
        self.post.settle()
        self.post.keep(raw, letter.reply_to, mover.email)
        self.post.settle()
        self.moved(mover)

    @precondition(lambda self: self.playing and self.match.draw_offered_by is None)
    @rule(who=anybody)
    def offers_a_draw(self, who: int) -> None:
        player = self.players[who]
        assert player.answers(self.newest(player), "DRAW" if who == 0 else "PATTA").verdict == "ok"
        self.expect(player, "offered")
        self.expect(self.players[1 - who], "offer")

    @precondition(lambda self: self.playing and self.match.draw_offered_by is not None)
    @rule(accepts=st.sampled_from((False, False, False, True)))
    def answers_the_offer(self, accepts: bool) -> None:
        player = self.players[1 - (self.match.draw_offered_by or 0)]
        words = ("YES", "NO") if player is self.alice else ("SÌ", "NO")
        assert player.answers(self.newest(player), words[0 if accepts else 1]).verdict == "ok"
        for who in self.players:
            self.expect(who, "result" if accepts else "rejected")

    @precondition(lambda self: self.playing)
    @rule(who=anybody, means_it=st.sampled_from((False, False, True)))
    def resigns(self, who: int, means_it: bool) -> None:
        player = self.players[who]
        assert player.answers(self.newest(player), "RESIGN" if who == 0 else "ABBANDONO").verdict == "A09"
        self.expect(player, "confirm")
        means_it = means_it and self.match.ply >= LONGEST // 2
        answer = ("YES" if who == 0 else "SÌ") if means_it else "NO"
        question = player.letter
        assert player.answers(question, answer).verdict == "ok"
        assert player.answers(question, answer).verdict == "A02"
        self.expect(player, "refused")
        for each in self.players:
            if means_it:
                self.expect(each, "result")

    @rule(who=anybody)
    def talks(self, who: int) -> None:
        player = self.players[who]
        assert player.answers(self.newest(player), TALK[who]).verdict == "ok"
        self.expect(player, "said")
        self.expect(self.players[1 - who], "message")

    @rule(who=anybody, which=any_move)
    def an_absence_is_announced(self, who: int, which: int) -> None:
        """By a program, which quotes no move of its own but has one in it."""
        player = self.players[who]
        text = self.legal(which, player) if self.playing else "a1-a2"
        letter = player.answers(self.newest(player), text, headers={"Auto-Submitted": "auto-replied"})
        assert letter.verdict == "I02"

    # -- what must be so after every letter

    @invariant()
    def the_record_and_the_snapshot_agree(self) -> None:
        if not hasattr(self, "pk"):
            return
        match = self.match
        turns = list(match.live_turns())
        assert [turn.ply for turn in turns] == list(range(match.ply))
        assert match.turns.count() == len(turns)
        *before, last = match.record().replay()
        assert match.position == str(last)
        assert [turn.side for turn in turns] == [int(position.to_move) for position in before]
        assert match.to_move == (int(last.to_move) if self.playing else None)

    @invariant()
    def every_letter_is_decided_once(self) -> None:
        if not hasattr(self, "pk"):
            return
        self.post.settle()
        decided = dict(InboundMail.objects.values_list("pk", "verdict"))
        assert "" not in decided.values()
        assert decided | self.verdicts == decided
        self.verdicts = decided
        assert len(decided) == len(set(self.post.taken))

    @invariant()
    def everybody_has_got_his_letters_and_no_other(self) -> None:
        if not hasattr(self, "pk"):
            return
        assert not OutboundMail.objects.exclude(status=OutboundMail.Status.SENT).exists()
        boxes = self.post.mailboxes.boxes
        copies = {
            (letter.to, letter.message["Message-ID"]): letter for box in boxes.values() for letter in box
        }
        assert Counter((letter.to, letter.kind) for letter in copies.values()) == self.told
        assert all(letter.raw == copies[name(letter)].raw for box in boxes.values() for letter in box)
        assert self.charlie.letters == []

    @invariant()
    def nothing_changes_after_the_end(self) -> None:
        if not hasattr(self, "pk") or self.playing:
            return
        match = self.match
        end = (match.status, match.winner, match.reason, match.ply, match.position, match.ended_at)
        assert self.end in (None, end)
        assert Event.objects.filter(match=match, kind=Event.Kind.ENDED).count() == 1
        self.end = end

    # -- the match as it stands

    @property
    def match(self) -> Match:
        return Match.objects.get(pk=self.pk)

    @property
    def playing(self) -> bool:
        return self.match.status == Match.Status.PLAYING

    @property
    def alice(self) -> Correspondent:
        return self.players[0]

    @property
    def bruno(self) -> Correspondent:
        return self.players[1]

    @property
    def mover(self) -> Correspondent:
        return self.players[self.match.to_move or 0]

    @property
    def waiting(self) -> Correspondent:
        return self.players[1 - (self.match.to_move or 0)]

    def verb(self, player: Correspondent) -> str:
        return "MOVE" if player is self.alice else "MUOVO"

    def newest(self, player: Correspondent) -> Delivery:
        """The newest letter that shows the board: its reply address is of this turn."""
        return next(letter for letter in reversed(player.letters) if letter.reply_to.startswith("m+"))

    def legal(self, which: int, player: Correspondent | None = None) -> str:
        match = self.match
        position = match.current()
        moves = sorted(position.moves(), key=str)
        notation = (player or self.mover).player.notation
        return str(match.game.write(position, moves[which % len(moves)], notation))

    def illegal(self, which: int) -> str:
        """A move of some earlier board that cannot be played on this one; "" where there is none."""
        match, notation = self.match, self.mover.player.notation
        boards = match.record().replay()
        written = sorted(
            {match.game.write(board, move, notation) for board in boards[-3:] for move in board.moves()}
        )
        found = [text for text in written if self.objects(boards[-1], text)]
        return found[which % len(found)] if found else ""

    def objects(self, position: Position, text: str) -> bool:
        try:
            self.match.game.read(position, text, self.mover.player.notation)
        except (IllegalMove, AmbiguousMove):
            return True
        except UnreadableMove:
            return False
        return False

    def open(self, row: InboundMail) -> None:
        while InboundMail.objects.unopened().filter(pk=row.pk).exists():
            self.post.open_one(row.pk)

    def moved(self, mover: Correspondent | None = None) -> None:
        """A move was played: both hear of it, and of the end instead if it was the last."""
        for who in self.players:
            if not self.playing:
                self.expect(who, "result")
        if self.playing:
            by = self.players[Event.objects.filter(kind=Event.Kind.MOVED).latest("pk").side or 0]
            assert mover in (None, by)
            self.expect(by, "played")
            self.expect(self.players[1 - self.players.index(by)], "turn")

    def expect(self, who: Correspondent, kind: str) -> None:
        self.told[who.email, kind] += 1


def name(letter: Delivery) -> tuple[str, str]:
    return letter.to, letter.message["Message-ID"]


def test_any_correspondence_about_a_match(post: Post) -> None:
    run_state_machine_as_test(
        Correspondence,
        settings=settings(
            max_examples=EXAMPLES or 12,
            stateful_step_count=30 if EXAMPLES else 15,
            derandomize=not EXAMPLES,
            database=None,
            deadline=None,
            phases=(Phase.generate, Phase.shrink) if EXAMPLES else (Phase.generate,),
            report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck),
        ),
    )
