"""Emergo (Christian Freeling and Ed van Zon, 1986): columns capture men by jumps and may be freed again."""

from typing import cast, get_args

from games.emergo.board import Move, move
from games.emergo.notation import read, write
from games.emergo.rules import Blocked, Position, Rules, position, start
from games.emergo.view import scene
from games.protocol import Game, Switch

GAME: Game[Position, Move, Rules] = Game(
    key="emergo",
    package=__name__,
    version=1,
    family="draughts",
    sides=("white", "black"),
    presets={"": Rules()},
    switches={
        "blocked": Switch(
            values=get_args(Blocked),
            apply=lambda rules, value: Rules(cast(Blocked, value)),
            value=lambda rules: rules.blocked,
        ),
    },
    repetition=3,
    draw_setup=None,
    start=start,
    position=position,
    move=move,
    forced_pass=None,
    read=read,
    write=write,
    scene=scene,
)
