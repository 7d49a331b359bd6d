"""Below the board: the pool, who plays and what they have captured or lost, and what else there is to know."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from games.kit import lettering
from games.kit.drawing import Box, Shape, Text
from games.kit.men import man
from games.kit.scene import Scene, Tray
from games.kit.words import Speech, capital
from games.protocol import Side

Column = Generator[Shape, None, float]  # shapes from a height downwards; returns the height below them

# In pens: how high a plate is, how far apart plates are, where on it words and pieces begin.
HIGH, APART, INSET = 30, 4, 12
NAME, COUNT, NOTE = 16, 16, 14  # sizes of type
PIECE, ITEM = 9, 41  # the radius of a piece, and the room that one takes with its number
LINES = 8  # of a note
TURN = "◄"  # after the name of the player to move


def plates(scene: Scene, speech: Speech, x: float, y: float, width: float, pen: float) -> Column:
    """A plate for the pool and each player: a table where they hold pieces, else side by side."""
    shown: list[Side | None] = [tray.owner for tray in scene.trays if tray.owner is None]
    shown += [side for side in Side if scene.men or any(tray.owner == side for tray in scene.trays)]
    table = any(tray.held != "hand" for tray in scene.trays)
    across = 1 if table else 2
    room = (width - (across - 1) * APART * pen) / across
    for number, owner in enumerate(shown):
        left, top = x + number % across * (room + APART * pen), y + number // across * (HIGH + APART) * pen
        yield from _plate(owner, scene, speech, (left, top, room), pen)
    rows = -(-len(shown) // across)
    return y + rows * (HIGH + APART) * pen


def notes(scene: Scene, speech: Speech, x: float, y: float, room: float, pen: float) -> Column:
    """In lines `room` pixels wide."""
    for note in scene.notes:
        for line in lettering.wrapped(speech.remark("notes", note), room, NOTE * pen, LINES):
            y += 18 * pen
            yield Text(x, y, line, NOTE * pen, "muted", on="paper")
    return y


def _plate(
    owner: Side | None, scene: Scene, speech: Speech, place: tuple[float, float, float], pen: float
) -> Iterator[Shape]:
    (x, y, room), middle = place, place[1] + HIGH / 2 * pen
    yield Box(round(x), round(y), round(x + room) - round(x), round(HIGH * pen), "ground")
    start, end = x + INSET * pen, x + room - INSET * pen
    for tray in scene.trays:
        if tray.owner == owner:
            end = yield from _tray(tray, speech, end, middle, pen)
    to_move = owner is not None and scene.to_move == owner
    name = speech.side(owner) if owner is not None else capital(speech.kit["pool"])
    if owner is not None and scene.men:
        yield from man(scene.men[owner], (start + PIECE * pen, middle), PIECE * pen, pen, "ground")
        start += 27 * pen
    baseline, space = middle + lettering.MIDDLE * NAME * pen, end - start - (22 if to_move else 6) * pen
    name = lettering.fitted(name, space, NAME * pen, to_move)
    yield Text(start, baseline, name, NAME * pen, "dark" if to_move else "label", to_move, on="ground")
    if to_move:
        start += lettering.width(name, NAME * pen, bold=True) + 7 * pen
        yield Text(start, baseline, TURN, 13 * pen, "dark", on="ground")


def _tray(tray: Tray, speech: Speech, end: float, middle: float, pen: float) -> Generator[Shape, None, float]:
    """Its pieces up to the end of the plate; returns where they begin."""
    baseline = middle + lettering.MIDDLE * COUNT * pen
    if tray.held == "hand":
        count = sum(n for _, n in tray.pieces)
        held = str(speech.kit["in_hand"]).format(n=count)
        yield Text(end, baseline, held, NOTE * pen, "dark" if count else "label", anchor="end", on="ground")
        return end - lettering.width(held, NOTE * pen)
    start = end - len(tray.pieces) * ITEM * pen
    for number, (piece, n) in enumerate(tray.pieces):
        left = start + number * ITEM * pen
        yield from man(piece, (left + PIECE * pen, middle), PIECE * pen, pen, "ground")
        yield Text(left + 22 * pen, baseline, str(n), COUNT * pen, "dark" if n else "label", on="ground")
    return start
