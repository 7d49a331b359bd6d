"""Finds words for the friend in a challenge: `Invite Tom to zertz, and tell him dinner is at seven`."""

from __future__ import annotations

import re
from functools import cache

from pbem.inbox.commands.line import LONGEST_LINE
from pbem.wording import wording

_WORDS = wording(__package__)


_ADDRESSED = re.compile(rf"\s*(?i:{_WORDS.either('hailing')})\s+(?!PBeM)[^\W\d_a-z][\w'-]+[,!.:]")


def is_to_a_friend(line: str) -> bool:
    """Whether the line addresses a friend: `Cara Elsa, proviamo?`."""
    return bool(_ADDRESSED.match(line))


def message_along(line: str) -> str:
    """Returns the message up to the end of the line, else ""."""
    found = _pattern().search(line[:LONGEST_LINE])
    return found[1].strip() if found else ""


@cache
def _pattern() -> re.Pattern[str]:
    them, named = _WORDS.either("telling"), _WORDS.either("telling_named")
    begins = (
        rf"(?:^|[,.;:!?]\s+|\s+[-–—]\s+)"
        rf"(?:(?:{_WORDS.repeated('joining')}|{_WORDS.repeated('please')})[\s,]++)*+"
    )
    inside = rf"\s+(?:{_WORDS.either('joining')})\s+(?:(?:{_WORDS.either('please')})\s+)?"
    tells = rf"(?:(?i:{them})(?!\w)|(?i:{named})\s+[^\W\d_a-z]\w+)"
    return re.compile(rf"(?:(?i:{begins})|(?i:{inside}))({tells}\s+\S.*)", re.DOTALL)
