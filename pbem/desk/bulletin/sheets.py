"""The tables of a bulletin for a spreadsheet."""

from __future__ import annotations

from django.utils.timezone import localtime
from django.utils.translation import gettext

from pbem.desk.bulletin.issue import Issue
from pbem.matches.tournaments.standings import Lines


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
