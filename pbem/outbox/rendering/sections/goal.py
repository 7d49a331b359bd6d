"""What a game is about, for a player who has never played it and may know no more than its name."""

from __future__ import annotations

from games.pages import brief
from games.registry import find
from pbem.matches.models import Invitation, Match
from pbem.outbox.rendering.recipient import Reader


def goal_of(match: Match, reader: Reader) -> str:
    """The first lines of its rules, on one; "" for anyone who has played it, or read them in their invitation."""
    if reader.player is None or _was_invited(match, reader) or _has_played(match, reader):
        return ""
    first, *_ = brief(match.game.rules_page(reader.language)).split("\n\n")
    return " ".join(first.split())


def _was_invited(match: Match, reader: Reader) -> bool:
    return Invitation.objects.filter(match=match).exclude(challenger=reader.player).exists()


def _has_played(match: Match, reader: Reader) -> bool:
    assert reader.player
    key = match.game.key
    names = Match.objects.of(reader.player).exclude(pk=match.pk).exclude(status=Match.Status.PROPOSED)
    return any(find(name)[0].key == key for name in names.values_list("game_name", flat=True).distinct())
