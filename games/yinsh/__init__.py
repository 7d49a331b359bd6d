"""YINSH (Kris Burm, 2003): five markers in a row cost their owner a ring, and three rings taken off win."""

from games.kit.turn import Turn
from games.protocol import Game
from games.yinsh.board import PASS, move
from games.yinsh.notation import read, write
from games.yinsh.rules import Position, Rules, position, start
from games.yinsh.view import scene

GAME: Game[Position, Turn, Rules] = Game(
    key="yinsh",
    package=__name__,
    version=1,
    family="gipf",
    sides=("white", "black"),
    presets={"": Rules(), "blitz": Rules(1)},
    switches={},
    repetition=None,  # every turn places a marker or takes a row off
    draw_setup=None,
    start=start,
    position=position,
    move=move,
    forced_pass=PASS,
    read=read,
    write=write,
    scene=scene,
)
