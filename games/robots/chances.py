"""Scores as chances to win, from 0 to 1."""

from __future__ import annotations

from math import exp, log

from games.robots.search import PROVEN

_STEEPEST = 20.0  # beyond it the odds are beyond all doubt


def chance(score: int, scale: int) -> float:
    """Of the side that the score is for, `scale` points being odds of e to 1; what is proved is 0 or 1."""
    if abs(score) > PROVEN:
        return float(score > 0)
    return 1 / (1 + exp(-max(-_STEEPEST, min(_STEEPEST, score / scale))))


def score_of(wanted: float, scale: int) -> int:
    """The score with that chance, which is between 0 and 1."""
    return round(scale * log(wanted / (1 - wanted)))
