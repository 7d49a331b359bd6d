"""News of contests, entries and withdrawals, and tournaments with a date or one letter per player."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from random import Random

from django.db import transaction
from django.db.models import F, Max
from django.utils.translation import gettext as _

from games.protocol import Outcome, Side
from pbem.competitions.models import Contest, Edition, Entrant
from pbem.competitions.standings import games
from pbem.competitions.systems.values import Game, withdrawal
from pbem.matches.arbitration import ADJUDICATED, void
from pbem.matches.lifecycle import finish
from pbem.matches.models import Entry, Match, Tournament
from pbem.matches.tournaments import service
from pbem.matches.tournaments.standings import Listed, TournamentSheet, sheet_of
from pbem.players.models import Player
from pbem.ratings.leaderboards import strength_of
from pbem.refusals import Code, Refused

# News of contests, for subscribers in the apps above

SUBJECT = "contest"  # in an event's facts: announced by the contest, not by a letter of its own


@dataclass(frozen=True)
class RoundBegan:
    edition: Edition
    number: int
    now: datetime


@dataclass(frozen=True)
class EditionEnded:
    edition: Edition
    now: datetime


@dataclass(frozen=True)
class Withdrew:
    """A withdrawal; `stopped` are the matches that ended with it."""

    entrant: Entrant
    stopped: tuple[int, ...]
    now: datetime


@dataclass(frozen=True)
class TournamentBegan:
    """All matches of a tournament began at once, without letters of their own."""

    tournament: Tournament
    now: datetime


@dataclass(frozen=True)
class LeftTournament:
    """A player left: `erased` with all results; `stopped` are the matches that ended with it."""

    tournament: Tournament
    player: Player
    reason: str
    erased: bool
    stopped: tuple[int, ...]
    now: datetime


News = RoundBegan | EditionEnded | Withdrew | TournamentBegan | LeftTournament
Subscriber = Callable[[News], None]
_subscribers: list[Subscriber] = []


def subscribe(subscriber: Subscriber) -> None:
    """Adds a subscriber at start-up; it runs in the transaction of the news."""
    if subscriber not in _subscribers:
        _subscribers.append(subscriber)


def tell(news: News) -> None:
    for subscriber in _subscribers:
        subscriber(news)


# Entries and withdrawals

State = Entrant.State


def locked(contest: Contest | int) -> Contest:
    """Returns the contest, read again and locked. Refuses C26 (no such contest)."""
    pk = contest if isinstance(contest, int) else contest.pk
    found = Contest.objects.select_for_update().filter(pk=pk).first()
    if found is None:
        raise Refused(Code.NO_SUCH_CONTEST, number=pk)
    return found


def standing_entry(contest: Contest, player: Player) -> Entrant | None:
    """Returns the entry with which the player takes part or waits. None without one."""
    rows = contest.entrants.filter(player=player, state__in=(State.ENTERED, State.PLAYING))
    return rows.exclude(edition__ended_at__isnull=False).order_by("-pk").first()


@transaction.atomic
def enter(contest: Contest, player: Player, *, always: bool | None = None, now: datetime) -> Entrant:
    """Enters the player for this edition or the next; a ladder or a hill is joined at the bottom.

    `always` enters each edition; None is the default: True in a league, False in another series. Calling it
    again changes `always`. Refuses C26 to C28 and C31.
    """
    contest = locked(contest)
    if not contest.takes_entries():
        raise Refused(Code.ENTRIES_CLOSED, text=contest.name)
    found = standing_entry(contest, player)
    if found is not None and not (found.edition and contest.system == Contest.System.SELF_STARTING):
        if not contest.is_series or always in (None, found.always):
            raise Refused(Code.ENTERED_ALREADY, text=contest.name)
        found.always = bool(always)
        found.save(update_fields=["always"])
        return found
    waiting = contest.entrants.filter(edition=None, state=State.ENTERED)
    if not contest.is_series and waiting.count() >= contest.chosen.most():
        raise Refused(Code.CONTEST_FULL, text=contest.name)
    entrant = Entrant(contest=contest, player=player, entered_at=now)
    entrant.always = contest.system == Contest.System.LEAGUE if always is None else always
    if contest.has_order and contest.last is not None:
        _join_below(entrant, contest.last, now)
    entrant.save()
    return entrant


@transaction.atomic
def leave(contest: Contest, player: Player, *, reason: str = "", now: datetime) -> Entrant:
    """Leaves before the beginning, or withdraws after it. Refuses C26 and C29."""
    contest = locked(contest)
    entrant = standing_entry(contest, player)
    if entrant is None:
        raise Refused(Code.NOT_ENTERED, text=contest.name)
    if entrant.edition is None:
        entrant.state, entrant.always, entrant.reason = State.LEFT, False, reason
        entrant.save(update_fields=["state", "always", "reason"])
        return entrant
    return withdraw_entrant(entrant, reason=reason, now=now)


@transaction.atomic
def withdraw_entrant(entrant: Entrant, *, reason: str, now: datetime) -> Entrant:
    """Withdraws a playing entrant: erases early results, or loses open matches by default.

    Before half of their matches are over, all results are erased in systems where all players meet.
    Afterwards open matches are lost. Neither is rated. Refuses C29 (not playing).
    """
    contest = locked(entrant.contest_id)
    entrant.refresh_from_db()
    edition = entrant.edition
    if entrant.state != State.PLAYING or edition is None or edition.ended_at is not None:
        raise Refused(Code.NOT_ENTERED, text=contest.name)
    erased = _is_no_player(entrant, edition)
    stopped = [stop(match, entrant.player, erased=erased, now=now) for match in _open(entrant, edition)]
    entrant.state = State.ERASED if erased else State.WITHDRAWN
    entrant.reason, entrant.always = reason, False
    entrant.save(update_fields=["state", "reason", "always"])
    if entrant.position is not None:
        rest = edition.entrants.filter(position__gt=entrant.position)
        entrant.position = None
        entrant.save(update_fields=["position"])
        rest.update(position=F("position") - 1)
    contest.entrants.filter(player=entrant.player, edition=None, state=State.ENTERED).update(state=State.LEFT)
    tell(Withdrew(entrant, tuple(match.pk for match in stopped), now))
    return entrant


def _is_no_player(entrant: Entrant, edition: Edition) -> bool:
    chosen = edition.contest.chosen
    if not chosen.erases():
        return False
    own = [game for game in games(edition) if entrant.player_id in (game.first, game.second)]
    planned = max(len(own), chosen.planned(edition.entrants.count()))
    return withdrawal(entrant.player_id, own, planned).erased


def _open(entrant: Entrant, edition: Edition) -> list[Match]:
    mine = edition.matches().filter(seats__player=entrant.player)
    return list(mine.filter(status__in=(Match.Status.PLAYING, Match.Status.PROPOSED)).locked())


def stop(match: Match, player: Player, *, erased: bool, now: datetime) -> Match:
    """Voids the match, or ends it as lost, without a letter of its own. `ADJUDICATED` keeps it unrated."""
    if erased or match.status == Match.Status.PROPOSED:
        void(match, reason=_("withdrawn"), now=now, **{SUBJECT: True})
    else:
        side = next(seat.side for seat in match.seated if seat.player_id == player.pk)
        finish(match, Outcome(Side(1 - side), ADJUDICATED), now=now, side=None, **{SUBJECT: True})
    return match


def _join_below(entrant: Entrant, edition: Edition, now: datetime) -> None:
    last = edition.entrants.aggregate(last=Max("position"))["last"] or 0
    entrant.edition, entrant.state, entrant.position = edition, State.PLAYING, last + 1
    entrant.played_at = now
    entrant.rating = strength_of(entrant.player, entrant.contest.game_name, now).rating


log = logging.getLogger(__name__)
Status = Match.Status
OPEN = (Status.PLAYING, Status.PROPOSED)


@transaction.atomic
def begin(
    tournament: Tournament, lots: Sequence[int], *, at_once: bool, now: datetime, rng: Random
) -> list[Match]:
    """Begins as `service.begin` does; all matches at once are announced in one letter per player."""
    facts = {SUBJECT: tournament.pk} if at_once else {}
    matches = service.begin(tournament, lots, at_once=at_once, now=now, rng=rng, **facts)
    return _told(tournament, matches, now, at_once=at_once)


@transaction.atomic
def begin_round_robin(
    tournament: Tournament, players: Sequence[Player], *, at_once: bool, now: datetime, rng: Random
) -> list[Match]:
    """Begins as `service.begin_round_robin` does, with the same single letter."""
    facts = {SUBJECT: tournament.pk} if at_once else {}
    matches = service.begin_round_robin(tournament, players, at_once=at_once, now=now, rng=rng, **facts)
    return _told(tournament, matches, now, at_once=at_once)


def _told(tournament: Tournament, matches: list[Match], now: datetime, *, at_once: bool) -> list[Match]:
    if at_once:
        tell(TournamentBegan(tournament, now))
    return matches


def sweep(*, now: datetime, rng: Random) -> None:
    """Begins the tournaments that are due; a failure does not delay the others."""
    due = Tournament.objects.filter(begins_at__lte=now, begun=0).order_by("pk")
    for pk in list(due.values_list("pk", flat=True)):
        try:
            begin_due(pk, now=now, rng=rng)
        except Refused as too_few:  # waits for more players, or for the organiser
            log.info("tournament %s does not begin: %s", pk, too_few)
        except Exception:
            log.exception("tournament %s", pk)


@transaction.atomic
def begin_due(pk: int, *, now: datetime, rng: Random) -> None:
    """Begins with the players entered by now. A concurrent second call does nothing. Refuses D10."""
    tournament = Tournament.objects.select_for_update().get(pk=pk)
    if tournament.begun or tournament.begins_at is None or tournament.begins_at > now:
        return
    lots = [player.pk for player in service.drawn(tournament)]
    begin(tournament, lots, at_once=tournament.begins_at_once, now=now, rng=rng)


@dataclass(frozen=True)
class Leaving:
    """The effect of a withdrawal: `erased` results, matches `over` and `open`, and opponents affected."""

    erased: bool
    over: int
    open: tuple[int, ...]
    opponents: int


def leaving(tournament: Tournament, player: Player) -> Leaving:
    """Returns the effect of a withdrawal. Writes nothing."""
    sheet = sheet_of(tournament)
    own = [match for match in sheet.matches if player.pk in match.players]
    still = [match for match in own if match.status in OPEN]
    opponents = {other for match in still for other in match.players} - {player.pk}
    over = sum(match.status == Status.OVER for match in own)
    return Leaving(
        _is_erased(sheet, own, player.pk), over, tuple(match.match for match in still), len(opponents)
    )


@transaction.atomic
def withdraw(tournament: Tournament, player: Player, *, reason: str, now: datetime) -> Leaving:
    """Removes the player from the list before the beginning, else withdraws them.

    Before half of their matches are over, a round robin erases all their results and voids open matches.
    Afterwards open matches are lost by default. Open matches are not rated; rated ones stay rated. Refuses
    C29 (not taking part).
    """
    locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
    entry = locked.entries.filter(player=player, withdrawn_at=None).first()
    if entry is None:
        raise Refused(Code.NOT_ENTERED, text=locked.name)
    what = leaving(locked, player)
    for match in Match.objects.filter(pk__in=what.open).locked():
        stop(match, player, erased=what.erased, now=now)
    if locked.takes_entries:
        entry.delete()
    else:
        _keep(entry, reason, now, erased=what.erased)
    tell(LeftTournament(locked, player, reason, what.erased and bool(what.over), what.open, now))
    return what


def _keep(entry: Entry, reason: str, now: datetime, *, erased: bool) -> None:
    entry.withdrawn_at, entry.reason, entry.erased = now, reason, erased
    entry.save(update_fields=["withdrawn_at", "reason", "erased"])


def _is_erased(sheet: TournamentSheet, own: Sequence[Listed], player: int) -> bool:
    """Returns whether results are erased. They stay with pairings of the organiser."""
    paired = sum(not entry.guest for entry in sheet.entries)
    if sheet.system == Tournament.System.PAIRINGS or not own:
        return False
    games = [
        Game(*match.players, 0.5 if match.status == Status.OVER else None)
        for match in own
        if match.status in (Status.PLAYING, Status.OVER)
    ]
    planned = (paired - 1) * (2 if sheet.system == Tournament.System.DOUBLE else 1)
    return withdrawal(player, games, max(len(games), planned)).erased
