"""Bashni, column draughts (N. N. Sargin, 1885): what is captured goes below its captor and may be freed again."""

from games.bashni.board import Move, move
from games.bashni.notation import read, write
from games.bashni.rules import Position, Rules, position, start
from games.bashni.view import scene
from games.protocol import Game

GAME: Game[Position, Move, Rules] = Game(
    key="bashni",
    package=__name__,
    version=1,
    family="draughts",
    sides=("white", "black"),
    presets={"": Rules()},
    switches={},
    repetition=3,
    draw_setup=None,
    start=start,
    position=position,
    move=move,
    forced_pass=None,
    read=read,
    write=write,
    scene=scene,
    facing=True,
)
