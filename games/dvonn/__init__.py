"""DVONN (Kris Burm, 2001): stacks grow and stay only while connected to a red piece."""

from games.dvonn.board import PASS, Move, draw, move
from games.dvonn.notation import read, write
from games.dvonn.rules import Position, Rules, position, start
from games.dvonn.view import scene
from games.protocol import Game

GAME: Game[Position, Move, Rules] = Game(
    key="dvonn",
    package=__name__,
    version=1,
    family="gipf",
    sides=("white", "black"),
    presets={"": Rules(), "random": Rules("random"), "symmetric": Rules("symmetric")},
    switches={},
    repetition=None,  # every move empties a point
    draw_setup=lambda rules, rng: draw(rules.setup, rng),
    start=start,
    position=position,
    move=move,
    forced_pass=PASS,
    read=read,
    write=write,
    scene=scene,
)
