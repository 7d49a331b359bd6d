"""Robots on the command line: their move in a position, matches between two, and analyses of games."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from subprocess import CalledProcessError
from typing import Any

from games.arguments import joined
from games.engine.analysis import analyse
from games.engine.child import ASKED, answer, answered, question_of
from games.engine.collection import chosen, mine
from games.engine.matches import Player, by_command, games_between, robot, rows
from games.engine.robot import LEVELS, think
from games.protocol import CANONICAL, Position, UnreadableMove
from games.record import Course
from games.registry import AnyGame, find


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns the exit status: 2 when the arguments are invalid, and nothing is printed."""
    options = _parser().parse_args(joined(sys.argv[1:] if arguments is None else arguments))
    try:
        options.command(options)
    except (ValueError, KeyError, OSError, CalledProcessError) as error:
        print(f"python -m games.engine: {error}", file=sys.stderr)
        return 2
    return 0


def _move(options: Namespace) -> None:
    game, rules = find(options.name)
    course, positions = _course(game, rules, options)
    if outcome := course.outcome():
        raise ValueError(f"the game is over: {outcome.score} {outcome.reason}")
    before = positions[:-1]
    if isinstance(options.level, int):
        thought = think(game, course.position, options.level, options.seed, before)
    else:
        asked = question_of(game, course.position, before, max(LEVELS), options.seed)
        thought = answered(options.level, game, course.position, asked)
    print(thought.move, thought.score, thought.depth, thought.nodes, sep="\t")


def _answer(options: Namespace) -> None:
    """Answers a question of another program (`games.engine.child`)."""
    # never runs a command: the question may come by mail
    question = json.loads(sys.stdin.readline())
    print(json.dumps(answer({key: question[key] for key in ASKED})))


def _match(options: Namespace) -> None:
    game, rules = find(options.name)
    players = _player(options.one), _player(options.other)
    points: Counter[int] = Counter()
    for played in games_between(game, rules, players, range(options.games), options.seed):
        points[played.points] += 1
        both = _called(options.one), _called(options.other)
        levels = both if played.first_moves else both[::-1]
        outcome = played.outcome
        print(played.number + 1, *levels, outcome.score, outcome.reason, played.plies, sep="\t", flush=True)
    print("score", points[2], points[1], points[0], sep="\t")


def _puzzles(options: Namespace) -> None:
    game, rules = find(options.name)
    players = _player(options.one), _player(options.other)
    games = games_between(game, rules, players, range(options.games), options.seed)
    mined = mine(game, games, options.last, options.nodes, options.sure / 100)
    rows = (json.dumps(asdict(each)) for each in chosen(mined, options.most))
    print("[", ",\n".join(rows), "]", sep="\n")


def _player(who: int | list[str]) -> Player:
    return robot(who) if isinstance(who, int) else by_command(who)


def _called(who: int | list[str]) -> str:
    return str(who) if isinstance(who, int) else shlex.join(who)


def _analyse(options: Namespace) -> None:
    game, rules = find(options.name)
    start = _begin(game, rules, options)
    moves = [move for move, _ in _played(Course(game, start), options.moves)]
    for row in rows(analyse(game, start, moves, nodes=options.nodes), moves):
        print(*row, sep="\t")


def _course(game: AnyGame, rules: Any, options: Namespace) -> tuple[Course, list[Position]]:
    """Returns the game after the moves, and every position on the way."""
    course = Course(game, _begin(game, rules, options))
    return course, [course.position, *(position for _, position in _played(course, options.moves))]


def _begin(game: AnyGame, rules: Any, options: Namespace) -> Position:
    at_start = options.position is None
    begin: Position = game.start(rules, options.setup) if at_start else game.position(rules, options.position)
    return begin


def _played(course: Course, moves: Path | None) -> Iterator[tuple[Any, Position]]:
    """Yields each move of the file, and the position after it."""
    for number, line in enumerate(moves.read_text("utf-8").splitlines() if moves else [], start=1):
        if text := line.strip():
            try:
                move = _written(course.game, course.position, text)
                yield move, course.play(move)
            except ValueError as error:
                raise ValueError(f"{moves}, line {number}, {text!r}: {error}") from None


