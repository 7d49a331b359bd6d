"""Makes one player of two: somebody has signed up twice."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, models, transaction
from django.utils.translation import gettext

from pbem.matches.clock import service as clocks
from pbem.matches.models import Entry, Match
from pbem.players.models import Player
from pbem.ratings.service import games_of, rebuild


@transaction.atomic
def merge(kept: Player, gone: Player, *, now: datetime) -> None:
    """All that belongs to `gone` belongs to `kept`, whose name and wishes stay. Raises ValidationError.

    Of what a player can have only once (an address, a block) the one that `kept` has stays.
    """
    _check(kept, gone)
    clocks.settle(gone, now)  # until now their clocks ran by their own hours
    for model, column in belongings():
        rows = model._default_manager.filter(**{column: gone})
        if not _handed_over(rows, column, kept):
            for row in list(rows):
                if not _handed_over(rows.filter(pk=row.pk), column, kept):
                    row.delete()
    gone.delete()
    clocks.recalculate(kept)
    for game in games_of(kept):
        rebuild(game)


def belongings() -> Iterator[tuple[type[models.Model], str]]:
    """Every column of every table that names a player."""
    for field in Player._meta.get_fields(include_hidden=True):
        if field.auto_created and field.is_relation and not field.concrete:
            relation: Any = field
            yield relation.related_model, relation.field.name


def _check(kept: Player, gone: Player) -> None:
    if kept.pk == gone.pk:
        raise ValidationError(gettext("This is the same player."))
    if kept.robot or gone.robot:
        raise ValidationError(gettext("A robot is nobody else."))
    met = Match.objects.of(kept).filter(pk__in=Match.objects.of(gone).values("pk")).first()
    if met:
        raise ValidationError(
            gettext("They play each other in match %(number)s: they are two.") % {"number": met.pk}
        )
    theirs = Entry.objects.filter(player=gone).values("tournament")
    if Entry.objects.filter(player=kept, tournament__in=theirs).exists():
        raise ValidationError(gettext("Both stand in the same tournament: they are two."))


def _handed_over(rows: models.QuerySet[Any], column: str, kept: Player) -> bool:
    """False where `kept` has one already of what nobody has twice; then nothing was changed."""
    try:
        with transaction.atomic():
            rows.update(**{column: kept})
    except IntegrityError:
        return False
    return True
