"""Signals to which other apps answer: further pages about what a page shows."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.dispatch import Signal

from pbem.competitions.models import Competition

More = tuple[str, str, datetime]  # the path, the title and the moment of a page
more_of_competition = Signal()  # with `competition`, a public one: `More` for each further page


def more_of(competition: Competition) -> Iterator[More]:
    """Yields the pages that other apps have about a competition."""
    answers: list[tuple[Any, Any]] = more_of_competition.send(None, competition=competition)
    for _receiver, pages in answers:
        yield from pages
