"""Return matches and pairs of matches."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from random import Random

from django.db import transaction
from django.db.models import Q

from games.protocol import Side
from pbem.matches.matchmaking.match_request import Wish
from pbem.matches.models import Event, Match, Pair, Seat
from pbem.matches.services import accept, challenge
from pbem.players.models import Player
from pbem.refusals import Code, Refused


@transaction.atomic
def rematch(
    seat: Seat, *, now: datetime, rng: Random, arrived: datetime | None = None, letter: int | None = None
) -> Match:
    """Challenges the opponent to the same game and terms with sides changed, or accepts their request.

    A set-up drawn by the game is drawn again. Refuses C11, C19 (not over), K10 (asked already).
    """
    match = seat.match
    if match.status not in (Match.Status.OVER, Match.Status.VOID):
        raise Refused(Code.NOT_OVER, match=match)
    for asked in _asked(match):
        if asked.proposer_id == seat.player_id:
            raise Refused(Code.OFFER_STANDS, match=match)
        mine = next(each for each in asked.seated if each.player_id == seat.player_id)
        accept(mine, now=now, arrived=arrived, letter=letter)
        return asked
    wish = Wish(match.game_name, match.game.key, Side(seat.side).other, match.agreed.clocked)
    return challenge(
        seat.player,
        seat.opponent.player,
        wish,
        setup=None if match.game.draw_setup else match.setup,
        now=now,
        rng=rng,
        letter=letter,
        rematch=match.pk,
    )


def _asked(match: Match) -> list[Match]:
    """Returns the pending return match of this one."""
    first, second = match.seated
    between = Match.objects.of(first.player).filter(
        status=Match.Status.PROPOSED, proposer__in=(first.player_id, second.player_id)
    )
    proposals = Event.objects.filter(match__in=between, kind=Event.Kind.PROPOSED, facts__rematch=match.pk)
    return list(Match.objects.filter(pk__in=proposals.values("match")).locked()[:1])


# Pairs


@dataclass(frozen=True)
class Standing:
    """A pair seen from one match: the `other`, and whether both are `over`."""

    match: Match
    other: Match

    @property
    def over(self) -> bool:
        return self.match.status == self.other.status == Match.Status.OVER

    def points(self, player: Player) -> float:
        """Returns the player's points in both: 1 for a win, half a point for a draw."""
        return sum(_points(match, player) for match in (self.match, self.other))


def pair_of(match: Match) -> Standing | None:
    """Returns the pair of the match. None, without a query, when agreed on alone."""
    if not match.agreed.pair:
        return None
    pair = Pair.objects.filter(Q(first=match) | Q(second=match)).select_related("first", "second").first()
    if pair is None:
        return None
    return Standing(match, pair.second if pair.first_id == match.pk else pair.first)


def _points(match: Match, player: Player) -> float:
    outcome = match.outcome()
    if outcome is None:
        return 0
    if outcome.winner is None:
        return 0.5
    return float(match.seated[outcome.winner].player_id == player.pk)
