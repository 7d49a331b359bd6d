"""`python -m tests.ladder [NAME ...]`: whether each level of the robots beats the one below it, in each game.

Every game played is a line of var/ladder.tsv at once; begun again, it goes on from there. Without a name all games and
variants play. What follows a share is its interval of 95% (Wilson, 1927).
"""

from __future__ import annotations

import re
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from time import monotonic, process_time
from typing import Any

import pyspiel

from games.engine.matches import OPENING, Player, by_lot, play, robot
from games.engine.robot import HEADINGS, interval, results, table
from games.engine.robot import LEVELS as STRENGTHS
from games.protocol import Position
from games.registry import AnyGame, find, names
from games.trapdoor_chess.evaluation import TrapdoorEvaluator
from tests.plain_chess import plain_chess

RESULTS = Path("var/ladder.tsv")
SUMMARY = Path("games/engine/ladder.tsv")
PAGES = {"en": Path("docs/measurements.md"), "it": Path("docs/measurements.it.md")}
GAMES = 40
SEED = 1
PLAYOUTS = 1_000  # of OpenSpiel, for each move


@dataclass(frozen=True)
class Pairing:
    """`target` is the part of the points that the first has to win, draws being halves."""

    one: str
    other: str
    target: float
    games: int = GAMES

    @property
    def key(self) -> str:
        return f"{self.one}-{self.other}"


LEVELS = (Pairing("1", "lot", 0.6), Pairing("2", "1", 0.7), Pairing("3", "2", 0.7))
FEW = 12  # where a move takes ten seconds
SLOW = {"trapdoor", "zertz:+24"}
MORE = {
    "loa": (Pairing("3", "openspiel", 0.9),),
    "trapdoor": (Pairing("3", "plain", 0.8, FEW),),
}


