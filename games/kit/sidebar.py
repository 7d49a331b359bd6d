"""Beside the board: the pool, who plays and what they have captured, and what else there is to know."""

from __future__ import annotations

from collections.abc import Generator

from games.kit import lettering
from games.kit.diagram import man
from games.kit.drawing import Shape, Text
from games.kit.scene import Scene, Tray
from games.kit.words import Speech, capital, reading_order
from games.protocol import Side

Column = Generator[Shape, None, float]  # shapes from a height downwards; returns the height below them

NAME, COUNT, NOTE = 18, 19, 16  # sizes of type
LINES = 12  # of a note
TOWER, TOWERS = 3, 8  # men of a stack that is laid down beside the board, and how many such stacks
TURN = "◄"  # after the name of the player to move


def wanted(scene: Scene) -> bool:
    return bool(scene.trays or scene.notes or scene.men)


def sidebar(scene: Scene, speech: Speech, x: float, y: float, room: float, pen: float) -> Column:
    """In a column `room` pixels wide."""
    for tray in scene.trays:
        if tray.owner is None:
            yield Text(x, y + NAME * pen, capital(speech.tray(tray)), NAME * pen, "muted")
            y = yield from _tray(tray, x, y + 27 * pen, room, pen)
    for side in Side:
        y = yield from _player(side, scene, speech, x, y, room, pen)
    y += 4 * pen
    y = yield from _towers(scene, speech, x, y, room, pen)
    for note in scene.notes:
        for line in lettering.wrapped(speech.remark("notes", note), room, NOTE * pen, LINES):
            yield Text(x, y + NOTE * pen, line, NOTE * pen, "muted")
            y += 20.5 * pen
        y += 8 * pen
    return y


def _player(side: Side, scene: Scene, speech: Speech, x: float, y: float, room: float, pen: float) -> Column:
    trays = [tray for tray in scene.trays if tray.owner == side]
    if not trays and not scene.men:
        return y
    start, to_move = x, scene.to_move == side
    if scene.men:
        yield from man(scene.men[side], (start + 9 * pen, y + 12 * pen), 9 * pen, pen)
        start += 26 * pen
    room_left = x + room - start - (22 * pen if to_move else 0)
    name = lettering.fitted(speech.side(side), room_left, NAME * pen, to_move)
    yield Text(start, y + NAME * pen, name, NAME * pen, "ink" if to_move else "muted", to_move)
    if to_move:
        end = start + lettering.width(name, NAME * pen, bold=True)
        yield Text(end + 8 * pen, y + NAME * pen, TURN, 15 * pen, "ink")
    y += 27 * pen
    for tray in trays:
        if tray.held == "hand":
            count = sum(n for _, n in tray.pieces)
            held = str(speech.kit["in_hand"]).format(n=count)
            yield Text(start, y + NOTE * pen, held, NOTE * pen, "ink" if count else "muted")
            y += 33 * pen
        else:
            y = yield from _tray(tray, x, y, room, pen)
    return y if trays else y + 8 * pen


def _towers(scene: Scene, speech: Speech, x: float, y: float, room: float, pen: float) -> Column:
    """The tallest stacks, laid down: from their foot on the left to their top on the right."""
    towers = [(len(scene.pieces.get(cell, ())), cell) for cell in reading_order(scene)]
    towers = sorted((tower for tower in towers if tower[0] >= TOWER), key=lambda tower: -tower[0])[:TOWERS]
    for height, cell in towers:
        yield Text(x, y + (9 + lettering.MIDDLE * NOTE) * pen, speech.label(cell), NOTE * pen, "muted")
        left, radius = x + 38 * pen, 8 * pen
        step = min(10 * pen, (room - 54 * pen) / (height - 1))
        for n, piece in enumerate(scene.pieces[cell]):
            yield from man(piece, (left + n * step, y + 9 * pen), radius, pen)
        y += 23 * pen
    return y + 9 * pen if towers else y


def _tray(tray: Tray, x: float, y: float, room: float, pen: float) -> Column:
    """Three kinds of piece in a row."""
    third = room / 3
    for i, (piece, n) in enumerate(tray.pieces):
        left, top = x + i % 3 * third, y + i // 3 * 30 * pen
        yield from man(piece, (left + 10 * pen, top + 13 * pen), 10 * pen, pen)
        baseline = top + (13 + lettering.MIDDLE * COUNT) * pen
        yield Text(left + 24 * pen, baseline, str(n), COUNT * pen, "ink" if n else "muted")
    rows = -(-len(tray.pieces) // 3)
    return y + (rows * 30 + 9) * pen
