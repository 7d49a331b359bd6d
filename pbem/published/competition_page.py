"""Competitions that their organiser shows: tables, which name only players who have said so, and matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.utils.translation import gettext

from pbem.competitions.models import Competition, Edition
from pbem.outbox.rendering.contest_tables import Standing, standings_of
from pbem.players.models import Player
from pbem.published import lists
from pbem.published.visible import is_named

MOST = 60
UNNAMED = Player.Site.UNNAMED


@dataclass(frozen=True)
class CompetitionPage:
    """A competition. `names` are those of its players here, by key."""

    competition: Competition
    names: Mapping[int, str]
    people: frozenset[str]  # names that have a page

    @property
    def is_over(self) -> bool:
        edition = self.competition.last
        return self.competition.closed_at is not None or (
            edition is not None and edition.ended_at is not None
        )

    @property
    def entered(self) -> Sequence[str]:
        """Returns those who wait for the next edition."""
        waiting = self.competition.entrants.filter(edition=None, state="entered").order_by("pk")
        return [self.names[player] for player in waiting.values_list("player", flat=True)]

    @property
    def tables(self) -> Sequence[Standing]:
        edition = self.competition.last
        return [self._told(table) for table in standings_of(edition)] if edition else []

    def matches(self, now: datetime) -> Sequence[lists.Row]:
        """Returns those of the last edition that are named: a table would tell who the others are."""
        edition: Edition | None = self.competition.last
        keys = edition.matches().order_by("-pk").values_list("pk", flat=True)[:MOST] if edition else ()
        return [row for row in lists.of(list(keys), now) if row.shown.step is not UNNAMED]

    def _told(self, table: Standing) -> Standing:
        return replace(table, rows=tuple(replace(row, name=self.names[row.player]) for row in table.rows))


def competition_page(number: int, now: datetime) -> CompetitionPage | None:
    """Returns a public competition by its number. None when there is none."""
    competition = Competition.objects.filter(pk=number, public=True).first()
    return _page(competition, now) if competition else None


def competition_pages(now: datetime) -> Sequence[CompetitionPage]:
    """Returns the public competitions, those that are open first."""
    rows = Competition.objects.filter(public=True).order_by("-pk")[:MOST]
    return sorted((_page(competition, now) for competition in rows), key=lambda page: page.is_over)


def open_competitions() -> Sequence[Competition]:
    """Returns the public competitions that take entries."""
    rows = Competition.objects.filter(public=True, closed_at=None).order_by("-pk")[:MOST]
    return [competition for competition in rows if competition.takes_entries()]


def unnamed_in(competition: Competition, now: datetime) -> int:
    """Counts the players whom the page of the competition would not name."""
    return sum(not is_named(player, now) for player in _players(competition))


def _page(competition: Competition, now: datetime) -> CompetitionPage:
    names, people = {}, set()
    for number, player in enumerate(_players(competition), start=1):
        if is_named(player, now):
            people.add(player.name)
        names[player.pk] = player.name if is_named(player, now) else gettext("Player %(n)s") % {"n": number}
    return CompetitionPage(competition, names, frozenset(people))


def _players(competition: Competition) -> Sequence[Player]:
    entrants = competition.entrants.select_related("player").order_by("pk")
    return list({entrant.player_id: entrant.player for entrant in entrants}.values())
