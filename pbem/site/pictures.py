"""Boards and rating curves as SVG files that follow the colour scheme of the visitor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from gzip import compress
from pathlib import Path
from threading import Lock

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.translation import get_language

from games.exhibits import exhibit, random_game, striking
from games.film import watched
from games.kit.layout import WIDTH, Caption, Still
from games.kit.scene import Scene
from games.kit.svg import FONTS, PALETTES, Cell, cell, sheet, svg_file
from games.kit.words import Speech, speech
from games.pages import Diagram, parts, read
from games.protocol import Notation
from games.registry import find, games, names
from pbem.outbox.rendering.rules_page import guide
from pbem.outbox.signed_addresses import play_address
from pbem.published.lists import Row, of
from pbem.published.match_page import hashed
from pbem.site.page import BUILD

YEAR = 365 * 24 * 3600  # seconds
MOST = 1000  # files of pictures that are costly to draw
MOST_BOARDS = 12  # of matches in a sheet
PAGE = 400  # pixels of a board on a page of rules
EXAMPLE = "zertz"  # of the letter that the front page shows
LETTER = "letter"  # the name of its board
CORRESPONDENTS = ("Alice", "Bruno")
CURVE_WIDTH, CURVE_HEIGHT, LEFT, MARGIN = 560, 180, 48, 16  # pixels of a rating curve
LEAST_SPAN = 100  # points from its bottom to its top
_drawing = Lock()


def both_schemes(scene: Scene, words: Speech, width: int = WIDTH) -> bytes:
    """Returns a board as an SVG file with the light and the dark colours, without a caption."""
    return svg_file(scene, words, Caption(""), width).encode()


def bare(scene: Scene) -> Scene:
    """Returns the scene of the board alone, for small pictures."""
    return replace(scene, trays=(), notes=(), men=None)


def response(content: bytes, seconds: int = 3600, *, immutable: bool = False) -> HttpResponse:
    """Answers with an SVG file. Its style is its own, and nothing is loaded for it."""
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    answer = HttpResponse(content, "image/svg+xml", headers={"Content-Security-Policy": policy})
    patch_cache_control(answer, public=True, max_age=seconds, **({"immutable": True} if immutable else {}))
    return answer


def kept(key: str, draw: Callable[[], bytes], form: str = "png") -> HttpResponse:
    """Answers with a picture that is costly to draw, and then a file. One is drawn at a time, others later: the web has
    few threads.
    """
    file = settings.VAR / "pictures" / f"{key}.{form}"
    if not file.exists():
        if not _drawing.acquire(blocking=False):
            return HttpResponse(status=503, headers={"Retry-After": "5"})
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            _make_room(file.parent)
            new = file.with_suffix(".new")
            new.write_bytes(draw())
            new.replace(file)
        finally:
            _drawing.release()
    answer = HttpResponse(file.read_bytes(), f"image/{form}")
    patch_cache_control(answer, public=True, max_age=YEAR if form == "png" else 60)
    return answer


def _make_room(folder: Path) -> None:
    """Deletes the older half of the files when there are MOST."""
    files = sorted(folder.iterdir(), key=lambda file: file.stat().st_mtime)
    for file in files[: MOST // 2] if len(files) >= MOST else ():
        file.unlink(missing_ok=True)


def notation() -> Notation:
    """Returns the usual notation of the language of the page."""
    return Notation(get_language() or "en")


def game(request: HttpRequest, name: str) -> HttpResponse:
    """Shows a game or variant in the middle of a game."""
    return response(_exhibit(_known(name), notation()))


def sheet_path(rows: Sequence[Row] = ()) -> str:
    """Returns the path of the boards of the letter, of all games and some matches: `#letter`, `#loa`, `#m105`."""
    cells = tuple((row.number, row.game_name, row.board) for row in rows)
    numbers = [str(row.number) for row in rows]
    return reverse("site:boards", args=[".".join([hashed((cells, BUILD, get_language())), *numbers])])


def boards(request: HttpRequest, key: str) -> HttpResponse:
    """Shows the boards of the letter, of all games, and of matches that are still shown: a page asks once for all."""
    _digest, *numbers = key.split(".")
    if len(numbers) > MOST_BOARDS or not all(each.isdecimal() and len(each) < 16 for each in numbers):
        raise Http404
    wanted = list(map(int, numbers))
    found = {row.number: row for row in of(wanted, timezone.now())}
    rows = [found[number] for number in wanted if number in found]
    plain, packed = _sheet(tuple((f"m{row.number}", row.game_name, row.board) for row in rows), notation())
    same = sheet_path(rows) == request.path
    may_be_packed = "gzip" in request.headers.get("Accept-Encoding", "")
    answer = response(packed if may_be_packed else plain, YEAR if same else 60, immutable=same)
    answer.headers["Vary"] = "Accept-Encoding"
    if may_be_packed:
        answer.headers["Content-Encoding"] = "gzip"
    return answer


def rules(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Shows a board of a page of rules."""
    return response(_on_page(_known(key), notation(), number))


