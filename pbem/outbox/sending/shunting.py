"""Letters that stopped our program too often: set aside, with what went wrong, for the organiser to decide."""

from __future__ import annotations

import traceback
from datetime import datetime
from pathlib import Path
from types import TracebackType

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

SHUNTED = ("S02", "S03", "O09")
KILLED = "the process ended at work on it"


class Shuntable(models.Model):
    """A letter, in or out, with a verdict. A dropped one keeps its verdict, and no longer counts as shunted.

    `faulty_since`: at the first of those attempts that the database or the disk made fail, one after the other.
    """

    faulty_since = models.DateTimeField(null=True, blank=True, editable=False)
    holds = models.ForeignKey(
        "matches.Match",
        models.SET_NULL,
        null=True,
        blank=True,
        editable=False,
        db_index=False,
        related_name="held_by_%(class)s",
        verbose_name=_("stops the clock of"),
    )
    trouble = models.TextField(_("what went wrong"), blank=True)
    dropped_at = models.DateTimeField(_("dropped"), null=True, blank=True)
    dropped_why = models.TextField(_("dropped, why and by whom"), blank=True)

    class Meta:
        abstract = True

    @property
    def is_shunted(self) -> bool:
        return self.verdict in SHUNTED and self.dropped_at is None  # type: ignore[attr-defined] # of the heir

    def drop(self, why: str, now: datetime) -> None:
        """The organiser's verb: leave it as it is."""
        self.dropped_at, self.dropped_why = now, why
        self.save(update_fields=["dropped_at", "dropped_why"])


def is_shunted() -> models.Q:
    return models.Q(verdict__in=SHUNTED, dropped_at__isnull=True)


def describe(error: BaseException) -> str:
    """The kind of an error and its place in our source; not its words, which may quote a letter."""
    place = _place(error.__traceback__)
    return f"{type(error).__name__} in {place}" if place else type(error).__name__


def verdict_of(trouble: str) -> str:
    """S03 if a game's own code failed, else S02."""
    return "S03" if " in games/" in trouble else "S02"


def _place(frames: TracebackType | None) -> str:
    """The innermost line that is ours: `pbem/outbox/writing/compose.py:41 compose`."""
    ours = ""
    for frame in traceback.extract_tb(frames):
        path = Path(frame.filename)
        if path.is_relative_to(settings.ROOT) and path.relative_to(settings.ROOT).parts[0] in (
            "pbem",
            "games",
        ):
            ours = f"{path.relative_to(settings.ROOT)}:{frame.lineno} {frame.name}"
    return ours
