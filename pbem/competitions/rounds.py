"""Begins and ends editions and rounds, within a lock of the contest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from random import Random

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext, override

from pbem.competitions.entries import locked
from pbem.competitions.models import Competition, Edition, Entrant
from pbem.competitions.news import SUBJECT, EditionEnded, RoundBegan, tell
from pbem.competitions.pairings import Pairing
from pbem.competitions.standings import games, lines, seen, timed_out
from pbem.competitions.systems.ladder import inactive
from pbem.competitions.systems.round_robin import FINAL, Groups, League, divisions, grouped
from pbem.competitions.systems.values import Draw, StandingsInput
from pbem.competitions.systems.values import Entrant as Drawn
from pbem.competitions.tournaments import begin_all
from pbem.matches.models import Match, Tournament
from pbem.players.models import Player
from pbem.ratings.leaderboards import strengths_of
from pbem.refusals import Code, Refused

State = Entrant.State
BETWEEN_SEASONS = timedelta(days=14)


@dataclass(frozen=True)
class Preview:
    """The first round before it begins: `pairs` by name with their table, byes, and `meet` by player key."""

    meet: frozenset[frozenset[int]]
    pairs: tuple[tuple[str, str, str], ...]
    byes: tuple[str, ...]
    letters: int


def preview(contest: Competition, now: datetime) -> Preview:
    """Returns the first round as it would begin now. Writes nothing. Refuses C30 (too few or too many)."""
    waiting = _waiting(contest)
    names = {entrant.player_id: entrant.player.name for entrant in waiting}
    draw = _first_draw(contest, _drawn(waiting, contest, now))
    pairs = tuple((names[pair.first], names[pair.second], pair.table) for pair in draw.pairs)
    meet = frozenset(frozenset((pair.first, pair.second)) for pair in draw.pairs)
    return Preview(meet, pairs, tuple(names[player] for player in draw.byes), len(waiting))


def proposed_groups(contest: Competition, now: datetime) -> list[list[Entrant]]:
    """Returns the groups of the waiting players. Empty when the system has none."""
    waiting = {entrant.player_id: entrant for entrant in _waiting(contest)}
    if not isinstance(contest.chosen, Groups) or not waiting:
        return []
    groups = grouped(_drawn(list(waiting.values()), contest, now), contest.chosen.size)
    return [[waiting[player] for player in group] for group in groups]


@transaction.atomic
def choose_groups(contest: Competition, chosen: Mapping[int, int]) -> None:
    """Sets the groups of waiting players, from 1; the ratings decide without. Refuses C27 (it has begun)."""
    contest = locked(contest)
    if contest.last is not None or contest.closed_at is not None:
        raise Refused(Code.ENTRIES_CLOSED, text=contest.name)
    waiting = _waiting(contest)
    for entrant in waiting:
        entrant.division = chosen.get(entrant.player_id, 0)
    Entrant.objects.bulk_update(waiting, ["division"], batch_size=200)


@transaction.atomic
def begin_edition(
    contest: Competition, *, now: datetime, rng: Random, players: Sequence[int] | None = None
) -> Edition:
    """Begins with all waiting players, or with these. Refuses C27 (begun) and C30 (too few or too many)."""
    contest = locked(contest)
    if contest.closed_at is not None or (contest.last is not None and not contest.is_series):
        raise Refused(Code.ENTRIES_CLOSED, text=contest.name)
    waiting = [row for row in _waiting(contest) if players is None or row.player_id in players]
    drawn = _drawn(waiting, contest, now)
    _first_draw(contest, drawn)  # refuses before anything is written
    number = contest.last.number + 1 if contest.last else 1
    edition = Edition.objects.create(contest=contest, number=number, began_at=now)
    contest.last = edition
    ordered = (
        [line.player for line in contest.chosen.places(StandingsInput(tuple(drawn)))]
        if contest.has_order
        else []
    )
    for row, each in zip(waiting, drawn, strict=True):
        row.edition, row.state, row.rating, row.division = edition, State.PLAYING, each.rating, each.division
        if contest.has_order:
            row.position, row.played_at = ordered.index(row.player_id) + 1, now
    Entrant.objects.bulk_update(
        waiting, ["edition", "state", "rating", "division", "position", "played_at"], batch_size=200
    )
    if contest.begins_at is not None:
        contest.begins_at = None
        contest.save(update_fields=["begins_at"])
    if contest.system == Competition.System.LEAGUE:
        _keep_divisions(edition)
    begin_round(edition, now=now, rng=rng)
    return edition


@transaction.atomic
def begin_round(edition: Edition, *, now: datetime, rng: Random) -> bool:
    """Begins the next round; returns False after the last."""
    contest = edition.contest
    draw = contest.chosen.draw(seen(edition))
    if draw is None:
        return False
    edition.begun += 1
    days = contest.chosen.days
    edition.round_ends_at = now + timedelta(days=days) if days else None
    edition.save(update_fields=["begun", "round_ends_at"])
    _write_byes(edition, draw.byes)
    players = Player.objects.in_bulk({player for pair in draw.pairs for player in (pair.first, pair.second)})
    pairs = sorted(draw.pairs, key=lambda pair: pair.table)
    for label, together in groupby(pairs, key=lambda pair: pair.table):
        pairings = [Pairing(players[p.first], players[p.second], contest.game_name) for p in together]
        play(edition, label, pairings, now=now, rng=rng)
    if contest.has_order and edition.begun == 1:
        table_of(edition, "", now)  # for matches of challenges
    tell(RoundBegan(edition, edition.begun, now))
    return True


def play(
    edition: Edition, label: str, pairings: Sequence[Pairing], *, now: datetime, rng: Random, number: int = 0
) -> list[Match]:
    """Begins the matches of a round at one table. Letters of the contest announce them."""
    tournament = table_of(edition, label, now)
    tournament.enter([player for pairing in pairings for player in (pairing.first, pairing.second)])
    number = number or edition.begun
    tournament.begun = number
    tournament.save(update_fields=["begun"])
    return begin_all(pairings, tournament, number=number, now=now, rng=rng, **{SUBJECT: edition.pk})


def table_of(edition: Edition, label: str, now: datetime) -> Tournament:
    """Returns the tournament that holds the matches of the label; creates it at the first call."""
    if found := edition.tables.filter(label=label).first():
        return found
    contest = edition.contest
    return Tournament.objects.create(
        competition=contest,
        edition=edition,
        label=label,
        name=_free_name(" ".join(filter(None, (str(edition), _title(label))))),
        game_name=contest.game_name,
        terms=contest.terms,
        created_at=now,
    )


@transaction.atomic
def end_edition(edition: Edition, *, now: datetime) -> None:
    """Writes the final places, once, and prepares the next edition of a series."""
    if edition.ended_at is not None:
        return
    contest = edition.contest
    rows = {row.player_id: row for row in edition.entrants.all()}
    final = lines(edition)
    places = contest.chosen.overall(final)
    for line in final:
        row = rows[line.player]
        row.table, row.place, row.points = line.table, places[line.player], line.points
        if row.state == State.PLAYING:
            row.state = State.FINISHED
    Entrant.objects.bulk_update(rows.values(), ["table", "place", "points", "state"], batch_size=200)
    edition.ended_at, edition.round_ends_at = now, None
    edition.save(update_fields=["ended_at", "round_ends_at"])
    if contest.is_series:
        _after_a_series(edition, rows, now)
    else:
        contest.closed_at = now
        contest.save(update_fields=["closed_at"])
    tell(EditionEnded(edition, now))


def _after_a_series(edition: Edition, rows: dict[int, Entrant], now: datetime) -> None:
    """Removes players who lost on time too often; in a league, enters the others with `always` again."""
    contest = edition.contest
    asleep = inactive(games(edition), timed_out=timed_out(edition))
    waiting = contest.entrants.filter(edition=None, state=State.ENTERED)
    waiting.filter(player__in=asleep).update(state=State.ASLEEP)
    edition.entrants.filter(player__in=asleep, state=State.FINISHED).update(state=State.ASLEEP)
    if not isinstance(contest.chosen, League):
        return
    following = contest.chosen.following(seen(edition))
    enter_again(
        contest,
        [row.player_id for row in rows.values() if row.always and row.player_id in following.keys() - asleep],
        divisions=following,
        now=now,
    )
    contest.begins_at = now + BETWEEN_SEASONS
    contest.save(update_fields=["begins_at"])


def enter_again(
    contest: Competition, players: Iterable[int], *, divisions: Mapping[int, int] | None = None, now: datetime
) -> None:
    """Enters the players for the next edition, except those already waiting."""
    waiting = contest.entrants.filter(edition=None, state=State.ENTERED)
    known = set(waiting.values_list("player", flat=True))
    Entrant.objects.bulk_create(
        Entrant(
            contest=contest,
            player_id=player,
            always=True,
            entered_at=now,
            division=(divisions or {}).get(player, 0),
        )
        for player in players
        if player not in known
    )


def _keep_divisions(edition: Edition) -> None:
    """Writes the divisions of the season."""
    chosen = edition.contest.chosen
    assert isinstance(chosen, League)
    for label, players in divisions(seen(edition).entrants, chosen.size).items():
        edition.entrants.filter(player__in=players).update(division=int(label))


def _waiting(contest: Competition) -> list[Entrant]:
    rows = contest.entrants.filter(edition=None, state=State.ENTERED).select_related("player")
    return list(rows.order_by("pk"))


def _drawn(rows: Sequence[Entrant], contest: Competition, now: datetime) -> list[Drawn]:
    known = strengths_of([row.player_id for row in rows], contest.game_name, now)
    return [Drawn(row.player_id, known[row.player_id].rating, division=row.division) for row in rows]


def _first_draw(contest: Competition, drawn: Sequence[Drawn]) -> Draw:
    try:
        contest.chosen.rounds(len(drawn))
    except ValueError:
        least, most = contest.chosen.least(), contest.chosen.most()
        raise Refused(Code.WRONG_NUMBER, text=f"{len(drawn)}, {least}-{most}") from None
    return contest.chosen.draw(StandingsInput(tuple(drawn))) or Draw(())


def _write_byes(edition: Edition, byes: Sequence[int]) -> None:
    for row in edition.entrants.filter(player__in=byes):
        row.byes = [*row.byes, edition.begun]
        row.save(update_fields=["byes"])


def _title(label: str) -> str:
    with override(settings.LANGUAGE_CODE):
        return gettext("final") if label == FINAL else label


def _free_name(name: str) -> str:
    # A tournament of the organiser may have the name.
    names = (name if number == 1 else f"{name} ({number})" for number in range(1, 100))
    return next(each for each in names if not Tournament.objects.filter(name=each).exists())