def of_guide(request: HttpRequest, number: int) -> HttpResponse:
    """Shows a board of the player's guide."""
    return response(_on_page("", notation(), number))


def example(notation: Notation) -> tuple[Speech, Still, str]:
    """Returns a turn between CORRESPONDENTS and the move that answers it."""
    words, stills = watched(random_game(EXAMPLE, CORRESPONDENTS), notation)
    at = striking(stills[:-1])
    return words, stills[at], stills[at + 1].caption.last.partition(": ")[2]


@lru_cache(maxsize=64)
def words_of(name: str, notation: Notation) -> str:
    """Describes the picture of a game."""
    words, still = exhibit(name, notation)
    return " ".join(words.position(still.scene))


def _known(name: str) -> str:
    if name not in names():
        raise Http404
    return name


@lru_cache(maxsize=128)
def _exhibit(name: str, notation: Notation) -> bytes:
    words, still = exhibit(name, notation)
    return both_schemes(bare(still.scene), words)


@lru_cache(maxsize=8)
def _sheet(matches: tuple[tuple[str, str, str], ...], notation: Notation) -> tuple[bytes, bytes]:
    """Returns the file with all games and these matches, (name, game, position), as it is and as gzip."""
    cells = dict(_cells(notation))
    for name, game_name, board in matches:
        game, rules = find(game_name)
        scene = bare(game.scene(None, None, game.position(rules, board)))
        cells[name] = cell(scene, speech(game, rules, notation), square=True)
    drawn = sheet(cells).encode()
    return drawn, compress(drawn, mtime=0)


@lru_cache(maxsize=4)
def _cells(notation: Notation) -> dict[str, Cell]:
    """Returns the board of the letter, and one of each game."""
    words, still, _ = example(notation)
    cells = {LETTER: cell(still.scene, words)}
    for key in games():
        words, still = exhibit(key, notation)
        cells[key] = cell(bare(still.scene), words, square=True)
    return cells


@lru_cache(maxsize=256)
def _on_page(key: str, notation: Notation, number: int) -> bytes:
    page = parts(find(key)[0], notation.language) if key else read(guide(notation.language, play_address()))
    board = next((part for at, part in enumerate(page) if at == number), None)
    if not isinstance(board, Diagram):
        raise Http404
    return both_schemes(board.scene, speech(board.game, board.after.rules, notation), PAGE)


def curve(points: Sequence[tuple[datetime, float]]) -> bytes:
    """Draws the ratings of a player over time, at least two, oldest first, as an SVG file in both colour schemes."""
    values = [value for _, value in points]
    low, high = min(values), max(values)
    middle, span = (low + high) / 2, max(high - low, LEAST_SPAN)
    begins, lasts = points[0][0], max((points[-1][0] - points[0][0]).total_seconds(), 1.0)

    def place(at: datetime, value: float) -> tuple[float, float]:
        across = (at - begins).total_seconds() / lasts
        up = (value - middle) / span + 0.5
        return (
            LEFT + across * (CURVE_WIDTH - LEFT - MARGIN),
            CURVE_HEIGHT - MARGIN - up * (CURVE_HEIGHT - 2 * MARGIN),
        )

    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*point) for point in points))
    right, (last_x, last_y) = CURVE_WIDTH - MARGIN, place(*points[-1])
    marks = "".join(
        f'<line x1="{LEFT}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}" stroke="var(--faint)" stroke-width="1"/>'
        f'<text x="{LEFT - 8}" y="{y + 5:.1f}" text-anchor="end" font-size="14" fill="var(--muted)">{value:.0f}</text>'
        for value in (middle - span / 2, middle, middle + span / 2)
        for y in (place(begins, value)[1],)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {CURVE_WIDTH} {CURVE_HEIGHT}"'
        f' width="{CURVE_WIDTH}" height="{CURVE_HEIGHT}"'
        f' font-family="{FONTS}">{PALETTES}<rect width="100%" height="100%" fill="var(--paper)"/>{marks}'
        f'<polyline points="{line}" fill="none" stroke="var(--told)" stroke-width="2.5" stroke-linejoin="round"/>'
        f'<circle cx="{last_x:.1f}" cy="{last_y:.1f}" r="4.5" fill="var(--told)"/></svg>\n'
    ).encode()
