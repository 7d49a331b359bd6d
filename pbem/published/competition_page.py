"""Competitions that their organiser shows: tables, which name only players who have said so, and matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.utils.translation import gettext, gettext_lazy

from pbem.competitions.cross_table import sheet_of, standings
from pbem.competitions.models import Competition
from pbem.competitions.standings import seen
from pbem.competitions.systems.knockout import By, Duel, Knockout
from pbem.matches.models import Match, Tournament
from pbem.outbox.rendering.contest_tables import Standing, crossed, halves, kind, standings_of
from pbem.players.models import Player
from pbem.published import lists
from pbem.published.visible import is_named, step_of

MOST = 60
UNNAMED = Player.Site.UNNAMED
LAST_STAGES = (gettext_lazy("Final"), gettext_lazy("Semi-finals"), gettext_lazy("Quarter-finals"))
DECIDED = {
    By.QUICKER: gettext_lazy("Quicker win: %(name)s"),
    By.SEED: gettext_lazy("Higher seed: %(name)s"),
    By.WITHDRAWN: gettext_lazy("Withdrew: %(other)s"),
}


@dataclass(frozen=True)
class Cell:
    """A duel in the bracket, over `height` lines: each player's name and points, and whether they have won it."""

    sides: Sequence[tuple[str, str, bool]]
    note: str
    height: int


@dataclass(frozen=True)
class Bracket:
    """Its stages, and the duels by line."""

    stages: Sequence[str]
    lines: Sequence[Sequence[Cell]]


@dataclass(frozen=True)
class CompetitionPage:
    """A competition. `names` are those of its players here, by key.

    It is `indexed` when all of its players want search engines to keep what names them.
    """

    competition: Competition
    names: Mapping[int, str]
    people: frozenset[str]  # names that have a page
    indexed: bool

    @property
    def is_over(self) -> bool:
        edition = self.competition.last
        return self.competition.closed_at is not None or (
            edition is not None and edition.ended_at is not None
        )

    @property
    def kind(self) -> str:
        return kind(self.competition)

    @property
    def entered(self) -> Sequence[str]:
        """Returns those who wait for the beginning, or for the next edition."""
        if tournament := _by_hand(self.competition):
            waiting = tournament.players() if tournament.takes_entries else Player.objects.none()
            return [self.names[player] for player in waiting.values_list("pk", flat=True)]
        entered = self.competition.entrants.filter(edition=None, state="entered").order_by("pk")
        return [self.names[player] for player in entered.values_list("player", flat=True)]

    @property
    def bracket(self) -> Bracket | None:
        """Returns the bracket of a knockout. None before it begins, and of any other kind."""
        edition, chosen = self.competition.last, not _by_hand(self.competition) and self.competition.chosen
        lines = chosen.bracket(seen(edition)) if edition and isinstance(chosen, Knockout) else []
        if not lines:
            return None
        count = len(lines[0])
        stages = [gettext("Round %(number)s") % {"number": number} for number in range(1, count + 1)]
        stages[-len(LAST_STAGES) :] = map(str, reversed(LAST_STAGES[:count]))
        return Bracket(stages, [[self._cell(duel, height) for duel, height in line] for line in lines])

    def _cell(self, duel: Duel, height: int) -> Cell:
        names = [self.names.get(player, "…") for player in duel.players]
        points = [halves(each) for each in duel.points] or [""] * len(names)
        won = [player == duel.winner != 0 for player in duel.players]
        note = gettext("bye") if len(names) == 1 else ""
        if duel.by in DECIDED:
            other, name = (names[won.index(each)] for each in (False, True))
            note = DECIDED[duel.by] % {"name": name, "other": other}
        return Cell(list(zip(names, points, won, strict=True)), note, height)

    @property
    def tables(self) -> Sequence[Standing]:
        edition, tournament = self.competition.last, _by_hand(self.competition)
        if tournament:
            told = [Standing("", crossed(standings(tournament)))] if tournament.begun else []
        else:
            told = list(standings_of(edition)) if edition else []
        return [self._told(table) for table in told]

    def matches(self, now: datetime) -> Sequence[lists.Row]:
        """Returns those of the last edition that are named: a table would tell who the others are."""
        rows = Match.objects.filter(
            tournament__competition=self.competition, tournament__edition=self.competition.last
        )
        keys = rows.order_by("-pk").values_list("pk", flat=True)[:MOST]
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


def competitions_called(text: str) -> Sequence[Competition]:
    """Returns the public competitions with the text in their name."""
    found = Competition.objects.filter(public=True, name__icontains=text) if text else ()
    return list(found[:MOST])


def unnamed_in(competition: Competition, now: datetime) -> int:
    """Counts the players whom the page of the competition would not name."""
    return sum(not is_named(player, now) for player in _players(competition))


def _page(competition: Competition, now: datetime) -> CompetitionPage:
    players = _players(competition)
    people = {player.pk: player.name for player in players if is_named(player, now)}
    names = {
        player.pk: people.get(player.pk) or gettext("Player %(n)s") % {"n": number}
        for number, player in enumerate(players, start=1)
    }
    indexed = all(step_of(player, now) is Player.Site.INDEXED for player in players)
    return CompetitionPage(competition, names, frozenset(people.values()), indexed)


def _players(competition: Competition) -> Sequence[Player]:
    if tournament := _by_hand(competition):
        return list(sheet_of(tournament).players.values())
    entrants = competition.entrants.select_related("player").order_by("pk")
    return list({entrant.player_id: entrant.player for entrant in entrants}.values())


def _by_hand(competition: Competition) -> Tournament | None:
    """Returns the tournament of a competition in which an organiser begins each round."""
    return competition.tournaments.get() if competition.is_by_hand else None
