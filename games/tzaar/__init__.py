"""TZAAR (Kris Burm, 2007): a side that runs out of one of its three types of pieces has lost."""

from games.protocol import Game
from games.tzaar.board import Move, draw, move
from games.tzaar.notation import read, write
from games.tzaar.rules import Position, Rules, position, start
from games.tzaar.view import scene

GAME: Game[Position, Move, Rules] = Game(
    key="tzaar",
    package=__name__,
    version=1,
    family="gipf",
    sides=("white", "black"),
    presets={"": Rules(), "random": Rules("random"), "free": Rules("free")},
    switches={},
    repetition=None,  # every turn captures
    draw_setup=lambda rules, rng: draw(rules.setup, rng),
    start=start,
    position=position,
    move=move,
    forced_pass=None,
    read=read,
    write=write,
    scene=scene,
)
