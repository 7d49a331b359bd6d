"""A bulletin as one archive: pages, diagrams, tables and scores."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.utils import translation

from games.export import to_json_line, to_text
from games.protocol import Notation
from pbem.desk.bulletin import pages, pictures, sheets
from pbem.desk.bulletin.issue import Issue
from pbem.matches.tournaments.standings import as_csv

MEDIA_TYPE = "application/zip"


def archive(issue: Issue) -> bytes:
    """The same rows give the same bytes."""
    file = BytesIO()
    with translation.override(issue.language), ZipFile(file, "w") as folder:
        for name, content in _contents(issue):
            folder.writestr(ZipInfo(name), content, ZIP_DEFLATED)
    return file.getvalue()


def _contents(issue: Issue) -> Iterator[tuple[str, str | bytes]]:
    yield "bulletin.html", pages.html(issue)
    yield "bulletin.md", pages.markdown(issue)
    figures = [figure for game in issue.comments for figure in game.figures]
    if issue.puzzle:
        figures.append(issue.puzzle.figure)
    for figure in figures:
        yield f"{pages.DIAGRAMS}/{figure.name}.svg", pictures.vector(figure)
        yield f"{pages.DIAGRAMS}/{figure.name}.png", pictures.pixels(figure)
    yield "table.csv", as_csv(sheets.table(issue))
    yield "results.csv", as_csv(sheets.results(issue))
    games = {game.number: game.record for game in (*issue.results, *issue.comments)}
    notation = Notation(issue.language)
    yield "scores.txt", "\n".join(to_text(record, notation) for record in games.values())
    yield "scores.jsonl", "".join(map(to_json_line, games.values()))
