"""The beginning and the end of every match."""

from __future__ import annotations

from datetime import datetime
from random import Random
from typing import Any

from games.protocol import Outcome
from games.registry import canonical
from pbem.matches.clock import service as clocks
from pbem.matches.events import record_event
from pbem.matches.matchmaking.match_request import found
from pbem.matches.models import Event, Match, Pair, Seat
from pbem.matches.terms import Terms
from pbem.players.models import Player
from pbem.refusals import Code, Refused


def draw_up(name: str, *, setup: str | None, terms: Terms, now: datetime, rng: Random) -> Match:
    """Returns an unsaved match. Refuses C02 (no such game) and C06 (no such set-up)."""
    game, rules = found(name)
    try:
        if setup is None:
            setup = game.draw_setup(rules, rng) if game.draw_setup else ""
        position = game.start(rules, setup)
    except ValueError as mistake:
        raise Refused(Code.BAD_SETUP, text=setup, why=str(mistake)) from None
    return Match(
        game_name=canonical(game, rules),
        rules_version=game.version,
        setup=setup,
        terms=terms.kept(),
        position=str(position),
        created_at=now,
    )


def create(
    name: str, players: tuple[Player, Player], *, setup: str | None, terms: Terms, now: datetime, rng: Random
) -> Match:
    """Creates the match and its seats, not begun. Refuses as `draw_up` does."""
    match = draw_up(name, setup=setup, terms=terms, now=now, rng=rng)
    match.save()
    Seat.objects.bulk_create(
        Seat(match=match, side=side, player=player) for side, player in enumerate(players)
    )
    return match


def begin(match: Match, *, now: datetime, side: int | None, letter: int | None, **facts: int) -> None:
    """Begins the match; `side` is the player who accepted, None the organiser."""
    match.status, match.started_at = Match.Status.PLAYING, now
    match.to_move = int(match.current().to_move)
    match.save(update_fields=["status", "started_at", "to_move", *match.turn_begins(now)])
    clocks.begin(match, now)
    record_event(match, Event.Kind.STARTED, now=now, side=side, letter=letter, **facts)
    if match.agreed.pair and not Pair.objects.filter(second=match).exists():
        _begin_second(match, now)


def _begin_second(match: Match, now: datetime) -> None:
    """Begins the second match of a pair: the same set-up, with sides changed and letters of its own."""
    first, second = match.seated
    other = create(
        match.game_name,
        (second.player, first.player),
        setup=match.setup,
        terms=match.agreed,
        now=now,
        rng=Random(match.pk),  # unused: nothing is drawn
    )
    Pair.objects.create(first=match, second=other)
    begin(other, now=now, side=None, letter=None, pair=match.pk)


def finish(
    match: Match,
    outcome: Outcome,
    *,
    now: datetime,
    side: int | None,
    letter: int | None = None,
    **facts: Any,
) -> None:
    """Ends the match with the outcome; `side` is the player who caused it, None for no player."""
    clocks.halt(match, now)
    match.status, match.ended_at, match.flagged_at = Match.Status.OVER, now, None
    match.to_move = match.draw_offered_by = None
    match.winner = None if outcome.winner is None else int(outcome.winner)
    match.reason = outcome.reason
    match.save(
        update_fields=[
            *("status", "ended_at", "flagged_at", "to_move", "draw_offered_by", "winner", "reason"),
            *match.turns_end(),
        ]
    )
    record_event(match, Event.Kind.ENDED, now=now, side=side, letter=letter, **facts)
