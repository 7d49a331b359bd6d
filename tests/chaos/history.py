"""What is written to the service: matches played by nothing but answering letters, and all that comes between.

Some matches have a clock. What a player does when it is their turn, beside moving, is the table `WAYS`.
"""

from __future__ import annotations

import queue
import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from random import Random
from typing import Any

from tests.chance import WORDS
from tests.chaos.evidence import Undone
from tests.chaos.match import Match, begun
from tests.chaos.noise import around, by_strangers
from tests.chaos.relay import BREAKS, Relay, Submission
from tests.chaos.writer import Pen, ply_of
from tests.smtp_fixtures import Letter

AT_ONCE = 24  # matches, in a long story
STUBBORN = 22  # letters with a move that cannot be played, to one board; they are answered twenty times a day
ACCEPTS = 0.5  # of all that is asked of an opponent
BEGINS = 120.0  # seconds until the first letter comes: a busy machine is slow to start a service
SOONEST, LATEST = 0.0, 2.0  # seconds that a player has who is in a hurry
LONG_AGO = -300.0  # seconds: the deadline of a player who has fallen asleep
# What a player asks for when a match is over, and how large a share of them: of all, what it was about; the others.
LOOKS_BACK = 0.9
CURIOUS = 0.4
ANALYSE = {"en": "ANALYSE", "it": "ANALIZZA"}
HINT = {"en": ("HINT", "HINT 2"), "it": ("SUGGERIMENTO", "SUGGERIMENTO MOSSA")}
PUZZLE = {"en": "PUZZLE", "it": "PROBLEMA"}
DAILY = {"en": "SET CADENCE daily 18", "it": "IMPOSTA CADENZA giornaliera 18"}
YOUR_TURN = re.compile(r"^    1: ", re.MULTILINE)  # how to answer, below a board in a digest of one match


