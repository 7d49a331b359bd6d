"""Contests that their organiser shows: tables, which name only players who have said so, and matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.utils.translation import gettext

from pbem.competitions.models import Contest, Edition
from pbem.outbox.rendering.contest_tables import Standing, standings_of
from pbem.players.models import Player
from pbem.published import lists
from pbem.published.visible import is_named

MOST = 60
UNNAMED = Player.Site.UNNAMED


@dataclass(frozen=True)
class CompetitionPage:
    """A contest. `names` are those of its players here, by key."""

    contest: Contest
    names: Mapping[int, str]
    people: frozenset[str]  # names that have a page

    @property
    def is_over(self) -> bool:
        edition = self.contest.last
        return self.contest.closed_at is not None or (edition is not None and edition.ended_at is not None)

    @property
    def entered(self) -> Sequence[str]:
        """Returns those who wait for the next edition."""
        waiting = self.contest.entrants.filter(edition=None, state="entered").order_by("pk")
        return [self.names[player] for player in waiting.values_list("player", flat=True)]

    @property
    def tables(self) -> Sequence[Standing]:
        edition = self.contest.last
        return [self._told(table) for table in standings_of(edition)] if edition else []

    def matches(self, now: datetime) -> Sequence[lists.Row]:
        """Returns those of the last edition that are named: a table would tell who the others are."""
        edition: Edition | None = self.contest.last
        keys = edition.matches().order_by("-pk").values_list("pk", flat=True)[:MOST] if edition else ()
        return [row for row in lists.of(list(keys), now) if row.shown.step is not UNNAMED]

    def _told(self, table: Standing) -> Standing:
        return replace(table, rows=tuple(replace(row, name=self.names[row.player]) for row in table.rows))


def competition_page(number: int, now: datetime) -> CompetitionPage | None:
    """Returns a public contest by its number. None when there is none."""
    contest = Contest.objects.filter(pk=number, public=True).first()
    return _page(contest, now) if contest else None


def competition_pages(now: datetime) -> Sequence[CompetitionPage]:
    """Returns the public contests, those that are open first."""
    rows = Contest.objects.filter(public=True).order_by("-pk")[:MOST]
    return sorted((_page(contest, now) for contest in rows), key=lambda page: page.is_over)


def open_contests() -> Sequence[Contest]:
    """Returns the public contests that take entries."""
    rows = Contest.objects.filter(public=True, closed_at=None).order_by("-pk")[:MOST]
    return [contest for contest in rows if contest.takes_entries()]


def unnamed_in(contest: Contest, now: datetime) -> int:
    """Counts the players whom the page of the contest would not name."""
    return sum(not is_named(player, now) for player in _players(contest))


def _page(contest: Contest, now: datetime) -> CompetitionPage:
    names, people = {}, set()
    for number, player in enumerate(_players(contest), start=1):
        if is_named(player, now):
            people.add(player.name)
        names[player.pk] = player.name if is_named(player, now) else gettext("Player %(n)s") % {"n": number}
    return CompetitionPage(contest, names, frozenset(people))


def _players(contest: Contest) -> Sequence[Player]:
    entrants = contest.entrants.select_related("player").order_by("pk")
    return list({entrant.player_id: entrant.player for entrant in entrants}.values())
