"""A match as a bulletin prints it: its moves in the notation of the language, and the boards between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from games.kit.scene import Scene
from games.kit.words import Speech, speech
from games.move_numbers import score
from games.protocol import Notation
from games.record import Record
from games.registry import in_words
from pbem.matches.models import Match

Names = tuple[str, str]


@dataclass(frozen=True)
class Figure:
    """A board: `name` is that of its files, without an ending; `position` is the same in words."""

    name: str
    scene: Scene
    speech: Speech
    caption: str

    @property
    def position(self) -> str:
        return " ".join(self.speech.position(self.scene))


@dataclass(frozen=True)
class Piece:
    """Some moves of a game, `1. a1-b2 c3-d4 2. ...`, and the board that stands behind them, if one does."""

    moves: str
    figure: Figure | None = None


@dataclass(frozen=True)
class Told:
    """A match in print. `reason` says how it ended, `words` are the organiser's Markdown."""

    number: int
    game: str
    variant: str
    names: Names
    score: str
    reason: str
    moves: int
    ended: datetime | None
    record: Record
    title: str = ""
    words: str = ""
    pieces: Sequence[Piece] = ()

    @property
    def figures(self) -> list[Figure]:
        return [piece.figure for piece in self.pieces if piece.figure]


def told(match: Match, names: Names, notation: Notation) -> Told:
    """Of a match that is over. One question, two for its record, and none for what was said of it where that is
    prefetched."""
    words = speech(match.game, match.rules, notation, names)
    outcome, record = match.outcome(), replace(match.record(), players=names)
    commentary = getattr(match, "commentary", None)
    plain = Told(
        number=match.pk,
        game=words.phrases["name"],
        variant=in_words(match.game_name, notation.language),
        names=names,
        score=outcome.score if outcome else "*",
        reason=words.outcome(outcome) if outcome else "",
        moves=(match.ply + 1) // 2,
        ended=match.ended_at,
        record=record,
    )
    if commentary is None:
        return plain
    captions = {each.plies: each.caption for each in commentary.positions.all()}
    pieces = tuple(_pieces(record, words, notation, captions, f"{match.game.key}-{match.pk}"))
    return replace(plain, title=commentary.title, words=commentary.words, pieces=pieces)


def _pieces(
    record: Record, words: Speech, notation: Notation, captions: dict[int, str], name: str
) -> Iterator[Piece]:
    course, written = record.course(), list[str]()
    first, scene = 0, course.game.scene(None, None, course.position)
    for plies in range(len(record.moves) + 1):
        if plies:
            before, move = course.position, course.game.move(record.moves[plies - 1])
            written.append(course.game.write(before, move, notation))
            scene = course.game.scene(before, move, course.play(move))
        if plies in captions:
            figure = Figure(f"{name}-{plies}", scene, words, captions[plies])
            yield Piece(_scored(written, first), figure)
            written, first = [], plies
    if written:
        yield Piece(_scored(written, first))


def _scored(moves: Sequence[str], first: int) -> str:
    return " ".join(str(line) for line in score(moves, first))
