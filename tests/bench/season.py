"""A whole season: months of a time that is turned on, and whether everything that must be true of it is."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from time import process_time

from django.core.management import call_command
from django.db import transaction
from django.test import override_settings

from pbem.inbox.models import InboundMail
from pbem.matches.models import Match
from tests.bench.clock import Effort
from tests.bench.figures import Row
from tests.post import AUTHSERV_ID, Post
from tests.season.invariants import broken
from tests.season.season import Plan, Season

MATCHES = int(os.environ.get("MATCHES", "2000"))  # which take about forty minutes
WHOLE = Plan(players=max(8, MATCHES // 10), matches=MATCHES, days=150, seed=1)
SMALL = Plan(players=4, matches=3, days=8, seed=1)


def season(effort: Effort) -> Iterator[Row]:
    """Nothing is committed, so that nobody hears a bell but the season itself."""
    call_command("migrate", verbosity=0)
    plan = SMALL if effort.quick else WHOLE
    with transaction.atomic(), override_settings(AUTHSERV_IDS=[AUTHSERV_ID]):
        played = Season(plan, Post(), effort.say)
        begin = process_time()
        played.play()
        seconds = process_time() - begin
        effort.say("judging the season")
        found = broken(played)
        yield from _figures(played, seconds)
        transaction.set_rollback(True)
    yield Row("exceptions to what must be true", sum(map(len, found.values())), "times", bound=0)
    for name, exceptions in found.items():
        yield Row(f"{name}: {exceptions[0]}", len(exceptions), "times", bound=0)


def _figures(played: Season, seconds: float) -> Iterator[Row]:
    yield Row("matches", Match.objects.count(), f"of {played.plan.players} players")
    yield Row("moves", played.moves, f"in {played.plan.days} days")
    yield Row("letters in", InboundMail.objects.count(), "letters")
    yield Row("letters out", len(played.log), "letters")
    ends = Counter(Match.objects.values_list("reason", flat=True))
    for reason, label in (
        ("time", "lost on time"),
        ("resigned", "resigned"),
        ("agreed", "draws agreed"),
        ("", "going on"),
    ):
        yield Row(f"matches {label}" if reason != "agreed" else label, ends[reason], "matches")
    yield Row("CPU of the whole season", seconds, "s")
    yield Row("CPU for a move, with all that goes with it", seconds / max(1, played.moves) * 1000, "ms CPU")
