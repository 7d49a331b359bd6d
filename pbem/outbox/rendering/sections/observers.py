"""Sections for those who follow a match: boards, and never what the players say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.matches.models import Match
from pbem.outbox.rendering.recipient import Reader
from pbem.outbox.rendering.sections.context import Builder, Context
from pbem.outbox.rendering.sections.match import match_context
from pbem.outbox.rendering.strip import last_moves


def _watched(section: Mapping[str, Any], reader: Reader) -> Context:
    """The board after `ply` turns; the boards before it too, where several turns came `since` the last letter."""
    match, ply = reader.match(section["match"]), section["ply"]
    context = match_context(match, reader, ply)
    board, several = context["board"], ply - section["since"]
    strip = last_moves(match, ply, several, reader.notation, reader.look_at(match)) if several > 1 else None
    outcome = match.outcome()
    return context | {
        "players": match.players,
        "outcome": board.speech.outcome(outcome) if outcome else "",
        "record": match.record() if outcome else None,
        "strip": strip,
        "steps": len(strip.steps) if strip else 0,
        "board": None if strip else board,
        "void": match.status == Match.Status.VOID,
        "number": match.pk,
    }


def _watching(section: Mapping[str, Any], reader: Reader) -> Context:
    context = match_context(reader.match(section["match"]), reader, section["ply"])
    return {**section, **context, "players": context["match"].players, "number": section["match"]}


def _unwatched(section: Mapping[str, Any], reader: Reader) -> Context:
    match: Match = reader.match(section["match"])
    return {"number": match.pk, "players": match.players}


BUILDERS: Mapping[str, Builder] = {
    "watched": _watched,
    "watching": _watching,
    "unwatched": _unwatched,
}
