"""Lists, counts, replays and draws the games on the command line, and begins a new game."""

from __future__ import annotations

import re
import sys
from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from PIL import Image

from games.arguments import joined
from games.exhibits import exhibit
from games.export import from_file
from games.film import film_strip, replay_gif, watched
from games.kit.drawing import THEMES, Theme
from games.kit.image import FILM, STRIP, packed, painted, render_png
from games.kit.layout import WIDTH, Caption, Still, lay_out
from games.kit.svg import svg
from games.kit.text import board
from games.kit.words import Speech, speech
from games.protocol import CANONICAL, COORDINATES, LANGUAGES, Notation, Position
from games.record import Record, Replay, written_games
from games.registry import AnyGame, canonical, families, find, names
from games.scaffold.begin import begin, in_the_repository, on_its_own

# Gallery

SMALL = 320  # pixels: the width of a telephone screen
ACROSS = 4  # pictures on a sheet


def gallery(folder: Path, notation: Notation = CANONICAL) -> Iterator[Path]:
    """Draws every game and variant in every theme, and a sheet of all games for each; yields the paths
    written. Creates `folder`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    exhibits = {name: exhibit(name, notation) for name in names()}
    for name, (words, still) in exhibits.items():
        for theme in THEMES:
            path = folder / f"{re.sub(r'[^a-z0-9]+', '-', name)}.{theme}.png"
            path.write_bytes(render_png(still.scene, words, still.caption, THEMES[theme]))
            yield path
    shown = [
        (words, replace(still, caption=replace(still.caption, subtitle=family)))
        for family, members in families(notation.language).items()
        for game in members
        if game.key in exhibits
        for words, still in [exhibits[game.key]]
    ]
    for theme in THEMES:
        path = folder / f"sheet.{theme}.png"
        path.write_bytes(packed(_sheet(shown, THEMES[theme])))
        yield path


def _sheet(exhibits: Sequence[tuple[Speech, Still]], theme: Theme) -> Image.Image:
    """Pastes the exhibits into one image, `ACROSS` in a row."""
    drawn = [painted(lay_out(still.scene, words, still.caption, SMALL), theme) for words, still in exhibits]
    rows = [drawn[first : first + ACROSS] for first in range(0, len(drawn), ACROSS)]
    heights = [max(picture.height for picture in row) for row in rows]
    sheet = Image.new("RGB", (SMALL * ACROSS, sum(heights)), theme.paper)
    for number, row in enumerate(rows):
        for column, picture in enumerate(row):
            sheet.paste(picture, (column * SMALL, sum(heights[:number])))
    return sheet


NARROWEST, WIDEST = 160, 4000  # pixels


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns the exit status: 1 when `replay` met an unplayable move, 2 when the arguments are invalid."""
    options = _parser().parse_args(joined(sys.argv[1:] if arguments is None else arguments))
    try:
        return int(options.command(options))
    except (ValueError, OSError) as error:
        print(f"python -m games: {error}", file=sys.stderr)
        return 2


def perft(position: Position, depth: int) -> int:
    """Counts the sequences of exactly `depth` turns."""
    if depth == 0:
        return 1
    # the last turn is counted in bulk
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
    theme, notation = THEMES[options.theme], _notation(options)
    if options.format in _FILMS:
        film, width = _FILMS[options.format]
        drawn: str | bytes = film(_recorded(options), notation, theme, options.width or width)
    else:
        words, still = _still(options, notation)
        drawn = _FORMATS[options.format](still, words, theme, options.width or WIDTH)
    data = drawn if isinstance(drawn, bytes) else f"{drawn.rstrip()}\n".encode()
    if options.output:
        options.output.write_bytes(data)
    else:
        sys.stdout.buffer.write(data)
    return 0


_FORMATS: Mapping[str, Callable[[Still, Speech, Theme, int], str | bytes]] = {
    "text": lambda still, words, theme, width: board(still.scene, words),
    "png": lambda still, words, theme, width: render_png(still.scene, words, still.caption, theme, width),
    "svg": lambda still, words, theme, width: svg(still.scene, words, still.caption, theme, width),
    "words": lambda still, words, theme, width: "\n".join(words.position(still.scene)),
}
_FILMS: Mapping[str, tuple[Callable[[Record, Notation, Theme, int], bytes], int]] = {
    "gif": (replay_gif, FILM),
    "strip": (film_strip, STRIP),
}


def _gallery(options: Namespace) -> int:
    for path in gallery(options.output, _notation(options)):
        print(path)
    return 0


def _new(options: Namespace) -> int:
    home = on_its_own(options.name, options.into) if options.into else in_the_repository(options.name)
    for path in begin(home):
        print(path)
    print("", "It works; CONTRIBUTING.md says how to turn it into yours. Look at it, and test it:", sep="\n")
    print(*home.then, sep="\n")
    return 0


def _still(options: Namespace, notation: Notation) -> tuple[Speech, Still]:
    """Returns the last position of the record, or the position given by the options."""
    if options.record:
        words, stills = watched(_recorded(options), notation)
        return words, stills[-1]
    game, rules = find(options.name)
    position = _position(game, rules, options)
    words = speech(game, position.rules, notation)
    scene = game.scene(None, None, position)
    return words, Still(scene, Caption(words.phrases["name"], canonical(game, rules)))


def _recorded(options: Namespace) -> Record:
    if options.record is None:
        raise ValueError(f"a {options.format} shows a whole game: name it with --record FILE")
    if options.position is not None or options.setup:
        raise ValueError("a record has its own set-up and positions")
    return from_file(options.record.read_text("utf-8"))


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
    _showing(command("show", _show, "draw a position, or the game of a record"))
    hung = command("gallery", _gallery, "draw each game and variant in each theme, and a sheet of all games")
    hung.add_argument("-o", dest="output", metavar="FOLDER", type=Path, required=True, help="write there")
    begun = command("new", _new, "write a small game that works, to be turned into yours")
    begun.add_argument("name", metavar="NAME", help="of its package, which is its key as well")
    begun.add_argument("--into", metavar="FOLDER", type=Path, help="there, as a package to be installed")
    return parser


def _showing(shown: ArgumentParser) -> None:
    what = shown.add_mutually_exclusive_group(required=True)
    what.add_argument("name", metavar="NAME", nargs="?")
    what.add_argument("--record", metavar="FILE", type=Path, help="a score sheet or JSON: show how it stands")
    _start(shown)
    shown.add_argument("--format", choices=(*_FORMATS, *_FILMS), default="text")
    shown.add_argument("--theme", choices=THEMES, default="default")
    shown.add_argument("--width", metavar="PIXELS", type=_width, help=f"of a picture, {WIDTH} if not given")
    shown.add_argument("-o", dest="output", metavar="FILE", type=Path, help="write there")


def _reader() -> ArgumentParser:
    """Holds the options allowed before and after the command."""
    # without defaults, or the subcommand's would overwrite the value given before the command
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


def _width(text: str) -> int:
    if not text.isdecimal() or not NARROWEST <= int(text) <= WIDEST:
        raise ArgumentTypeError(f"{text!r} is not a width from {NARROWEST} to {WIDEST}")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
