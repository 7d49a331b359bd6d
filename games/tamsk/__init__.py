"""TAMSK (Kris Burm, 1998), its first level: each move leaves a ring behind, and full spaces are closed."""

from games.protocol import Game
from games.tamsk.board import PASS, Move, move
from games.tamsk.notation import read, write
from games.tamsk.rules import Position, Rules, position, start
from games.tamsk.view import scene

GAME: Game[Position, Move, Rules] = Game(
    key="tamsk",
    package=__name__,
    version=1,
    family="gipf",
    sides=("red", "black"),
    presets={"": Rules()},
    switches={},
    repetition=None,  # every move fills a place
    draw_setup=None,
    start=start,
    position=position,
    move=move,
    forced_pass=PASS,
    read=read,
    write=write,
    scene=scene,
)
