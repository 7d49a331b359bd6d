"""Pairs of matches: where the other one stands, and what both come to."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q

from pbem.matches.models import Match, Pair
from pbem.players.models import Player


@dataclass(frozen=True)
class Standing:
    """Of a pair as seen from one match: the `other`, and whether both are `over`."""

    match: Match
    other: Match

    @property
    def over(self) -> bool:
        return self.match.status == self.other.status == Match.Status.OVER

    def points(self, player: Player) -> float:
        """What the player has won in both: 1 for a victory, half a point for a draw."""
        return sum(_points(match, player) for match in (self.match, self.other))


def pair_of(match: Match) -> Standing | None:
    """One query, and none for a match that was agreed on alone."""
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
