"""Tournaments of the organiser's: begun with one letter for each player, begun by their date, and left by players."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from random import Random

from django.db import transaction

from pbem.contests.entries import stop
from pbem.contests.news import SUBJECT, LeftTournament, TournamentBegan, tell
from pbem.contests.systems.values import Game
from pbem.contests.systems.withdrawal import withdrawal
from pbem.matches.models import Entry, Match, Tournament
from pbem.matches.tournaments import entries, service
from pbem.matches.tournaments.sheet import Listed, Sheet, sheet_of
from pbem.players.models import Player
from pbem.refusals import Code, Refused

log = logging.getLogger(__name__)
Status = Match.Status
OPEN = (Status.PLAYING, Status.PROPOSED)


@transaction.atomic
def begin(
    tournament: Tournament, lots: Sequence[int], *, at_once: bool, now: datetime, rng: Random
) -> list[Match]:
    """As `entries.begin`; all matches at once bring each player one letter in place of many."""
    facts = {SUBJECT: tournament.pk} if at_once else {}
    matches = entries.begin(tournament, lots, at_once=at_once, now=now, rng=rng, **facts)
    return _told(tournament, matches, now, at_once=at_once)


@transaction.atomic
def begin_round_robin(
    tournament: Tournament, players: Sequence[Player], *, at_once: bool, now: datetime, rng: Random
) -> list[Match]:
    """As `service.begin_round_robin`, with the same one letter."""
    facts = {SUBJECT: tournament.pk} if at_once else {}
    matches = service.begin_round_robin(tournament, players, at_once=at_once, now=now, rng=rng, **facts)
    return _told(tournament, matches, now, at_once=at_once)


def _told(tournament: Tournament, matches: list[Match], now: datetime, *, at_once: bool) -> list[Match]:
    if at_once:
        tell(TournamentBegan(tournament, now))
    return matches


def sweep(*, now: datetime, rng: Random) -> None:
    """Begins those whose date has come; one that fails keeps no other waiting."""
    due = Tournament.objects.filter(begins_at__lte=now, begun=0).order_by("pk")
    for pk in list(due.values_list("pk", flat=True)):
        try:
            begin_due(pk, now=now, rng=rng)
        except Refused as too_few:  # it waits for more, or for the organiser
            log.info("tournament %s does not begin: %s", pk, too_few)
        except Exception:
            log.exception("tournament %s", pk)


@transaction.atomic
def begin_due(pk: int, *, now: datetime, rng: Random) -> None:
    """With those who have entered by now. Done twice at once, the second finds nothing to do. Refuses D10."""
    tournament = Tournament.objects.select_for_update().get(pk=pk)
    if tournament.begun or tournament.begins_at is None or tournament.begins_at > now:
        return
    lots = [player.pk for player in entries.drawn(tournament)]
    begin(tournament, lots, at_once=tournament.begins_at_once, now=now, rng=rng)


@dataclass(frozen=True)
class Leaving:
    """What a withdrawal would do: `erased` all their results, so many `over`, and which matches are `open`."""

    erased: bool
    over: int
    open: tuple[int, ...]
    opponents: int


def leaving(tournament: Tournament, player: Player) -> Leaving:
    """Nothing is written."""
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
    """Before it begins they are off the list. Before half of their matches are over all of their results leave the
    table of a round robin, and what is open ends without a result; after that what is open is lost by default. What is
    open is not rated, what was rated stays so. Refuses C29 (they do not take part)."""
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


def _is_erased(sheet: Sheet, own: Sequence[Listed], player: int) -> bool:
    """Where the organiser has paired them results stay, as in a contest whose pairings are made by results."""
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
