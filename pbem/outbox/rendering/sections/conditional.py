"""Builds sections about conditional lines, take-backs and exceeded limits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from django.db.models import QuerySet
from django.utils.timezone import localtime
from django.utils.translation import gettext

from games.move_numbers import ScoreLine, mark, numbered, score
from games.protocol import Notation, Objection
from pbem.matches.clock.absences import pending
from pbem.matches.conditional import Branch, tree
from pbem.matches.matchmaking.eligibility import with_robots
from pbem.matches.models import ConditionalLine, Event, Match, Seat
from pbem.outbox.notifications.kinds import Section
from pbem.outbox.rendering.board import Board
from pbem.outbox.rendering.durations import dated
from pbem.outbox.rendering.recipient import Context, Reader, standings
from pbem.players.models import Absence, Player
from pbem.refusals import Code


@dataclass(frozen=True)
class Played:
    """A turn that was played automatically. `mark` is its number, `how` as in Turn."""

    mark: str
    name: str
    yours: bool
    move: str
    how: str


def aftermath(event: Event, seat: Seat | None, board: Board) -> Context:
    """Returns the automatic moves after a move, and the reader's answers that failed."""
    failed = [fact for fact in event.facts.get("failed", ()) if seat and fact["side"] == seat.side]
    return {
        "plies": list(_plies(event, seat, board)) if event.facts.get("itself") else (),
        "failures": [_failure(fact, board) for fact in failed],
    }


def invitation(board: Board) -> str:
    """Returns an example of a conditional line: a reply and an answer. Empty when the game would be over."""
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
    """Returns the reader's conditional lines that were not fully played."""
    if seat is None or not seat.conditionals:
        return []
    rows = seat.lines.unused()
    return [numbered(row.ply, _whole(_spoken(row, seat.match, notation))) for row in rows]


