"""A ply: read from a player's text, recorded, and judged."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from games import lenient_parser
from games.protocol import AmbiguousMove, IllegalMove, Notation, Outcome, Position, UnreadableMove
from games.record import verdict
from pbem.matches.models import Match, Seat, Turn
from pbem.matches.models.match import SHOWN
from pbem.queue.sql import compiled_query, insert, save
from pbem.refusals import Code, Refused


def check_playing(match: Match) -> None:
    if match.status in (Match.Status.OVER, Match.Status.VOID):
        raise Refused(Code.MATCH_OVER, match=match)
    if match.status == Match.Status.DECLINED:
        raise Refused(Code.OFFER_GONE, match=match)
    if match.status != Match.Status.PLAYING:
        raise Refused(Code.NOT_BEGUN, match=match)


def read(seat: Seat, position: Position, text: str, notation: Notation | None = None) -> Any:
    """Returns the legal move that the text means; `notation` None: the player's. Refuses P06, P08, G06."""
    match = seat.match
    try:
        return lenient_parser.parse(match.game, position, text, notation or seat.player.notation)
    except UnreadableMove:
        raise Refused(Code.NO_MOVE_FOUND, match=match, text=text) from None
    except AmbiguousMove as several:
        raise Refused(Code.AMBIGUOUS_MOVE, match=match, text=text, readings=several.readings) from None
    except IllegalMove as illegal:
        raise Refused(Code.ILLEGAL_MOVE, match=match, text=text, objection=illegal.objection) from None


def record(
    match: Match,
    before: Position,
    move: Any,
    *,
    now: datetime,
    told: datetime | None = None,
    written: str = "",
    message: str = "",
    entered: bool = False,
    how: str = "",
) -> Turn:
    """Records the turn, played at `now`, and updates the match; the next begins at `told` (None: now)."""
    after = before.play(move)
    turn = Turn(
        match=match,
        ply=match.ply,
        side=int(before.to_move),
        move=str(move),
        position=str(after),
        key=after.key(),
        written=written,
        message=message,
        entered=entered,
        how=how,
        played_at=now,
    )
    insert([turn])
    match.ply += 1
    match.position, match.to_move = turn.position, int(after.to_move)
    match.deadline = None  # of the turn that has ended
    begun = match.turn_begins(told or now)
    save(match, ["ply", "position", "to_move", "deadline", *begun])
    return turn


def forced_pass(match: Match) -> Any:
    """Returns the pass when the rules leave no other move. None otherwise."""
    forced = match.game.forced_pass
    return forced if forced is not None and match.current().objection(forced) is None else None


def outcome(match: Match) -> Outcome | None:
    """Returns the outcome on the board, with repetitions since the start. None while the game goes on."""
    position = match.current()
    occurrences = _occurrences(match, position.key()) if match.game.repetition else 1
    return verdict(match.game, position, occurrences)


def _occurrences(match: Match, key: str) -> int:
    # The same query loads the turns that letters show.
    since = match.ply - SHOWN
    turns = _with_key_or_late(match.pk, key, since, match.ply)
    match.preloaded_turns = {match.ply: tuple(turn for turn in turns if turn.ply >= since)}
    return sum(turn.key == key for turn in turns) + (match.start_position().key() == key)


@compiled_query
def _with_key_or_late(match: int, key: str, since: int, ply: int) -> QuerySet[Turn]:
    live = Turn.objects.filter(match=match, undone_by=None, ply__lt=ply)
    return live.filter(Q(key=key) | Q(ply__gte=since)).order_by("ply")  # not by match


def keys_before(match: Match, ply: int) -> list[str]:
    """Returns the repetition keys of the positions before the one after `ply` turns."""
    if not match.game.repetition or not ply:
        return []
    keys = match.live_turns().filter(ply__lt=ply - 1).values_list("key", flat=True)
    return [match.start_position().key(), *keys]


# Requests to programs


def asked(match: Match) -> dict[str, Any]:
    """Returns what a program is asked: `game`, `position` and `earlier` positions."""
    earlier: list[str] = []
    if match.game.repetition:
        turns = match.live_turns().filter(ply__lt=match.ply - 1).values_list("position", flat=True)
        earlier = [str(match.start_position()), *turns] if match.ply else []
    return {"game": match.game_name, "position": match.position, "earlier": earlier}
