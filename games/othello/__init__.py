"""Othello: a row of the opponent's discs between two of one's own is turned over."""

from games.othello.notation import move, read, write
from games.othello.rules import PASS, Move, Position, Rules, position, start
from games.othello.view import scene
from games.protocol import Game

GAME: Game[Position, Move, Rules] = Game(
    key="othello",
    package=__name__,
    version=1,
    family="lines",
    sides=("black", "white"),
    presets={
        "": Rules(),
        "6": Rules(size=6),
        "10": Rules(size=10),
        "anti": Rules(aim="fewest"),
        "reversi": Rules(opening="reversi"),
    },
    switches={},  # the presets can be combined: `othello:6,anti`
    repetition=None,  # every turn but a pass fills a square, and two passes end the game
    draw_setup=None,
    start=start,
    position=position,
    move=move,
    forced_pass=PASS,
    read=read,
    write=write,
    scene=scene,
)
