"""Signals to which other apps answer: what they add to pages of the admin, and to the erasure of a player."""

from collections.abc import Iterator
from typing import Any

from django.dispatch import Signal

row_actions = Signal()  # by model, with `row`: further AdminActions of its page
tournament_counts = Signal()  # with `tournaments`, numbers: a (count, sentence) for each of them
texts_of_others = Signal()  # (model, columns) that may name a player, where an erasure replaces the name


def answers(signal: Signal, sender: object = None, **told: Any) -> Iterator[Any]:
    """Sends a signal, and yields what the receivers return."""
    for _receiver, answer in signal.send(sender, **told):
        yield answer
