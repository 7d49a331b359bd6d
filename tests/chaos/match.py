"""A match of the story: who plays it, what they will move, and how far they have come."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from random import Random

from tests.chance import random_game
from tests.chaos.writer import PLAYERS

GAMES = ("loa", "zertz")
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
    done: bool = False  # nobody writes any more: somebody sleeps, is too late, or a draw is agreed on
    offered_at: int | None = None  # the ply with which a draw was offered, once in a match
    promised: set[int] = field(default_factory=set)  # plies whose letter says what is played two plies later
    deadlines: dict[int, datetime] = field(default_factory=dict)  # by ply
    stubborn_at: int | None = None
    results: int = 0
    proposed: bool = False  # to the player who is still to say yes, after a restore
    forgotten: bool = False  # a restore has undone its beginning
    digests: frozenset[str] = frozenset()  # who has one letter a day
    hinted: set[int] = field(default_factory=set)  # plies before which the mover has asked for a hint
    reply_tos: dict[str, list[str]] = field(default_factory=dict)  # of each player, oldest first

    @property
    def timed(self) -> bool:
        """Whether it has a clock; then nothing is taken back, so that each ply has one deadline."""
        return self.number % 3 == 2

    @property
    def learning(self) -> bool:
        """Whether both may ask for hints."""
        return self.number % 3 == 0

    def mover(self, ply: int) -> str:
        return self.players[ply % 2]

    def language_of(self, player: str) -> str:
        return self.languages[self.players.index(player)]


def begun(number: int, seed: int, *, digests: bool) -> Match:
    """Every other match is one of Lines of Action, every other pair writes two languages."""
    rng = Random(f"{seed} match {number}")
    name, languages = GAMES[number % len(GAMES)], ("en", "en" if number // 2 % 2 else "it")
    domain = f"{number % DOMAINS}.{PLAYERS}"  # one that is slow must not make all others wait
    players = f"first{number}@{domain}", f"second{number}@{domain}"
    moves = random_game(name, languages, rng.randint(SHORTEST, LONGEST), rng)
    daily = frozenset(players[1:] if number % 3 == 1 else players if number % 6 == 5 else ())
    return Match(number, name, players, languages, moves, digests=daily if digests else frozenset())
