"""Renders contest standings as text of 72 columns and as a picture."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import as_file, files
from io import BytesIO
from itertools import groupby

from django.utils import timezone
from django.utils.translation import gettext, ngettext
from PIL import Image, ImageDraw, ImageFont

from pbem.competitions.challenges import reigns
from pbem.competitions.models import Contest, Edition
from pbem.competitions.standings import lines as lines_of
from pbem.competitions.standings import seen
from pbem.competitions.systems.round_robin import FINAL
from pbem.competitions.systems.values import Game, Line
from pbem.outbox.rendering.theme import Look
from pbem.players.models import Player

log = logging.getLogger(__name__)
COLUMNS = 72
MOST_CROSSED = 12  # maximum players for a cross-table
_SIGNS = {1.0: "1", 0.5: "½", 0.0: "0", None: "·"}


@dataclass(frozen=True)
class Row:
    """A player's row. `signs` are the results in the others' order, `more` the tie-break or days of reign."""

    player: int
    place: str
    name: str
    signs: tuple[str, ...]
    points: str
    more: str


@dataclass(frozen=True)
class Standing:
    """A table. `title` is empty when the contest has only one."""

    title: str
    rows: tuple[Row, ...]

    @property
    def crossed(self) -> bool:
        return any(row.signs for row in self.rows)

    @property
    def text(self) -> str:
        """The table as text, with results where they fit."""
        longest = max(len(row.name) for row in self.rows)
        widths = [max(map(len, column)) for column in zip(*(row.signs for row in self.rows), strict=True)]
        full = [self._line(row, longest, widths) for row in self.rows]
        if max(map(len, full)) > COLUMNS:
            full = [self._line(row, longest, ()) for row in self.rows]
        return "\n".join(full)

    @staticmethod
    def _line(row: Row, longest: int, widths: Sequence[int]) -> str:
        signs = " ".join(sign.rjust(width) for sign, width in zip(row.signs, widths, strict=False))
        columns = (f"{row.place:>4} {row.name:<{longest}}", signs, f"{row.points:>4}", row.more)
        return "  ".join(filter(None, columns))


@dataclass(frozen=True)
class Picture:
    """All tables of a contest in one picture, with the reader's row in bold."""

    standings: tuple[Standing, ...]
    mine: int | None
    look: Look
    heading: str
    name: str

    @property
    def width(self) -> int:
        return self.look.room

    @property
    def alt(self) -> str:
        """The tables as alternative text."""
        said = (part for table in self.standings for part in (table.title, table.text))
        return " ".join(" ".join(said).split())

    @cached_property
    def picture(self) -> bytes | None:
        """The PNG. None when it cannot be drawn (S04)."""
        try:
            return _drawn(self)
        except Exception:
            log.exception("S04: the table of %s cannot be drawn", self.name)
            return None


def standings_of(edition: Edition) -> tuple[Standing, ...]:
    """Returns the current standings of an edition, the final before the groups."""
    contest = edition.contest
    told = None if contest.has_order else seen(edition)
    games = told.games if told else ()
    names = dict(Player.objects.filter(contest_entries__edition=edition).values_list("pk", "name"))
    more = _days(edition) if contest.system == Contest.System.HILL else {}
    shown = _shown_tie(contest.chosen.ties)
    found = []
    for label, group in groupby(lines_of(edition, told), key=lambda line: line.table):
        together = list(group)
        own = [game for game in games if game.table == label]
        rows = tuple(
            _row(line, together, own, names, more.get(line.player) or _tie(line, shown)) for line in together
        )
        found.append(Standing(title(label), rows))
    return tuple(found)


def title(label: str) -> str:
    """Returns the title of a table."""
    if label == FINAL:
        return gettext("Final")
    if label.isdecimal():
        return gettext("Division %(number)s") % {"number": label}
    return gettext("Group %(letter)s") % {"letter": label} if label else ""


