"""A match under letters in any order: legal, illegal, stale, doubled, crossing, said beforehand, about draws, pauses,
takebacks and the end, late and too late, and crashes.

Hypothesis writes the correspondence; after every letter the rows and the mailboxes must tell one story.
`MACHINE_EXAMPLES=1000 pytest tests/journeys/test_machine.py` looks for longer, in other places each time.
"""

from __future__ import annotations

import os
from datetime import timedelta

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule, run_state_machine_as_test

from pbem.inbox.models import LONGEST_KEEPING, InboundMail
from pbem.inbox.time_forfeits import flag_overdue
from pbem.matches.services import MOST_DRAWS
from pbem.queue import failpoints
from pbem.refusals import Code
from tests.journeys.two_players import TwoPlayers
from tests.mail_fixtures import Correspondent, Post, play_address
from tests.sigkill import power_cut_at

EXAMPLES = int(os.environ.get("MACHINE_EXAMPLES", "0"))
LONGEST = 12  # plies, after which somebody resigns sooner or later
TALK = ("SAY: What a fine day it was!", "DICO: Che bella giornata!")

failpoints_or_none = st.sampled_from(("", *failpoints.FAILPOINTS))
any_move = st.integers(0, 10_000)  # taken modulo what is legal
anybody = st.integers(0, 1)


