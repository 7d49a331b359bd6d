"""Probability thresholds for guessed intents."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from pbem.intents import guesses


class Bar(Enum):
    """A threshold, by what depends on the guess."""

    CERTAIN = "so that one of its sentences is believed less"
    SURE = "so that a sketch is believed less"
    USUAL = "so that it is worth a question"
    REFUSED = "for nobody else will read it"


PROBABILITY: Mapping[Bar, float] = {Bar.CERTAIN: 0.9, Bar.SURE: 0.65, Bar.REFUSED: 0.35}


def has_intent(intent: str, text: str, *, bar: Bar = Bar.SURE) -> bool:
    """Whether `intent` is the likeliest intent of the text and reaches the bar."""
    return any(each.intent == intent and each.probability >= PROBABILITY[bar] for each in guesses(text)[:1])


def bar_of(intent: str, text: str) -> Bar:
    """Returns CERTAIN or SURE, the highest bar that the intent reaches, else USUAL."""
    return next((bar for bar in (Bar.CERTAIN, Bar.SURE) if has_intent(intent, text, bar=bar)), Bar.USUAL)