@dataclass
class Story:
    """`letters` is how many are written; the sink calls `mailbox.put` for each that comes.

    `breaks`: of so large a share of them, the connection of the relay breaks at the first attempt.
    """

    letters: int
    seed: int
    relay: Relay
    patience: float  # seconds without any letter: then the rest is not told
    stop: threading.Event  # set: no more is written
    breaks: float
    # Gives the player at an address so many seconds for a ply, and returns when they end.
    set_deadline: Callable[[str, int, float], datetime | None]
    progress: Callable[[int], None] = lambda written: None
    digests: bool = False  # some have one letter a day
    mailbox: queue.SimpleQueue[Letter | Undone] = field(default_factory=queue.SimpleQueue)
    matches: list[Match] = field(default_factory=list)
    of: dict[str, Match] = field(default_factory=dict)  # by address
    seen: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.rng = Random(f"{self.seed} story")
        self.pen = Pen(self.seed)

    @property
    def over(self) -> bool:
        return self.stop.is_set() or len(self.relay.log) >= self.letters

    @property
    def ways(self) -> Ways:
        return WAYS

    def tell(self) -> None:
        """Until all letters are written. Raises queue.Empty when nobody answers any more."""
        for _ in range(min(AT_ONCE, 1 + self.letters // 25)):
            self._begin()
        while not self.over:
            letter = self.mailbox.get(timeout=self.patience if self.seen else BEGINS)
            if isinstance(letter, Undone):
                self._is_undone(letter)
            elif letter.message_id not in self.seen:  # a person reads a second copy, and does nothing
                self.seen.add(letter.message_id)
                self._read(letter)
            self.progress(len(self.relay.log))

    def hand_in(self, submission: Submission) -> None:
        if not self.over:
            if self.rng.random() < self.breaks:
                submission.breaks = self.rng.choice(BREAKS)
            self.relay.hand_in(submission)

    def _begin(self) -> None:
        self._introduce(begun(len(self.matches), self.seed, digests=self.digests))

    def _introduce(self, match: Match) -> None:
        """Those who play it sign up."""
        self.matches.append(match)
        for player, language in zip(match.players, match.languages, strict=True):
            self.of[player] = match
            self._write("register", player, f"{WORDS[language][0]} {_name(player)}")

    def _read(self, letter: Letter) -> None:
        for submission in by_strangers(self.pen, self.rng, letter):
            self.hand_in(submission)
        match = self.of.get(letter.to)
        if match is None:
            return
        match letter.kind:
            case "signup" | "challenge":
                self._write("yes", letter.to, "YES", to=letter.reply_to)
            case "confirm":
                means = match.resigning == letter.to or not match.written
                yes = "YES RESIGN" if match.resigning == letter.to else "YES"
                self._write("yes", letter.to, yes if means else "NO", to=letter.reply_to)
            case "welcome" if letter.to in match.digests:
                self._write("set", letter.to, DAILY[match.language_of(letter.to)], to=letter.reply_to)
            case "welcome" | "preferences":
                self._challenge(match)
            case "digest" if YOUR_TURN.search(letter.text):
                self._answer_digest(match, letter)
            case "asks":
                self._write("yes", letter.to, self._yes_or_no(), to=letter.reply_to)
            case "restored" if match.proposed:
                self._write("yes", letter.to, "YES", to=letter.reply_to)
            case "restored":
                self._goes_back(match, letter)
            case "turn" | "refused" | "renewed" | "cascade" | "undone" | "denied" | "hint":
                self._answer(match, letter)
            case "result":
                self.looks_back(match, letter)
                match.results += 1
                if match.results == 2:
                    self._begin()

    def _is_undone(self, undone: Undone) -> None:
        """What the backup does not know of never was; others begin instead."""
        for match in list(self.matches):
            row = undone.begun.get(match.players)
            match.proposed = row is not None and row.status == "proposed"
            if row and match.digests:  # their letters show the board, and their reply addresses no ply
                match.written = min(match.written, row.ply)
            if row is None and not match.forgotten:
                match.forgotten = match.done = True
                self._begin()

    def _goes_back(self, match: Match, letter: Letter) -> None:
        """To the board that the letter shows; whatever came later is forgotten."""
        ply = ply_of(letter.reply_to)
        if ply is None:
            return
        match.written, match.done, match.resigning = min(match.written, ply), False, ""
        match.promised = {said for said in match.promised if said < ply}
        match.offered_at = None if match.offered_at is None or match.offered_at >= ply else match.offered_at
        self._answer(match, letter)

    def _challenge(self, match: Match) -> None:
        match.registered += 1
        if match.registered == 2:
            first, second = match.players
            _, challenge, side = WORDS[match.languages[0]]
            terms = " 1h/move NONSTOP" if match.timed else " learning" if match.learning else ""
            self._write("challenge", first, f"{challenge} {_name(second)} {match.name} {side}{terms}")

    def _answer(self, match: Match, letter: Letter) -> None:
        """Do something, if the letter says that it is the reader's turn, and they have not moved, or in vain."""
        ply = ply_of(letter.reply_to)
        if letter.kind == "undone" and ply is not None:
            match.written = min(match.written, ply)
        if ply is None or match.mover(ply) != letter.to or match.resigning:
            return
        if letter.kind == "refused" and (ply in match.deadlines or ply == match.stubborn_at):
            self._is_too_late(match, ply)
            return
        again = letter.kind in ("refused", "renewed") and ply == match.written - 1
        if match.done or (ply < match.written and not again):
            return
        if ply == len(match.moves):
            match.resigning = letter.to
            self._write("resign", letter.to, "RESIGN", to=letter.reply_to)
            return
        if letter.kind == "turn" and ply:
            for share, may, do in self.ways:
                if may(match, ply) and self.rng.random() < share:
                    do(self, match, letter, ply)
                    return
        self._move(match, letter, ply)

    def _answer_digest(self, match: Match, letter: Letter) -> None:
        """It says that it is the reader's turn, of a match that is the only one."""
        ply = match.written
        if match.mover(ply) != letter.to or match.done or match.resigning:
            return
        if ply == len(match.moves):
            match.resigning = letter.to
            self._write("resign", letter.to, "1: RESIGN", to=letter.reply_to)
        else:
            self._move(match, letter, ply, number="1: ")

    def _is_too_late(self, match: Match, ply: int) -> None:
        """Their flag falls in a minute or two. Another match begins meanwhile."""
        if ply in match.deadlines and not match.done:
            match.done = True
            self._begin()

    def _yes_or_no(self) -> str:
        return "YES" if self.rng.random() < ACCEPTS else "NO"

    def looks_back(self, match: Match, letter: Letter) -> None:
        """A robot is to say what the match was about; and who has nothing to do may have a puzzle."""
        language = match.language_of(letter.to)
        if self.rng.random() < LOOKS_BACK:
            self._write("analyse", letter.to, ANALYSE[language], to=letter.reply_to)
        if self.rng.random() < CURIOUS:
            self._write("puzzle", letter.to, PUZZLE[language], to=letter.reply_to)

    def asks_too_early(self, match: Match, letter: Letter, ply: int) -> None:
        """They move when they have read that it is over at the end."""
        self._write("analyse", letter.to, ANALYSE[match.language_of(letter.to)], to=letter.reply_to)

    def asks_for_a_hint(self, match: Match, letter: Letter, ply: int) -> None:
        """They move when they have it."""
        match.hinted.add(ply)
        hint = self.rng.choice(HINT[match.language_of(letter.to)])
        self._write("hint", letter.to, hint, to=letter.reply_to)

    def slips(self, match: Match, letter: Letter, ply: int) -> None:
        """What the opponent has just played can hardly be played again."""
        self._write("illegal", letter.to, match.moves[ply - 1], to=letter.reply_to)

    def is_stubborn(self, match: Match, letter: Letter, ply: int) -> None:
        match.stubborn_at = ply
        for _ in range(STUBBORN):
            self.slips(match, letter, ply)
        self._move(match, letter, ply)

    def takes_back(self, match: Match, letter: Letter, ply: int) -> None:
        self._write("undo", letter.to, "UNDO", to=letter.reply_to)

    def promises(self, match: Match, letter: Letter, ply: int) -> None:
        match.promised.add(ply)
        self._move(match, letter, ply, f"IF {match.moves[ply + 1]} THEN {match.moves[ply + 2]}\n")

    def offers_a_draw(self, match: Match, letter: Letter, ply: int) -> None:
        match.offered_at = ply
        self._move(match, letter, ply, "DRAW\n")

    def agrees(self, match: Match, letter: Letter, ply: int) -> None:
        match.done = True
        self._write("yes", letter.to, "YES DRAW", to=letter.reply_to)

    def is_in_a_hurry(self, match: Match, letter: Letter, ply: int) -> None:
        self._has_until(match, ply, self.rng.uniform(SOONEST, LATEST))
        self._move(match, letter, ply)

    def sleeps(self, match: Match, letter: Letter, ply: int) -> None:
        match.done = True
        self._has_until(match, ply, LONG_AGO)

    def _has_until(self, match: Match, ply: int, seconds: float) -> None:
        if deadline := self.set_deadline(match.mover(ply), ply, seconds):
            match.deadlines[ply] = deadline

    def _move(self, match: Match, letter: Letter, ply: int, below: str = "", number: str = "") -> None:
        """`below` is what the letter says besides; no copy by hand has it. `number` is of the match in a digest."""
        mine = match.reply_tos.setdefault(letter.to, [])
        quote = f"\nOn Fri, 1 Aug 2025 PBeM wrote:\n{letter.quoted}"
        plain = f"{number}{match.moves[ply]}\n{quote}"
        body = f"{number}{match.moves[ply]}\n{below}{quote}"
        move = self.pen.letter("move", letter.to, body, to=letter.reply_to, move=(match.number, ply))
        match.written = max(match.written, ply + 1)
        self.hand_in(move)
        for submission in around(self.pen, self.rng, move, plain, older=mine):
            self.hand_in(submission)
        mine.append(letter.reply_to)

    def _write(self, what: str, player: str, body: str, **to: str) -> None:
        self.hand_in(self.pen.letter(what, player, body, **to))


def _always(match: Match, ply: int) -> bool:
    return True


def _by_letter(match: Match, ply: int) -> bool:
    """Each is told of each move at once."""
    return not match.digests


def _may_promise(match: Match, ply: int) -> bool:
    """They write the reply as their opponent does."""
    return (
        _by_letter(match, ply)
        and ply + 2 < len(match.moves)
        and (match.name == "loa" or len(set(match.languages)) == 1)
    )


# fmt: off
# What may be done instead of moving, or with it: the share of those who may, who that is, what it is.
Ways = Sequence[tuple[float, Callable[[Match, int], bool], Callable[[Any, Match, Letter, int], None]]]
WAYS: Ways = (
    (ACCEPTS, lambda match, ply: match.offered_at == ply - 1,              Story.agrees),
    (1.00, lambda match, ply: match.number == 1 and ply == 2,              Story.is_stubborn),
    (0.06, _always,                                                        Story.slips),
    (0.05, lambda match, ply: ply > 1 and not (match.timed or match.digests),                 Story.takes_back),
    (0.10, _may_promise,                                                   Story.promises),
    (0.06, lambda match, ply: match.offered_at is None and not match.digests,                    Story.offers_a_draw),
    (0.25, lambda match, ply: match.learning and ply not in match.hinted,  Story.asks_for_a_hint),
    (0.02, _by_letter,                                                     Story.asks_too_early),
    (0.15, lambda match, ply: match.timed,                                 Story.is_in_a_hurry),
    (0.04, lambda match, ply: match.timed,                                 Story.sleeps),
)
# fmt: on


def _name(address: str) -> str:
    return address.partition("@")[0].capitalize()
