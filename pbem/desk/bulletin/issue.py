"""What stands in a number of a bulletin: read from the database once, then only looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db.models import Prefetch, QuerySet
from django.utils import translation

from games.protocol import Notation
from pbem.analysis.models import Puzzle
from pbem.desk.bulletin.games import Told, told
from pbem.desk.bulletin.puzzle import Task, printed_in, task
from pbem.matches.models import Bulletin, Match, Seat, Tournament
from pbem.matches.tournaments.table import Meeting, Row, cross_table
from pbem.players.models import Player, PrintName

Status = Match.Status


@dataclass(frozen=True)
class Issue:
    """`table` is of the moment `until`; `results` are what ended after `since`, `comments` those of which the
    organiser tells more, and older ones of which they do so only now. `private` matches are left out of all that."""

    event: str
    number: int
    language: str
    words: str
    since: datetime | None
    until: datetime
    table: Sequence[Row[Player]]
    names: Mapping[int, str]
    results: Sequence[Told]
    comments: Sequence[Told]
    puzzle: Task | None
    over: int
    going_on: int
    private: int

    def name(self, player: Player) -> str:
        return self.names.get(player.pk, player.name)


def issue_of(bulletin: Bulletin, puzzle: Puzzle | None = None) -> Issue:
    """As the matches are now: a result that was taken back since is not in it. A number that is not saved yet is told
    its puzzle."""
    language = bulletin.language or settings.LANGUAGE_CODE
    tournament, until = bulletin.tournament, bulletin.until
    everything = list(_matches(tournament))
    open_ones = [match for match in everything if not match.agreed.private]
    over = [match for match in open_ones if _is_over(match, until)]
    players = {seat.player_id: seat.player for match in open_ones for seat in match.seated}
    players = {player.pk: player for player in tournament.players()} | players
    names = PrintName.objects.of(players)
    with translation.override(language):
        notation = Notation(language)
        fresh = [match for match in over if _is_new(match.ended_at, bulletin)]
        puzzle = puzzle or printed_in(bulletin)
        set_task = task(puzzle, notation) if puzzle else None
        results = {match.pk: _told(match, names, notation) for match in fresh}
        comments = [
            results.get(match.pk) or _told(match, names, notation)
            for match in over
            if hasattr(match, "commentary") and _is_new(_told_since(match), bulletin)
        ]
    return Issue(
        event=tournament.name,
        number=bulletin.number,
        language=language,
        words=bulletin.words,
        since=bulletin.since,
        until=until,
        table=_table(list(players.values()), open_ones, until),
        names=names,
        results=list(results.values()),
        comments=comments,
        puzzle=set_task,
        over=len(over),
        going_on=len(open_ones) - len(over),
        private=len(everything) - len(open_ones),
    )


def next_bulletin(tournament: Tournament, *, language: str, words: str, now: datetime) -> Bulletin:
    """The number after the last one, from where that ends. Not saved."""
    last = tournament.bulletins.order_by("-number").first()
    return Bulletin(
        tournament=tournament,
        number=last.number + 1 if last else 1,
        language=language,
        words=words,
        since=last.until if last else None,
        until=now,
    )


def _matches(tournament: Tournament) -> QuerySet[Match]:
    """Those that are or were played, in the order of their ends; five questions."""
    seats = Seat.objects.select_related("player").order_by("side")
    played = tournament.matches.filter(status__in=(Status.PLAYING, Status.OVER))
    return (
        played.select_related("commentary")
        .prefetch_related(Prefetch("seats", seats), "commentary__positions")
        .order_by("ended_at", "pk")
    )


def _is_over(match: Match, until: datetime) -> bool:
    return match.status == Status.OVER and match.ended_at is not None and match.ended_at <= until


def _is_new(moment: datetime | None, bulletin: Bulletin) -> bool:
    if moment is None or moment > bulletin.until:
        return False
    return bulletin.since is None or moment > bulletin.since


def _told_since(match: Match) -> datetime | None:
    """When there was both a result and something to say of it: a number that is out stays as it was."""
    return max(match.ended_at, match.commentary.written_at) if match.ended_at else None


def _told(match: Match, names: Mapping[int, str], notation: Notation) -> Told:
    first, second = (names.get(seat.player_id, seat.player.name) for seat in match.seated)
    return told(match, (first, second), notation)


def _table(players: Sequence[Player], matches: Sequence[Match], until: datetime) -> Sequence[Row[Player]]:
    by_number = {player.pk: player for player in players}

    def points(match: Match) -> float | None:
        if not _is_over(match, until):
            return None
        return 0.5 if match.winner is None else float(match.winner == 0)

    meetings = []
    for match in sorted(matches, key=lambda match: match.pk):
        first, second = (by_number[seat.player_id] for seat in match.seated)
        meetings.append(Meeting(first, second, points(match), match.pk))
    return cross_table(players, meetings)
