"""The two games that the demo plays, move by move, with one slip in the first."""

from __future__ import annotations

from dataclasses import dataclass

ZERTZ = (
    "We5,g4 Bb4,b5 We3,d7 Gd6,f3 Bc1,f7 Wg6,d1 Ga2,a3 We7,c6 e7xc5 b4xd6 We4,e2 e4xe6 d6xf6 g6xe6 "
    "Wc4,f4 Gb2,g7 a2xc2 c1xc3xc5 Gc2,g6 Be4,e7 e3xe5 e6xe4"
)
LINES_OF_ACTION = (
    "g1-a1 a7-b6 a1-b2 b6xb2 g8-g7 a2-b3 g7-e7 a6-c4 e7-c7 a5-c5 f8-a8 a4-d4 f1-f2 h2-e5 a8-b7 a3-d3 b7-c6 "
    "h7-e4 c8-b7 h3-e3 b8-a7 h6-f6 d1xb3 b2-d2 c7xe5 f6-d6 c1-b2 d6-d1 a7-c7 d1-d6 b1-b5 h5-g4 c7-e7 d2-f4"
)


@dataclass(frozen=True)
class Game:
    """`first` moves first and `winner` wins for `reason`. `slip` is an illegal move tried before that ply."""

    name: str
    first: str
    moves: tuple[str, ...]
    winner: str
    reason: str
    slip: tuple[int, str] | None = None
    chat: tuple[tuple[int, str], ...] = ()


GAMES = (
    Game(
        "zertz",
        first="Alice",
        moves=tuple(ZERTZ.split()),
        winner="Bruno",
        reason="white",
        slip=(9, "Gd2, a4"),
        chat=((0, "Hello Bruno, good game!"), (1, "Ciao Alice, e buona fortuna."), (20, "I see it coming.")),
    ),
    Game(
        "loa",
        first="Bruno",
        moves=tuple(LINES_OF_ACTION.split()),
        winner="Alice",
        reason="joined",
        chat=((0, "Adesso tocca a me cominciare."),),
    ),
)
