"""Conditional moves: what a player answers to what their opponent may play, kept until it is played."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from itertools import islice
from random import Random
from typing import Any, cast

from django.db import transaction

from games import spoken
from games.protocol import AmbiguousMove, GameOver, IllegalMove, Notation, Objection, Position, UnreadableMove
from games.record import Course
from games.registry import AnyGame
from pbem.matches import plies
from pbem.matches.models import ConditionalLine, Match, Seat, Turn
from pbem.matches.models.conditional_line import Line, Unplayable, answer, follow, replaces, same, says
from pbem.refusals import Code, Refused

# Why a move of a conditional line cannot be played, as the facts that a refusal or an event keeps.


def reason(why: Unplayable) -> dict[str, Any]:
    """`objection`, `readings`, or nothing where it cannot be read."""
    match why:
        case IllegalMove():
            return {"objection": why.objection}
        case AmbiguousMove():
            return {"readings": why.readings}
        case GameOver():
            return {"objection": Objection("finished")}
        case UnreadableMove():
            return {}


# The conditional lines that wait in a match, followed turn by turn while it goes on.

Fate = ConditionalLine.Fate


class Waiting:
    """The lines that wait in a match, of both players. One without any costs no query."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.rows: dict[int, list[ConditionalLine]] = {
            seat.side: list(seat.lines.waiting()) if seat.conditionals else [] for seat in match.seated
        }
        self._left: list[ConditionalLine] = []

    def follow(self, turn: Turn, before: Position, move: Any) -> None:
        """A turn has been played: what is not in step with it, or is played out, waits no longer."""
        for side, rows in self.rows.items():
            begun = {row.line: row for row in rows if row.ply <= turn.ply}
            if not begun:
                continue
            going, missed = follow(self.match.game, list(begun), before, move, turn.ply)
            for line in missed:
                self._leave(begun[line], Fate.MISSED, turn.ply)
            for line in going:
                if line.end == turn.ply + 1:
                    self._leave(begun[line], Fate.PLAYED, turn.ply)
            self.rows[side] = [row for row in rows if not row.fate]

    def answer(self) -> tuple[Any, list[dict[str, Any]]]:
        """What the player to move has said that they play now (None: nothing), and what of it cannot be played."""
        match = self.match
        side = match.to_move
        rows = (
            {row.line: row for row in self.rows.get(side, []) if row.ply < match.ply}
            if side is not None
            else {}
        )
        if not rows:
            return None, []
        move, failed = answer(match.game, list(rows), match.current(), match.ply)
        for line, _ in failed:
            self._leave(rows[line], Fate.FAILED, match.ply - 1)
        self.rows[side or 0] = [row for row in self.rows[side or 0] if not row.fate]
        return move, [_failure(rows[line], match.ply, why) for line, why in failed]

    def save(self) -> None:
        if self._left:
            ConditionalLine.objects.bulk_update(self._left, ["fate", "left_at"])

    def _leave(self, row: ConditionalLine, fate: Fate, ply: int) -> None:
        row.fate, row.left_at = fate, ply
        self._left.append(row)


def _failure(row: ConditionalLine, ply: int, why: Unplayable) -> dict[str, Any]:
    """What an event keeps of an answer that could not be played."""
    text = row.moves[ply - row.ply]
    found = reason(why).get("objection")
    objection = [found.code, found.cells, found.pieces, found.numbers] if found else None
    return {"side": row.seat.side, "text": text, "objection": objection}


# Reads a conditional line and finds out, before it is kept, whether it can be played. Pure.

_WIDTH = 48  # positions that are looked at where a reply may be any


class Impossible(ValueError):
    """A line cannot be played: `place` is the number of the move (from 0) that cannot, `text` what was written."""

    def __init__(self, place: int, text: str, why: Unplayable) -> None:
        super().__init__(f"move {place + 1}: {why}")
        self.place = place
        self.text = text
        self.why = why


