"""Several positions in one file: a GIF that plays them, a PNG that shows them side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO

from games.kit.drawing import Drawing
from games.kit.image import packed, painted
from games.kit.layout import USUAL, Caption, Still, heading, lay_out_series
from games.kit.themes import DEFAULT, Rgb, Theme
from games.kit.words import Speech

FILM, STRIP = 300, 640  # pixels of width; at the first a move takes about 2 kB
MOVE, END = 1200, 4000  # milliseconds
STEPS = 2  # between two colours: with more, smooth edges would be a fifth of the file
UNCHANGED: Rgb = (255, 0, 255)  # no theme has it
ACROSS = 2  # boards of a strip
PEN = 0.6  # its boards are small, its letters are to be read


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
    title: str, stills: Sequence[Still], speech: Speech, theme: Theme = DEFAULT, width: int = STRIP
) -> bytes:
    """A PNG of the boards alone, two in a row, each with what its caption says last, below one title.

    ValueError if there is none.
    """
    pen = PEN * width / USUAL
    boards = [_board(still) for still in stills]
    across = min(ACROSS, len(boards))
    drawings = lay_out_series(boards, speech, width // ACROSS, pen)
    shapes, top = heading(Caption(title), width // ACROSS * across, pen)
    rows = -(-len(drawings) // across)
    size = width // ACROSS * across, round(top) + rows * drawings[0].height
    sheet = painted(Drawing(*size, tuple(shapes)), theme)
    for number, drawing in enumerate(drawings):
        row, column = divmod(number, across)
        sheet.paste(painted(drawing, theme), (column * drawing.width, round(top) + row * drawing.height))
    return packed(sheet)


def _board(still: Still) -> Still:
    scene = replace(still.scene, trays=(), notes=(), men=None)
    return Still(scene, Caption("", last=still.caption.last))
