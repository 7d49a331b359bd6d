"""Boards as pictures: the last row on top, White's men in capitals, `@` the trap, `.` an empty square."""

import re

import pytest

from games.trapdoor_chess import GAME
from games.trapdoor_chess.position import Rules


@pytest.fixture
def board():
    """board(picture, side to move, FEN's castling and en passant, moves since a capture, rules).

    A smaller picture lies at the lower left.
    """

    def drawn(picture, to_move="w", castling="-", passed="-", quiet=0, rules=None):
        rows = [row.replace(" ", "").ljust(8, ".") for row in picture.strip().splitlines()]
        rows = ["." * 8] * (8 - len(rows)) + rows
        place = "/".join(rows).find("@")
        trap = "-" if place < 0 else f"{'abcdefgh'[place % 9]}{8 - place // 9}"
        men = re.sub(r"[.@]+", lambda gap: str(len(gap[0])), "/".join(rows))
        return GAME.position(rules or Rules(), f"{men} {to_move} {castling} {passed} {quiet} 1 {trap}")

    return drawn


@pytest.fixture
def steps():
    """The men's halves of all legal turns of a position, or of those of one man."""

    def listed(position, origin=""):
        halves = {str(move).partition("@")[0] for move in position.moves()}
        return sorted(half for half in halves if half.startswith(origin))

    return listed


@pytest.fixture
def traps():
    """Where the trap may go after that half; {""} where it does not move."""

    def listed(position, half):
        turns = (str(move).partition("@") for move in position.moves())
        return {trap for step, _, trap in turns if step == half}

    return listed


@pytest.fixture
def objection():
    """What is held against a canonical move, as text."""

    def against(position, text):
        return str(position.objection(GAME.move(text)))

    return against
