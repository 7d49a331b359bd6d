"""Sections about a match that were asked for: lines that somebody tries, earlier boards, lists of moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from games.errors import AmbiguousMove, GameOver, IllegalMove
from games.kit.words import speech
from games.line import Line
from pbem.matches.notes import notes_of
from pbem.outbox.rendering.board import Board, board_at
from pbem.outbox.rendering.history import history, length
from pbem.outbox.rendering.recipient import Reader
from pbem.outbox.rendering.sections.context import Builder, Context
from pbem.outbox.rendering.sections.match import match_context
from pbem.outbox.rendering.strip import Strip, last_moves, tried

MOST_LISTED = 60  # legal moves; Zèrtz may have two thousand


def _tried(section: Mapping[str, Any], reader: Reader) -> Context:
    """`moves` as the player wrote them, from the position after `ply` turns; `left` more were not looked at."""
    context = match_context(reader.match(section["match"]), reader, section["ply"])
    match = context["match"]
    line = tried(match, section["ply"], section["moves"], reader.notation)
    strip, look = None, reader.look_at(match)
    if line.steps:
        strip = Strip(match, line.steps, reader.notation, line.outcome, look, look.across)
    now = context["board"] if strip is None else None
    first = strip is not None and context["yours"] and match.game.write
    return context | {
        "board": now,
        "examples": context["examples"] if now else (),
        "strip": strip,
        "steps": len(line.steps),
        "first": first(line.steps[0].before, line.steps[0].move, reader.notation) if first else "",
        "stopped": _why(line, context["board"], reader),
        "left": section.get("left", 0) + line.left,
    }


def _why(line: Line, board: Board, reader: Reader) -> Context:
    """Where the line stops, and why; empty if all of it can be played."""
    if line.why is None:
        return {}
    game, spoken = board.match.game, board.speech
    there = line.steps[-1].after if line.steps else board.after
    why: Context = {"text": line.stopped}
    match line.why:
        case AmbiguousMove():
            moves = (game.move(reading) for reading in line.why.readings)
            why["readings"] = [game.write(there, move, reader.notation) for move in moves]
        case IllegalMove():
            why["objection"] = spoken.remark("objections", line.why.objection)
        case GameOver():
            why["over"] = spoken.outcome(line.why.outcome)
    return why


def _strip(section: Mapping[str, Any], reader: Reader) -> Context:
    context = match_context(reader.match(section["match"]), reader, section["ply"])
    match = context["match"]
    strip = last_moves(match, section["ply"], section["last"], reader.notation, reader.look_at(match))
    if strip is None:
        return context
    return context | {"board": None, "strip": strip, "steps": len(strip.steps)}


def _description(section: Mapping[str, Any], reader: Reader) -> Context:
    """Everything in words, for a reader who has it read out to them."""
    context = match_context(reader.match(section["match"]), reader, section["ply"])
    match, board = context["match"], context["board"]
    strip = last_moves(match, section["ply"], 3, reader.notation)
    legal = board.after.count() if context["playing"] else 0
    listed = [board.write(str(move)) for move in board.after.moves()] if legal <= MOST_LISTED else []
    return context | {
        "board": None,
        "after": board.numbered_last,
        "words": board.words,
        "last": list(strip.frames) if strip else [],
        "legal": legal,
        "listed": sorted(listed) if context["playing"] else [],
        "some": board.examples(6) if legal > MOST_LISTED else (),
        "players": match.players,
        "sides": speech(match.game, board.after.rules, reader.notation).players,
        "outcome": board.outcome,
    }


def _history(section: Mapping[str, Any], reader: Reader) -> Context:
    match = reader.match(section["match"])
    board = board_at(match, section["ply"], reader.notation)
    turns = [
        {"turn": turn, "took": "" if turn.took is None else length(turn.took)}
        for turn in history(match, section["ply"], reader.notation)
    ]
    return {
        "match": match,
        "title": board.speech.phrases["name"],
        "players": match.players,
        "turns": turns,
        "outcome": board.outcome,
    }


def _record(section: Mapping[str, Any], reader: Reader) -> Context:
    """Of the first `ply` turns alone: anyone who watches may be late."""
    match = reader.match(section["match"])
    record = match.record()
    if section["ply"] < len(record.moves):
        record = replace(record, moves=record.moves[: section["ply"]], result=None)
    return {"match": match, "title": match.game.phrases(reader.language)["name"], "record": record}


def _notes(section: Mapping[str, Any], reader: Reader) -> Context:
    match = reader.match(section["match"])
    return {"match": match, "notes": list(notes_of(reader.player, match))}


BUILDERS: Mapping[str, Builder] = {
    "tried": _tried,
    "strip": _strip,
    "description": _description,
    "history": _history,
    "record": _record,
    "notes": _notes,
}
