"""Tells the player who has asked for something what a robot has found, or that it has found nothing."""

from __future__ import annotations

from datetime import datetime

from pbem.analysis.models import Study, Wish
from pbem.matches.models import Seat
from pbem.outbox.notifications.notify import Section, write_to_player


def section_of(wish: Wish) -> Section:
    study = wish.study
    told: Section = {"kind": str(study.kind), "study": study.pk, "match": study.match_id}
    return told | {"stage": wish.stage} if study.kind == Study.Kind.HINT else told


def tell(study: Study, *, now: datetime) -> None:
    """In the transaction that closes the row. The player who has left the match meanwhile hears nothing."""
    players = set(Seat.objects.filter(match=study.match_id).values_list("player", flat=True))
    for wish in study.wishes.filter(told_at=None, player__in=players).select_related("player"):
        wish.study = study
        write_to_player(
            wish.player,
            cause=f"wish:{wish.pk}",
            section=section_of(wish),
            match=study.match,
            ply=study.match.ply,
            now=now,
            answers=True,
        )
        Wish.objects.filter(pk=wish.pk).update(told_at=now)
