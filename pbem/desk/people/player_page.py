"""What the page of a player says: how reliable they are, when they are away, where their clock runs, their letters."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import get_language, gettext

from pbem.desk.base.lists import when
from pbem.desk.people import print_verbs
from pbem.inbox.models import InboundMail
from pbem.matches.matchmaking.reliability import reliability_of
from pbem.matches.models import Match
from pbem.outbox.models import OutboundMail
from pbem.outbox.rendering.durations import in_words
from pbem.players.models import Player
from pbem.ratings.lists import figure, ratings_of
from pbem.ratings.pools import title

LETTERS = 10
MATCHES = 20


def facts(player: Player, now: datetime) -> Mapping[str, Any]:
    """Each a short list, read from an index."""
    alive = Match.objects.of(player).alive().prefetch_related("seats__player").order_by("-pk")
    return {
        **print_verbs.facts(player),
        "reliability": _reliability(player, now),
        "ratings": [
            (title(each.row.pool, get_language() or "en"), figure(each.strength), each)
            for each in ratings_of(player, now)
        ],
        "away": player.absences.ending_after(now).order_by("since")[:LETTERS],
        "playing": [
            (
                match,
                [seat.player for seat in match.seats.all() if seat.player_id != player.pk],
                when(match.deadline),
            )
            for match in alive[:MATCHES]
        ],
        "came": InboundMail.objects.filter(player=player).defer("raw").order_by("-pk")[:LETTERS],
        "went": OutboundMail.objects.filter(player=player)
        .defer("sections", "text")
        .order_by("-pk")[:LETTERS],
    }


def _reliability(player: Player, now: datetime) -> list[tuple[str, str]]:
    known = reliability_of(player, now)
    on_time = "-" if known.on_time is None else f"{known.on_time} %"
    reply = "-" if known.median_reply is None else in_words(known.median_reply)
    return [
        (gettext("moves in time"), on_time),
        (gettext("moves lately"), str(known.moves)),
        (gettext("typical reply time"), reply),
        (gettext("matches lost on time"), str(known.timeouts)),
        (gettext("last move"), when(known.last_seen)),
    ]
