"""Cheshire Cat Chess: chess on a board that vanishes square by square."""

from dataclasses import replace
from typing import cast, get_args

from games.cheshire.notation import move, read, write
from games.cheshire.position import KingCheck, Rules
from games.cheshire.rules import Position, position, start
from games.cheshire.view import scene
from games.kit.chess.men import Move
from games.protocol import Game, Switch

GAME: Game[Position, Move, Rules] = Game(
    key="cheshire",
    package=__name__,
    version=1,
    family="chess",
    sides=("white", "black"),
    presets={"": Rules(), "10x10": Rules(size=10)},
    switches={
        "kingcheck": Switch(
            values=get_args(KingCheck),
            apply=lambda rules, value: replace(rules, kingcheck=cast(KingCheck, value)),
            value=lambda rules: rules.kingcheck,
        ),
    },
    repetition=None,  # every turn takes a square
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
