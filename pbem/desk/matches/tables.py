"""The tables of a large tournament, as HTML in one go: a template takes a second over forty players' cells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cache
from html import escape

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from games.registry import find
from pbem.desk.base.lists import when
from pbem.matches.models import Match
from pbem.matches.tournaments.sheet import Sheet
from pbem.matches.tournaments.table import Cell, Row
from pbem.players.models import Player

SCORES = {0: "1-0", 1: "0-1", None: "1/2"}


def crosses(rows: Sequence[Row[Player]]) -> list[SafeString]:
    """For each line of the cross-table, the cells of its games; each sign leads to its match."""
    href = _link_to_match()

    def signs(cells: Sequence[Cell]) -> str:
        return "".join(
            f'<a href="{href(cell.match)}">{cell.sign}</a>' if cell.match else cell.sign for cell in cells
        )

    return [
        _safe(
            "".join(
                '<td><span class="desk-self">×</span></td>'
                if other is row
                else f"<td>{signs(row.met.get(other.entrant, ()))}</td>"
                for other in rows
            )
        )
        for row in rows
    ]


def rounds(sheet: Sheet) -> dict[int, SafeString]:
    """By the number of a round, the lines of its matches."""
    names = {pk: escape(player.name) for pk, player in sheet.players.items()}
    href, labels, short = _link_to_match(), dict(Match.Status.choices), cache(when)
    title = cache(_title)
    lines: dict[int, list[str]] = {}
    for match in sheet.matches:
        first, second = (names[player] for player in match.players)
        over = match.status == Match.Status.OVER
        result = SCORES[match.winner] if over else escape(str(labels[match.status]))
        ends = _ends(match.to_move, match.deadline, short)
        lines.setdefault(match.round or 0, []).append(
            f'<tr><td>{first}</td><td>{second}</td><td class="desk-when"><a href="{href(match.match)}">'
            f"[{match.match}] {title(match.game_name)}</a></td><td>{result}</td><td>{match.ply}</td>"
            f'<td class="desk-when">{ends}</td></tr>'
        )
    return {number: _safe("\n".join(each)) for number, each in lines.items()}


def _ends(to_move: int | None, deadline: datetime | None, short: Callable[[datetime], str]) -> str:
    return short(deadline) if deadline and to_move is not None else ""


def _title(game: str) -> str:
    return escape(find(game)[0].phrases("en")["name"])


def _link_to_match() -> Callable[[int], str]:
    """To look an address up costs more than all else of a cell."""
    before, after = reverse("admin:matches_match_change", args=[0]).rsplit("/0/", 1)
    return lambda match: f"{before}/{match}/{after}"


def _safe(html: str) -> SafeString:
    """What people wrote in it was escaped when it was put there."""
    return mark_safe(html)
