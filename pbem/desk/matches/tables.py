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
from pbem.matches.models import Match, Seat, Tournament
from pbem.matches.tournaments.table import Cell, Row
from pbem.players.models import Player

SCORES = {0: "1-0", 1: "0-1", None: "1/2"}


def crosses(rows: Sequence[Row[Player]]) -> list[SafeString]:
    """For each line of the cross-table, the cells of its games; each sign leads to its match."""
    href = _link_to_match()

    def signs(cells: Sequence[Cell]) -> str:
        return "".join(f'<a href="{href(cell.match)}">{cell.sign}</a>' for cell in cells)

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


def rounds(tournament: Tournament) -> dict[int, SafeString]:
    """By the number of a round, the lines of its matches. Two questions, whatever their number."""
    seats = Seat.objects.filter(match__tournament=tournament).order_by("side")
    names: dict[int, list[str]] = {}
    for match, name in seats.values_list("match", "player__name"):
        names.setdefault(match, []).append(escape(name))
    href, labels, short = _link_to_match(), dict(Match.Status.choices), cache(when)
    title = cache(_title)
    lines: dict[int, list[str]] = {}
    rows = tournament.matches.order_by("round", "pk").values_list(
        "pk", "round", "game_name", "status", "winner", "ply", "to_move", "deadline"
    )
    for pk, number, game, status, winner, ply, to_move, deadline in rows:
        first, second = names[pk]
        result = SCORES[winner] if status == Match.Status.OVER else escape(str(labels[status]))
        ends = _ends(to_move, deadline, short)
        lines.setdefault(number or 0, []).append(
            f'<tr><td>{first}</td><td>{second}</td><td class="desk-when"><a href="{href(pk)}">[{pk}] '
            f"{title(game)}</a></td><td>{result}</td><td>{ply}</td>"
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