def conditionals_section(section: Section, reader: Reader) -> Context:
    """Shows the waiting tree, a line per branch, with the numbers to delete them."""
    match = reader.match(section["match"])
    seat = reader.seat_in(match)
    rows = seat.lines.waiting() if seat else ()
    # In pairs: after a take-back, a reply already played is shown before its answer.
    lines = [
        (row.number, _spoken(row, match, reader.notation)[(match.ply - row.ply) // 2 * 2 :]) for row in rows
    ]
    return {
        "match": match,
        "opponent": seat.opponent.player.name if seat else "",
        "branches": (branches := list(_indented(tree(lines), match.pk))),
        "taps": [branch for branch in branches if branch["command"]],
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
    """Returns the moves in the reader's notation, as far as their positions are known."""
    game, position = match.game, match.at(row.position)
    spoken: list[str | None] = []
    for text in row.moves[: row.known]:
        move = game.move(text)
        spoken.append(game.write(position, move, notation))
        position = position.play(move)
    return [*spoken, *row.moves[row.known :]]


def _indented(branches: Iterable[Branch], match: int, depth: int = 0) -> Iterator[Context]:
    """Yields the lines of text, each that can be removed with the command for it."""
    for branch in branches:
        number = f"{branch.number}." if branch.number else ""
        removes = {"match": match, "number": branch.number}
        yield {
            "text": f"{number:>4} {'   ' * depth}{_said(branch.reply, branch.answer)}",
            "number": branch.number,
            "command": gettext("IFS %(match)s CLEAR %(number)s") % removes if branch.number else "",
        }
        yield from _indented(branch.then, match, depth + 1)


def _whole(moves: Sequence[str | None]) -> str:
    pairs = zip(moves[::2], moves[1::2], strict=True)
    return " ".join(_said(reply, answer or "") for reply, answer in pairs)


def _said(reply: str | None, answer: str) -> str:
    """Formats a line as a player writes it."""
    return gettext("IF %(reply)s THEN %(answer)s") % {"reply": reply or gettext("ANY"), "answer": answer}


# Take-backs: `6. g1-g4 a7-c5`

MOST = 6  # plies; more are only counted


def taken_back(event: Event, board: Board) -> str:
    """Returns the moves in the reader's notation. Empty for none, for many, or without their position."""
    if event.kind == Event.Kind.UNDONE:
        lines = _undone(event, board)
    else:
        first = event.facts.get("ply")
        asked = event.kind == Event.Kind.ASKED and first is not None and board.ply == event.ply
        lines = board.since(first) if asked and event.ply - first <= MOST else ()
    return " ".join(map(str, lines))


def _undone(event: Event, board: Board) -> Iterable[ScoreLine]:
    if not 0 < event.facts["undone"] <= MOST:
        return ()
    match, game = board.match, board.match.game
    turns = list(match.turns.filter(undone_by=event).order_by("ply"))
    earlier = match.turns.filter(ply=event.ply - 1, pk__lt=turns[0].pk).order_by("pk").last()
    before, moves = match.at(earlier.position) if earlier else match.start_position(), []
    for turn in turns:
        moves.append(game.write(before, game.move(turn.move), board.notation))
        before = match.at(turn.position)
    return score(moves, event.ply)


# Limits, with the commands that free capacity

MOST_SHOWN = 10
Ends = Iterable[tuple[str, str]]


def ended_by(code: str, reader: Reader) -> list[dict[str, str]]:
    """Returns the commands, with their subjects where needed. Empty for a daily limit."""
    player, counted = reader.player, _COUNTED.get(Code(code))
    ends = counted(player, reader) if player and counted else ()
    return [{"line": line, "what": what} for line, what in ends][:MOST_SHOWN]


def _robots(player: Player, reader: Reader) -> Ends:
    return _matches(gettext("RESIGN %(number)s"), with_robots(player), reader)


def _watched(player: Player, reader: Reader) -> Ends:
    watched = Match.objects.filter(status=Match.Status.PLAYING, watchings__player=player)
    return _matches(gettext("UNWATCH %(number)s"), watched, reader)


def _matches(line: str, matches: QuerySet[Match], reader: Reader) -> Ends:
    for each in standings(matches.order_by("pk"), reader):
        yield line % {"number": each.match.pk}, f"{each.title}, {' – '.join(each.players)}"


def _offers(player: Player, reader: Reader) -> Ends:
    for seek in player.seeks.standing(reader.written_at).order_by("pk"):
        title = reader.title(seek.game)
        yield gettext("CLOSE %(number)s") % {"number": seek.pk}, title


def _absences(player: Player, reader: Reader) -> Ends:
    for absence in pending(player, reader.written_at):
        if absence.kind == Absence.Kind.PLANNED:
            day = dated(localtime(absence.since), "j F Y") if absence.since > reader.written_at else ""
            yield (gettext("BACK %(day)s") % {"day": day}).strip(), ""


def _addresses(player: Player, reader: Reader) -> Ends:
    for address in player.addresses.verified():
        yield gettext("REMOVE ADDRESS %(address)s") % {"address": address.email}, ""


def _refused(player: Player, reader: Reader) -> Ends:
    for refusing in player.refusings.select_related("refused").order_by("refused__folded"):
        yield gettext("ALLOW %(name)s") % {"name": refusing.refused.name}, ""


_COUNTED: Mapping[Code, Callable[[Player, Reader], Ends]] = {
    Code.TOO_MANY_ROBOTS: _robots,
    Code.TOO_MANY_WATCHED: _watched,
    Code.TOO_MANY_OFFERS: _offers,
    Code.TOO_MANY_ABSENCES: _absences,
    Code.TOO_MANY_ADDRESSES: _addresses,
    Code.TOO_MANY_REFUSED: _refused,
    Code.TOO_MANY_LINES: lambda player, reader: [(gettext("IFS CLEAR"), "")],
    Code.TOO_MANY_NOTES: lambda player, reader: [(gettext("NOTE CLEAR"), "")],
}