def halves(points: float) -> str:
    """Formats points: 2½, ½, 3."""
    whole, half = divmod(points, 1)
    return f"{whole:g}" * (not half or whole > 0) + "½" * (half == 0.5)


def _row(
    line: Line, lines: Sequence[Line], games: Sequence[Game], names: Mapping[int, str], more: str
) -> Row:
    place = f"{line.place}{'=' if line.tied else '.'}"
    crossed = bool(games) and len(lines) <= MOST_CROSSED
    signs = tuple(_sign(line.player, other.player, games) for other in lines) if crossed else ()
    return Row(
        line.player,
        place,
        names[line.player],
        signs,
        halves(line.points),
        more,
    )


def _shown_tie(ties: Sequence[str]) -> int:
    """Returns the index of the tie-break to show. A direct encounter is skipped: it is often empty."""
    return 0 if ties and ties[0] != "direct" else 1


def _tie(line: Line, shown: int) -> str:
    value = next(iter(line.values[shown:] or line.values), None)
    return "" if value is None else f"({value:g})"


def _sign(player: int, other: int, games: Sequence[Game]) -> str:
    if player == other:
        return "+" if any(game.is_bye and game.first == player for game in games) else "x"
    met = (game for game in games if {game.first, game.second} == {player, other})
    return "".join(_SIGNS[game.points_of(player)] for game in met) or "-"


def _days(edition: Edition) -> Mapping[int, str]:
    found = reigns(edition, edition.ended_at or timezone.now())
    return {
        player: "(" + ngettext("%(days)s day", "%(days)s days", days) % {"days": days} + ")"
        for player, days in found.items()
    }


# The picture
_LINE, _MARGIN, _SIZE = 30, 18, 17  # pixels


@cache
def _font(name: str) -> ImageFont.FreeTypeFont:
    with as_file(files("games.kit") / "fonts" / name) as path:
        return ImageFont.truetype(str(path), _SIZE)


def _drawn(picture: Picture) -> bytes:
    theme, width = picture.look.palette, picture.width
    lines = sum(len(table.rows) + 1 + bool(table.title) for table in picture.standings)
    height = 2 * _MARGIN + _LINE + lines * _LINE
    image = Image.new("RGB", (width, height), theme.paper)
    draw = ImageDraw.Draw(image)
    plain, bold = _font("SourceSansPro-Regular.ttf"), _font("SourceSansPro-Semibold.ttf")
    y = _MARGIN
    draw.text((_MARGIN, y), picture.heading, theme.ink, bold)
    y += _LINE + 8
    for table in picture.standings:
        if table.title:
            draw.text((_MARGIN, y), table.title, theme.muted, bold)
            y += _LINE
        for number, row in enumerate(table.rows):
            font = bold if row.player == picture.mine else plain
            if number % 2 == 0:
                draw.rectangle((_MARGIN - 8, y - 4, width - _MARGIN + 8, y + _LINE - 5), fill=theme.ground)
            for x, said, anchor in _cells(row, table, width):
                draw.text((x, y), said, theme.label, font, anchor=anchor)
            y += _LINE
        y += _LINE // 2
    file = BytesIO()
    cropped = image.crop((0, 0, width, min(height, y + _MARGIN // 2)))
    cropped.quantize(32, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
    return file.getvalue()


def _cells(row: Row, table: Standing, width: int) -> Iterator[tuple[int, str, str]]:
    """Yields x, text and anchor of each cell."""
    yield _MARGIN + 30, row.place, "ra"
    yield _MARGIN + 40, row.name[:24], "la"
    right = width - _MARGIN
    yield right, row.more, "ra"
    yield right - 70, row.points, "ra"
    if table.crossed and len(row.signs) <= MOST_CROSSED:
        step = 24
        start = right - 130 - step * (len(row.signs) - 1)
        for number, sign in enumerate(row.signs):
            yield start + number * step, "×" if sign == "x" else sign.replace("-", ""), "ma"
