"""Asks a process of its own for a move."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from math import exp
from typing import Any

from django.conf import settings

from pbem.matches.asked import asked
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
    """`chance` is that of the player to move to win, from 0 to 1; `seconds` are those of the processor."""

    move: str
    score: int = 0
    chance: float = 0.5
    depth: int = 0
    nodes: int = 0
    seconds: float = 0.0


def lease_of(level: int) -> timedelta:
    return timedelta(seconds=limits(level).patience) + MARGIN


def question(row: Think, match: Match) -> dict[str, Any]:
    """What the process is asked."""
    wanted = asked(match) | {"level": row.level, "seed": row.seed}
    command = command_for(row.level, match.game.key)
    return wanted | ({"command": shlex.split(command)} if command else {})


def command_for(level: int, game: str) -> str:
    """The line of another program that plays this game at this level here; "" where ours does."""
    commands: Mapping[str, str] = settings.ROBOT_COMMANDS
    return commands.get(f"{level} {game}") or commands.get(str(level), "")


def ask(wanted: Mapping[str, Any]) -> Thought:
    """Raises Failed."""
    found = answer(CHILD, wanted, limits(int(wanted["level"])))
    try:
        told = found.told
        chance = 1 / (1 + exp(-max(-20.0, min(20.0, told["score"] / told["scale"]))))
        score, depth, nodes = (int(told[key]) for key in ("score", "depth", "nodes"))
        return Thought(str(told["move"]), score, chance, depth, nodes, found.seconds)
    except (ValueError, TypeError, KeyError, ZeroDivisionError):
        raise Failed("its answer makes no sense", found.seconds) from None


def limits(level: int) -> Limits:
    return Limits(CPU_SECONDS.get(level, max(CPU_SECONDS.values())), MEBIBYTES)
