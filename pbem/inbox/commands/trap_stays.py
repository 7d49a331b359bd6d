"""Removes the remark that the trap of Trapdoor Chess stays: `e7-e5 and I leave the trap there`."""

from __future__ import annotations

import re

from pbem.wording import wording

_WORDS = wording(__package__)
_TRAP, _STAYS = _WORDS.either("trap_stays", "trap"), _WORDS.repeated("trap_stays", "stays")
_JOINING, _KEEPS = _WORDS.either("trap_stays", "joining"), _WORDS.either("trap_stays", "keeps")
_CLAUSE = re.compile(
    rf"[\s,;.:–—-]++(?:(?:{_JOINING})\s+)?"
    rf"(?:(?:{_KEEPS})\s+(?:{_TRAP})(?:\s++(?:{_STAYS}))*+|(?:{_TRAP})(?:\s++(?:{_STAYS}))++)[\s.!]*$",
    re.IGNORECASE,
)


def without_trap_staying(text: str) -> str:
    """Returns the text without that remark; the rules say whether the trap may stay."""
    return _CLAUSE.sub("", text)
