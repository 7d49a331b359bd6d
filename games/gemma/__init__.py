"""Gemma: Lines of Action on a board that vanishes square by square."""

from games.gemma.notation import move, read
from games.gemma.rules import Position, position, start
from games.gemma.view import scene
from games.lines_of_action import GAME as LINES_OF_ACTION
from games.lines_of_action.notation import write
from games.lines_of_action.rules import Rules
from games.lines_of_action.slides import Move
from games.protocol import Game

GAME: Game[Position, Move, Rules] = Game(
    key="gemma",
    package=__name__,
    version=1,
    sides=LINES_OF_ACTION.sides,
    presets={preset: LINES_OF_ACTION.presets[preset] for preset in ("", "scrambled")},
    switches=LINES_OF_ACTION.switches,  # `stuck` with them, though nobody ever is: there is a removal
    repetition=None,  # every turn takes a square away
    draw_setup=None,
    start=start,
    position=position,
    move=move,
    forced_pass=None,
    read=read,
    write=write,
    scene=scene,
)
