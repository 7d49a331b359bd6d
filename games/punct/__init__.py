"""PÜNCT (Kris Burm, 2005): pieces of three dots, placed side by side or on others, join opposite sides of the board."""

from games.protocol import Game
from games.punct.board import Move, move
from games.punct.notation import read, write
from games.punct.rules import Position, Rules, position, start
from games.punct.view import scene

GAME: Game[Position, Move, Rules] = Game(
    key="punct",
    package=__name__,
    version=1,
    family="gipf",
    sides=("white", "black"),
    presets={"": Rules(), "basic": Rules("open")},
    switches={},
    repetition=3,  # pieces can be moved back
    draw_setup=None,
    start=start,
    position=position,
    move=move,
    forced_pass=None,
    read=read,
    write=write,
    scene=scene,
)
