"""Conditional moves: lines of replies and answers, checked, kept, followed and played."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from itertools import islice
from random import Random
from typing import Any, cast

from django.db import transaction

from games import lenient_parser
from games.protocol import AmbiguousMove, GameOver, IllegalMove, Notation, Objection, Position, UnreadableMove
from games.record import Course
from games.registry import AnyGame
from pbem.matches import plies
from pbem.matches.models import ConditionalLine, Match, Seat, Turn
from pbem.matches.models.conditional_line import Line, Unplayable, answer, follow, replaces, same, says
from pbem.refusals import Code, Refused

# Reasons for unplayable moves


def reason(why: Unplayable) -> dict[str, Any]:
    """Returns the facts for a refusal or an event: `objection` or `readings`. Empty when unreadable."""
    match why:
        case IllegalMove():
            return {"objection": why.objection}
        case AmbiguousMove():
            return {"readings": why.readings}
        case GameOver():
            return {"objection": Objection("finished")}
        case UnreadableMove():
            return {}


# Waiting lines

Fate = ConditionalLine.Fate


class Waiting:
    """The waiting lines of both players. No query for a seat that never had any."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.rows: dict[int, list[ConditionalLine]] = {
            seat.side: list(seat.lines.waiting()) if seat.conditionals else [] for seat in match.seated
        }
        self._left: list[ConditionalLine] = []

    def follow(self, turn: Turn, before: Position, move: Any) -> None:
        """Drops the lines that the turn has missed or completed."""
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
        """Returns the conditional move of the player to move (None without one), and the failed lines."""
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
    """Returns what an event keeps of an answer that could not be played."""
    text = row.moves[ply - row.ply]
    found = reason(why).get("objection")
    objection = [found.code, found.cells, found.pieces, found.numbers] if found else None
    return {"side": row.seat.side, "text": text, "objection": objection}


# Checks before a line is kept

_WIDTH = 48  # positions examined where a reply may be any


class Impossible(ValueError):
    """A line that cannot be played: `place` is the number of the bad move (from 0), `text` its text."""

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
    """Returns the line of the texts from `start`, the position after `ply` turns. Raises Impossible.

    An ambiguous reply stands for all its readings. After one, or after any reply, only moves that no position
    allows are found. `earlier` are the repetition keys of positions before `start`.
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
    move = lenient_parser.parse(course.game, course.position, text, notation)
    course.play(move)
    return str(move)


def _look_ahead(
    game: AnyGame, position: Position, texts: Sequence[str | None], notation: Notation, place: int
) -> None:
    """Raises Impossible for the first text from `place` on that no position allows, if all were examined."""
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
    """Returns the positions that a move may lead to, and whether these are all."""
    if outcome := before.outcome():
        raise GameOver(text or "", outcome)
    if text is None:
        return _all_after(cast(Hashable, before))
    try:
        return (before.play(lenient_parser.parse(game, before, text, notation)),), True
    except AmbiguousMove as several:
        if not reply:
            raise
        return tuple(before.play(game.move(reading)) for reading in several.readings), True


@lru_cache(maxsize=256)
def _all_after(position: Hashable) -> tuple[Sequence[Position], bool]:
    """Returns the positions after every move; after a fixed sample when there are many."""
    before = cast(Position, position)
    if before.count() <= _WIDTH:
        return tuple(map(before.play, before.moves())), True
    rng = Random(0)
    return tuple(before.play(before.sample(rng)) for _ in range(_WIDTH)), False


# Storage of lines

MOST = 300  # waiting lines of one player in a match


@transaction.atomic
def say(
    seat: Seat,
    moves: Sequence[str | None],
    *,
    ply: int | None = None,
    now: datetime,
    letter: int | None = None,
    notation: Notation | None = None,
) -> bool:
    """Keeps a line: reply, answer, reply, answer; None is any reply. Returns whether it waits for a reply.

    Otherwise the reply has been played, and the answer is due. `ply` is the number of turns on the board that
    the player saw (None: now); `notation` None is that of the player. Refuses G12 (own move missing), G13
    (the opponent played otherwise), G14 (the line cannot be played) and G16 (too many).
    """
    match = seat.match
    base, since = _base(seat, match.ply if ply is None else ply)
    before = _board(match, base)
    line = _checked(seat, before, moves, base, notation or seat.player.notation)
    if line.end <= match.ply or not _in_step(match, line, before, since):
        raise Refused(Code.OVERTAKEN, match=match, lines=[_written(moves)])
    _keep(seat, line, position=before, now=now, letter=letter)
    return not seat.is_to_move


def clear(seat: Seat, number: int | None = None) -> None:
    """Clears a line, or all. Refuses G17 when there is none."""
    rows = seat.lines.waiting()
    chosen = rows if number is None else rows.filter(number=number)
    if not chosen.order_by().update(fate=Fate.CLEARED, left_at=seat.match.ply):
        raise Refused(Code.NO_SUCH_LINE, match=seat.match, number=number)


def drop(match: Match) -> None:
    """Drops all lines after the players changed sides."""
    for seat in match.seated:
        if seat.conditionals:
            seat.lines.waiting().order_by().update(fate=Fate.UNDONE, left_at=match.ply)


def undo(match: Match) -> None:
    """Drops lines from boards that were taken back, and restores earlier ones."""
    for seat in match.seated:
        if seat.conditionals:
            seat.lines.waiting().filter(ply__gt=match.ply).order_by().update(fate=Fate.UNDONE)
            left = seat.lines.filter(fate__in=(Fate.PLAYED, Fate.MISSED, Fate.FAILED), left_at__gte=match.ply)
            left.filter(ply__gt=match.ply).order_by().update(fate=Fate.UNDONE)
            left.filter(ply__lte=match.ply).order_by().update(fate="", left_at=None)


def _base(seat: Seat, ply: int) -> tuple[int, list[Turn]]:
    """Returns the opponent's first turn not seen by the player after `ply` turns, and the turns since."""
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


def _checked(seat: Seat, before: Position, moves: Sequence[str | None], ply: int, notation: Notation) -> Line:
    match = seat.match
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
    """Returns the line as text without a language: reply, answer; reply, answer."""
    pairs = zip(moves[::2], moves[1::2], strict=True)
    return "; ".join(f"{reply or '*'} → {said}" for reply, said in pairs)


# Lines as a tree


@dataclass(frozen=True)
class Branch:
    """A reply (None: any), its answer, and what follows; `number` is that of a line that ends here."""

    reply: str | None
    answer: str
    number: int | None
    then: tuple[Branch, ...]


def tree(lines: Iterable[tuple[int, Sequence[str | None]]]) -> tuple[Branch, ...]:
    """Merges numbered lines with common beginnings into a tree."""
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
