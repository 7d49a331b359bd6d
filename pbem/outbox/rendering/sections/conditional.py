"""What letters say of conditional lines: what waits, what was played by itself, what failed, what was left over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from django.utils.translation import gettext

from games.move_numbers import mark, numbered
from games.protocol import Notation, Objection
from pbem.matches.conditional.tree import Branch, tree
from pbem.matches.models import ConditionalLine, Event, Match, Seat
from pbem.outbox.rendering.board import Board
from pbem.outbox.rendering.recipient import Reader
from pbem.outbox.rendering.sections.context import Builder, Context


@dataclass(frozen=True)
class Played:
    """A turn of those that one letter tells; `mark` is its number, `how` as in the turn."""

    mark: str
    name: str
    yours: bool
    move: str
    how: str


def aftermath(event: Event, seat: Seat | None, board: Board) -> Context:
    """What followed a move by itself, and which of the reader's own answers could not be played."""
    failed = [fact for fact in event.facts.get("failed", ()) if seat and fact["side"] == seat.side]
    return {
        "plies": list(_plies(event, seat, board)) if event.facts.get("itself") else (),
        "failures": [_failure(fact, board) for fact in failed],
    }


def invitation(board: Board) -> str:
    """An example of a line that may be said now: a reply of the opponent, and an answer."""
    position, rng = board.after, Random(f"{board.match.pk} {board.ply} if")
    if position.outcome() is not None:
        return ""
    reply = position.sample(rng)
    after = position.play(reply)
    if after.outcome() is not None:
        return ""
    game, notation = board.match.game, board.notation
    return _said(game.write(position, reply, notation), game.write(after, after.sample(rng), notation))


def left_over(seat: Seat | None, notation: Notation) -> list[str]:
    """At the end: what the reader had said beforehand, and what was never played to its end."""
    if seat is None or not seat.conditionals:
        return []
    rows = seat.lines.unused()
    return [numbered(row.ply, _whole(_spoken(row, seat.match, notation))) for row in rows]


def _waiting(section: Mapping[str, Any], reader: Reader) -> Context:
    """The tree that waits, a line of text for each branch, with the numbers by which lines are taken away."""
    match = reader.match(section["match"])
    seat = reader.seat_in(match)
    rows = seat.lines.waiting() if seat else ()
    # In pairs, so that where turns were taken back the reply which has come stands before its answer.
    lines = [
        (row.number, _spoken(row, match, reader.notation)[(match.ply - row.ply) // 2 * 2 :]) for row in rows
    ]
    return {
        "match": match,
        "opponent": seat.opponent.player.name if seat else "",
        "branches": list(_indented(tree(lines))),
    }


def _plies(event: Event, seat: Seat | None, board: Board) -> Iterator[Played]:
    match = board.match
    first = event.facts["first"]
    turns = list(match.live_turns().filter(ply__gte=first - 1, ply__lt=event.ply))
    before = match.at(turns[0].position) if first and turns else match.start_position()
    for turn in turns[1:] if first else turns:
        move = match.game.write(before, match.game.move(turn.move), board.notation)
        yours = seat is not None and turn.side == seat.side
        yield Played(mark(turn.ply), match.players[turn.side], yours, move, turn.how)
        before = match.at(turn.position)


def _failure(fact: Mapping[str, Any], board: Board) -> Context:
    why = ""
    if fact["objection"]:
        code, *filled = fact["objection"]
        why = board.speech.remark("objections", Objection(code, *map(tuple, filled)))
    return {"text": fact["text"], "why": why}


def _spoken(row: ConditionalLine, match: Match, notation: Notation) -> list[str | None]:
    """The moves in the reader's notation, as far as it is known on which board they are played."""
    game, position = match.game, match.at(row.position)
    spoken: list[str | None] = []
    for text in row.moves[: row.known]:
        move = game.move(text)
        spoken.append(game.write(position, move, notation))
        position = position.play(move)
    return [*spoken, *row.moves[row.known :]]


def _indented(branches: Iterable[Branch], depth: int = 0) -> Iterator[str]:
    for branch in branches:
        number = f"{branch.number}." if branch.number else ""
        yield f"{number:>4} {'   ' * depth}{_said(branch.reply, branch.answer)}"
        yield from _indented(branch.then, depth + 1)


def _whole(moves: Sequence[str | None]) -> str:
    pairs = zip(moves[::2], moves[1::2], strict=True)
    return " ".join(_said(reply, answer or "") for reply, answer in pairs)


def _said(reply: str | None, answer: str) -> str:
    """As a player writes it."""
    return gettext("IF %(reply)s THEN %(answer)s") % {"reply": reply or gettext("ANY"), "answer": answer}


BUILDERS: Mapping[str, Builder] = {"conditionals": _waiting}
