"""What went wrong with a letter, as it is written down for the organiser."""

from __future__ import annotations

import traceback
from pathlib import Path
from types import TracebackType

from django.conf import settings

from pbem.refusals import Code

KILLED = "the process ended at work on it"


def describe(error: BaseException) -> str:
    """The kind of an error and its place in our source; not its words, which may quote a letter."""
    place = _place(error.__traceback__)
    return f"{type(error).__name__} in {place}" if place else type(error).__name__


def verdict_of(trouble: str) -> str:
    """S03 if a game's own code failed, else S02."""
    return Code.ENGINE_ERROR if " in games/" in trouble else Code.POISON


def _place(frames: TracebackType | None) -> str:
    """The innermost line that is ours: `pbem/outbox/rendering/compose.py:41 compose`."""
    ours = ""
    for frame in traceback.extract_tb(frames):
        path = Path(frame.filename)
        if path.is_relative_to(settings.ROOT) and path.relative_to(settings.ROOT).parts[0] in (
            "pbem",
            "games",
        ):
            ours = f"{path.relative_to(settings.ROOT)}:{frame.lineno} {frame.name}"
    return ours