class Correspondence(TwoPlayers):
    """What players, relays and the power do."""

    draws = asked = 0
    foreseen = (-1, "")  # at which ply, which move

    def sends(self, player: Correspondent, words: str, moment: str) -> None:
        """In answer to their newest letter. If the power fails, the relay tries again."""
        raw, letter = player.pens(words), self.newest(player)
        with power_cut_at(moment):
            self.post.deliver(raw, letter.reply_to, player.email)
        self.post.settle()
        self.post.keep(raw, letter.reply_to, player.email)
        self.post.settle()

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
            assert self.mover.answers(self.newest(self.mover), text).verdict in (
                Code.ILLEGAL_MOVE,
                Code.AMBIGUOUS_MOVE,
            )
            self.expect(self.mover, "refused")

    @precondition(lambda self: self.playing)
    @rule(which=any_move)
    def plays_out_of_turn(self, which: int) -> None:
        text = self.legal(which, self.waiting)
        verdict = self.waiting.answers(self.newest(self.waiting), text).verdict
        assert verdict == Code.NOT_YOUR_TURN
        self.expect(self.waiting, "refused")

    @precondition(lambda self: self.match.ply > 0 and not self.taken_back)
    @rule(who=anybody, which=any_move)
    def answers_the_first_letter(self, who: int, which: int) -> None:
        """Its board is an old one: nothing is played from there."""
        player = self.players[who]
        text = self.legal(which, player) if self.playing else "a1-a2"
        verdict = player.answers(player.letters[0], text).verdict
        assert (
            verdict == Code.STALE_TURN if self.playing else verdict in (Code.MATCH_OVER, Code.NO_MOVE_FOUND)
        )
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
        assert verdicts[0] in (Code.MATCH_OVER, Code.STALE_TURN)
        self.moved(mover)
        self.expect(mover, "refused")

    @precondition(lambda self: self.playing and self.match.ply < LONGEST)
    @rule(which=any_move, moment=st.sampled_from(failpoints.FAILPOINTS))
    def the_power_fails(self, which: int, moment: str) -> None:
        """Wherever it does, the relay tries again and the move is played once."""
        mover = self.mover
        self.sends(mover, self.legal(which), moment)
        self.moved(mover)

    @precondition(lambda self: self.playing)
    @rule(reply=any_move, answer=any_move)
    def foresees(self, reply: int, answer: int) -> None:
        """The player who waits says what they will answer to a move of the other."""
        match = self.match
        position = match.current()
        moves = sorted(position.moves(), key=str)
        move = moves[reply % len(moves)]
        after = position.play(move)
        answers = sorted(after.moves(), key=str)
        if after.outcome() or after.to_move == position.to_move or answers == [match.game.forced_pass]:
            return
        notation = self.waiting.player.notation
        foreseen = match.game.write(position, move, notation)
        words = ("IF {} THEN {}", "SE {} ALLORA {}")[self.players.index(self.waiting)]
        line = words.format(foreseen, match.game.write(after, answers[answer % len(answers)], notation))
        assert self.waiting.answers(self.newest(self.waiting), line).verdict == "ok"
        self.expect(self.waiting, "conditionals")
        self.foreseen = (match.ply, str(match.game.write(position, move, self.mover.player.notation)))

    @precondition(lambda self: self.playing and self.foreseen[0] == self.match.ply < LONGEST)
    @rule(moment=failpoints_or_none)
    def plays_what_was_foreseen(self, moment: str) -> None:
        self.sends(self.mover, self.foreseen[1], moment)
        self.moved()

    @precondition(lambda self: self.playing and not self.asking and self.draws < MOST_DRAWS)
    @rule(who=anybody)
    def offers_a_draw(self, who: int) -> None:
        self.draws += 1
        player = self.players[who]
        assert player.answers(self.newest(player), "DRAW" if who == 0 else "PATTA").verdict == "ok"
        self.expect(player, "offered")
        self.expect(self.players[1 - who], "offer")

    @precondition(lambda self: self.playing and self.match.draw_offered_by is not None)
    @rule(accepts=st.sampled_from((False, False, False, True)))
    def answers_the_offer(self, accepts: bool) -> None:
        player = self.players[1 - (self.match.draw_offered_by or 0)]
        words = ("YES DRAW", "NO") if player is self.alice else ("SÌ PATTA", "NO")
        assert player.answers(self.newest(player), words[0 if accepts else 1]).verdict == "ok"
        for who in self.players:
            self.expect(who, "result" if accepts else "rejected")

    @precondition(lambda self: self.playing and not self.asking and self.match.ply > 1 and self.asked < 3)
    @rule(who=anybody, what=st.sampled_from(("UNDO", "UNDO 2", "PAUSE 2 days")))
    def asks_for(self, who: int, what: str) -> None:
        if what.startswith("PAUSE") and not self.match.agreed.control:
            return
        self.asked += 1
        player = self.players[who]
        assert player.answers(self.newest(player), what).verdict == "ok"
        self.expect(player, "asked")
        self.expect(self.players[1 - who], "asks")

    @precondition(lambda self: self.playing and self.offer)
    @rule(grants=st.booleans(), moment=failpoints_or_none)
    def answers_what_was_asked(self, grants: bool, moment: str) -> None:
        offer = self.offer
        assert offer is not None
        player = self.players[1 - offer.side]
        self.sends(player, "YES" if grants else "NO", moment)
        told = {"undo": "undone", "pause": "paused"}[offer.kind] if grants else "denied"
        for each in self.players:
            self.expect(each, told)
        if grants:
            self.foreseen = (-1, "")

    @precondition(lambda self: self.playing and self.match.deadline and self.match.ply < LONGEST)
    @rule(which=any_move)
    def writes_with_the_last_moment(self, which: int) -> None:
        """And is read an hour later: no flag falls meanwhile."""
        mover, deadline = self.mover, self.match.deadline
        assert deadline is not None
        raw, letter = mover.pens(self.legal(which)), self.newest(mover)
        self.post.now = deadline
        self.post.keep(raw, letter.reply_to, mover.email)
        self.post.wait(hours=1)
        self.post.live()
        assert flag_overdue(now=self.post.now) == 0
        self.post.settle()
        self.moved(mover)

    @precondition(lambda self: self.playing and self.match.deadline and self.match.ply > LONGEST // 2)
    @rule()
    def does_not_write_in_time(self) -> None:
        deadline = self.match.deadline
        assert deadline is not None
        self.post.now = deadline + LONGEST_KEEPING + timedelta.resolution
        self.post.live()
        assert flag_overdue(now=self.post.now) == 1
        for each in self.players:
            self.expect(each, "result")

    @precondition(lambda self: self.playing)
    @rule(who=anybody, means_it=st.sampled_from((False, False, True)))
    def resigns(self, who: int, means_it: bool) -> None:
        player = self.players[who]
        assert (
            player.answers(self.newest(player), "RESIGN" if who == 0 else "ABBANDONO").verdict
            == Code.CONFIRM_NEEDED
        )
        self.expect(player, "confirm")
        means_it = means_it and self.match.ply >= LONGEST // 2
        answer = ("YES RESIGN" if who == 0 else "SÌ ABBANDONO") if means_it else "NO"
        question = player.letter
        assert player.answers(question, answer).verdict == "ok"
        assert player.answers(question, answer).verdict == Code.EXPIRED
        self.expect(player, "answered")
        if not means_it:
            self.expect(player, "answered")  # a NO is told as soon as it comes, too
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
        assert letter.verdict == Code.AUTO_REPLY


@pytest.mark.prove
def test_any_correspondence_about_a_match(post: Post) -> None:
    run_state_machine_as_test(
        Correspondence,
        settings=settings(
            max_examples=EXAMPLES or 10,
            stateful_step_count=30 if EXAMPLES else 15,
            derandomize=not EXAMPLES,
            database=None,
            phases=(Phase.generate, Phase.shrink) if EXAMPLES else (Phase.generate,),
            report_multiple_bugs=False,
        ),
    )
