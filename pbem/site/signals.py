"""Signals to which other apps answer: further pages about what a page shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.dispatch import Signal

from pbem.competitions.models import Competition

more_of_competition = Signal()  # with `competition`, a public one: the path and title of each further page


def more_of(competition: Competition) -> Iterator[tuple[str, str]]:
    """Yields the path and the title of the pages that other apps have about a competition."""
    answers: list[tuple[Any, Any]] = more_of_competition.send(None, competition=competition)
    for _receiver, pages in answers:
        yield from pages
