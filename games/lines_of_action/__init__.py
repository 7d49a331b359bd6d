"""Lines of Action: connect all your men in one group."""

from dataclasses import replace
from typing import cast, get_args

from games.lines_of_action.board import PASS, Move
from games.lines_of_action.notation import move, read, write
from games.lines_of_action.rules import Double, Position, Rules, Stuck, position, start
from games.lines_of_action.view import scene
from games.protocol import Game, Switch

GAME: Game[Position, Move, Rules] = Game(
    key="loa",
    package=__name__,
    version=1,
    family="lines",
    sides=("black", "white"),
    presets={
        "": Rules(),
        "scrambled": Rules(scrambled=True),
        "6x6": Rules(size=6),
        "6x6-scrambled": Rules(size=6, scrambled=True),
    },
    switches={
        "double": Switch(
            values=get_args(Double),
            apply=lambda rules, value: replace(rules, double=cast(Double, value)),
            value=lambda rules: rules.double,
        ),
        "stuck": Switch(
            values=get_args(Stuck),
            apply=lambda rules, value: replace(rules, stuck=cast(Stuck, value)),
            value=lambda rules: rules.stuck,
        ),
    },
    repetition=3,
    draw_setup=None,
    start=start,
    position=position,
    move=move,
    forced_pass=PASS,
    read=read,
    write=write,
    scene=scene,
)