def check(
    game: AnyGame,
    start: Position,
    texts: Sequence[str | None],
    notation: Notation,
    *,
    ply: int,
    earlier: Iterable[str] = (),
) -> Line:
    """The line that the texts are, from `start`, which `ply` turns led to. Raises Impossible.

    A reply that may be read in several ways stands for all of them. Behind such a one, and behind any reply,
    only what can be played in no case is found out. `earlier` are the repetition keys of the positions before `start`.
    """
    course = Course(game, start, earlier)
    known: list[str] = []
    for place, text in enumerate(texts):
        try:
            if text is None:
                break
            known.append(_play(course, text, notation))
        except AmbiguousMove as why:
            if place % 2:
                raise Impossible(place, text or "", why) from None
            break
        except (UnreadableMove, IllegalMove, GameOver) as why:
            raise Impossible(place, text or "", why) from None
    _look_ahead(game, course.position, texts, notation, len(known))
    return Line((*known, *texts[len(known) :]), len(known), notation, ply)


def _play(course: Course, text: str, notation: Notation) -> str:
    if outcome := course.outcome():
        raise GameOver(text, outcome)
    move = spoken.read(course.game, course.position, text, notation)
    course.play(move)
    return str(move)


def _look_ahead(
    game: AnyGame, position: Position, texts: Sequence[str | None], notation: Notation, place: int
) -> None:
    """Raises Impossible for the first of the texts from `place` on that no position allows, if all were looked at."""
    positions, complete = [position], True
    for number, text in enumerate(texts[place:], start=place):
        after: dict[Position, None] = {}
        whys: list[Unplayable] = []
        for before in positions:
            try:
                played, all_of_them = _after(game, before, text, notation, reply=number % 2 == 0)
            except (UnreadableMove, AmbiguousMove, IllegalMove, GameOver) as why:
                whys.append(why)
                continue
            complete = complete and all_of_them
            after |= dict.fromkeys(played)
        if not after:
            unreadable = all(isinstance(why, UnreadableMove) for why in whys)
            if complete or unreadable:
                raise Impossible(number, text or "", whys[0])
            return
        complete = complete and len(after) <= _WIDTH
        positions = list(islice(after, _WIDTH))


def _after(
    game: AnyGame, before: Position, text: str | None, notation: Notation, *, reply: bool
) -> tuple[Sequence[Position], bool]:
    """The positions that a move may lead to, and whether these are all."""
    if outcome := before.outcome():
        raise GameOver(text or "", outcome)
    if text is None:
        return _all_after(cast(Hashable, before))
    try:
        return (before.play(spoken.read(game, before, text, notation)),), True
    except AmbiguousMove as several:
        if not reply:
            raise
        return tuple(before.play(game.move(reading)) for reading in several.readings), True


@lru_cache(maxsize=256)
def _all_after(position: Hashable) -> tuple[Sequence[Position], bool]:
    """The positions after every move, or after some, the same at every call, where there are many."""
    before = cast(Position, position)
    if before.count() <= _WIDTH:
        return tuple(map(before.play, before.moves())), True
    rng = Random(0)
    return tuple(before.play(before.sample(rng)) for _ in range(_WIDTH)), False


# Keeps the conditional lines of players: said, taken away, dead or alive again.

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


# Conditional lines as one tree: what several begin with is said once. Pure.


@dataclass(frozen=True)
class Branch:
    """A reply (None: any), the answer to it, and what comes after; `number` is that of a line that ends here."""

    reply: str | None
    answer: str
    number: int | None
    then: tuple[Branch, ...]


def tree(lines: Iterable[tuple[int, Sequence[str | None]]]) -> tuple[Branch, ...]:
    """Numbered lines as one tree: what they have in common at their beginning is said once."""
    branches: list[Branch] = []
    rests: list[list[tuple[int, Sequence[str | None]]]] = []
    for number, moves in lines:
        reply, said, rest = moves[0], moves[1], moves[2:]
        assert said is not None
        place = next(
            (i for i, b in enumerate(branches) if same(b.reply, reply) and same(b.answer, said)), None
        )
        if place is None:
            place = len(branches)
            branches.append(Branch(reply, said, None, ()))
            rests.append([])
        if rest:
            rests[place].append((number, rest))
        else:
            branches[place] = replace(branches[place], number=number)
    return tuple(replace(branch, then=tree(rest)) for branch, rest in zip(branches, rests, strict=True))
