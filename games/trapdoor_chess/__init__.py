"""Scacchi Trabocchetto, trapdoor chess: chess with a trap that both sides move."""

from dataclasses import replace
from typing import cast, get_args

from games.protocol import Game, Switch
from games.trapdoor_chess.notation import read, write
from games.trapdoor_chess.position import InCheck, Move, Rules, move
from games.trapdoor_chess.rules import Position, position, start
from games.trapdoor_chess.view import scene

GAME: Game[Position, Move, Rules] = Game(
    key="trapdoor",
    package=__name__,
    version=1,
    family="chess",
    sides=("white", "black"),
    presets={"": Rules()},
    switches={
        "incheck": Switch(
            values=get_args(InCheck),
            apply=lambda rules, value: replace(rules, incheck=cast(InCheck, value)),
            value=lambda rules: rules.incheck,
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
    facing=True,
)
