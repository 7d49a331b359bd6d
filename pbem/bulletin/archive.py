"""A bulletin as one archive: pages, diagrams, tables and scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.template.loader import render_to_string
from django.utils import translation
from django.utils.timezone import localtime
from django.utils.translation import gettext
from PIL import Image

from games.export import to_json_line, to_text
from games.kit.drawing import PRINT
from games.kit.image import painted
from games.kit.layout import Caption, lay_out
from games.kit.svg import svg
from games.protocol import Notation
from pbem.bulletin.issue import Figure, Issue, Told
from pbem.matches.tournaments.standings import Lines, as_csv
from pbem.outbox.rendering.contest_tables import halves
from pbem.outbox.rendering.durations import day

# The page to print and the Markdown, from templates in the active language

DIAGRAMS = "diagrams"


def html(issue: Issue) -> str:
    """Renders the page to print. Text of players and organisers is escaped, or Markdown without raw HTML."""
    return render_to_string("bulletin/bulletin.html", _context(issue))


def markdown(issue: Issue) -> str:
    return f"{_tidy(render_to_string('bulletin/bulletin.md', _context(issue)))}\n"


def _context(issue: Issue) -> Mapping[str, Any]:
    return {
        "issue": issue,
        "diagrams": DIAGRAMS,
        "until": day(issue.until),
        "since": day(issue.since) if issue.since else "",
        "table": [_row(issue, row) for row in issue.table],
        "results": issue.results,
        "several_games": len({_kind(game) for game in issue.results}) > 1,
        "kind": _kind(issue.results[0]) if issue.results else "",
    }


def _row(issue: Issue, row: Any) -> Mapping[str, Any]:
    """Returns a line of the cross-table: the results, a cross on the diagonal."""
    signs = ["×" if other is row else row.signs(other.entrant) for other in issue.table]
    place = f"{row.place}=" if row.tied else f"{row.place}."
    return {
        "place": place,
        "name": issue.name(row.entrant),
        "signs": signs,
        "points": halves(row.points),
        "row": row,
    }


def _kind(game: Told) -> str:
    return f"{game.game}: {game.variant}"


def _tidy(text: str) -> str:
    """Removes the repeated empty lines that template tags leave."""
    lines = [line.rstrip() for line in text.strip().splitlines()]
    return "\n".join(line for number, line in enumerate(lines) if line or (number and lines[number - 1]))


# Diagrams: SVG for print, and PNG for programs without SVG

DPI = 300
INCHES = 3  # one of two columns of an A4 page is 84 mm wide
_NO_CAPTION = Caption("")


def vector(figure: Figure) -> str:
    """Draws a figure as SVG."""
    return svg(figure.scene, figure.speech, _NO_CAPTION, PRINT)


def pixels(figure: Figure) -> bytes:
    """Draws a figure as PNG, three inches wide at 300 dpi, which the file states."""
    drawing = lay_out(figure.scene, figure.speech, _NO_CAPTION, INCHES * DPI)
    file = BytesIO()
    image: Image.Image = painted(drawing, PRINT)
    image.save(file, "PNG", dpi=(DPI, DPI), optimize=True)
    return file.getvalue()


# Tables for a spreadsheet


def table(issue: Issue) -> Lines:
    head = [gettext("Number"), gettext("Place"), gettext("Name"), *map(str, range(1, len(issue.table) + 1))]
    head += [gettext("Points"), "Sonneborn-Berger", gettext("Won"), gettext("Drawn"), gettext("Lost")]
    lines: list[list[object]] = [list(head)]
    for number, row in enumerate(issue.table, start=1):
        met = ("x" if other is row else row.signs(other.entrant) for other in issue.table)
        sums = (row.points, row.sonneborn_berger, row.won, row.drawn, row.lost)
        lines.append([number, row.place, issue.name(row.entrant), *met, *sums])
    return lines


def results(issue: Issue) -> Lines:
    head = [gettext("First"), gettext("Second"), gettext("Game"), gettext("Match"), gettext("Result")]
    head += [gettext("Reason"), gettext("Moves"), gettext("Ended")]
    return [
        head,
        *(
            [
                *(*game.names, f"{game.game}: {game.variant}", game.number, game.score, game.reason),
                *(game.moves, localtime(game.ended).date() if game.ended else ""),
            ]
            for game in issue.results
        ),
    ]


MEDIA_TYPE = "application/zip"


def archive(issue: Issue) -> bytes:
    """Builds the archive. The same rows give the same bytes."""
    file = BytesIO()
    with translation.override(issue.language), ZipFile(file, "w") as folder:
        for name, content in _contents(issue):
            folder.writestr(ZipInfo(name), content, ZIP_DEFLATED)
    return file.getvalue()


def _contents(issue: Issue) -> Iterator[tuple[str, str | bytes]]:
    yield "bulletin.html", html(issue)
    yield "bulletin.md", markdown(issue)
    figures = [figure for game in issue.comments for figure in game.figures]
    if issue.puzzle:
        figures.append(issue.puzzle.figure)
    for figure in figures:
        yield f"{DIAGRAMS}/{figure.name}.svg", vector(figure)
        yield f"{DIAGRAMS}/{figure.name}.png", pixels(figure)
    yield "table.csv", as_csv(table(issue))
    yield "results.csv", as_csv(results(issue))
    games = {game.number: game.record for game in (*issue.results, *issue.comments)}
    notation = Notation(issue.language)
    yield "scores.txt", "\n".join(to_text(record, notation) for record in games.values())
    yield "scores.jsonl", "".join(map(to_json_line, games.values()))
