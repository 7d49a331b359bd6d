"""Which squares a robot would like the trap on: in lines of the enemy, beside their king, before their pawns."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from games.protocol import Side
from games.trapdoor_chess.men import Men
from games.trapdoor_chess.squares import ALL, FORWARD, KING, between, diagonal, squares, straight
from games.trapdoor_chess.worth import VALUES

LINE, BESIDE_KING, BEFORE_PAWN = 3, 12, 5
ATTACKED = 10  # the value of a man in hundredths of a pawn, divided by this, for each square of a line that attacks it


@lru_cache(maxsize=20_000)
def ranked(men: Men, side: Side) -> tuple[int, ...]:
    """The empty squares, the best for `side` first."""
    free = ALL & ~men.all
    likes = dict.fromkeys(squares(free), 0)
    other = side.other
    for square in squares(KING[men.king(other)] & free):
        likes[square] += BESIDE_KING
    for pawn in squares(men.pawns & men.of(other)):
        if (ahead := FORWARD[other].get(pawn, 0)) & free:
            likes[ahead] += BEFORE_PAWN
    for owner, sign in ((other, 1), (side, -1)):
        for line, points in _lines(men, owner):
            for square in squares(line & free):
                likes[square] += sign * points
    return tuple(sorted(likes, key=lambda square: (-likes[square], square)))


def _lines(men: Men, owner: Side) -> Iterator[tuple[int, int]]:
    """Squares that the rooks, bishops and queens of a side control, and what a trap there is worth to the other."""
    mine, walls = men.of(owner), men.all
    enemies = men.of(owner.other)
    for origin in squares((men.rooks | men.bishops | men.queens) & mine):
        reach = 0
        if origin & (men.rooks | men.queens):
            reach |= straight(origin, walls)
        if origin & (men.bishops | men.queens):
            reach |= diagonal(origin, walls)
        yield reach, LINE
        for attacked in squares(reach & enemies):
            value = VALUES[men.kind(attacked)] or 1_000
            yield between(origin, attacked), value // ATTACKED