@dataclass(frozen=True)
class Line:
    """One game as the file has it: `points` of 2, and seconds of processor time."""

    name: str
    key: str
    number: int
    points: int
    plies: int
    seconds: float

    @classmethod
    def read(cls, text: str) -> Line:
        name, key, number, points, plies, seconds = text.split("\t")
        return cls(name, key, int(number), int(points), int(plies), float(seconds))

    def __str__(self) -> str:
        cells = (self.name, self.key, self.number, self.points, self.plies, f"{self.seconds:.2f}")
        return "\t".join(map(str, cells))


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit status. 1: somebody has not reached the target."""
    parser = ArgumentParser(prog="python -m tests.ladder", description=__doc__)
    parser.add_argument("names", metavar="NAME", nargs="*")
    parser.add_argument("--only", metavar="PAIRING", action="append", help="such as 3-2, 1-lot, 3-openspiel")
    parser.add_argument("--games", metavar="N", type=int, help="of each pairing, in place of 40")
    parser.add_argument("--results", metavar="FILE", type=Path, default=RESULTS)
    parser.add_argument(
        "--write", action="store_true", help=f"what was played into {SUMMARY} and the pages of measurements"
    )
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no game after that")
    options = parser.parse_args(arguments)
    until = monotonic() + options.seconds
    status = 0
    file: Path = options.results
    file.parent.mkdir(exist_ok=True)
    for name, pairing in _pairings(options.names or names()):
        if options.only and pairing.key not in options.only:
            continue
        games = options.games or pairing.games
        for number in sorted(set(range(games)) - {line.number for line in _lines(file, name, pairing)}):
            if monotonic() < until:
                line = _played(name, pairing, number)
                with file.open("a", encoding="utf-8") as lines:
                    print(line, file=lines)
        status |= not _tell(file, name, pairing, games)
    if options.write:
        _write(file)
    return status


def _write(file: Path) -> None:
    """The results that `games.engine.robot` reads, and the tables of both pages of measurements.

    A pairing that has no line in the file stays as it was.
    """
    known = {(result.name, result.pairing): (result.won, result.drawn, result.lost) for result in results()}
    rows = []
    for name, pairing in _pairings(names()):
        points = Counter(line.points for line in _lines(file, name, pairing))
        counts = (points[2], points[1], points[0]) if points else known.get((name, pairing.key))
        if counts:
            rows.append("\t".join(map(str, (name, pairing.key, *counts))))
    SUMMARY.write_text("\n".join(rows) + "\n", "utf-8")
    results.cache_clear()
    for language, page in PAGES.items():
        text = page.read_text("utf-8")
        old = re.search(rf"^{re.escape(HEADINGS[language])}\n(?:\|.*\n)+", text, re.MULTILINE)
        if old:
            page.write_text(text.replace(old[0], table(language)), "utf-8")


def _pairings(asked: Sequence[str]) -> Iterator[tuple[str, Pairing]]:
    for name in asked:
        for pairing in (*LEVELS, *MORE.get(name, ())):
            few = name in SLOW and pairing.key == "3-2"
            yield name, replace(pairing, games=FEW) if few else pairing


def _lines(file: Path, name: str, pairing: Pairing) -> list[Line]:
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    return [line for line in map(Line.read, lines) if (line.name, line.key) == (name, pairing.key)]


def _played(name: str, pairing: Pairing, number: int) -> Line:
    game, rules = find(name)
    begin = process_time()
    played = play(game, rules, (_player(pairing.one), _player(pairing.other)), number, SEED)
    return Line(name, pairing.key, number, played.points, played.plies, process_time() - begin)


def _tell(file: Path, name: str, pairing: Pairing, games: int) -> bool:
    """Prints how it stands; whether the target is reached, as far as they have played."""
    lines = [line for line in _lines(file, name, pairing) if line.number < games]
    if not lines:
        return True
    won, drawn, lost = (sum(line.points == points for line in lines) for points in (2, 1, 0))
    share = (2 * won + drawn) / (2 * len(lines))
    seconds = sum(line.seconds for line in lines) / max(1, sum(line.plies - OPENING for line in lines))
    good = share >= pairing.target
    low, high = interval(share, len(lines))
    told = (
        f"{won}-{drawn}-{lost}",
        f"{share:.0%}",
        f"{low:.0%} to {high:.0%}",
        "ok" if good else "TOO WEAK",
        f"{seconds:.3f} s a move",
    )
    print(name, pairing.key, f"{len(lines)} of {games}", *told, sep="\t", flush=True)
    return good


def _player(name: str) -> Player:
    if name == "lot":
        return by_lot
    if name == "plain":
        return plain_chess(TrapdoorEvaluator.budgets.get(3, STRENGTHS[3].nodes))
    return OpenSpiel() if name == "openspiel" else robot(int(name))


class OpenSpiel:
    """Its Monte Carlo tree search with a solver. It is told the whole game again at each move."""

    def __init__(self) -> None:
        self._game = pyspiel.load_game("lines_of_action")

    def __call__(self, game: AnyGame, position: Position, seed: str, earlier: Sequence[Position]) -> Any:
        state = self._game.new_initial_state()
        actions: dict[str, int] = {}
        for before, after in pairwise((*earlier, position)):
            move = next(move for move in before.moves() if before.play(move) == after)
            actions = {state.action_to_string(action): action for action in state.legal_actions()}
            state.apply_action(actions[str(move)])
        if state.is_terminal():  # it draws when a board returns, no matter who is to move
            return by_lot(game, position, seed, earlier)
        number = len(earlier) + sum(map(ord, seed))
        judge = pyspiel.RandomRolloutEvaluator(1, number)
        bot = pyspiel.MCTSBot(self._game, judge, 2.0, PLAYOUTS, 1_000, True, number, False)
        wanted = state.action_to_string(bot.step(state))
        return next(move for move in position.moves() if str(move) == wanted)


if __name__ == "__main__":
    sys.exit(main())
