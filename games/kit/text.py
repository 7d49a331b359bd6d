"""A scene as monospaced text, at most 72 columns wide."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from textwrap import wrap

from games.kit.grid import BRACKETS, COLUMNS, SIGNS, grid, is_printed
from games.kit.roster import roster
from games.kit.scene import Scene
from games.kit.words import Speech

APART = 4  # blanks between the board and what stands beside it
NARROWEST = 20  # what stands beside the board moves below it rather than be narrower


def board(scene: Scene, speech: Speech) -> str:
    """The board with its coordinates; beside or below it players, trays, notes and a legend."""
    picture = grid(scene, speech)
    width = max(map(len, picture), default=0)
    beside = COLUMNS - width - APART
    if beside < NARROWEST:
        return "\n".join([*picture, "", *_aside(scene, speech, COLUMNS)]).rstrip()
    aside = _aside(scene, speech, beside)
    above = [""] * max(0, (len(picture) - len(aside)) // 2)
    both = zip_longest(picture, [*above, *aside], fillvalue="")
    return "\n".join(f"{left:{width + APART}}{right}".rstrip() for left, right in both)


def _aside(scene: Scene, speech: Speech, room: int) -> list[str]:
    """Players and trays, notes, legend, with a blank line between."""
    notes = [line for note in scene.notes for line in wrap(speech.remark("notes", note), room)]
    parts = (roster(scene, speech, room), notes, list(_legend(scene, speech, room)))
    return [line for part in parts if part for line in (*part, "")][:-1]


def _legend(scene: Scene, speech: Speech, room: int) -> Iterator[str]:
    """What the signs on this board mean: those of the game, then those of the last move."""
    words = {**speech.kit["legend"], **speech.phrases.get("legend", {})}
    yield from wrap(words.get("board", ""), room)
    if any(mark.kind in ("from", "to") for mark in scene.marks):
        yield f"[ ] {words['move']}"
    printed = is_printed(scene)
    for kind, sign in SIGNS.items():
        cells = [mark.cell for mark in scene.marks if mark.kind == kind]
        if printed and cells:
            yield f"{' '.join(BRACKETS[kind])} {words[kind]}"
        elif not all(map(scene.pieces.get, cells)):
            yield f" {sign}  {words[kind]}"
