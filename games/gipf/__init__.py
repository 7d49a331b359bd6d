"""GIPF (Kris Burm, 1997): pieces are pushed in from the edge, and four of a colour in a row are taken off."""

from games.gipf.board import move
from games.gipf.notation import read, write
from games.gipf.rules import Position, Rules, position, start
from games.gipf.view import scene
from games.kit.turn import Turn
from games.protocol import Game

GAME: Game[Position, Turn, Rules] = Game(
    key="gipf",
    package=__name__,
    version=1,
    family="gipf",
    sides=("white", "black"),
    presets={"": Rules(), "standard": Rules("standard", 12), "basic": Rules("basic", 12)},
    switches={},
    repetition=3,  # pieces that return to the reserve come in again
    draw_setup=None,
    start=start,
    position=position,
    move=move,
    forced_pass=None,
    read=read,
    write=write,
    scene=scene,
)
