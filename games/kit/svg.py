"""Renders a scene as SVG: a picture, a file in two palettes, or a board with links."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from html import escape
from itertools import accumulate, combinations
from math import dist

from games.kit import raster
from games.kit.drawing import (
    CSS,
    DARK,
    DEFAULT,
    Box,
    Disc,
    Frame,
    Line,
    Point,
    Shape,
    Text,
    Theme,
    properties,
)
from games.kit.layout import WIDTH, Caption, lay_out
from games.kit.scene import Scene
from games.kit.words import Speech, capital, reading_order

# Quotes are required: a name with a numeric word is otherwise invalid, and the whole list is ignored.
FONTS = "'Source Sans 3', Source Sans Pro, Segoe UI, Noto Sans, DejaVu Sans, sans-serif"
UNPRINTABLE = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF))  # forbidden by XML 1.0
PALETTES = (
    f"<style>:root{{{properties(DEFAULT)}}}"
    f"@media(prefers-color-scheme:dark){{:root{{{properties(DARK)}}}}}</style>"
)
RINGED = 40  # links, of more none is ringed: it would be nearly every cell
RIM = 0.46  # units: the radius of that ring
RIM_LINES = 3.4, 1.7  # pens: its halo and its dashes
NO_LINKS: Mapping[str, str] = {}


def svg(
    scene: Scene,
    speech: Speech,
    caption: Caption,
    theme: Theme = DEFAULT,
    width: int = WIDTH,
    *,
    links: Mapping[str, str] = NO_LINKS,
    style: str = "",
) -> str:
    """Renders the same picture as `image.render_png`, with `links` from cells to addresses."""
    drawing = lay_out(scene, speech, caption, width)
    size = f'width="{drawing.width}" height="{drawing.height}"'
    role = ' role="group"' if links else ""
    shapes = [
        f'<rect {size} fill="{theme.paper}"/>',
        *(_element(shape, theme) for shape in drawing.shapes),
    ]
    if links and drawing.board:
        # Readers of the screen hear the description and the links, not each coordinate.
        shapes = [
            '<g aria-hidden="true">',
            *shapes,
            "</g>",
            *_links(scene, speech, drawing.board, links, theme),
        ]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {drawing.width} {drawing.height}"'
            f' font-family="{FONTS}"{role}>{style}',
            f"<title>{_plain(caption.title or capital(speech.turn(scene)))}</title>",
            f"<desc>{_plain(' '.join(speech.position(scene)))}</desc>",
            *shapes,
            "</svg>\n",
        ]
    )


def svg_file(scene: Scene, speech: Speech, caption: Caption, width: int = WIDTH) -> str:
    """Renders the picture as a file, light or dark as its reader prefers."""
    return svg(scene, speech, caption, CSS, width, style=PALETTES)


@dataclass(frozen=True)
class Cell:
    """A board in a sheet, as wide as all of them."""

    height: int
    drawn: str


def cell(scene: Scene, speech: Speech, *, square: bool = False) -> Cell:
    """Renders a board for a sheet, as high as it is or in the middle of a square."""
    drawing = lay_out(scene, speech, Caption(""), WIDTH)
    height = WIDTH if square else drawing.height
    size = f'width="{WIDTH}" height="{height}" viewBox="0 0 {drawing.width} {drawing.height}"'
    shapes = (_element(shape, CSS) for shape in drawing.shapes)
    return Cell(height, "\n".join([f"<svg {size}>", *shapes, "</svg>"]))


def sheet(cells: Mapping[str, Cell]) -> str:
    """Returns boards as one file, light or dark as its reader prefers: `#name` shows one of them, any other address
    nothing.
    """
    heights = accumulate((each.height for each in cells.values()), initial=WIDTH)
    places = list(zip(heights, cells.items(), strict=False))
    empty = f'width="{WIDTH}" height="{WIDTH}" viewBox="0 0 {WIDTH} {WIDTH}"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {empty} font-family="{FONTS}">{PALETTES}',
            *(
                f'<view id="{_plain(name)}" viewBox="0 {y} {WIDTH} {each.height}"/>'
                for y, (name, each) in places
            ),
            *(f'<g transform="translate(0 {y})">{each.drawn}</g>' for y, (_name, each) in places),
            "</svg>\n",
        ]
    )


def targets(scene: Scene, board: Frame) -> dict[str, Disc]:
    """Returns the circle of each cell that can be hit; its radius is half of the least distance between two cells."""
    radius = _apart(tuple((cell.x, cell.y) for cell in scene.cells)) / 2 * board.unit
    return {cell.name: Disc(*board.at(cell), radius) for cell in scene.cells}


@lru_cache(maxsize=64)
def _apart(places: tuple[Point, ...]) -> float:
    return min((dist(*pair) for pair in combinations(places, 2)), default=1.0)


def _links(
    scene: Scene, speech: Speech, board: Frame, links: Mapping[str, str], theme: Theme
) -> Iterator[str]:
    circles = targets(scene, board)
    rim = Disc(0, 0, RIM * board.unit, line="light", thickness=RIM_LINES[0] * board.pen)
    rims = rim, replace(rim, line="label", thickness=RIM_LINES[1] * board.pen, dashed=True)
    for name in filter(links.__contains__, reading_order(scene)):
        hit = circles[name]
        yield f'<a href="{_plain(links[name])}" aria-label="{_plain(speech.cell(scene, name))}">'
        if len(links) < RINGED:
            yield from (_circle(replace(ring, x=hit.x, y=hit.y), theme) for ring in rims)
        yield f'<circle cx="{hit.x:.5g}" cy="{hit.y:.5g}" r="{hit.radius:.4g}" fill="transparent"/></a>'


def _element(shape: Shape, theme: Theme) -> str:
    match shape:
        case Box():
            corner = f'x="{shape.x}" y="{shape.y}"'
            size = f'width="{shape.width}" height="{shape.height}"'
            return f'<rect {corner} {size} fill="{getattr(theme, shape.fill)}"/>'
        case Disc():
            hole = replace(shape, radius=shape.inner, fill=shape.hole)
            return _circle(shape, theme) + (_circle(hole, theme) if shape.hole else "")
        case Line():
            return _line(shape, theme)
        case Text():
            weight = ' font-weight="bold"' if shape.bold else ""
            place = f'x="{shape.x:.5g}" y="{shape.y:.5g}" font-size="{shape.size:.4g}"'
            style = f'fill="{getattr(theme, shape.colour)}" text-anchor="{shape.anchor}"{weight}'
            style += f"{_edge(shape, theme)}{_measure(shape)}"
            return f"<text {place} {style}>{_plain(shape.text)}{_flat(shape)}</text>"


def _circle(disc: Disc, theme: Theme) -> str:
    fill = getattr(theme, disc.fill) if disc.fill else "none"
    line = f' stroke="{getattr(theme, disc.line)}" stroke-width="{disc.thickness:.3g}"' if disc.line else ""
    dash, gap = 2.5 * disc.thickness, 2 * disc.thickness
    dashes = f' stroke-dasharray="{dash:.3g} {gap:.3g}"' if disc.dashed else ""
    return f'<circle cx="{disc.x:.5g}" cy="{disc.y:.5g}" r="{disc.radius:.4g}" fill="{fill}"{line}{dashes}/>'


def _edge(text: Text, theme: Theme) -> str:
    # half of a stroke lies inside the letters: it is twice as wide and painted first
    if not text.edge:
        return ""
    width = f'stroke-width="{2 * text.thickness:.3g}" stroke-linejoin="round" paint-order="stroke"'
    return f' stroke="{getattr(theme, text.edge)}" {width}'


def _measure(text: Text) -> str:
    """Fits the text to the layout's width when another font is used."""
    if len(text.text) < 2:
        return ""
    return (
        f' textLength="{raster.width(text.text, text.size, text.bold):.5g}" lengthAdjust="spacingAndGlyphs"'
    )


def _flat(text: Text) -> str:
    """Returns the variation selector that keeps chess pawns from being drawn as emoji."""
    return "\ufe0e" if text.edge else ""


def _line(line: Line, theme: Theme) -> str:
    return "".join(_coat(line, getattr(theme, colour), halo) for colour, halo in line.coats)


def _coat(line: Line, paint: str, halo: float) -> str:
    style = f'stroke="{paint}" stroke-width="{line.thickness + 2 * halo:.3g}" stroke-linejoin="round"'
    way = f'<polyline points="{_points(line.points)}" fill="none" {style}/>'
    if not line.head:
        return way
    style = f'fill="{paint}" stroke="{paint}" stroke-width="{2 * halo:.3g}"'
    return f'{way}<polygon points="{_points(line.head)}" {style}/>'


def _points(points: Iterable[Point]) -> str:
    return " ".join(f"{x:.5g},{y:.5g}" for x, y in points)


def _plain(text: str) -> str:
    return escape(text.translate(UNPRINTABLE))
