"""Insert: the line under the last ring restricts where the opponent may play."""

from games.insert import board
from games.insert.notation import move, read, write
from games.insert.rules import Move, Position, Rules, position, start
from games.insert.view import scene
from games.protocol import Game

GAME: Game[Position, Move, Rules] = Game(
    key="insert",
    package=__name__,
    version=1,
    family="lines",
    sides=("white", "black"),
    presets={"": Rules(), "x+": Rules(board.MINI_BOARDS, board.SINGLE + board.DOUBLE)},
    switches={},
    repetition=None,  # every turn fills a cell
    draw_setup=lambda rules, rng: board.draw(rules.tiles, rng),
    start=start,
    position=position,
    move=move,
    forced_pass=None,
    read=read,
    write=write,
    scene=scene,
)
