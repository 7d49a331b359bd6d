"""Entries in competitions that run by themselves, and withdrawals."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import F, Max
from django.utils.translation import gettext as _

from games.protocol import Outcome, Side
from pbem.competitions.models import Competition, Edition, Entrant
from pbem.competitions.news import SUBJECT, Withdrew, tell
from pbem.competitions.standings import games
from pbem.competitions.systems.values import withdrawal
from pbem.matches.arbitration import ADJUDICATED, void
from pbem.matches.lifecycle import finish
from pbem.matches.models import Match
from pbem.players.models import Player
from pbem.ratings.leaderboards import strength_of
from pbem.refusals import Code, Refused

State = Entrant.State


def locked(contest: Competition | int) -> Competition:
    """Returns the contest, read again and locked. Refuses C26 (no such contest)."""
    pk = contest if isinstance(contest, int) else contest.pk
    found = Competition.objects.automatic().select_for_update().filter(pk=pk).first()
    if found is None:
        raise Refused(Code.NO_SUCH_CONTEST, number=pk)
    return found


def standing_entry(contest: Competition, player: Player) -> Entrant | None:
    """Returns the entry with which the player takes part or waits. None without one."""
    rows = contest.entrants.filter(player=player, state__in=(State.ENTERED, State.PLAYING))
    return rows.exclude(edition__ended_at__isnull=False).order_by("-pk").first()


@transaction.atomic
def enter(contest: Competition, player: Player, *, always: bool | None = None, now: datetime) -> Entrant:
    """Enters the player for this edition or the next; a ladder or a hill is joined at the bottom.

    `always` enters each edition; None is the default: True in a league, False in another series. Calling it
    again changes `always`. Refuses C26 to C28 and C31.
    """
    contest = locked(contest)
    if not contest.takes_entries():
        raise Refused(Code.ENTRIES_CLOSED, text=contest.name)
    found = standing_entry(contest, player)
    if found is not None and not (found.edition and contest.system == Competition.System.SELF_STARTING):
        if not contest.is_series or always in (None, found.always):
            raise Refused(Code.ENTERED_ALREADY, text=contest.name)
        found.always = bool(always)
        found.save(update_fields=["always"])
        return found
    waiting = contest.entrants.filter(edition=None, state=State.ENTERED)
    if not contest.is_series and waiting.count() >= contest.chosen.most():
        raise Refused(Code.CONTEST_FULL, text=contest.name)
    entrant = Entrant(contest=contest, player=player, entered_at=now)
    entrant.always = contest.system == Competition.System.LEAGUE if always is None else always
    if contest.has_order and contest.last is not None:
        _join_below(entrant, contest.last, now)
    entrant.save()
    return entrant


@transaction.atomic
def leave(contest: Competition, player: Player, *, reason: str = "", now: datetime) -> Entrant:
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
