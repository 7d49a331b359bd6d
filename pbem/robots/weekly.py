"""The puzzle of the week, for anyone who wants one."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from pbem.analysis import puzzles
from pbem.analysis.models import PuzzleWish
from pbem.outbox.notifications.notify import write_to_player
from pbem.refusals import Refused

SWEPT = 500  # players at a time


def send_due(*, now: datetime) -> int:
    """One letter for each player whose week is over, the next in another week: of two sweeps, the second finds none."""
    wishes = PuzzleWish.objects.filter(next_at__lte=now).order_by("next_at")
    return sum(_send(pk, now) for pk in list(wishes.values_list("pk", flat=True)[:SWEPT]))


@transaction.atomic
def _send(pk: int, now: datetime) -> bool:
    due = PuzzleWish.objects.filter(pk=pk, next_at__lte=now)
    wish = due.select_related("player").first()
    if wish is None or not due.update(next_at=now + puzzles.WEEK):
        return False
    try:
        attempt = puzzles.give(wish.player, wish.game_name, now=now)
    except Refused:
        return False  # none is left this week
    section = {"kind": "puzzle", "attempt": attempt.pk, "step": attempt.step, "weekly": True}
    written = write_to_player(
        wish.player, cause=f"puzzle:{attempt.pk}:{now:%G-%V}", section=section, now=now, answers=True
    )
    return written is not None
