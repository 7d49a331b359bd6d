"""Keeps the conditional lines of players: said, taken away, dead or alive again."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from games.protocol import Position
from pbem.matches import plies
from pbem.matches.conditional.line import Line, follow, replaces, says
from pbem.matches.conditional.reasons import reason
from pbem.matches.conditional.validation import Impossible, check
from pbem.matches.models import ConditionalLine, Match, Seat, Turn
from pbem.refusals import Code, Refused

Fate = ConditionalLine.Fate
MOST = 300  # lines of one player that wait in a match


@transaction.atomic
def say(
    seat: Seat,
    moves: Sequence[str | None],
    *,
    ply: int | None = None,
    now: datetime,
    letter: int | None = None,
) -> bool:
    """Keep a line: reply, answer, reply, answer; None is any reply. Whether it is in step and waits for its reply;
    else the reply has come already, and the answer is to be played.

    `ply` is how many turns had been played on the board that the player saw (None: now). Refuses G12, where their own
    move is missing, G13 (the opponent has played otherwise meanwhile), G14 (no such line can be played) and G16.
    """
    match = seat.match
    base, since = _base(seat, match.ply if ply is None else ply)
    before = _board(match, base)
    line = _checked(seat, before, moves, base)
    if line.end <= match.ply or not _in_step(match, line, before, since):
        raise Refused(Code.OVERTAKEN, match=match, lines=[_written(moves)])
    _keep(seat, line, position=before, now=now, letter=letter)
    return not seat.is_to_move


def clear(seat: Seat, number: int | None = None) -> None:
    """Take a line away, or all of them. Refuses G17 where there is none."""
    rows = seat.lines.waiting()
    chosen = rows if number is None else rows.filter(number=number)
    if not chosen.order_by().update(fate=Fate.CLEARED, left_at=seat.match.ply):
        raise Refused(Code.NO_SUCH_LINE, match=seat.match, number=number)


def drop(match: Match) -> None:
    """The players have changed sides: whatever was said for a side is dead."""
    for seat in match.seated:
        if seat.conditionals:
            seat.lines.waiting().order_by().update(fate=Fate.UNDONE, left_at=match.ply)


def undo(match: Match) -> None:
    """Turns have been taken back: lines from later boards are dead, earlier ones wait as they did then."""
    for seat in match.seated:
        if seat.conditionals:
            seat.lines.waiting().filter(ply__gt=match.ply).order_by().update(fate=Fate.UNDONE)
            left = seat.lines.filter(fate__in=(Fate.PLAYED, Fate.MISSED, Fate.FAILED), left_at__gte=match.ply)
            left.filter(ply__gt=match.ply).order_by().update(fate=Fate.UNDONE)
            left.filter(ply__lte=match.ply).order_by().update(fate="", left_at=None)


def _base(seat: Seat, ply: int) -> tuple[int, list[Turn]]:
    """The first turn of the opponent that the player had not seen when `ply` had been played, and what came then."""
    turns = list(seat.match.live_turns().filter(ply__gte=ply)) if ply < seat.match.ply else []
    while turns and turns[0].side == seat.side:
        del turns[0]
    if turns:
        return turns[0].ply, turns
    if seat.is_to_move:
        raise Refused(Code.OWN_MOVE_FIRST, match=seat.match)
    return seat.match.ply, []


def _board(match: Match, ply: int) -> Position:
    if ply == match.ply:
        return match.current()
    last = match.live_turns().filter(ply=ply - 1).first()
    return match.at(last.position) if last else match.start_position()


def _checked(seat: Seat, before: Position, moves: Sequence[str | None], ply: int) -> Line:
    match, notation = seat.match, seat.player.notation
    try:
        earlier = plies.keys_before(match, ply)
        return check(match.game, before, moves, notation, ply=ply, earlier=earlier)
    except Impossible as impossible:
        why = reason(impossible.why)
        raise Refused(
            Code.IMPOSSIBLE_LINE,
            match=match,
            text=impossible.text,
            lines=[_written(moves)],
            number=impossible.place + 1,
            **why,
        ) from None


def _in_step(match: Match, line: Line, before: Position, since: Sequence[Turn]) -> bool:
    for turn in since:
        in_step, _ = follow(match.game, [line], before, match.game.move(turn.move), turn.ply)
        if not in_step:
            return False
        before = match.at(turn.position)
    return True


def _keep(seat: Seat, line: Line, *, position: Position, now: datetime, letter: int | None) -> None:
    rows = list(seat.lines.waiting())
    if any(says(row.line, line) for row in rows):
        return
    replaced = [row.pk for row in rows if replaces(line, row.line)]
    if len(rows) - len(replaced) >= MOST:
        raise Refused(Code.TOO_MANY_LINES, match=seat.match, limit=MOST)
    seat.lines.filter(pk__in=replaced).update(fate=Fate.REPLACED, left_at=seat.match.ply)
    seat.conditionals += 1
    seat.save(update_fields=["conditionals"])
    ConditionalLine.objects.create(
        seat=seat,
        number=seat.conditionals,
        ply=line.ply,
        position=str(position),
        moves=line.moves,
        known=line.known,
        language=line.notation.language,
        coordinates=line.notation.coordinates,
        said_at=now,
        letter=letter,
    )


def _written(moves: Sequence[str | None]) -> str:
    """The line, in the language of none: reply, answer; reply, answer."""
    pairs = zip(moves[::2], moves[1::2], strict=True)
    return "; ".join(f"{reply or '*'} → {said}" for reply, said in pairs)
