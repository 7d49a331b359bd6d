"""Builds sections with the organiser's letters, tournament entries and limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.registry import find, games, in_words
from pbem.matches.models import Announcement, Tournament, TournamentInvitation
from pbem.matches.tournaments.standings import Row, standings
from pbem.outbox.rendering.durations import in_short
from pbem.outbox.rendering.recipient import Reader
from pbem.outbox.rendering.sections.context import Builder, Context
from pbem.players.models import Player

COLUMNS = 72  # of a text letter
MOST_CROSSED = 12  # maximum players for a cross-table


def halves(points: float) -> str:
    """Formats points: 2½, ½, 3."""
    whole, half = divmod(points, 1)
    return f"{whole:g}" * (not half or whole > 0) + "½" * (half == 0.5)


def table_text(rows: Sequence[Row[Player]]) -> str:
    """Returns the cross-table with Sonneborn-Berger scores, without single results where they do not fit."""
    signs = [[_sign(row, other) for other in rows] for row in rows]
    widths = [max(map(len, column)) for column in zip(*signs, strict=True)]
    crosses = [
        " ".join(sign.rjust(width) for sign, width in zip(line, widths, strict=True)) for line in signs
    ]
    lines = [_line(row, rows, cross) for row, cross in zip(rows, crosses, strict=True)]
    if len(rows) > MOST_CROSSED or max(map(len, lines), default=0) > COLUMNS:
        lines = [_line(row, rows, "") for row in rows]
    return "\n".join(lines)


def _line(row: Row[Player], rows: Sequence[Row[Player]], cross: str) -> str:
    longest = max(len(each.entrant.name) for each in rows)
    place = f"{row.place}{'=' if row.tied else '.'}"
    columns = [f"{place:>4} {row.entrant.name:<{longest}}", cross]
    columns += [f"{halves(row.points):>4}", f"({row.sonneborn_berger:g})"]
    return "  ".join(filter(None, columns))


def _sign(row: Row[Player], other: Row[Player]) -> str:
    return "x" if other is row else row.signs(other.entrant) or "-"


def _announcement(section: Mapping[str, Any], reader: Reader) -> Context:
    announcement = Announcement.objects.select_related("tournament").get(pk=section["announcement"])
    rows = standings(announcement.tournament) if announcement.standings else ()
    return {
        "tournament": announcement.tournament.name,
        "said_subject": announcement.subject(reader.language),
        "text": announcement.in_language(reader.language),
        "table": table_text(rows),
        "rows": [(row, halves(row.points), [_sign(row, other) for other in rows]) for row in rows],
        "crossed": len(rows) <= MOST_CROSSED,
        "mine": getattr(reader.player, "pk", None),
        "finished": bool(rows) and not any("·" in _sign(row, other) for row in rows for other in rows),
    }


# Tournament entries


def _event(section: Mapping[str, Any], reader: Reader) -> Context:
    invitation = TournamentInvitation.objects.select_related("tournament").get(pk=section["event"])
    return {**section, **_facts(invitation.tournament, reader)}


def _takes_part(section: Mapping[str, Any], reader: Reader) -> Context:
    return {**section, **_facts(Tournament.objects.get(pk=section["tournament"]), reader)}


def _facts(tournament: Tournament, reader: Reader) -> Context:
    title = find(tournament.game_name)[0].phrases(reader.language)["name"]
    return {
        "cup": tournament.name,
        "title": f"{title}: {in_words(tournament.game_name, reader.language)}",
        "clock": in_short(tournament.agreed),
        "system": tournament.system,
        "entered": tournament.entries.count(),
        "open": tournament.takes_entries,
    }


# Limits and refused players


def _limits(section: Mapping[str, Any], reader: Reader) -> Context:
    player = reader.player
    if player is None:
        return {"limits": [], "refused": []}
    titles = {key: game.phrases(reader.language)["name"] for key, game in games().items()}
    refused = player.refusings.select_related("refused").order_by("refused__folded", "game")
    return {
        "limits": [
            {"game": titles.get(limit.game, ""), "most": limit.most}
            for limit in player.limits.order_by("game")
        ],
        "refused": [
            {"name": each.refused.name, "game": titles.get(each.game, ""), "blocked": each.blocked}
            for each in refused
        ],
    }


BUILDERS: Mapping[str, Builder] = {
    "announcement": _announcement,
    "event": _event,
    "takes_part": _takes_part,
    "limits": _limits,
}
