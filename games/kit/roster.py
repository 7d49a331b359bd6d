"""The players and the trays of a scene as a small table of text."""

from __future__ import annotations

from textwrap import wrap

from games.kit.scene import Piece, Scene, Tray
from games.kit.words import Speech, capital
from games.protocol import Side

CELL = 4  # columns of a count
TURN = "> "  # before the player to move


def roster(scene: Scene, speech: Speech, room: int) -> list[str]:
    """Who plays, who is to move, and a column for each kind of piece in the trays.

    Men in hand are their owner's: they are counted in words, and have no column. Lost men have a line below
    their owner.
    """
    captured = [tray for tray in scene.trays if tray.held == "captured"]
    kinds = tuple(dict.fromkeys(piece for tray in captured for piece, _ in tray.pieces))
    named = [(_named(tray, scene, speech), tray) for tray in scene.trays]
    shown = {tray.owner for tray in scene.trays}
    if scene.men:
        named += [(_side(side, scene, speech), Tray(side, ())) for side in Side if side not in shown]
    counts = [_counts(tray, kinds, speech) for _, tray in named]
    widest = max((len(name) for name, _ in named), default=0)
    width = min(widest, room - max(map(len, counts), default=0))
    lines = [
        f"{_cut(name, width):{width}}{count}".rstrip() for (name, _), count in zip(named, counts, strict=True)
    ]
    lines = [
        line
        for (_, tray), first in zip(named, lines, strict=True)
        for line in (first, *_lost(tray, speech, room))
    ]
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


def _lost(tray: Tray, speech: Speech, room: int) -> list[str]:
    if tray.held != "lost" or not tray.pieces:
        return []
    letters = [(speech.phrases["pieces"][piece.kind]["letter"], n) for piece, n in tray.pieces]
    men = " ".join(f"{letter}{n if n > 1 else ''}" for letter, n in letters)
    indent = " " * 2 * len(TURN)
    return wrap(f"{speech.kit['lost']} {men}", room, initial_indent=indent, subsequent_indent=indent)


def _cut(name: str, width: int) -> str:
    return name if len(name) <= width else f"{name[: max(0, width - 3)]}..."[:width]


def _counts(tray: Tray, kinds: tuple[Piece, ...], speech: Speech) -> str:
    if tray.held == "hand":
        count = sum(n for _, n in tray.pieces)
        return f"  {speech.kit['in_hand'].format(n=f'{count:>2}')}"
    counts = dict(tray.pieces)
    return "".join(f"{counts[piece]:>{CELL}}" if piece in counts else " " * CELL for piece in kinds)
