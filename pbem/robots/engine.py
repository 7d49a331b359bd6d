"""Asks a process of its own for a move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from math import exp
from typing import Any

from pbem.matches.models import Match
from pbem.robots.child_process import Failed, Limits, answer
from pbem.robots.models import Think

__all__ = ["Failed", "Thought", "ask", "lease_of", "question"]
CHILD = "games.robots.child"
CPU_SECONDS: Mapping[int, int] = {1: 20, 2: 60, 3: 300, 4: 1800}  # some ten times what is usual
MEBIBYTES = 512
MARGIN = timedelta(seconds=30)  # of a lease, for what comes after the think


@dataclass(frozen=True)
class Thought:
    """`chance` is that of the player to move to win, from 0 to 1."""

    move: str
    score: int = 0
    chance: float = 0.5
    depth: int = 0
    nodes: int = 0


def lease_of(level: int) -> timedelta:
    return timedelta(seconds=_limits(level).patience) + MARGIN


def question(row: Think, match: Match) -> dict[str, Any]:
    """What the process is asked."""
    return question_of(match, row.level, row.seed)


def question_of(match: Match, level: int, seed: str) -> dict[str, Any]:
    """What a robot of this level would play in the match as it stands."""
    earlier: list[str] = []
    if match.game.repetition:
        turns = match.live_turns().filter(ply__lt=match.ply - 1).values_list("position", flat=True)
        earlier = [str(match.start_position()), *turns] if match.ply else []
    asked = {"game": match.game_name, "position": match.position, "earlier": earlier}
    return asked | {"level": level, "seed": seed}


def ask(asked: Mapping[str, Any]) -> Thought:
    """Raises Failed."""
    told = answer(CHILD, asked, _limits(int(asked["level"])))
    try:
        chance = 1 / (1 + exp(-max(-20.0, min(20.0, told["score"] / told["scale"]))))
        return Thought(str(told["move"]), int(told["score"]), chance, int(told["depth"]), int(told["nodes"]))
    except (ValueError, TypeError, KeyError, ZeroDivisionError):
        raise Failed("its answer makes no sense") from None


def _limits(level: int) -> Limits:
    return Limits(CPU_SECONDS.get(level, max(CPU_SECONDS.values())), MEBIBYTES)
