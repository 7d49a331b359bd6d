"""Which letters a player can do without: the sort that each kind of letter belongs to."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.players.subscriptions import EVERYTHING, NUMBERS, Subscription

CLOCK_RUNS = "clock_runs"  # the letter to whoever has stopped turn letters while a clock runs

# A kind that is not here answers the player, or asks whether they wrote: it always goes out.
SUBSCRIPTIONS: Mapping[str, Subscription] = {
    "turn": Subscription.TURNS,
    "offer": Subscription.TURNS,
    "rejected": Subscription.TURNS,
    "cascade": Subscription.TURNS,
    "result": Subscription.TURNS,
    "voided": Subscription.TURNS,
    "overstepped": Subscription.TURNS,
    "resumed": Subscription.TURNS,
    "asks": Subscription.TURNS,
    "denied": Subscription.TURNS,
    "withdrawn": Subscription.TURNS,
    "paused": Subscription.TURNS,
    "given": Subscription.TURNS,
    "reminder": Subscription.TURNS,
    "gave": Subscription.RECEIPTS,
    "away": Subscription.NEWS,
    "here_again": Subscription.NEWS,
    "day_taken": Subscription.TURNS,
    "swapped": Subscription.TURNS,
    "undone": Subscription.TURNS,
    "replaced": Subscription.TURNS,
    "parted": Subscription.TURNS,
    "stopped": Subscription.TURNS,
    "goes_on": Subscription.TURNS,
    "imported": Subscription.TURNS,
    "extended": Subscription.TURNS,
    "played": Subscription.RECEIPTS,
    "message": Subscription.MESSAGES,
    "relayed": Subscription.MESSAGES,
    "challenge": Subscription.CHALLENGES,
    "declined": Subscription.CHALLENGES,
    "invites": Subscription.CHALLENGES,
    "uninvited": Subscription.CHALLENGES,
    "unreachable": Subscription.NEWS,
    "back": Subscription.NEWS,
    "announcement": Subscription.NEWS,
    "watched": Subscription.NEWS,
    "digest": Subscription.DIGESTS,
}


def number_of(kind: str) -> int:
    """What the unsubscribe address of a letter says; that of an answer is for letters of every sort."""
    subscription = SUBSCRIPTIONS.get(kind)
    return NUMBERS[subscription] if subscription else EVERYTHING