def _written(game: AnyGame, position: Position, text: str) -> Any:
    """Reads a move, in its canonical form or in the game's notation."""
    try:
        return game.move(text)
    except ValueError:
        pass
    try:
        return game.read(position, text, CANONICAL)
    except UnreadableMove:
        raise ValueError("not a move in this game's notation") from None


def _parser() -> ArgumentParser:
    parser = ArgumentParser(prog="python -m games.engine", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    about = "the move, its score, the depth of the search and its nodes, with tabs between"
    moved = commands.add_parser("move", help=about, description=about)
    moved.set_defaults(command=_move)
    _add_beginning(moved)
    moved.add_argument("--moves", metavar="FILE", type=Path, help="play these first, one in each line")
    moved.add_argument("--level", metavar="LEVEL", type=_level, required=True, help=_LEVELS)
    moved.add_argument("--seed", metavar="N", type=_number, default=0, help="another may choose otherwise")

    about = (
        "each turn, the first side's per cent after it and its mark; then what was better, and what decided"
    )
    analysed = commands.add_parser("analyse", help=about, description=about)
    analysed.set_defaults(command=_analyse)
    _add_beginning(analysed)
    analysed.add_argument("--moves", metavar="FILE", type=Path, required=True, help="the game, a move a line")
    analysed.add_argument(
        "--nodes", metavar="N", type=_most, help="for each turn; those of a mark are ten times"
    )

    about = "a line for each game: number, level of who begins and of the other, result, reason, plies"
    played = commands.add_parser("match", help=about, description=f"{about}; then what the first has scored")
    played.set_defaults(command=_match)
    _add_players(played, games=2)

    about = "puzzles of games between two, as `puzzles.json` of a game has them, the easiest first"
    mined = commands.add_parser("puzzles", help=about, description=about)
    mined.set_defaults(command=_puzzles)
    _add_players(mined, games=100)
    mined.add_argument("--most", metavar="N", type=_most, default=30, help="puzzles")
    mined.add_argument("--last", metavar="N", type=_most, help="look only at these half-moves of each game")
    mined.add_argument("--nodes", metavar="N", type=_most, help="for each position; ten times to make sure")
    mined.add_argument(
        "--sure", metavar="N", type=_most, default=95, help="per cent of the solution, at least"
    )

    about = (
        "answers a question, a line of JSON on standard input, as docs/robots.md has it, with another line"
    )
    commands.add_parser("answer", help=about, description=about).set_defaults(command=_answer)
    return parser


_LEVELS = f"{min(LEVELS)} to {max(LEVELS)}, or the command line of another program in quotation marks"


def _add_players(parser: ArgumentParser, games: int) -> None:
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("one", metavar="LEVEL", type=_level, help=_LEVELS)
    parser.add_argument("other", metavar="LEVEL", type=_level)
    parser.add_argument(
        "--games", metavar="N", type=_most, default=games, help="an opening by lot for each two"
    )
    parser.add_argument("--seed", metavar="N", type=_number, default=0)


def _add_beginning(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="of a game or variant, as `python -m games list` has it")
    start = parser.add_mutually_exclusive_group()
    start.add_argument("--position", metavar="TEXT", help="begin here, not at the start")
    start.add_argument("--setup", metavar="TEXT", default="", help="of a game that has one")


def _level(text: str) -> int | list[str]:
    """Parses a level, or a command line, which is run without a shell."""
    if text.isdecimal() and int(text) in LEVELS:
        return int(text)
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise ArgumentTypeError(f"{text!r}: {error}") from None
    if words and shutil.which(words[0]):
        return words
    raise ArgumentTypeError(f"{text!r} is not a level: they are {_LEVELS}")


def _number(text: str) -> int:
    if not text.isascii() or not text.isdecimal():
        raise ArgumentTypeError(f"{text!r} is not a number")
    return int(text)


def _most(text: str) -> int:
    if not _number(text):
        raise ArgumentTypeError(f"{text!r} is not a number above 0")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
