"""A match between two who write, as the machine has it: what must be so after every letter, and how it stands."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any

from django.db import transaction
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant

from games.protocol import AmbiguousMove, IllegalMove, Position, UnreadableMove
from pbem.inbox.models import InboundMail
from pbem.matches.models import Event, Match, Offer
from pbem.matches.services import start
from pbem.matches.terms import Terms
from pbem.outbox.models import OutboundMail
from pbem.players.models import Player
from tests.mail_fixtures import Correspondent, Delivery, Post, registered

GAMES = ("loa:6x6", "insert", "emergo")
CLOCKS = ("", "3d/move")


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


class TwoPlayers(RuleBasedStateMachine):
    """`told` counts the letters that ought to have come, by mailbox and kind: no more, no fewer, ever come."""

    def __init__(self) -> None:
        super().__init__()
        self._rows = transaction.atomic()
        self._rows.__enter__()
        self.post = Recorder()
        self.players = (registered(self.post, "Alice", "en"), registered(self.post, "Bruno", "it"))
        Player.objects.update(receipts=True)
        self.charlie = registered(self.post, "Charlie", "en")
        self.told: Counter[tuple[str, str]] = Counter()
        self.verdicts: dict[int, str] = {}
        self.end: tuple[Any, ...] | None = None

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self._rows.__exit__(None, None, None)

    @initialize(game=st.sampled_from(GAMES), seed=st.integers(0, 99), clock=st.sampled_from(CLOCKS))
    def begin(self, game: str, seed: int, clock: str) -> None:
        first, second = (who.player for who in self.players)
        now, terms = self.post.now, Terms(clock=clock)
        self.pk = start(first=first, second=second, game=game, terms=terms, now=now, rng=Random(seed)).pk
        self.expect(self.alice, "turn")
        self.expect(self.bruno, "turn")
        self.post.settle()

    # -- what must be so after every letter

    @invariant()
    def the_record_and_the_snapshot_agree(self) -> None:
        match = self.match
        turns = list(match.live_turns())
        assert [turn.ply for turn in turns] == list(range(match.ply))
        assert match.turns.count() - len(turns) == match.turns.filter(undone_by__kind="undone").count()
        *before, last = match.record().replay()
        assert match.position == str(last)
        assert [turn.side for turn in turns] == [int(position.to_move) for position in before]
        assert match.to_move == (int(last.to_move) if self.playing else None)

    @invariant()
    def every_letter_is_decided_once(self) -> None:
        self.post.settle()
        decided = dict(InboundMail.objects.values_list("pk", "verdict"))
        assert "" not in decided.values()
        assert decided | self.verdicts == decided
        self.verdicts = decided
        assert len(decided) == len(set(self.post.taken))

    @invariant()
    def everybody_has_got_his_letters_and_no_other(self) -> None:
        left = OutboundMail.objects.exclude(status=OutboundMail.Status.SENT)
        assert not left, [(row.kind, row.ply, row.status, row.verdict, row.address) for row in left]
        boxes = self.post.mailboxes.boxes
        copies = {
            (letter.to, letter.message["Message-ID"]): letter for box in boxes.values() for letter in box
        }
        came = Counter((letter.to, letter.kind) for letter in copies.values())
        assert came == self.told, (came - self.told, self.told - came)
        same = all(letter.raw == copies[name(letter)].raw for box in boxes.values() for letter in box)
        assert same or self.match.agreed.control, (
            "a clock begins with the copy that is taken last, and this says so"
        )
        assert self.charlie.letters == []

    @invariant()
    def nothing_changes_after_the_end(self) -> None:
        if self.playing:
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
    def offer(self) -> Offer | None:
        """What one asks of the other, beside a draw."""
        return Offer.objects.standing(self.match).first()

    @property
    def asking(self) -> bool:
        """Whether anything stands open between them."""
        return self.offer is not None or self.match.draw_offered_by is not None

    @property
    def taken_back(self) -> bool:
        return Event.objects.filter(match=self.pk, kind=Event.Kind.UNDONE).exists()

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
            event = Event.objects.filter(kind=Event.Kind.MOVED).latest("pk")
            by = self.players[event.side or 0]
            assert mover in (None, by)
            itself = event.facts.get("itself")
            self.expect(by, "cascade" if itself else "played")
            self.expect(self.players[1 - self.players.index(by)], "cascade" if itself else "turn")

    def expect(self, who: Correspondent, kind: str) -> None:
        self.told[who.email, kind] += 1


def name(letter: Delivery) -> tuple[str, str]:
    return letter.to, letter.message["Message-ID"]
