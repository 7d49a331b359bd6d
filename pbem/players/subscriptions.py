"""The sorts of letters that a player can do without, one by one."""

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
    """The value is the field of Player that says whether they want such letters.

    Answers to their own letters and questions that keep others from acting in their name are not among them.
    """

    TURNS = "turns"
    RECEIPTS = "receipts"
    MESSAGES = "messages"
    CHALLENGES = "challenges"
    NEWS = "news"
    DIGESTS = "digests"


@dataclass(frozen=True)
class Words:
    """What a sort is called, what it brings, and how it goes without."""

    name: StrPromise
    brings: StrPromise
    without: StrPromise


WORDS: Mapping[Subscription, Words] = {
    Subscription.TURNS: Words(
        _("Turn letters"),
        _("The board whenever it is your turn, offers, and the result."),
        _(
            "You can still play, but you have to ask: GAMES says where it is your turn, SHOW brings the board."
        ),
    ),
    Subscription.RECEIPTS: Words(
        _("Receipts"),
        _("The board after each move of your own."),
        _("We write about your move only if it could not be played."),
    ),
    Subscription.MESSAGES: Words(
        _("Messages"),
        _("What your opponents write to you."),
        _("What they say with a move still comes in the turn letter."),
    ),
    Subscription.CHALLENGES: Words(
        _("Challenges"),
        _("Who wants to play with you, and what became of your own challenges."),
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

# How the unsubscribe address of a letter names its sort. They live for two years: never renumber.
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
    """None is everything, also where a later version of ours knew more sorts."""
    return next((subscription for subscription, known in NUMBERS.items() if known == number), None)


# How many letters an address may send back before it is paused: the points, the threshold, the
# forgetting.

# By the fate of the letter (pbem.outbox.delivery.status_codes).
POINTS: Mapping[str, int] = {
    Code.SOFT: 1,  # soft
    Code.HARD: 2,  # there is no such address
    Code.MAILBOX_FULL: 1,  # mailbox full
    Code.UNKNOWN_REPLY: 1,  # nobody knows why
}  # the others, policy above all, say nothing of the address: our fault, not the player's
THRESHOLD = 4
HALF_LIFE = timedelta(days=7)  # without a bounce


def points_for(fate: str) -> int:
    return POINTS.get(fate, 0)


def halved(points: int, since: datetime | None, now: datetime) -> int:
    """What is left of `points` after whole weeks without a bounce: 3, 1, 0."""
    weeks = max(now - since, timedelta(0)) // HALF_LIFE if since else 0
    return points >> min(weeks, 16)
