"""LYNGK (Kris Burm, 2017): stacks without a colour twice, in colours that the players claim during the game."""

from games.lyngk.board import PASS, Move, draw, move
from games.lyngk.notation import read, write
from games.lyngk.rules import Position, Rules, position, start
from games.lyngk.view import scene
from games.protocol import Game

GAME: Game[Position, Move, Rules] = Game(
    key="lyngk",
    package=__name__,
    version=1,
    family="gipf",
    sides=("first", "second"),
    presets={"": Rules(), "six": Rules(6)},
    switches={},
    repetition=None,  # every move joins two stacks
    draw_setup=lambda rules, rng: draw(rng),
    start=start,
    position=position,
    move=move,
    forced_pass=PASS,
    read=read,
    write=write,
    scene=scene,
)
