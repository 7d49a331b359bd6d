"""Renders several positions in one file: an animated GIF, or a PNG with the boards side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO

from games.kit.drawing import Drawing
from games.kit.image import packed, painted
from games.kit.layout import MARGIN, USUAL, Caption, Still, heading, lay_out_series
from games.kit.themes import DEFAULT, Rgb, Theme
from games.kit.words import Speech

FILM, STRIP = 300, 640  # pixels of width; a move of a GIF takes about 2 kB
MOVE, END = 1200, 4000  # milliseconds
STEPS = 2  # between two colours; more would make the file a fifth larger
UNCHANGED: Rgb = (255, 0, 255)  # in no theme
ACROSS = 2  # boards in a row of a strip
PEN = 0.6  # letters on the small boards of a strip stay legible
ROWS = 8  # pens between a caption and the row below


def film(stills: Sequence[Still], speech: Speech, theme: Theme = DEFAULT, width: int = FILM) -> bytes:
    """Renders an endlessly repeated GIF that begins with the last still. Raises ValueError without stills."""
    # some mail programs show only the first frame
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
        # One palette for all frames; each frame stores only the changed pixels.
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
    """Renders the boards as one PNG below a title, at most `most` in a row, each with its caption's last
    line.

    Raises ValueError without stills.
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
