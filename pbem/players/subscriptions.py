"""Subscriptions, the sorts of letters that a player can stop one by one; and the bounce score of addresses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from pbem.refusals import Code

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


class Subscription(StrEnum):
    """The value is the field of Player that holds the choice.

    Replies to the player's own letters and security questions cannot be stopped.
    """

    TURNS = "turns"
    RECEIPTS = "receipts"
    MESSAGES = "messages"
    CHALLENGES = "challenges"
    NEWS = "news"
    DIGESTS = "digests"


@dataclass(frozen=True)
class Words:
    """A subscription's name, what it brings, and what its absence means."""

    name: StrPromise
    brings: StrPromise
    without: StrPromise


WORDS: Mapping[Subscription, Words] = {
    Subscription.TURNS: Words(
        _("Turn letters"),
        _("The board whenever it is your turn, offers, and the result."),
        _("You can still play, but you have to ask: GAMES says where it is your turn, SHOW sends the board."),
    ),
    Subscription.RECEIPTS: Words(
        _("Receipts"),
        _("A short letter after each move of your own; a newcomer gets three."),
        _("We write about your move only if it cannot be played, or may not be yours."),
    ),
    Subscription.MESSAGES: Words(
        _("Messages"),
        _("What your opponents write to you."),
        _("What they say with a move still comes in the turn letter."),
    ),
    Subscription.CHALLENGES: Words(
        _("Challenges"),
        _("Who wants to play you, and what became of your own challenges."),
        _("Nobody is told that you do not see them; GAMES lists those that are open."),
    ),
    Subscription.NEWS: Words(
        _("News"),
        _("Whether an opponent can be reached, and the like."),
        _("Nothing that you need for playing."),
    ),
    Subscription.DIGESTS: Words(
        _("Digests"),
        _("One letter a day or a week in place of one for each move, if you have asked for that."),
        _("You can still play, but you have to ask; no letter for each move comes in its place."),
    ),
}

# Numbers in unsubscribe addresses, which live for two years: never renumber.
NUMBERS: Mapping[Subscription, int] = {
    Subscription.TURNS: 1,
    Subscription.RECEIPTS: 2,
    Subscription.MESSAGES: 3,
    Subscription.CHALLENGES: 4,
    Subscription.NEWS: 5,
    Subscription.DIGESTS: 6,
}
EVERYTHING = 0


def numbered(number: int) -> Subscription | None:
    """Returns the subscription with that number. None for all, also when the number is unknown."""
    return next((subscription for subscription, known in NUMBERS.items() if known == number), None)


# The bounce score: points, threshold and decay

# By the delivery status (pbem.outbox.delivery.status_codes).
POINTS: Mapping[str, int] = {
    Code.SOFT: 1,  # soft
    Code.HARD: 2,  # no such address
    Code.MAILBOX_FULL: 1,  # mailbox full
    Code.UNKNOWN_REPLY: 1,  # unknown reason
}  # other failures, such as policy, are not the address's fault
THRESHOLD = 4
HALF_LIFE = timedelta(days=7)  # without a bounce


def points_for(fate: str) -> int:
    return POINTS.get(fate, 0)


def halved(points: int, since: datetime | None, now: datetime) -> int:
    """Returns `points`, halved for each whole week without a bounce: 3, 1, 0."""
    weeks = max(now - since, timedelta(0)) // HALF_LIFE if since else 0
    return points >> min(weeks, 16)
