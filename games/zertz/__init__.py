"""Zèrtz (Kris Burm, 1999): shared marbles on a board that shrinks."""

from games.protocol import Game
from games.zertz.board import Move, move
from games.zertz.notation import cell, read, write
from games.zertz.rules import Position, position, start
from games.zertz.variants import PRESETS, SWITCHES, Rules
from games.zertz.view import scene

GAME: Game[Position, Move, Rules] = Game(
    key="zertz",
    package=__name__,
    version=1,
    family="gipf",
    sides=("first", "second"),
    presets=PRESETS,
    switches=SWITCHES,
    repetition=3,
    draw_setup=None,
    start=start,
    position=position,
    move=move,
    forced_pass=None,
    read=read,
    write=write,
    scene=scene,
    cell=cell,
)
