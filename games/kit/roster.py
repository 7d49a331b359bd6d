"""The players and the trays of a scene as a small table of text."""

from __future__ import annotations

from games.kit.scene import Piece, Scene, Tray
from games.kit.words import Speech, capital
from games.protocol import Side

CELL = 4  # columns of a count
TURN = "> "  # before the player to move


def roster(scene: Scene, speech: Speech, room: int) -> list[str]:
    """Who plays, who is to move, and a column for each kind of piece in the trays."""
    kinds = tuple(dict.fromkeys(piece for tray in scene.trays for piece, _ in tray.pieces))
    named = [(_named(tray, scene, speech), tray) for tray in scene.trays]
    shown = {tray.owner for tray in scene.trays}
    if scene.men:
        named += [(_side(side, scene, speech), Tray(side, ())) for side in Side if side not in shown]
    widest = max((len(name) for name, _ in named), default=0)
    width = min(widest, room - CELL * len(kinds))
    lines = [_row(_cut(name, width), width, tray, kinds) for name, tray in named]
    if not kinds:
        return lines
    letters = (speech.phrases["pieces"][piece.kind]["letter"] for piece in kinds)
    return [" " * width + "".join(f"{letter:>{CELL}}" for letter in letters), *lines]


def _named(tray: Tray, scene: Scene, speech: Speech) -> str:
    if tray.owner is None:
        return " " * len(TURN) + capital(speech.tray(tray))
    return _side(tray.owner, scene, speech)


def _side(side: Side, scene: Scene, speech: Speech) -> str:
    turn = TURN if scene.to_move == side else " " * len(TURN)
    letter = f"{speech.phrases['pieces'][scene.men[side].kind]['letter']} " if scene.men else ""
    return f"{turn}{letter}{' '.join(speech.side(side).split())}"


def _cut(name: str, width: int) -> str:
    return name if len(name) <= width else f"{name[: max(0, width - 3)]}..."[:width]


def _row(name: str, width: int, tray: Tray, kinds: tuple[Piece, ...]) -> str:
    counts = dict(tray.pieces)
    cells = (f"{counts[piece]:>{CELL}}" if piece in counts else " " * CELL for piece in kinds)
    return f"{name:{width}}{''.join(cells)}".rstrip()
