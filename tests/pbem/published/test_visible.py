"""What is public of a player and of a match: nothing by default, and a name after its bearer's yes alone."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.conf import settings

from pbem.matches.models import Match
from pbem.matches.services import play, resign, start
from pbem.matches.terms import Terms
from pbem.players.models import Player
from pbem.players.services import register
from pbem.published.visible import GRACE, shown, step_of

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
LATER = NOON + timedelta(days=100)
Site = Player.Site
STEPS = tuple(Site)
# Read no match: without `visible` they could show what is hidden.
PAGES = Path(settings.ROOT, "pbem", "site")
ROWS = re.compile(r"\b(?:Match|Seat|Turn|Event)\b(?!Page)|\.seats\b|\.turns\b|live_turns|\.seated\b")


def player(name: str, site: Player.Site = Site.UNNAMED, asked: datetime | None = NOON) -> Player:
    made = register(name=name, email=f"{name}@example.org", language="en", now=NOON)
    made.site, made.site_asked_at = site, asked
    made.save()
    return made


def match(first: Player, second: Player, *, over: bool = True, **terms: Any) -> Match:
    begun = start(first=first, second=second, game="loa", terms=Terms(**terms), now=NOON, rng=Random(1))
    for move in ("b1-b3", "a2-c2", "b8-b6", "h7-f7"):
        assert begun.moving
        play(begun.moving, move, now=NOON)
    if over:
        resign(begun.seated[0], now=NOON)
    return Match.objects.get(pk=begun.pk)


def test_nothing_of_a_player_is_shown_by_default() -> None:
    alice, bruno = player("Alice", asked=None), player("Bruno", Site.INDEXED)
    assert Player.objects.get(pk=alice.pk).site == Site.UNNAMED
    assert step_of(alice, LATER) is Site.NO
    assert shown(match(alice, bruno), LATER) is None


def test_silence_counts_after_thirty_days_and_never_for_a_name() -> None:
    alice, bruno = player("Alice"), player("Bruno", Site.INDEXED)
    played = match(alice, bruno)
    assert shown(played, NOON + GRACE - timedelta(seconds=1)) is None
    seen = shown(played, NOON + GRACE)
    assert seen
    assert (seen.names, seen.plies, seen.step) == (("", "Bruno"), 4, Site.UNNAMED)
    assert not seen.dated
    assert not seen.indexed


@pytest.mark.parametrize("over", [True, False], ids=["over", "playing"])
@pytest.mark.parametrize("one", STEPS)
@pytest.mark.parametrize("other", STEPS)
def test_a_match_is_shown_as_its_more_careful_player_wants(
    one: Player.Site, other: Player.Site, *, over: bool
) -> None:
    seen = shown(match(player("Alice", one), player("Bruno", other), over=over), LATER)
    careful = min(one, other, key=STEPS.index)
    if careful is Site.NO or (careful is Site.UNNAMED and not over):
        assert seen is None
        return
    assert seen
    assert seen.step is careful
    assert seen.names == tuple(
        name if step in (Site.NAMED, Site.INDEXED) else ""
        for name, step in (("Alice", one), ("Bruno", other))
    )
    assert seen.plies == (4 if over else 4 - settings.SITE_DELAY)
    assert seen.live is not over


def test_private_proposed_declined_and_void_matches_are_not_shown() -> None:
    alice, bruno = player("Alice", Site.INDEXED), player("Bruno", Site.INDEXED)
    assert shown(match(alice, bruno, private=True), LATER) is None
    played = match(alice, bruno)
    for status in (Match.Status.PROPOSED, Match.Status.DECLINED, Match.Status.VOID):
        played.status = status
        assert shown(played, LATER) is None


def test_a_robot_hides_nothing() -> None:
    robot = Player.objects.robots().first()
    assert robot
    assert step_of(robot, NOON) is Site.INDEXED


def test_no_page_reads_a_match_by_itself() -> None:
    own = {PAGES / "board", PAGES / "views" / "account.py"}  # a player's own matches, in a known browser
    for source in PAGES.rglob("*.py"):
        if own & {source, *source.parents}:
            continue
        code = re.sub(r'""".*?"""|#.*', "", source.read_text("utf-8"), flags=re.DOTALL)
        assert not ROWS.search(code), source
