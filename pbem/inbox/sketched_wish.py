"""What somebody who wants to play says of it in words of their own: a friend's address, and a game."""

from __future__ import annotations

import re
from collections.abc import Iterable

from django.conf import settings

from pbem.inbox.commands.line import game_of

_ADDRESS = re.compile(r"[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+")
_WORD = re.compile(r"[^\W_]+")
_LONGEST = 200  # characters of a line, lines of a message: more is no wish
_MOST = 12
_WORDS = 3  # of the name of a game


def friend_in(lines: Iterable[str], own: str) -> str:
    """The only address of somebody else; "" where there is none, or several."""
    found = {each.lower() for line in _short(lines) for each in _ADDRESS.findall(line)} - {own.lower()}
    others = [each for each in found if not each.endswith(f"@{settings.MAIL_DOMAIN.lower()}")]
    return others[0] if len(others) == 1 else ""


def game_in(lines: Iterable[str]) -> str:
    """The first game that is named; the longest name counts."""
    for line in _short(lines):
        words = _WORD.findall(_ADDRESS.sub(" ", line))
        for length in range(_WORDS, 0, -1):
            spans = (words[at : at + length] for at in range(len(words) - length + 1))
            if found := next(filter(None, map(game_of, spans)), None):
                return found
    return ""


def _short(lines: Iterable[str]) -> list[str]:
    return [line[:_LONGEST] for line in list(lines)[:_MOST]]
