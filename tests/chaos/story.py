"""What is written to the service: matches played by nothing but answering letters, and all that comes between."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from tests.chance import WORDS, random_game
from tests.chaos.noise import around, by_strangers
from tests.chaos.pen import PLAYERS, Pen, ply_of
from tests.chaos.relay import Relay, Submission
from tests.wire import Letter

GAMES = ("loa", "zertz")
AT_ONCE = 24  # matches, in a long story
SLIP = 0.06  # of all moves are first written wrong
SHORTEST, LONGEST = 6, 24  # plies; then one resigns
DOMAINS = 20  # of players


@dataclass
class Match:
    """What two players write to each other, `moves` as their mover writes them, and how far they have come."""

    number: int
    name: str
    players: tuple[str, str]  # addresses
    languages: tuple[str, str]
    moves: tuple[str, ...]
    registered: int = 0
    written: int = 0  # moves that were sent
    resigning: str = ""  # who
    results: int = 0
    reply_tos: dict[str, list[str]] = field(default_factory=dict)  # of each player, oldest first

    def mover(self, ply: int) -> str:
        return self.players[ply % 2]


@dataclass
class Story:
    """`letters` is how many are written; the sink calls `mailbox.put` for each that comes.

    `loses_reply`: of so large a share of them, the relay does not hear the reply to the first attempt.
    """

    letters: int
    seed: int
    relay: Relay
    patience: float  # seconds without any letter: then the rest is not told
    stop: threading.Event  # set: no more is written
    loses_reply: float
    progress: Callable[[int], None] = lambda written: None
    mailbox: queue.SimpleQueue[Letter] = field(default_factory=queue.SimpleQueue)
    matches: list[Match] = field(default_factory=list)
    of: dict[str, Match] = field(default_factory=dict)  # by address
    seen: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.rng = Random(f"{self.seed} story")
        self.pen = Pen(self.seed)

    @property
    def over(self) -> bool:
        return self.stop.is_set() or len(self.relay.log) >= self.letters

    def tell(self) -> None:
        """Until all letters are written. Raises queue.Empty when nobody answers any more."""
        for _ in range(min(AT_ONCE, 1 + self.letters // 25)):
            self._begin()
        while not self.over:
            letter = self.mailbox.get(timeout=self.patience)
            if letter.message_id not in self.seen:  # a person reads a second copy, and does nothing
                self.seen.add(letter.message_id)
                self._read(letter)
            self.progress(len(self.relay.log))

    def hand_in(self, submission: Submission) -> None:
        if not self.over:
            submission.loses_reply = self.rng.random() < self.loses_reply
            self.relay.hand_in(submission)

    def _begin(self) -> None:
        match = _match(len(self.matches), self.seed)
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
                self._write(
                    "yes", letter.to, "YES" if match.resigning == letter.to else "NO", to=letter.reply_to
                )
            case "welcome":
                self._challenge(match)
            case "turn" | "refused" | "renewed":
                self._answer(match, letter)
            case "result":
                match.results += 1
                if match.results == 2:
                    self._begin()

    def _challenge(self, match: Match) -> None:
        match.registered += 1
        if match.registered == 2:
            first, second = match.players
            _, challenge, side = WORDS[match.languages[0]]
            self._write("challenge", first, f"{challenge} {_name(second)} {match.name} {side}")

    def _answer(self, match: Match, letter: Letter) -> None:
        """Move, if the letter says that it is the reader's turn, and he has not or in vain."""
        ply = ply_of(letter.reply_to)
        if ply is None or match.mover(ply) != letter.to or match.resigning:
            return
        again = letter.kind in ("refused", "renewed") and ply == match.written - 1
        if ply < match.written and not again:
            return
        if ply == len(match.moves):
            match.resigning = letter.to
            self._write("resign", letter.to, "RESIGN", to=letter.reply_to)
        elif letter.kind == "turn" and ply and self.rng.random() < SLIP:
            # What the opponent has just played can hardly be played again.
            self._write("illegal", letter.to, match.moves[ply - 1], to=letter.reply_to)
        else:
            self._move(match, letter, ply)

    def _move(self, match: Match, letter: Letter, ply: int) -> None:
        mine = match.reply_tos.setdefault(letter.to, [])
        body = f"{match.moves[ply]}\n\nOn Fri, 1 Aug 2025 PBeM wrote:\n{letter.quoted}"
        move = self.pen.letter("move", letter.to, body, to=letter.reply_to, move=(match.number, ply))
        match.written = max(match.written, ply + 1)
        self.hand_in(move)
        for submission in around(self.pen, self.rng, move, body, older=mine):
            self.hand_in(submission)
        mine.append(letter.reply_to)

    def _write(self, what: str, player: str, body: str, **to: str) -> None:
        self.hand_in(self.pen.letter(what, player, body, **to))


def _match(number: int, seed: int) -> Match:
    """Every other match is one of Lines of Action, every other pair writes two languages."""
    rng = Random(f"{seed} match {number}")
    name, languages = GAMES[number % len(GAMES)], ("en", "en" if number // 2 % 2 else "it")
    domain = f"{number % DOMAINS}.{PLAYERS}"  # one that is slow must not make all others wait
    players = f"first{number}@{domain}", f"second{number}@{domain}"
    moves = random_game(name, languages, rng.randint(SHORTEST, LONGEST), rng)
    return Match(number, name, players, languages, moves)


def _name(address: str) -> str:
    return address.partition("@")[0].capitalize()
