"""The bulletin of a tournament for a newsletter: new results, the cross-table, chosen positions."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from pbem.admin.signals import texts_of_others
from pbem.matches.models import Bulletin, ChosenPosition, Commentary


@receiver(texts_of_others)
def texts(**_signal: Any) -> tuple[tuple[type[Any], tuple[str, ...]], ...]:
    """Returns the columns of the organiser's texts, which may name players."""
    return (Bulletin, ("words",)), (Commentary, ("title", "words")), (ChosenPosition, ("caption",))
