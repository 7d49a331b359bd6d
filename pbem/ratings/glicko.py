"""Glicko-2 (Mark E. Glickman, "Example of the Glicko-2 system", 2013), per match, with fractional periods."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp, log, pi, sqrt

SCALE = 400 / log(10)  # rating points per unit of the paper's scale
TAU = 0.5
LEAST, LARGEST = 45.0, 350.0  # of a deviation
PROVISIONAL = 110.0  # ratings with a larger deviation are provisional
_PRECISION = 1e-9


@dataclass(frozen=True)
class Strength:
    """A rating: about two thirds of players are within one `deviation` of their `rating`."""

    rating: float = 1500.0
    deviation: float = LARGEST
    volatility: float = 0.06

    @property
    def is_provisional(self) -> bool:
        return self.deviation > PROVISIONAL


def aged(strength: Strength, periods: float) -> Strength:
    """Returns the strength after a time without matches: the deviation grows."""
    return replace(strength, deviation=_grown(strength.deviation, strength.volatility, periods))


def update(strength: Strength, results: Sequence[tuple[Strength, float]], periods: float) -> Strength:
    """Returns the strength after the results (opponent, score); a win scores 1.

    `periods` is the time since the strength was computed, in rating periods.
    """
    phi = strength.deviation / SCALE
    inverse, gained = 0.0, 0.0
    for opponent, score in results:
        weight = 1 / sqrt(1 + 3 * (opponent.deviation / SCALE / pi) ** 2)
        expected = 1 / (1 + exp(weight * (opponent.rating - strength.rating) / SCALE))
        inverse += weight**2 * expected * (1 - expected)
        gained += weight * (score - expected)
    volatility = _volatility(strength.volatility, phi, 1 / inverse, gained / inverse)
    before = _grown(strength.deviation, volatility, periods) / SCALE
    after = 1 / sqrt(1 / before**2 + inverse)
    return Strength(strength.rating + SCALE * after**2 * gained, max(SCALE * after, LEAST), volatility)


def _grown(deviation: float, volatility: float, periods: float) -> float:
    return min(sqrt(deviation**2 + (SCALE * volatility) ** 2 * periods), LARGEST)


def _volatility(sigma: float, phi: float, variance: float, delta: float) -> float:
    """Solves step 5 of the paper, the zero of its function f, by the Illinois algorithm."""

    def f(x: float) -> float:
        rest = phi**2 + variance + exp(x)
        return exp(x) * (delta**2 - rest) / (2 * rest**2) - (x - log(sigma**2)) / TAU**2

    low = log(sigma**2)
    if delta**2 > phi**2 + variance:
        high = log(delta**2 - phi**2 - variance)
    else:
        high = low - TAU
        while f(high) < 0:
            high -= TAU
    f_low, f_high = f(low), f(high)
    while abs(high - low) > _PRECISION:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return exp(low / 2)
