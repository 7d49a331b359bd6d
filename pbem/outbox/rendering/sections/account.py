"""Sections about the reader: their addresses, and the letters that they get."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.matches.models import Match
from pbem.outbox.rendering.match_summary import standings, under_a_clock
from pbem.outbox.rendering.recipient import Reader
from pbem.outbox.rendering.sections.context import Builder, Context
from pbem.players.subscriptions import WORDS

MOST_LISTED = 20  # matches


def _letters(section: Mapping[str, Any], reader: Reader) -> Context:
    """The sorts of letters, whether the reader gets them, and the command that changes it; of one that they have just
    changed, no other."""
    words, only = section["words"], section.get("only")
    sorts = []
    for sort, said in WORDS.items():
        if only and sort != only:
            continue
        comes = reader.player is not None and reader.player.wants(sort)
        command = f"{words['stop' if comes else 'start']} {words[sort]}"
        sorts.append(
            {"name": said.name, "what": said.brings if comes else said.without}
            | {"comes": comes, "command": command}
        )
    return {"done": section.get("done", False), "sorts": sorts, "all": f"{words['stop']} {words['all']}"}


def _addresses(section: Mapping[str, Any], reader: Reader) -> Context:
    mine = reader.player.addresses.verified() if reader.player else ()
    return {**section, "mine": [address.email for address in mine]}


def _clock_runs(section: Mapping[str, Any], reader: Reader) -> Context:
    """The matches that go on though no letter tells of them."""
    running = under_a_clock(reader.player) if reader.player else []
    return {"matches": standings(running[:MOST_LISTED], reader), "more": max(0, len(running) - MOST_LISTED)}


def _leaving(section: Mapping[str, Any], reader: Reader) -> Context:
    """The matches that are played, and the words for the three ways."""
    numbers = section["matches"]
    played = standings(Match.objects.filter(pk__in=numbers[:MOST_LISTED]).order_by("pk"), reader)
    more = max(0, len(numbers) - MOST_LISTED)
    return {**section, "matches": played, "more": more, "many": len(numbers)}


BUILDERS: Mapping[str, Builder] = {
    "addresses": _addresses,
    "clock_runs": _clock_runs,
    "leaving": _leaving,
    "letters": _letters,
}
