"""Several positions in one file: a GIF that plays them, a PNG that shows them side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO

from games.kit.drawing import Drawing
from games.kit.image import packed, painted
from games.kit.layout import MARGIN, USUAL, Caption, Still, heading, lay_out_series
from games.kit.themes import DEFAULT, Rgb, Theme
from games.kit.words import Speech

FILM, STRIP = 300, 640  # pixels of width; at the first a move takes about 2 kB
MOVE, END = 1200, 4000  # milliseconds
STEPS = 2  # between two colours: with more, smooth edges would be a fifth of the file
UNCHANGED: Rgb = (255, 0, 255)  # no theme has it
ACROSS = 2  # boards of a strip
PEN = 0.6  # its boards are small, its letters are to be read
ROWS = 8  # pens below a caption, which belongs to the board above


def film(stills: Sequence[Still], speech: Speech, theme: Theme = DEFAULT, width: int = FILM) -> bytes:
    """A GIF that runs without end: first the last still, as some mail programs show but one, then all.

    ValueError if there is none.
    """
    frames = [painted(drawing, theme, STEPS) for drawing in lay_out_series(stills, speech, width)]
    colours = [*theme.palette(STEPS), UNCHANGED]
    file = BytesIO()
    frames[-1].save(
        file,
        "GIF",
        save_all=True,
        append_images=frames,
        duration=[END, *[MOVE] * (len(frames) - 1), END],
        loop=0,
        # One palette for all frames, and of each only what differs from the one before.
        palette=bytes(part for colour in colours for part in colour),
        transparency=len(colours) - 1,
        disposal=1,
        optimize=True,
    )
    return file.getvalue()


def strip(
    title: str,
    stills: Sequence[Still],
    speech: Speech,
    theme: Theme = DEFAULT,
    width: int = STRIP,
    most: int = ACROSS,
) -> bytes:
    """A PNG of the boards alone, at most so many in a row, each with what its caption says last, below one title.

    ValueError if there is none.
    """
    margin = MARGIN * width / USUAL
    pen = width / USUAL * (PEN if most > 1 else 1)
    boards = [_board(still) for still in stills]
    across, wide = min(most, len(boards)), width // most
    drawings = lay_out_series(boards, speech, wide, pen, margin)
    shapes, top = heading(Caption(title), wide * across, pen, margin)
    rows, high = -(-len(drawings) // across), drawings[0].height + round(ROWS * pen)
    sheet = painted(Drawing(wide * across, round(top) + rows * high, tuple(shapes)), theme)
    for number, drawing in enumerate(drawings):
        row, column = divmod(number, across)
        sheet.paste(painted(drawing, theme), (column * wide, round(top) + row * high))
    return packed(sheet)


def _board(still: Still) -> Still:
    scene = replace(still.scene, trays=(), notes=(), men=None)
    return Still(scene, Caption("", last=still.caption.last))
