"""Gemma: Lines of Action on a board that vanishes square by square."""

from games.gemma.notation import move, read
from games.gemma.rules import Position, position, start
from games.gemma.view import scene
from games.lines_of_action import GAME as LINES_OF_ACTION
from games.lines_of_action.board import Move
from games.lines_of_action.notation import write
from games.lines_of_action.rules import Rules
from games.protocol import Game

GAME: Game[Position, Move, Rules] = Game(
    key="gemma",
    package=__name__,
    version=1,
    family="lines",
    sides=LINES_OF_ACTION.sides,
    presets={preset: LINES_OF_ACTION.presets[preset] for preset in ("", "scrambled")},
    switches=LINES_OF_ACTION.switches,  # includes `stuck`, which never applies: a side always has a slide or a removal
    repetition=None,  # every turn removes a square
    draw_setup=None,
    start=start,
    position=position,
    move=move,
    forced_pass=None,
    read=read,
    write=write,
    scene=scene,
)
