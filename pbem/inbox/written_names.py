"""Names of players that a new email has in small letters: `ask bruno for a game of zertz`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from pbem.inbox import commands
from pbem.players.models import Player
from pbem.wording import fold, wording

_BEFORE = wording(commands.__package__).either("before_person")
_NAMED = re.compile(rf"(?<![^\W_])(?:{_BEFORE})\s+([^\W\d_][\w-]{{1,23}})(?![\w@])", re.IGNORECASE)
_MOST_LINES, _MOST_WORDS = 12, 20


def with_capitals(lines: Sequence[str]) -> Sequence[str]:
    """The lines with such names as their players write them."""
    said = (found[1] for line in lines[:_MOST_LINES] for found in _NAMED.finditer(line) if found[1].islower())
    words = {fold(word) for word in islice(said, _MOST_WORDS)}
    if not words:
        return lines
    names = dict(Player.objects.filter(folded__in=words).values_list("folded", "name"))

    def written(found: re.Match[str]) -> str:
        name = names.get(fold(found[1]), found[1])
        return found[0][: found.start(1) - found.start()] + (name if found[1].islower() else found[1])

    return [_NAMED.sub(written, line) for line in lines] if names else lines
