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

# In pens: how high a plate is, and how far apart plates are.
HIGH, APART = 30, 4
NAME, COUNT, NOTE = 16, 16, 14  # sizes of type
PIECE, ITEM = 9, 41  # the radius of a piece, and the room that one takes with its number
LOST = 34  # the same of men who are lost: there are five kinds, and never ten of one
MAN = 27  # the room that a side's man takes before its name
MOVES, STANDS = 22, 6  # what is kept free behind the name of who is to move, and of who is not
LINES = 8  # of a note
TURN = "◄"  # after the name of the player to move


def plates(
    scene: Scene, speech: Speech, x: float, y: float, width: float, pen: float, inset: float
) -> Column:
    """A plate for the pool and each player: a table where they hold pieces or have long names, else side by side.

    What stands on a plate begins `inset` pixels from its edge.
    """
    shown: list[Side | None] = [tray.owner for tray in scene.trays if tray.owner is None]
    shown += [side for side in Side if scene.men or any(tray.owner == side for tray in scene.trays)]
    half = (width - APART * pen) / 2
    table = any(tray.held != "hand" for tray in scene.trays) or any(
        _needed(side, scene, speech, pen) > half - 2 * inset for side in shown if side is not None
    )
    across, room = (1, width) if table else (2, half)
    for number, owner in enumerate(shown):
        left, top = x + number % across * (room + APART * pen), y + number // across * (HIGH + APART) * pen
        yield from _plate(owner, scene, speech, (left, top, room), pen, inset)
    rows = -(-len(shown) // across)
    return y + rows * (HIGH + APART) * pen


def notes(scene: Scene, speech: Speech, x: float, y: float, room: float, pen: float) -> Column:
    """In lines `room` pixels wide."""
    for note in scene.notes:
        for line in lettering.wrapped(speech.remark("notes", note), room, NOTE * pen, LINES):
            y += 18 * pen
            yield Text(x, y, line, NOTE * pen, "muted", on="paper")
    return y


def _needed(side: Side, scene: Scene, speech: Speech, pen: float) -> float:
    """How wide a plate of whole words is, whoever is to move."""
    held = (_in_hand(tray, speech) for tray in scene.trays if tray.owner == side and tray.held == "hand")
    return (
        lettering.width(speech.side(side), NAME * pen, bold=True)
        + (MOVES + (MAN if scene.men else 0)) * pen
        + sum(lettering.width(words, NOTE * pen) for words in held)
    )


def _plate(
    owner: Side | None,
    scene: Scene,
    speech: Speech,
    place: tuple[float, float, float],
    pen: float,
    inset: float,
) -> Iterator[Shape]:
    (x, y, room), middle = place, place[1] + HIGH / 2 * pen
    yield Box(round(x), round(y), round(x + room) - round(x), round(HIGH * pen), "ground")
    start, end = x + inset, x + room - inset
    for tray in scene.trays:
        if tray.owner == owner:
            end = yield from _tray(tray, speech, end, middle, pen)
    to_move = owner is not None and scene.to_move == owner
    name = speech.side(owner) if owner is not None else capital(speech.kit["pool"])
    if owner is not None and scene.men:
        yield from man(scene.men[owner], (start + PIECE * pen, middle), PIECE * pen, pen, "ground")
        start += MAN * pen
    baseline, space = (
        middle + lettering.MIDDLE * NAME * pen,
        end - start - (MOVES if to_move else STANDS) * pen,
    )
    name = lettering.fitted(name, space, NAME * pen, to_move)
    yield Text(start, baseline, name, NAME * pen, "dark" if to_move else "label", to_move, on="ground")
    if to_move:
        start += lettering.width(name, NAME * pen, bold=True) + 7 * pen
        yield Text(start, baseline, TURN, 13 * pen, "dark", on="ground")


def _tray(tray: Tray, speech: Speech, end: float, middle: float, pen: float) -> Generator[Shape, None, float]:
    """Its pieces up to the end of the plate; returns where they begin."""
    baseline = middle + lettering.MIDDLE * COUNT * pen
    if tray.held == "hand":
        held, some = _in_hand(tray, speech), any(n for _, n in tray.pieces)
        yield Text(end, baseline, held, NOTE * pen, "dark" if some else "label", anchor="end", on="ground")
        return end - lettering.width(held, NOTE * pen)
    item, count = (LOST * pen, 20 * pen) if tray.held == "lost" else (ITEM * pen, 22 * pen)
    start = end - len(tray.pieces) * item
    for number, (piece, n) in enumerate(tray.pieces):
        left = start + number * item
        yield from man(piece, (left + PIECE * pen, middle), PIECE * pen, pen, "ground")
        yield Text(left + count, baseline, str(n), COUNT * pen, "dark" if n else "label", on="ground")
    if tray.held != "lost" or not tray.pieces:
        return start
    lost = str(speech.kit["has_lost"])
    yield Text(start - 7 * pen, baseline, lost, NOTE * pen, "label", anchor="end", on="ground")
    return start - 7 * pen - lettering.width(lost, NOTE * pen)


def _in_hand(tray: Tray, speech: Speech) -> str:
    return str(speech.kit["in_hand"]).format(n=sum(n for _, n in tray.pieces))
