"""A bulletin as a page to print and as Markdown, both from templates in the language that is on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import mark_safe

from pbem.desk.bulletin import markup
from pbem.desk.bulletin.games import Told
from pbem.desk.bulletin.issue import Issue
from pbem.outbox.rendering.dates import day
from pbem.outbox.rendering.sections.organiser import halves

DIAGRAMS = "diagrams"


def html(issue: Issue) -> str:
    """What people wrote is escaped, or Markdown in which raw HTML is text."""
    comments = [(game, mark_safe(markup.html(game.words, 3))) for game in issue.comments]
    words = mark_safe(markup.html(issue.words))
    return render_to_string(
        "bulletin/bulletin.html", {**_context(issue), "comments": comments, "words": words}
    )


def markdown(issue: Issue) -> str:
    said = render_to_string("bulletin/bulletin.md", {**_context(issue), "comments": issue.comments})
    return f"{_tidy(said)}\n"


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
    """A line of the cross-table: the signs of its games, a cross where it meets itself."""
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
    """Never two empty lines, which the tags of a template leave."""
    lines = [line.rstrip() for line in text.strip().splitlines()]
    return "\n".join(line for number, line in enumerate(lines) if line or (number and lines[number - 1]))
