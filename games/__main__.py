"""The games at the command line: list them, count them, replay them, look at them."""

from __future__ import annotations

import sys
from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from games.kit.image import png
from games.kit.layout import Caption
from games.kit.scene import Scene
from games.kit.svg import svg
from games.kit.text import board
from games.kit.words import Speech, speech
from games.protocol import LANGUAGES, Notation, Position
from games.registry import AnyGame, canonical, find, names
from games.replay import Replay, written_games

COORDINATES = ("seed", "gipf")


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit status. 1: `replay` met a move that cannot be played. 2: the arguments make no sense."""
    options = _parser().parse_args(_joined(sys.argv[1:] if arguments is None else arguments))
    try:
        return int(options.command(options))
    except (ValueError, OSError) as error:
        print(f"python -m games: {error}", file=sys.stderr)
        return 2


def perft(position: Position, depth: int) -> int:
    """How many sequences of exactly `depth` turns there are; the last turn is counted in bulk."""
    if depth == 0:
        return 1
    if depth == 1:
        return position.count()
    return sum(perft(position.play(move), depth - 1) for move in position.moves())


def _list(options: Namespace) -> int:
    print(*names(), sep="\n")
    return 0


def _perft(options: Namespace) -> int:
    game, rules = find(options.name)
    print(perft(_position(game, rules, options), options.depth))
    return 0


def _replay(options: Namespace) -> int:
    replay = Replay(*find(options.name), _notation(options), options.counts)
    status = 0
    for lines in written_games(sys.stdin):
        for row in replay.rows(lines):
            print(*row, sep="\t")
            if row[0] == "illegal":
                status = 1
        print()
    return status


def _show(options: Namespace) -> int:
    game, rules = find(options.name)
    position = _position(game, rules, options)
    words = speech(game, position.rules, _notation(options))
    caption = Caption(words.phrases["name"], canonical(game, rules))
    drawn = _FORMATS[options.format](game.scene(None, None, position), words, caption)
    data = drawn if isinstance(drawn, bytes) else f"{drawn.rstrip()}\n".encode()
    if options.output:
        options.output.write_bytes(data)
    else:
        sys.stdout.buffer.write(data)
    return 0


_FORMATS: Mapping[str, Callable[[Scene, Speech, Caption], str | bytes]] = {
    "text": lambda scene, words, caption: board(scene, words),
    "png": png,
    "svg": svg,
    "words": lambda scene, words, caption: "\n".join(words.position(scene)),
}


def _position(game: AnyGame, rules: Any, options: Namespace) -> Position:
    position: Position
    if options.position is not None:
        position = game.position(rules, options.position)
    else:
        position = game.start(rules, options.setup)
    return position


def _notation(options: Namespace) -> Notation:
    chosen = {name: value for name, value in vars(options).items() if name in ("language", "coordinates")}
    return Notation(**chosen)


def _joined(arguments: Sequence[str]) -> list[str]:
    """`--setup TEXT` as one argument: apart, a text that begins with a hyphen passes for an option."""
    joined: list[str] = []
    for argument in arguments:
        if joined and joined[-1] in ("--setup", "--position"):
            joined[-1] += f"={argument}"
        else:
            joined.append(argument)
    return joined


def _parser() -> ArgumentParser:
    parser = ArgumentParser(prog="python -m games", description=__doc__, parents=[_reader()])
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, does: Callable[[Namespace], int], about: str) -> ArgumentParser:
        made = commands.add_parser(name, help=about, description=about, parents=[_reader()])
        made.set_defaults(command=does)
        return made

    command("list", _list, "the name of each game and variant")
    counted = command("perft", _perft, "the number of sequences of exactly DEPTH turns")
    counted.add_argument("name", metavar="NAME")
    counted.add_argument("depth", metavar="DEPTH", type=_depth)
    _start(counted)
    replayed = command("replay", _replay, "replay games from standard input, one move per line")
    replayed.add_argument("name", metavar="NAME")
    replayed.add_argument("--counts", action="store_true", help="add the number of legal moves")
    shown = command("show", _show, "draw a position")
    shown.add_argument("name", metavar="NAME")
    _start(shown)
    shown.add_argument("--format", choices=_FORMATS, default="text")
    shown.add_argument("-o", dest="output", metavar="FILE", type=Path, help="write there")
    return parser


def _reader() -> ArgumentParser:
    """The options that may stand before the command or after it, hence without defaults."""
    reader = ArgumentParser(add_help=False, argument_default=SUPPRESS)
    reader.add_argument("--language", choices=LANGUAGES, help="of piece letters and words")
    reader.add_argument("--coordinates", choices=COORDINATES, help="the coordinate system")
    return reader


def _start(parser: ArgumentParser) -> None:
    start = parser.add_mutually_exclusive_group()
    start.add_argument("--position", metavar="TEXT", help="begin here, not at the start")
    start.add_argument("--setup", metavar="TEXT", default="", help="of a game that has one")


def _depth(text: str) -> int:
    if not text.isdecimal():
        raise ArgumentTypeError(f"{text!r} is not a number of turns")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
