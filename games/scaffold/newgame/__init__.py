"""Newgame: three in a row."""

from games.protocol import Game
from games.scaffold.newgame.notation import move, read, write
from games.scaffold.newgame.rules import Move, Position, Rules, position, start
from games.scaffold.newgame.view import scene

GAME: Game[Position, Move, Rules] = Game(
    key="newgame",
    package=__name__,
    version=1,
    sides=("black", "white"),
    presets={"": Rules()},
    switches={},
    repetition=None,  # every move fills a cell
    draw_setup=None,
    start=start,
    position=position,
    move=move,
    forced_pass=None,
    read=read,
    write=write,
    scene=scene,
)
