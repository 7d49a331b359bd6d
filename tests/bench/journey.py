"""Matches played by nothing but mail, through the door of a running service, against the clock."""

from __future__ import annotations

import queue
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from random import Random
from time import perf_counter

from tests.chance import WORDS, random_game
from tests.smtp_fixtures import Letter, Post

DOMAIN = "pbem.localhost"
GAMES = ("loa", "zertz")
PLIES = 24  # random games of this length are not rare in either
PATIENCE = 60.0  # seconds until the next letter, however busy the service is


@dataclass
class Game:
    """A match between two players who have no other; `moves` are as the mover writes them."""

    name: str
    players: tuple[str, str]
    languages: tuple[str, str]
    moves: tuple[str, ...]
    ready: int = 0  # how many of the two are registered, and have a letter for each move of their own
    turn_letters: int = 0  # of the beginning
    played: int = 0
    told: int = 0  # letters that the last move has brought
    answer_to: str = ""  # where the next move goes
    begun: float = 0.0  # when the last move left

    @property
    def mover(self) -> str:
        return self.players[self.played % 2]

    def leaves(self) -> None:
        self.begun = perf_counter()


@dataclass(frozen=True)
class Pace:
    """Milliseconds from each move sent to both its letters come, and the seconds that all took."""

    latencies: tuple[float, ...]
    seconds: float

    @property
    def rate(self) -> float:
        """Moves per second."""
        return len(self.latencies) / self.seconds


def _game(number: int) -> Game:
    """Every other match is one of Lines of Action, every other pair writes two languages."""
    name = GAMES[number % len(GAMES)]
    languages = ("en", "en" if number // 2 % 2 else "it")
    return Game(
        name,
        (f"First{number}", f"Second{number}"),
        languages,
        random_game(name, languages, PLIES, Random(number)),
    )


@dataclass
class Journey:
    """What players send with, and where their letters arrive."""

    send: Callable[[Post], None]
    letters: queue.SimpleQueue[Letter]
    count: int = 0  # of matches so far
    quote: str = ""  # a letter of ours, as a mail program repeats it below an answer
    vouched: str = ""  # what the players' mail server says of a sender, a header

    def begin(self, count: int, numbered: Callable[[int], Game] = _game) -> Sequence[Game]:
        """So many new matches: both players sign up and want receipts, one challenges, the other accepts."""
        games = [numbered(number) for number in range(self.count, self.count + count)]
        self.count += count
        of = {player: game for game in games for player in game.players}
        for game in games:
            for player, language in zip(game.players, game.languages, strict=True):
                self._write(player, f"play@{DOMAIN}", f"{WORDS[language][0]} {player}")
        while any(game.turn_letters < 2 for game in games):
            letter, player = self._next()
            if player in of:
                self._prepare(letter, player, of[player])
        return games

    def rivals(self, count: int, game: str) -> None:
        """So many players who let the strongest robot begin as many matches as they may have with it."""
        waiting = {f"Rival{number}" for number in range(count)}
        for player in sorted(waiting):
            self._write(player, f"play@{DOMAIN}", f"REGISTER {player}")
        while waiting:
            letter, player = self._next()
            if letter.kind == "signup":
                self._write(player, letter.reply_to, "YES")
            elif letter.kind == "welcome":
                self._write(player, letter.reply_to, "\n".join([f"CHALLENGE Robot-3 {game} second"] * 3))
            elif letter.kind == "turn":
                waiting.discard(player)

    def look_back(self, games: Sequence[Game]) -> None:
        """Of games that were played, the players to move resign, and ask what the match was about. All hear that a
        robot looks through it."""
        of = {game.mover: game for game in games}
        for player, game in of.items():
            self._write(player, game.answer_to, "RESIGN")
        while of:
            letter, player = self._next()
            if player not in of:
                continue
            match letter.kind:
                case "confirm":
                    self._write(player, letter.reply_to, "YES RESIGN")
                case "result":
                    self._write(player, letter.reply_to, "ANALYSE")
                case "analysed":
                    del of[player]

    def play(self, games: Sequence[Game], most: float = inf, chat: str = "") -> Pace:
        """All moves of the games, each as soon as both letters about the one before have come; of all together at
        most so many in a second. Every third has the `chat` below it.
        """
        of = {player: game for game in games for player in game.players}
        latencies: list[float] = []
        ready = deque(games)
        begin = due = perf_counter()
        while any(game.played < len(game.moves) for game in games):
            while ready and due <= perf_counter():
                self._move(ready.popleft(), chat)
                due += 1 / most
            try:
                letter, player = self._next(max(0.0, due - perf_counter()) if ready else PATIENCE)
            except queue.Empty:
                if ready:
                    continue
                raise
            if player not in of:
                continue  # a rival of the robots
            game = of[player]
            game.told += 1
            if letter.kind == "turn":
                game.answer_to = letter.reply_to
            if game.told == 2:
                latencies.append(letter.at - game.begun)
                game.played, game.told = game.played + 1, 0
                if game.played < len(game.moves):
                    ready.append(game)
        return Pace(tuple(1000 * latency for latency in latencies), perf_counter() - begin)

    def _prepare(self, letter: Letter, player: str, game: Game) -> None:
        match letter.kind:
            case "signup" | "confirm" | "challenge":
                self._write(player, letter.reply_to, "YES")
            case "welcome":
                self._write(player, f"play@{DOMAIN}", "SET RECEIPTS on")
            case "preferences":
                game.ready += 1
                if game.ready == 2:
                    _, challenge, first = WORDS[game.languages[0]]
                    text = f"{challenge} {game.players[1]} {game.name} {first}"
                    self._write(game.players[0], f"play@{DOMAIN}", text)
            case "turn":
                game.turn_letters += 1
                if player == game.players[0]:
                    game.answer_to = letter.reply_to
                    self.quote = self.quote or f"On Fri, 1 Aug 2025 PBeM wrote:\n{letter.quoted}"

    def _next(self, patience: float = PATIENCE) -> tuple[Letter, str]:
        letter = self.letters.get(timeout=patience)
        if letter.kind in ("refused", "notice"):
            raise RuntimeError(f"the service refuses: {letter.text}")
        return letter, letter.to.partition("@")[0].capitalize()

    def _move(self, game: Game, chat: str) -> None:
        below = f"{chat}\n\n{self.quote}" if chat and game.played % 3 == 0 else self.quote
        text = f"{game.moves[game.played]}\n\n{below}"
        self._write(game.mover, game.answer_to, text, game.leaves)

    def _write(self, player: str, to: str, text: str, leaves: Callable[[], None] = lambda: None) -> None:
        address = f"{player.lower()}@players.localhost"
        letter = (
            f"{self.vouched}From: {player} <{address}>\nTo: {to}\nSubject: Re: our match\n"
            f"Date: Fri, 01 Aug 2025 12:00:00 +0000\nMessage-ID: <{perf_counter()}.{address}>\n"
            f"MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n{text}\n"
        )
        self.send(Post(address, to, letter.replace("\n", "\r\n").encode(), leaves))
