"""Challenges on a ladder and matches for a crown: making, settling, and moving idle players down."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from random import Random

from django.db import transaction

from pbem.competitions.entries import locked
from pbem.competitions.models import Challenge, Competition, Edition, Entrant
from pbem.competitions.news import RoundBegan, tell
from pbem.competitions.pairings import Pairing
from pbem.competitions.rounds import play, table_of
from pbem.competitions.standings import order, seen
from pbem.competitions.systems import ladder
from pbem.competitions.systems.ladder import Ladder, Past, after, idle, lowered, may_challenge
from pbem.matches.events import record_event
from pbem.matches.lifecycle import create
from pbem.matches.matchmaking.eligibility import may_challenge as lets
from pbem.matches.models import Event, Match
from pbem.matches.services import decline
from pbem.players.models import Absence, Player
from pbem.refusals import Code, Refused

State = Entrant.State
_WHY_NOT = {
    "far": Code.TOO_FAR_ABOVE,
    "away": Code.AWAY_FROM_LADDER,
    "busy": Code.CHALLENGE_RUNNING,
    "again": Code.CHALLENGED_LATELY,
}


@transaction.atomic
def challenge(
    contest: Competition,
    challenger: Player,
    challenged: Player,
    *,
    now: datetime,
    rng: Random,
    letter: int | None = None,
) -> Match:
    """Challenges a player above. Answered as any challenge. Refuses C11, C26, C29, C32 to C35."""
    contest = locked(contest)
    edition, chosen = contest.last, contest.chosen
    if edition is None or edition.ended_at or not isinstance(chosen, Ladder):
        raise Refused(Code.NO_SUCH_CONTEST, number=contest.pk)
    players = order(edition)
    if challenger.pk not in players:
        raise Refused(Code.NOT_ENTERED, text=contest.name)
    why = may_challenge(
        chosen, players, challenger.pk, challenged.pk, past=_past(edition), away=away(players, now), now=now
    )
    if why:
        raise Refused(_WHY_NOT[why], name=challenged.name)
    if not lets(challenger, challenged, contest.game_name.partition(":")[0], now):
        raise Refused(Code.NOT_NOW, name=challenged.name)
    side = rng.randrange(2)
    seats = (challenged, challenger) if side else (challenger, challenged)
    match = create(contest.game_name, seats, setup=None, terms=contest.agreed, now=now, rng=rng)
    match.proposer, match.tournament, match.round = challenger, table_of(edition, "", now), 1
    match.save(update_fields=["proposer", "tournament", "round"])
    match.tournament.enter(seats)
    _keep(edition, match, challenger.pk, challenged.pk, now)
    record_event(match, Event.Kind.PROPOSED, now=now, side=side, letter=letter)
    return match


def settle(edition: Edition, *, now: datetime) -> None:
    """Declines challenges past their answer time, and moves players by results, in the order of endings."""
    chosen = edition.contest.chosen
    open_ones = edition.challenges.filter(settled_at=None).select_related("match")
    if isinstance(chosen, Ladder):
        for late in open_ones.filter(
            match__status=Match.Status.PROPOSED, made_at__lte=now - timedelta(days=chosen.answer)
        ):
            seat = next(each for each in late.match.seated if each.player_id == late.challenged_id)
            decline(seat, now=now)
    over = [each for each in open_ones.all() if each.match.ended_at is not None]
    for each in sorted(over, key=lambda each: (each.match.ended_at or now, each.pk)):
        each.succeeded, each.settled_at = _succeeds(each), now
        each.save(update_fields=["succeeded", "settled_at"])
        _move(edition, each, now)


def go_on(edition: Edition, *, now: datetime, rng: Random) -> None:
    """Moves idle players of a ladder down, or starts the next match for the crown."""
    if isinstance(edition.contest.chosen, Ladder):
        _lower(edition, edition.contest.chosen, now)
    else:
        _next_for_the_crown(edition, now=now, rng=rng)


def away(players: Iterable[int], now: datetime) -> set[int]:
    """Returns the players who are absent at `now`."""
    absences = Absence.objects.filter(player__in=list(players), since__lte=now, until__gt=now)
    return set(absences.values_list("player", flat=True))


def reigns(edition: Edition, now: datetime) -> dict[int, int]:
    """Returns the days on the hill, by player. Empty without a king."""
    won = list(edition.challenges.filter(succeeded=True).order_by("settled_at", "pk"))
    first = edition.challenges.order_by("pk").first()
    players = order(edition)
    king = first.challenged_id if first else players[0] if players else None
    if king is None:
        return {}
    later = [(each.challenger_id, each.settled_at or now) for each in won]
    return dict(ladder.reigns([(king, edition.began_at), *later], now))


def _succeeds(each: Challenge) -> bool:
    """Returns whether the challenger won, or the challenged player declined."""
    match = each.match
    if match.status == Match.Status.DECLINED:
        said = match.events.filter(kind=Event.Kind.DECLINED).last()
        return said is not None and said.actor is not None and said.actor.player_id == each.challenged_id
    outcome = match.outcome()
    return bool(
        outcome
        and outcome.winner is not None
        and match.seated[outcome.winner].player_id == each.challenger_id
    )


def _move(edition: Edition, each: Challenge, now: datetime) -> None:
    players = order(edition)
    both = (each.challenger_id, each.challenged_id)
    edition.entrants.filter(player__in=both, state=State.PLAYING).update(played_at=now)
    if each.succeeded and set(both) <= set(players):
        write_order(edition, after(players, *both))


def write_order(edition: Edition, players: Iterable[int]) -> None:
    rows = {row.player_id: row for row in edition.entrants.filter(state=State.PLAYING)}
    for position, player in enumerate(players, start=1):
        rows[player].position = position
    Entrant.objects.bulk_update(rows.values(), ["position"], batch_size=200)


def _lower(edition: Edition, ladder: Ladder, now: datetime) -> None:
    rows = edition.entrants.filter(state=State.PLAYING, played_at__lte=now - timedelta(days=ladder.idle))
    last = {row.player_id: row.played_at for row in rows if row.played_at}
    busy = {
        player
        for each in edition.challenges.filter(settled_at=None)
        for player in (each.challenger_id, each.challenged_id)
    }
    for player in idle(ladder, last, away=busy | away(last, now), now=now):
        write_order(edition, lowered(ladder, order(edition), player))
        edition.entrants.filter(player=player).update(played_at=now)


def _next_for_the_crown(edition: Edition, *, now: datetime, rng: Random) -> None:
    players = order(edition)
    if len(players) < 2 or edition.challenges.filter(settled_at=None).exists():
        return
    tried: dict[int, int] = {}
    for both in edition.challenges.values_list("challenger", "challenged"):
        for player in both:
            tried[player] = tried.get(player, 0) + 1
    gone = away(players, now)
    there = [entrant for entrant in seen(edition).active() if entrant.player not in gone]
    following = ladder.challenger(players[0], there, tried)
    if following is None or players[0] in gone:
        return
    found = Player.objects.in_bulk([players[0], following])
    edition.begun += 1
    edition.save(update_fields=["begun"])
    pairing = Pairing(found[following], found[players[0]], edition.contest.game_name)
    [match] = play(edition, "", [pairing], now=now, rng=rng)
    _keep(edition, match, following, players[0], now)
    tell(RoundBegan(edition, edition.begun, now))


def _keep(edition: Edition, match: Match, challenger: int, challenged: int, now: datetime) -> None:
    Challenge.objects.create(
        edition=edition, match=match, challenger_id=challenger, challenged_id=challenged, made_at=now
    )


def _past(edition: Edition) -> list[Past]:
    rows = edition.challenges.values_list("challenger", "challenged", "made_at", "settled_at")
    return [Past(frozenset((one, other)), made, settled is None) for one, other, made, settled in rows]
