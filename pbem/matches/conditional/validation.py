"""Reads a conditional line and finds out, before it is kept, whether it can be played. Pure."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import lru_cache
from itertools import islice
from random import Random
from typing import cast

from games import spoken
from games.errors import AmbiguousMove, GameOver, IllegalMove, UnreadableMove
from games.protocol import Notation, Position
from games.record import Course
from games.registry import AnyGame
from pbem.matches.conditional.line import Line, Unplayable

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
