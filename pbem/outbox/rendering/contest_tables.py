"""Renders contest standings: as text of 72 columns, and in rows for HTML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from pbem.competitions.challenges import reigns
from pbem.competitions.cross_table import Row as CrossTableRow
from pbem.competitions.models import Competition, Edition
from pbem.competitions.standings import order_lines, seen
from pbem.competitions.systems.round_robin import FINAL
from pbem.competitions.systems.values import Game, Line
from pbem.outbox.rendering.mime import Attachment
from pbem.players.models import Player

COLUMNS = 72
PHONE = 26  # characters of a name and the results beside it
MOST_CROSSED = 12  # maximum players for a cross-table
_SIGNS = {1.0: "1", 0.5: "½", 0.0: "0", None: "·"}


_BY_HAND = {"single": _("round robin"), "double": _("double round robin"), "pairings": _("list of pairings")}


def kind(competition: Competition) -> str:
    """Returns what its players call its kind, whether it runs by itself or by an organiser's hand."""
    return str(_BY_HAND.get(competition.system) or competition.get_system_display())


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
    def narrow(self) -> bool:
        """Tells whether the results fit a phone beside names and points."""
        return self._longest + sum(width + 2 for width in self._widths) <= PHONE

    @property
    def text(self) -> str:
        """The table as text, with results where they fit."""
        if max(map(len, (lines := self.full.split("\n")))) > COLUMNS:
            lines = [self._line(row, self._longest, ()) for row in self.rows]
        return "\n".join(lines)

    @property
    def full(self) -> str:
        """The table as text with all results, however wide."""
        return "\n".join(self._line(row, self._longest, self._widths) for row in self.rows)

    @property
    def _longest(self) -> int:
        return max(len(row.name) for row in self.rows)

    @property
    def _widths(self) -> list[int]:
        return [max(map(len, column)) for column in zip(*(row.signs for row in self.rows), strict=True)]

    @staticmethod
    def _line(row: Row, longest: int, widths: Sequence[int]) -> str:
        signs = " ".join(sign.rjust(width) for sign, width in zip(row.signs, widths, strict=False))
        columns = (f"{row.place:>4} {row.name:<{longest}}", signs, f"{row.points:>4}", row.more)
        return "  ".join(filter(None, columns))


def standings_of(edition: Edition) -> tuple[Standing, ...]:
    """Returns the current standings of an edition, the final before the groups."""
    contest = edition.contest
    told = None if contest.has_order else seen(edition)
    games = told.games if told else ()
    lines = contest.chosen.standings(told) if told else order_lines(edition)
    names = dict(Player.objects.filter(contest_entries__edition=edition).values_list("pk", "name"))
    more = _days(edition) if contest.system == Competition.System.HILL else {}
    shown = _shown_tie(contest.chosen.ties)
    found = []
    for label, group in groupby(lines, key=lambda line: line.table):
        together = list(group)
        own = [game for game in games if game.table == label]
        rows = tuple(
            _row(line, together, own, names, more.get(line.player) or _tie(line, shown)) for line in together
        )
        found.append(Standing(title(label), rows))
    return tuple(found)


def crossed(rows: Sequence[CrossTableRow[Player]]) -> tuple[Row, ...]:
    """Returns the rows of a cross-table that an organiser runs, with their results where there are few."""
    signs = (
        tuple("x" if row is other else row.signs(other.entrant) or "-" for other in rows)
        if len(rows) <= MOST_CROSSED
        else ()
        for row in rows
    )
    return tuple(
        Row(
            row.entrant.pk,
            place(row.place, tied=row.tied),
            row.entrant.name,
            each,
            halves(row.points),
            f"({row.sonneborn_berger:g})",
        )
        for row, each in zip(rows, signs, strict=True)
    )


def title(label: str) -> str:
    """Returns the title of a table."""
    if label == FINAL:
        return gettext("Final")
    if label.isdecimal():
        return gettext("Division %(number)s") % {"number": label}
    return gettext("Group %(letter)s") % {"letter": label} if label else ""


def place(number: int, *, tied: bool) -> str:
    return f"{number}{'=' if tied else '.'}"


def halves(points: float) -> str:
    """Formats points: 2½, ½, 3."""
    whole, half = divmod(points, 1)
    return f"{whole:g}" * (not half or whole > 0) + "½" * (half == 0.5)


def _row(
    line: Line, lines: Sequence[Line], games: Sequence[Game], names: Mapping[int, str], more: str
) -> Row:
    crossed = bool(games) and len(lines) <= MOST_CROSSED
    signs = tuple(_sign(line.player, other.player, games) for other in lines) if crossed else ()
    where = place(line.place, tied=line.tied)
    return Row(line.player, where, names[line.player], signs, halves(line.points), more)


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


def whole_file(standings: Sequence[Standing], name: str) -> list[Attachment]:
    """Returns the tables as a text file if the letter shows one of them without its results."""
    if all(table.narrow for table in standings):
        return []
    parts = (f"{table.title}\n{table.full}\n".lstrip("\n") for table in standings)
    return [Attachment(f"{name}.txt", "plain", "\n".join(parts))]
