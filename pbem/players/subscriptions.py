"""The sorts of letters that a player can do without, one by one."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class Subscription(StrEnum):
    """The value is the field of Player that says whether he wants them.

    Answers to his own letters and questions that keep others from acting in his name are not among them.
    """

    TURNS = "turns"
    RECEIPTS = "receipts"
    MESSAGES = "messages"
    CHALLENGES = "challenges"
    NEWS = "news"


# How the unsubscribe address of a letter names its sort. They live for two years: never renumber.
NUMBERS: Mapping[Subscription, int] = {
    Subscription.TURNS: 1,
    Subscription.RECEIPTS: 2,
    Subscription.MESSAGES: 3,
    Subscription.CHALLENGES: 4,
    Subscription.NEWS: 5,
}
EVERYTHING = 0


def numbered(number: int) -> Subscription | None:
    """None is everything, also where a later version of ours knew more sorts."""
    return next((subscription for subscription, known in NUMBERS.items() if known == number), None)
