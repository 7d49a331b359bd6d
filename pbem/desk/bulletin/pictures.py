"""Diagrams for print: as lines, which any size can be made of, and as pixels for programs that know no others."""

from __future__ import annotations

from io import BytesIO

from PIL import Image

from games.kit.image import painted
from games.kit.layout import Caption, lay_out
from games.kit.svg import svg
from games.kit.themes import PRINT
from pbem.desk.bulletin.games import Figure

DPI = 300
INCHES = 3  # a column of a page of A4 in two is 84 mm wide
_NO_CAPTION = Caption("")


def vector(figure: Figure) -> str:
    """SVG."""
    return svg(figure.scene, figure.speech, _NO_CAPTION, PRINT)


def pixels(figure: Figure) -> bytes:
    """PNG, three inches wide at 300 dpi; the file says so."""
    drawing = lay_out(figure.scene, figure.speech, _NO_CAPTION, INCHES * DPI)
    file = BytesIO()
    image: Image.Image = painted(drawing, PRINT)
    image.save(file, "PNG", dpi=(DPI, DPI), optimize=True)
    return file.getvalue()
